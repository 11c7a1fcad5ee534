"""The forms that apps send to the endpoints of OAuth 2.1, and how faults of them are answered."""

from typing import Any
from urllib.parse import parse_qsl

from authlib.oauth2.rfc6749.errors import InvalidRequestError
from litestar import Response
from msgspec import Struct

from service.api.apps.apps import TAG
from service.http.operation import Answer, Call, reply
from service.http.security_headers import NO_STORE
from service.oauth import protocol
from service.oauth.apps import App
from service.oauth.protocol import OAuthError, refuse
from service.oauth.server import Fields

FORM = "application/x-www-form-urlencoded"
_MOST = 20  # fields of a form


class OAuthFault(Struct, frozen=True, omit_defaults=True):
    """An error (RFC 6749, 5.2)."""

    error: str
    error_description: str | None = None


FAULTS = {
    400: Answer(type=OAuthFault, says="The request is not good: `error` tells why."),
    401: Answer(type=OAuthFault, says="The app has not proved who it is.", headers={"WWW-Authenticate": "`Basic`."}),
}
ENDPOINT: dict[str, Any] = {
    "method": "POST", "tag": TAG,
    "keyless": "Codes and refresh tokens are good once, and the rest may be said again: the protocol has no such "
    "header.",
}  # fmt: skip
"""What all endpoints have in common."""


class AppForm:
    """A form, the app that it names, and what proves it."""

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
    return AppForm(fields, authorization, await call.services.apps.find(client_id))


def answer_fault(error: OAuthError) -> Response[bytes]:
    """The answer that RFC 6749 has for this error."""
    told = OAuthFault(error.members["error"], error.members.get("error_description") or None)
    headers = {name.replace("-", "_"): value for name, value in error.headers.items()}
    return reply(told, error.status, Cache_Control=NO_STORE, **headers)
