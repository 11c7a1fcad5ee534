"""Where `kibitz login` has signed in: tokens by service, in a file of the user's own configuration folder.

The file is the user's alone (mode 600). Tokens are renewed under a lock, since a refresh token is good once and several
programs of one user share it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from service.cli.ending import Refusal
from service.oauth.apps import TERMINAL

_EARLY = 60.0  # seconds before its end at which an access token is renewed
_TIMEOUT = 30.0


class SignedIn(Struct, frozen=True):
    """What one service has given us; `ends`: when the access token does, in seconds since 1970."""

    access_token: str
    refresh_token: str
    ends: float


class OAuthRefusal(Exception):
    """The service refuses, with this error of RFC 6749 or RFC 8628."""


def config_folder() -> Path:
    """`kibitz` in XDG_CONFIG_HOME (~/.config)."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "kibitz"


def service_address(text: str) -> str:
    """Scheme, host and port of this address; raises Refusal."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise Refusal(f"{text} is no address: {error}.") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise Refusal(f"{text} is no address: it begins with http:// or https://.")
    return f"{url.scheme}://{url.netloc.decode()}"


def post_form(server: str, path: str, **form: str) -> dict[str, Any]:
    """The answer of an endpoint of OAuth; raises OAuthRefusal, Refusal."""
    try:
        answer = httpx.post(f"{server}{path}", data={"client_id": str(TERMINAL.id), **form}, timeout=_TIMEOUT)
        told = answer.json() if answer.content else None
    except (httpx.HTTPError, ValueError) as error:
        raise Refusal(f"{server} does not answer as Kibitz does: {str(error) or type(error).__name__}.") from error
    if answer.is_success:
        return told if isinstance(told, dict) else {}
    if isinstance(told, dict) and "error" in told:
        raise OAuthRefusal(told["error"])
    raise Refusal(f"{server} answered {answer.status_code}.")


def signed_in(told: dict[str, Any]) -> SignedIn:
    """The tokens of an answer of the token endpoint; raises Refusal."""
    try:
        return SignedIn(str(told["access_token"]), str(told["refresh_token"]), time() + float(told["expires_in"]))
    except (KeyError, ValueError, TypeError) as error:
        raise Refusal("The service's answer has no tokens.") from error


class Credentials:
    """The file of one user."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or config_folder()
        self.path = self._folder / "credentials.json"

    def access_token(self, server: str, refused: str | None = None) -> str | None:
        """A good token for this service, renewed if need be; None: nobody is signed in there. Raises Refusal.

        `refused`: a token that the service did not take.
        """
        server = service_address(server)
        if not self.path.exists():
            return None
        with self._locked():
            kept = self._read()
            if (found := kept.get(server)) is None:
                return None
            if found.access_token != refused and time() < found.ends - _EARLY:
                return found.access_token
            try:
                told = post_form(server, "/oauth/token", grant_type="refresh_token", refresh_token=found.refresh_token)
            except OAuthRefusal:  # the leave was taken back, or has ended
                del kept[server]
                self._write(kept)
                return None
            kept[server] = signed_in(told)
            self._write(kept)
            return kept[server].access_token

    def keep(self, server: str, given: SignedIn) -> SignedIn | None:
        """Keep these tokens; what they replace."""
        with self._locked():
            kept = self._read()
            before = kept.get(server)
            self._write({**kept, server: given})
        return before

    def forget(self, server: str) -> SignedIn | None:
        """Delete what is kept of this service; what that was."""
        with self._locked():
            kept = self._read()
            found = kept.pop(server, None)
            if found is not None:
                self._write(kept)
        return found

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

    def _read(self) -> dict[str, SignedIn]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, SignedIn])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            raise Refusal(f"{self.path} cannot be read: {error}. Delete it and sign in again.") from error

    def _write(self, kept: dict[str, SignedIn]) -> None:
        """Replace the file whole, readable by the user alone from its first byte."""
        new = self.path.with_suffix(f".{os.getpid()}")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(kept))
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except OSError as error:
            raise Refusal(f"{self.path} cannot be written: {error.strerror}.") from error


def token_for(server: str, given: str | None) -> str | None:
    """The token that was given, or stands in the environment, or of who has signed in there; None: nobody's."""
    return given or os.environ.get("KIBITZ_TOKEN") or Credentials().access_token(server)
