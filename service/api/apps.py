"""Apps that act for a player: registered, allowed, given tokens (OAuth 2.1)."""

from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl
from uuid import UUID

from authlib.oauth2.rfc6749.errors import InvalidGrantError, InvalidRequestError
from litestar import Response
from msgspec import Meta, Struct

from domain.player import APP_SCOPES
from service.accounts.access import hash_secret
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import NO_STORE
from service.live import shapes
from service.oauth import protocol
from service.oauth.apps import DEVICE_CODE, App
from service.oauth.grants import ACCESS_SECONDS, AppToken, OAuthParts, Replayed
from service.oauth.protocol import OAuthError, refuse
from service.oauth.server import AUTH_METHODS, Fields, Records
from service.problems import Refused

TAG = "apps"
_MINE: dict[str, Any] = {"tag": TAG, "access": "required", "scope": "account:write"}
_URI = Annotated[str, Meta(min_length=3, max_length=500)]


class AppBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The app's name, and the addresses to which players return with their answer."""

    name: shapes.Name
    redirect_uris: Annotated[tuple[_URI, ...], Meta(
        max_length=10,
        description="Addresses, compared to the letter; on 127.0.0.1 and [::1] with any port. None: only for devices.",
    )]  # fmt: skip
    confidential: Annotated[bool, Meta(description="It runs on a server that can keep a secret, and gets one.")] = False
    devices: Annotated[bool, Meta(description="It may sign in by a code that its player types at `/device`.")] = False


class AppShown(Struct, frozen=True, omit_defaults=True):
    """An app that you made known; `client_secret` is shown once, when it is made known."""

    client_id: UUID
    name: str
    redirect_uris: tuple[str, ...]
    confidential: bool
    devices: bool
    created_at: shapes.Time
    client_secret: str | None = None


class AppList(Struct, frozen=True):
    """All your apps, oldest first; no more than a hundred. The list is whole: it has no pages."""

    apps: tuple[AppShown, ...]


@operation(
    id="register_app", method="POST", keeps_answer=True, path="/v1/apps", **_MINE, body=AppBody, problems=("illegal",),
    answers={201: Answer(type=AppShown, says="The app; its secret, if it has one, is shown this once.")},
    examples={"on a phone": {"name": "Kiebitz", "redirect_uris": ["org.example.kiebitz:/back"]},
              "on a server": {"name": "Score Club", "redirect_uris": ["https://scores.example.org/back"],
                              "confidential": True},
              "in a terminal": {"name": "Clubhouse bot", "redirect_uris": [], "devices": True}},
)  # fmt: skip
async def register_app(call: Call[AppBody, None]) -> Response[bytes]:
    """Make an app known, so that it may ask players for leave to act for them.

    A public app (on a phone, in a browser, in a terminal) has no secret; PKCE protects its codes.
    """
    body = call.body
    app, secret = await call.area(OAuthParts).apps.register(
        call.player, body.name, body.redirect_uris, body.confidential, body.devices
    )
    return reply(_show_app(app, secret), 201, Cache_Control=NO_STORE)


@operation(
    id="list_apps", method="GET", path="/v1/apps", **_MINE, answers={200: Answer(type=AppList, says="Your apps.")}
)
async def list_apps(call: Call[None, None]) -> Response[bytes]:
    """List the apps that you made known."""
    return reply(AppList(tuple(_show_app(app) for app in await call.area(OAuthParts).apps.of(call.player))))


@operation(
    id="delete_app", method="DELETE", keeps_answer=True, path="/v1/apps/{client_id:uuid}", **_MINE,
    answers={204: Answer(type=None, says="Deleted.")},
)  # fmt: skip
async def delete_app(call: Call[None, None]) -> Response[Any]:
    """Delete an app of yours and revoke all its grants."""
    app = await call.area(OAuthParts).apps.find(str(call.id("client_id")))
    if app is None or app.player != call.player:
        raise Refused("no_such_thing", "You have no such app.")
    await call.area(OAuthParts).apps.delete(app)
    await call.area(OAuthParts).grants.revoke_all(app)
    return Response(None, status_code=204)


