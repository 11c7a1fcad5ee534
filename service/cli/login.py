"""`kibitz login` and `logout` (RFC 8628), and the tokens that they keep, by service, in a file of the user's own.

The file is the user's alone (mode 600). Tokens are renewed under a lock, since a refresh token is good once and several
programs of one user share it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from service.cli.ending import Refusal
from service.cli.options import read_settings
from service.oauth.apps import DEVICE_CODE, TERMINAL
from service.oauth.grants import read_user_code

_EARLY = 60.0  # seconds before its end at which an access token is renewed
_TIMEOUT = 30.0
_SCOPE = "games:read games:play"
_SLOWER = 5.0  # seconds that RFC 8628 adds for `slow_down`
_REFUSALS = {
    "access_denied": "You did not allow it.",
    "expired_token": "The code has expired before anybody allowed it; try again.",
}


def login(server: str | None = None, /) -> None:
    """Sign in at a service, for `replay --server` and `bot`: a browser anywhere says yes.

    Args:
        server: its address (http://127.0.0.1 at KIBITZ_PORT)
    """
    settings = read_settings()
    server = service_address(server or f"http://127.0.0.1:{settings.port}")
    try:
        codes = _post_form(server, "/oauth/device_authorization", scope=_SCOPE)
        code = read_user_code(str(codes["user_code"]))  # nothing else of a service's may reach the terminal
        print(f"Open {server}/device in a browser, sign in, and type {code}", flush=True)
        tokens = _await_tokens(server, codes)
    except OAuthRefusal as error:
        raise Refusal(_REFUSALS.get(str(error), f"{server} refuses: {str(error)!a}.")) from error
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(f"{server} does not answer as Kibitz does.") from error
    replaced = Credentials().save(server, tokens)
    if replaced is not None:
        with suppress(OAuthRefusal, Refusal):  # they may be revoked already
            _post_form(server, "/oauth/revoke", token=replaced.refresh_token)
    print(f"You are signed in at {server}; `kibitz logout {server}` ends it.", flush=True)


def logout(server: str | None = None, /) -> None:
    """End what login has begun: forget the tokens and revoke them.

    Args:
        server: its address (http://127.0.0.1 at KIBITZ_PORT)
    """
    settings = read_settings()
    server = service_address(server or f"http://127.0.0.1:{settings.port}")
    tokens = Credentials().forget(server)
    if tokens is None:
        print(f"You are not signed in at {server}.")
        return
    try:
        _post_form(server, "/oauth/revoke", token=tokens.refresh_token)
    except (OAuthRefusal, Refusal) as error:
        raise Refusal(f"The tokens are forgotten here, but not revoked. {error}") from error
    print(f"You are signed out at {server}.")


class Tokens(Struct, frozen=True):
    """The tokens of one service; `ends`: the end of the access token, in seconds since 1970."""

    access_token: str
    refresh_token: str
    ends: float


class OAuthRefusal(Exception):
    """The service refuses, with this error of RFC 6749 or RFC 8628."""


def service_address(text: str) -> str:
    """Scheme, host and port of this address; raises Refusal."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise Refusal(f"{text} is no address: {error}.") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise Refusal(f"{text} is no address: it begins with http:// or https://.")
    return f"{url.scheme}://{url.netloc.decode()}"


def token_for(server: str, token: str | None) -> str | None:
    """This token, or that of the environment, or of `login` there; None without any."""
    return token or os.environ.get("KIBITZ_TOKEN") or Credentials().access_token(server)


def _post_form(server: str, path: str, **form: str) -> dict[str, Any]:
    """The answer of an endpoint of OAuth; raises OAuthRefusal, Refusal."""
    try:
        answer = httpx.post(f"{server}{path}", data={"client_id": str(TERMINAL.id), **form}, timeout=_TIMEOUT)
        body = answer.json() if answer.content else None
    except (httpx.HTTPError, ValueError) as error:
        raise Refusal(f"{server} does not answer as Kibitz does: {str(error) or type(error).__name__}.") from error
    if answer.is_success:
        return body if isinstance(body, dict) else {}
    if isinstance(body, dict) and "error" in body:
        raise OAuthRefusal(body["error"])
    raise Refusal(f"{server} answered {answer.status_code}.")


def _request_tokens(server: str, **form: str) -> Tokens:
    body = _post_form(server, "/oauth/token", **form)
    try:
        return Tokens(str(body["access_token"]), str(body["refresh_token"]), time() + float(body["expires_in"]))
    except (KeyError, ValueError, TypeError) as error:
        raise Refusal("The service's answer has no tokens.") from error


def _await_tokens(server: str, codes: dict[str, Any]) -> Tokens:
    """Ask until the player has answered; raises OAuthRefusal."""
    pause, ends = float(codes.get("interval", _SLOWER)), monotonic() + float(codes["expires_in"])
    while monotonic() < ends:
        sleep(pause)
        try:
            return _request_tokens(server, grant_type=DEVICE_CODE, device_code=codes["device_code"])
        except OAuthRefusal as error:
            if str(error) == "slow_down":
                pause += _SLOWER
            elif str(error) != "authorization_pending":
                raise
    raise OAuthRefusal("expired_token")


class Credentials:
    """The file of one user: `kibitz/credentials.json` in XDG_CONFIG_HOME (~/.config)."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "kibitz"
        self.path = self._folder / "credentials.json"

    def access_token(self, server: str, refused: str | None = None) -> str | None:
        """A valid token for this service, renewed if need be; None without any. Raises Refusal.

        `refused`: a token that the service did not take.
        """
        server = service_address(server)
        if not self.path.exists():
            return None
        with self._locked():
            services = self._read()
            if (tokens := services.get(server)) is None:
                return None
            if tokens.access_token != refused and time() < tokens.ends - _EARLY:
                return tokens.access_token
            try:
                refresh = tokens.refresh_token
                services[server] = _request_tokens(server, grant_type="refresh_token", refresh_token=refresh)
            except OAuthRefusal:  # the player took the consent back, or it has ended
                del services[server]
            self._write(services)
            return services[server].access_token if server in services else None

    def save(self, server: str, tokens: Tokens) -> Tokens | None:
        """Save these tokens; the ones that they replace."""
        with self._locked():
            services = self._read()
            self._write({**services, server: tokens})
        return services.get(server)

    def forget(self, server: str) -> Tokens | None:
        """Delete the tokens of this service, and return them."""
        with self._locked():
            services = self._read()
            tokens = services.pop(server, None)
            if tokens is not None:
                self._write(services)
        return tokens

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self._folder / "credentials.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Refusal(f"{self._folder} cannot be used: {error.strerror}.") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _read(self) -> dict[str, Tokens]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, Tokens])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            raise Refusal(f"{self.path} cannot be read: {error}. Delete it and sign in again.") from error

    def _write(self, services: dict[str, Tokens]) -> None:
        """Replace the file whole, readable by the user alone from its first byte."""
        new = self.path.with_suffix(f".{os.getpid()}")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(services))
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except OSError as error:
            raise Refusal(f"{self.path} cannot be written: {error.strerror}.") from error
