"""Requests of OAuth 2.1, checked by Authlib against records read from the store before.

Authlib's hooks are not asynchronous: the records that a request names are read first (`Records`), Authlib checks, and
`grants` stores the result. Only PKCE with S256 is accepted, of every app (RFC 7636, RFC 9700).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749.errors import InvalidClientError, InvalidRequestError
from authlib.oauth2.rfc6749.util import extract_basic_authorization
from msgspec import Struct

from domain.player import APP_SCOPES, AppScope
from service.oauth.apps import App
from service.oauth.grants import AppToken, Code, DeviceCode
from service.oauth.server import AUTH_METHODS, DeviceEndpoint, Fields, Records, Request, Server

_SECRET = AUTH_METHODS[1:]
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="kibitz"'}
_IN_WORDS = {
    "access_denied": "The player said no.",
    "authorization_pending": "The player has not answered yet: ask again after `interval` seconds.",
    "expired_token": "The ten minutes are over: ask for new codes.",
    "invalid_client": "The app is unknown or has not proved who it is: with its secret, by HTTP Basic or in the form, "
    "or where it has none with its client_id alone.",
    "invalid_grant": "It is unknown, used, expired, revoked, or another app's.",
    "slow_down": "That was too soon: wait 5 seconds longer from now on.",
    "unsupported_grant_type": "`grant_type` is authorization_code, refresh_token or "
    "urn:ietf:params:oauth:grant-type:device_code.",
    "unsupported_response_type": "`response_type` is code.",
}
"""Texts for errors that Authlib leaves without a description, or describes in terms of its code."""


class OAuthError(Exception):
    """An error of RFC 6749: its status, members and headers; `redirect_to`: where the browser takes it, if anywhere."""

    def __init__(self, error: OAuth2Error) -> None:
        super().__init__(error.error)
        self.status, self.members = cast(int, error.status_code), dict(error.get_body())
        self.headers = _CHALLENGE if self.status == 401 else {}
        if error.error in _IN_WORDS and not (error.error == "invalid_grant" and error.description):
            self.members["error_description"] = _IN_WORDS[error.error]
        self.redirect_uri: str | None = getattr(error, "redirect_uri", None)

    def redirect_to(self, issuer: str) -> str | None:
        """The app's address with this error; None where the app or its address is not known to be good."""
        return None if self.redirect_uri is None else answer_uri(self.redirect_uri, issuer, **self.members)


class AskedConsent(Struct, frozen=True):
    """A good request for a player's leave."""

    app: App
    redirect_uri: str
    scopes: tuple[AppScope, ...]
    state: str | None
    challenge: str


def answer_uri(redirect_uri: str, issuer: str, **members: str | None) -> str:
    """The app's address with this answer, and with who answers (RFC 9207)."""
    parameters = [(name, value) for name, value in members.items() if value is not None]
    return cast(str, add_params_to_uri(redirect_uri, [*parameters, ("iss", issuer)]))


def check_consent_request(fields: Fields, app: App | None) -> AskedConsent:
    """The request of an app that the browser brings; raises OAuthError."""
    request = Request("GET", fields)
    with _convert_errors():
        grant = Server(Records(app)).get_consent_grant(request)
    data = request.payload.data
    return AskedConsent(
        grant.client, grant.redirect_uri, scopes_of(request.scope), data.get("state"), data["code_challenge"]
    )


class AskedDevice(Struct, frozen=True):
    """A valid request of an app for the codes of a device, and its answer."""

    app: App
    scopes: tuple[AppScope, ...]
    answer: dict[str, Any]


def check_device_request(fields: Fields, authorization: str | None, records: Records, page: str) -> AskedDevice:
    """The request of a device, and codes for it; `page`: where its player types one. Raises OAuthError."""
    request = Request("POST", fields, authorization)
    with _convert_errors():
        _check_once(fields)
        _, answer, _ = DeviceEndpoint(Server(records), page)(request)
    return AskedDevice(request.client, scopes_of(request.payload.scope), answer)


def check_token_request(
    fields: Fields, authorization: str | None, records: Records
) -> tuple[App, Code | AppToken | DeviceCode, Any]:
    """The app, the code or refresh token that it shows, and the scopes for the new token; raises OAuthError."""
    request = Request("POST", fields, authorization)
    with _convert_errors():
        _check_once(fields)
        grant = Server(records).get_token_grant(request)
        grant.validate_token_request()
    credential: Code | AppToken | DeviceCode = request.authorization_code or request.refresh_token or request.credential
    narrowed = scopes_of(request.payload.scope) if request.refresh_token is not None else ()
    return request.client, credential, narrowed or credential.scopes


def basic_client_id(authorization: str | None) -> str | None:
    """The id of the app in a header of HTTP Basic, proved or not."""
    try:
        return cast(str | None, extract_basic_authorization({"Authorization": authorization})[0])
    except UnicodeDecodeError:
        return None


def check_known_app(fields: Fields, authorization: str | None, records: Records) -> None:
    """Raises OAuthError if the app does not prove who it is."""
    with _convert_errors():
        _check_once(fields)
        Server(records).authenticate_client(Request("POST", fields, authorization), list(AUTH_METHODS))


def check_app(fields: Fields, authorization: str | None, records: Records, *, public: bool) -> tuple[App, str]:
    """The app that asks about a token, and the token's text; raises OAuthError. `public`: it may have no secret."""
    with _convert_errors():
        _check_once(fields)
        request = Request("POST", fields, authorization)
        app = Server(records).authenticate_client(request, list(AUTH_METHODS if public else _SECRET))
        if not (token := request.form.get("token")):
            raise InvalidRequestError("Missing 'token' in request.")
    return app, token


def refuse(kind: type[OAuth2Error], description: str = "", redirect_uri: str | None = None) -> OAuthError:
    """An error of ours."""
    return OAuthError(kind(description or None, redirect_uri=redirect_uri))


def scopes_of(text: str | None) -> tuple[AppScope, ...]:
    """The scopes in this text, each once, in the order of APP_SCOPES."""
    named = (text or "").split()
    return tuple(scope for scope in APP_SCOPES if scope in named)


def _check_once(fields: Fields) -> None:
    names = [name for name, _ in fields]
    if len(names) != len(set(names)):
        raise InvalidRequestError("A parameter stands twice.")


@contextmanager
def _convert_errors() -> Iterator[None]:
    """What Authlib raises, as OAuthError."""
    try:
        yield
    except OAuth2Error as error:
        raise OAuthError(error) from error
    except UnicodeDecodeError as error:
        unread = InvalidClientError(status_code=401, description="The Authorization header cannot be read.")
        raise OAuthError(unread) from error
