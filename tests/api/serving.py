"""A real server in a process of its own, and players who talk to it."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any
from uuid import UUID, uuid4

import httpx
import psutil
import pytest

from domain.player import MODERATOR_SCOPES
from service.accounts.access import Access
from service.accounts.players import Accounts, Token
from service.event_store.store import EventStore
from service.postgres import Server
from tests import forking

_SERVED = Path(__file__).with_name("served.py")
_ROOT = Path(__file__).parents[2]
_KEYS_FOLDER = TemporaryDirectory(prefix="kibitz-keys-")
KEYS = Path(_KEYS_FOLDER.name)
"""The folder of the signing keys of every server of this run."""
_QUICK = {
    "log_level": "debug", "heartbeat": 0.1, "rate_limit_per_minute": 1_000_000, "signing_keys": str(KEYS),
    "same_deal_days": False, "bar_from_tables": False, "certified_deals": 0, "search_niceness": 0, "puzzles": 0,
}  # fmt: skip
JSON = {"content-type": "application/json"}
NAMED = {"request-id": "test"}
"""All requests have one id, so that equal answers are the same bytes."""


class Service:
    """A running server: its address, its log, and its end."""

    def __init__(
        self, conninfo: str, environment: dict[str, str] | None = None, forked: bool = True, **settings: Any
    ) -> None:
        self.conninfo = conninfo
        self._log: IO[bytes] = TemporaryFile()  # noqa: SIM115  lasts as long as the process
        command = [sys.executable, str(_SERVED), json.dumps({**_QUICK, **settings}), conninfo]
        surroundings = {"PYTHONPATH": str(_ROOT), **(environment or {})}
        start = forking.Popen if forked else subprocess.Popen
        self.process = start(command, stdout=subprocess.PIPE, stderr=self._log, cwd=_ROOT, env=surroundings)
        assert self.process.stdout is not None
        ports = self.process.stdout.readline().decode().split()
        assert ports, self.log()
        port, metrics = ports
        self.metrics_url = f"http://127.0.0.1:{metrics}"
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.url, timeout=300, headers=NAMED)

    def metrics(self) -> str:
        """What it tells of itself at the port that is for it."""
        return self.http.get(f"{self.metrics_url}/metrics").raise_for_status().text

    def log(self) -> str:
        """Everything that the process has said on stderr so far."""
        self._log.flush()
        return Path(f"/proc/self/fd/{self._log.fileno()}").read_text()

    def children(self, word: str) -> list[psutil.Process]:
        """The processes that it has started, with an argument that begins so."""
        matching = []
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # it has ended since
                matching += [process] if any(text.startswith(word) for text in process.cmdline()) else []
        return matching

    def end(self, number: int = signal.SIGTERM) -> None:
        """Send the signal and wait for the end."""
        self.http.close()
        self.process.send_signal(number)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def serving(conninfo: str, **settings: Any) -> Iterator[Service]:
    """A server for the length of a `with` block."""
    service = Service(conninfo, **settings)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.end()


def done(answer: httpx.Response, status: int = 200) -> Any:
    """What an answer of this status says."""
    assert answer.status_code == status, answer.text
    return answer.json()


def pages(player: "Player", path: str, **query: Any) -> Iterator[Any]:
    """A list, page by page."""
    while query.get("cursor", "") is not None:
        page = done(player.get(path, params=query))
        yield page
        query["cursor"] = page["next"]


@contextmanager
def database_of(postgres: Server, template: str) -> Iterator[str]:
    """A migrated database for the length of a `with` block."""
    name = f"api_{uuid4().hex}"
    yield postgres.create_database(name, template)
    postgres.drop_database(name)


@dataclass(frozen=True)
class Player:
    """A registered player: speaks with the token."""

    id: str
    token: str
    token_id: str
    http: httpx.Client

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """A POST with this JSON body, or none."""
        return self.http.post(path, **({} if body is None else {"json": body}), **more)

    def on(self, service: Service) -> "Player":
        """The same player at another address of the same database."""
        return speaking(service, self.id, self.token, self.token_id)


def speaking(service: Service, player: str, token: str, token_id: str) -> Player:
    """Someone who speaks with this token."""
    headers = {**NAMED, "authorization": f"Bearer {token}"}
    http = httpx.Client(base_url=service.url, timeout=300, headers=headers)
    return Player(player, token, token_id, http)


def parts(answer: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers, without those that tell the time."""
    passing = ("date", "ratelimit")
    return answer.status_code, answer.content, {k: v for k, v in answer.headers.items() if k not in passing}


def registered(service: Service, name: str) -> Player:
    """A new player."""
    body = done(service.http.post("/v1/players", json={"name": name}), 201)
    return speaking(service, body["player"]["id"], body["token"]["secret"], body["token"]["id"])


def player_fixture(name: str, scope: Any = "session") -> Any:
    """A fixture of a player at the fixture `service`."""

    @pytest.fixture(scope=scope)
    def player(service: Service) -> Player:
        return registered(service, name)

    return player


def server_fixture(**settings: Any) -> Any:
    """A fixture of a server with these settings that lasts as long as the module, with a database of its own."""

    @pytest.fixture(scope="module")
    def server(serve: Callable[..., Service]) -> Service:
        return serve(**settings)

    return server


def moderating(service: Service) -> Player:
    """A new moderator, made past the running server as `kibitz moderator` makes one."""
    player, token = asyncio.run(_moderator(service.conninfo))
    assert token.secret is not None
    return speaking(service, str(player), token.secret, str(token.id))


async def _moderator(conninfo: str) -> tuple[UUID, Token]:
    async with EventStore(conninfo) as store:
        return await Accounts(store, Access(store)).register("Mo", 1, scopes=MODERATOR_SCOPES)


def raw(player: Player, path: str, body: bytes, **headers: str) -> httpx.Response:
    """A POST of these bytes."""
    return player.http.post(path, content=body, headers={**JSON, **headers})
