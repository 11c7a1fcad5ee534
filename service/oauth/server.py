"""Authlib's server and its grants over the stored records of one request."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, cast

from authlib.oauth2.rfc6749 import AuthorizationServer, OAuth2Payload, OAuth2Request
from authlib.oauth2.rfc6749.errors import InvalidGrantError, InvalidRequestError, UnauthorizedClientError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant
from msgspec import Struct

from domain.player import APP_SCOPES
from service.accounts.access import new_secret
from service.oauth import grants
from service.oauth.apps import DEVICE_CODE, App
from service.oauth.grants import AppToken, Code, DeviceCode

Fields = list[tuple[str, str]]
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post")


class Records(Struct):
    """The stored records that a request names: its app, its code, its refresh token, its device."""

    app: App | None
    code: Code | None = None
    refresh: AppToken | None = None
    device: DeviceCode | None = None


class _Payload(OAuth2Payload):
    def __init__(self, fields: Iterable[tuple[str, str]]) -> None:
        self._every: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in fields:
            self._every[name].append(value)

    @property
    def data(self) -> dict[str, str]:
        return {name: values[-1] for name, values in self._every.items()}

    @property
    def datalist(self) -> defaultdict[str, list[str]]:
        return self._every


class Request(OAuth2Request):
    def __init__(self, method: str, fields: Fields, authorization: str | None = None) -> None:
        headers = {} if authorization is None else {"Authorization": authorization}
        super().__init__(method, "https://kibitz", headers=headers)  # that TLS is spoken is the proxy's business
        self.payload = _Payload(fields)

    @property
    def form(self) -> Mapping[str, str]:
        return self.payload.data

    args = form


class _CodeGrant(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(AUTH_METHODS)

    def query_authorization_code(self, code: str, client: App) -> Code | None:
        stored: Code | None = self.server.records.code
        return stored if stored is not None and stored.app == client.id else None


class _RefreshGrant(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(AUTH_METHODS)

    def authenticate_refresh_token(self, refresh_token: str) -> AppToken | None:
        return cast(AppToken | None, self.server.records.refresh)


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    EXPIRES_IN, INTERVAL = grants.LIFE, grants.PAUSE

    def __init__(self, server: "Server", page: str) -> None:
        super().__init__(server)
        self._page = page

    def authenticate_client(self, request: Request) -> App:
        app: App = super().authenticate_client(request)
        if not app.check_grant_type(DEVICE_CODE):
            raise UnauthorizedClientError("The app is not for devices.")
        return app

    def generate_device_code(self) -> str:
        return new_secret()

    def generate_user_code(self) -> str:
        return grants.new_user_code()

    def get_verification_uri(self) -> str:
        return self._page

    def save_device_credential(self, client_id: str, scope: str | None, data: dict[str, Any]) -> None:
        """The caller stores it: this hook is not asynchronous."""


class _DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = list(AUTH_METHODS)

    def query_device_credential(self, device_code: str) -> DeviceCode:
        if self.server.records.device is None:
            raise InvalidGrantError("Invalid 'device_code' in request.")
        return cast(DeviceCode, self.server.records.device)

    def query_user_grant(self, user_code: str) -> tuple[Any, bool] | None:
        device: DeviceCode = self.server.records.device
        return None if device.allowed is None else (device.player, device.allowed)

    def should_slow_down(self, credential: DeviceCode) -> bool:
        return credential.too_soon


class _Challenge(CodeChallenge):
    """PKCE, required of every app, by S256 alone."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        data = grant.request.payload.data
        if not data.get("code_challenge") or data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("PKCE is required: 'code_challenge' and 'code_challenge_method' S256.")
        super().validate_code_challenge(grant, redirect_uri)


class Server(AuthorizationServer):
    """Authlib's server over the stored records of one request."""

    def __init__(self, records: Records) -> None:
        super().__init__(scopes_supported=list(APP_SCOPES))
        self.records = records
        self.register_grant(_CodeGrant, [_Challenge()])
        self.register_grant(_RefreshGrant)
        self.register_grant(_DeviceGrant)

    def query_client(self, client_id: str) -> App | None:
        app = self.records.app
        return app if app is not None and app.get_client_id() == client_id else None

    def create_oauth2_request(self, request: Request) -> Request:
        return request

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """No listener exists."""