def _show_app(app: App, secret: str | None = None) -> AppShown:
    return AppShown(
        app.id, app.name, app.redirect_uris, app.secret is not None, app.devices, shapes.moment(app.created_at), secret
    )


FORM = "application/x-www-form-urlencoded"
_MOST = 20  # fields of a form


class OAuthFault(Struct, frozen=True, omit_defaults=True):
    """An error (RFC 6749, 5.2)."""

    error: str
    error_description: str | None = None


FAULTS = {
    400: Answer(type=OAuthFault, says="The request is refused: `error` is the reason."),
    401: Answer(type=OAuthFault, says="The app has not proved who it is.", headers={"WWW-Authenticate": "`Basic`."}),
}
ENDPOINT: dict[str, Any] = {
    "method": "POST", "tag": TAG,
    "keyless": "Codes and refresh tokens are good once, and the rest may be said again: the protocol has no such "
    "header.",
}  # fmt: skip
"""Options that all endpoints share."""


class AppForm:
    """A form, the app that it names, and the Authorization header."""

    def __init__(self, fields: Fields, authorization: str | None, app: App | None) -> None:
        self.fields, self.authorization, self.app = fields, authorization, app
        self.named = dict(fields)


async def read_form(call: Call[Any, None]) -> AppForm:
    """The form of this request; raises OAuthError for one that cannot be read."""
    try:
        text = call.body.content.decode()
        fields = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=_MOST)
    except ValueError as error:
        raise refuse(InvalidRequestError, "The form cannot be read.") from error
    authorization = call.header(b"authorization")
    client_id = protocol.basic_client_id(authorization) or dict(fields).get("client_id", "")
    return AppForm(fields, authorization, await call.area(OAuthParts).apps.find(client_id))


def answer_fault(error: OAuthError) -> Response[bytes]:
    """The answer that RFC 6749 has for this error."""
    fault = OAuthFault(error.members["error"], error.members.get("error_description") or None)
    headers = {name.replace("-", "_"): value for name, value in error.headers.items()}
    return reply(fault, error.status, Cache_Control=NO_STORE, **headers)


class TokenForm(Struct, frozen=True):
    """A request for tokens: with a code (RFC 6749, 4.1.3; RFC 7636), a refresh token (RFC 6749, 6) or the code of a
    device (RFC 8628, 3.4)."""

    grant_type: Literal["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]
    client_id: str | None = None
    client_secret: str | None = None
    code: str | None = None
    redirect_uri: str | None = None
    code_verifier: str | None = None
    refresh_token: str | None = None
    device_code: str | None = None
    scope: str | None = None


class DeviceForm(Struct, frozen=True):
    """A device's request for codes (RFC 8628, 3.1)."""

    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None


class DeviceCodes(Struct, frozen=True):
    """The codes of a device (RFC 8628, 3.2): it shows `user_code` and the address, and asks with `device_code`."""

    device_code: str
    user_code: Annotated[str, Meta(description="Eight letters, such as WDJB-MJHT; case and hyphen do not count.")]
    verification_uri: str
    verification_uri_complete: str
    expires_in: Annotated[int, Meta(description="Seconds.")]
    interval: Annotated[int, Meta(description="Seconds between two questions.")]


class OneTokenForm(Struct, frozen=True):
    """A request about a token (RFC 7009, RFC 7662)."""

    token: str
    token_type_hint: str | None = None
    client_id: str | None = None
    client_secret: str | None = None


class IssuedTokens(Struct, frozen=True):
    """Tokens (RFC 6749, 5.1); the refresh token is good once, and the next one comes with the next access token."""

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: Annotated[int, Meta(description="Seconds.")]
    refresh_token: str
    scope: Annotated[str, Meta(description="Scopes, separated by blanks.")]


class Introspection(Struct, frozen=True, omit_defaults=True):
    """A token's state (RFC 7662); of one that is unknown, expired or another app's only `active`: false."""

    active: bool
    scope: str | None = None
    client_id: str | None = None
    token_type: str | None = None
    sub: Annotated[str, Meta(description="The player's id.")] | None = None
    exp: Annotated[int, Meta(description="Seconds since 1970.")] | None = None


class ServerDescription(Struct, frozen=True):
    """What this authorization server can do (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    introspection_endpoint: str
    device_authorization_endpoint: str
    service_documentation: str
    scopes_supported: tuple[str, ...]
    response_types_supported: tuple[str, ...] = ("code",)
    response_modes_supported: tuple[str, ...] = ("query",)
    grant_types_supported: tuple[str, ...] = ("authorization_code", "refresh_token", DEVICE_CODE)
    code_challenge_methods_supported: tuple[str, ...] = ("S256",)
    token_endpoint_auth_methods_supported: tuple[str, ...] = AUTH_METHODS
    revocation_endpoint_auth_methods_supported: tuple[str, ...] = AUTH_METHODS
    introspection_endpoint_auth_methods_supported: tuple[str, ...] = AUTH_METHODS[1:]
    authorization_response_iss_parameter_supported: bool = True


_PROOF = "client_id=01890000-0000-7000-8000-000000000000"


@operation(
    id="issue_token", **ENDPOINT, path="/oauth/token", form=TokenForm,
    texts={FORM: f"grant_type=refresh_token&{_PROOF}&refresh_token=kbz_..."}, answers={
        200: Answer(type=IssuedTokens, says="The tokens.", headers={"Pragma": "`no-cache` (RFC 6749, 5.1)."}),
        **FAULTS,
    },
)  # fmt: skip
async def issue_token(call: Call[Any, None]) -> Response[bytes]:
    """Give an app tokens for a code, for a refresh token, or for the code of a device.

    A code is good once, for a minute; a refresh token is good once; a device's code is good once, for ten minutes.
    Using one again revokes all that it gave. A new access token replaces the previous one. While a device's player has
    not answered, `error` is `authorization_pending`, or `slow_down` for a device that asks too often.
    """
    oauth = call.area(OAuthParts)
    try:
        form = await read_form(call)
        stored = await _read_grants(oauth, form)
        app, grant, scopes = protocol.check_token_request(form.fields, form.authorization, stored)
        if isinstance(grant, AppToken):
            issued = await oauth.grants.renew(app, grant, scopes)
        else:
            issued = await oauth.grants.exchange(app, grant, call.settings.token_days)
    except OAuthError as error:
        return answer_fault(error)
    except Replayed:
        return answer_fault(refuse(InvalidGrantError, "It was used before."))
    except Refused as gone:
        if gone.kind not in ("no_such_thing", "unauthenticated"):
            raise
        return answer_fault(refuse(InvalidGrantError, "The player has revoked it."))
    seconds = min(ACCESS_SECONDS, (issued.access.expires_at - issued.access.created_at) // 1_000_000)
    tokens = IssuedTokens(issued.access.secret or "", "Bearer", seconds, issued.refresh, " ".join(issued.access.scopes))
    return reply(tokens, 200, Cache_Control=NO_STORE, Pragma="no-cache")


async def _read_grants(oauth: OAuthParts, form: AppForm) -> Records:
    """The stored codes and tokens of this request; a client that does not prove to be the app revokes nothing."""
    if (app := form.app) is None:
        return Records(None)
    protocol.check_known_app(form.fields, form.authorization, Records(app))
    grants, stored = oauth.grants, Records(app)
    if code := form.named.get("code"):
        stored.code = await grants.code(code)
    if refresh := form.named.get("refresh_token"):
        stored.refresh = await grants.refresh_token(refresh)
    if device := form.named.get("device_code"):
        stored.device = await oauth.devices.poll(app, device)
        if stored.device is None:
            await grants.revoke_made_by(hash_secret(device))
    return stored


@operation(
    id="authorize_device", **ENDPOINT, path="/oauth/device_authorization", form=DeviceForm,
    texts={FORM: f"{_PROOF}&scope=games%3Aread"}, answers={200: Answer(type=DeviceCodes, says="The codes."), **FAULTS},
)  # fmt: skip
async def authorize_device(call: Call[Any, None]) -> Response[bytes]:
    """Give an app on a device without a browser two codes: one to show, one to ask for tokens with.

    The player types the first at `/device` within ten minutes and says yes or no. `expires_in` and `interval` are in
    seconds.
    """
    try:
        form, page = await read_form(call), f"{issuer_of(call)}/device"
        request = protocol.check_device_request(form.fields, form.authorization, Records(form.app), page)
    except OAuthError as error:
        return answer_fault(error)
    codes = DeviceCodes(**request.answer)
    await call.area(OAuthParts).devices.begin(request.app, codes.device_code, codes.user_code, request.scopes)
    return reply(codes, 200, Cache_Control=NO_STORE)


@operation(
    **ENDPOINT, id="revoke_app_token", path="/oauth/revoke", form=OneTokenForm, texts={FORM: f"token=kbz_...&{_PROOF}"},
    answers={200: Answer(type=None, says="It is good no more, or never was."), **FAULTS},
)  # fmt: skip
async def revoke_app_token(call: Call[Any, None]) -> Response[Any]:
    """Revoke a token of the app that asks: with a refresh token everything that the player has allowed it."""
    try:
        app, token = await _check_app(call, public=True)
    except OAuthError as error:
        return answer_fault(error)
    grants = call.area(OAuthParts).grants
    app_token = await grants.refresh_token(token) or await grants.access_token(token)
    if app_token is not None and app_token.check_client(app):
        await grants.revoke(app_token.player, app_token.token)
    return Response(b"")


@operation(
    **ENDPOINT, id="introspect_token", path="/oauth/introspect", form=OneTokenForm, texts={FORM: "token=kbz_..."},
    answers={200: Answer(type=Introspection, says="What the token is."), **FAULTS},
)  # fmt: skip
async def introspect_token(call: Call[Any, None]) -> Response[bytes]:
    """Show the state of a token to its app, if the app has a secret."""
    try:
        app, token = await _check_app(call, public=False)
    except OAuthError as error:
        return answer_fault(error)
    access = await call.area(OAuthParts).grants.access_token(token)
    app_token = access or await call.area(OAuthParts).grants.live_refresh_token(token)
    introspection = Introspection(False)
    if app_token is not None and app_token.check_client(app):
        introspection = Introspection(
            True, app_token.get_scope(), str(app_token.app), "refresh_token" if access is None else "Bearer",
            str(app_token.player), app_token.expires_at // 1_000_000,
        )  # fmt: skip
    return reply(introspection, 200, Cache_Control=NO_STORE)


@operation(
    id="describe_oauth", method="GET", path="/.well-known/oauth-authorization-server", tag=TAG,
    answers={200: Answer(type=ServerDescription, says="The description.")},
)  # fmt: skip
async def describe_oauth(call: Call[None, None]) -> Response[bytes]:
    """Describe sign-in for apps, so that an app needs to know no address but this service's."""
    own = issuer_of(call)
    return reply(ServerDescription(
        own, f"{own}/oauth/authorize", f"{own}/oauth/token", f"{own}/oauth/revoke", f"{own}/oauth/introspect",
        f"{own}/oauth/device_authorization", f"{own}/v1/docs", tuple(APP_SCOPES),
    ))  # fmt: skip


def issuer_of(call: Call[Any, Any]) -> str:
    """The address of this service, as the request has it."""
    return f"{call.request.scope['scheme']}://{call.header(b'host')}"


async def _check_app(call: Call[Any, None], *, public: bool) -> tuple[Any, str]:
    form = await read_form(call)
    return protocol.check_app(form.fields, form.authorization, Records(form.app), public=public)
