"""One client of the service: registers, opens games, makes requests beforehand, and times answers one by one."""

import socket
from collections.abc import Callable, Mapping
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

import httpx
import msgspec

from .measures import REPEATS
from .scripts import MIX, Script, scripts

_LIST = 500


class Answer(NamedTuple):
    """Status, body and the seconds from the request's first byte to the answer's last."""

    status: int
    body: bytes
    seconds: float


class Asking:
    """A connection that is kept, without a client library between the request and the clock.

    Raises ValueError for an answer that is an error: it would be a fast one.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> Answer:
        """The answer to this request."""
        began = perf_counter()
        self._socket.sendall(request)
        heard = self._until_head(b"")
        head, _, body = heard.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while len(body) < length:
            body += self._socket.recv(262_144)
        seconds, status = perf_counter() - began, int(head[9:12])
        if status >= 400:
            raise ValueError(f"{status}: {body.decode()}")
        return Answer(status, body, seconds)

    def _until_head(self, heard: bytes) -> bytes:
        while b"\r\n\r\n" not in heard:
            heard += self._socket.recv(262_144)
        return heard

    def begin(self, request: bytes) -> bytes:
        """Send a request whose answer has no end, and wait for its first event."""
        self._socket.sendall(request)
        heard = b""
        while b"data:" not in heard:
            heard += self._socket.recv(262_144)
        return heard

    def close(self) -> None:
        self._socket.close()


class Table:
    """A registered player at a running service."""

    def __init__(self, port: int, token: str) -> None:
        self.token = token
        head = {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=head, timeout=60)

    def opened(self, found: Script) -> str:
        """The id of a new game with this script's deal."""
        answer = self._http.post("/v1/games", json=found.body)
        answer.raise_for_status()
        return str(answer.json()["id"])

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """The answer to a POST of this body."""
        return self._http.post(path, json=body)

    def play(self, game: str, found: Script) -> None:
        """All of a solo game's commands, in lists as long as the service takes them."""
        for first in range(0, len(found.said), _LIST):
            self._said(game, [one.command for one in found.said[first : first + _LIST]])

    def _said(self, game: str, commands: list[Any]) -> None:
        headers = {"content-type": "application/json"}
        path, body = f"/v1/games/{game}/commands/batch", msgspec.json.encode({"commands": commands})
        answer = self._http.post(path, content=body, headers=headers)
        answer.raise_for_status()
        if answer.json()["accepted"] != len(commands):
            raise ValueError(f"{answer.json()['refusal']} in a list that was to be accepted")

    def get(self, path: str) -> bytes:
        """The bytes of a GET with this player's token."""
        return request("GET", path, self.token)

    def commands(self, game: str, found: Script, careful: bool = False, minimal: bool = False) -> list[bytes]:
        """The bytes of each command of the script; `careful`: with If-Match and a key; `minimal`: without frames."""
        more = {"prefer": "return=minimal"} if minimal else {}
        return [
            request(
                "POST", f"/v1/games/{game}/commands?seat={one.seat}", self.token, msgspec.json.encode(one.command),
                {"if-match": f'"{one.version}"', "idempotency-key": f"{game} {one.version}"} if careful else more,
            )
            for one in found.said
        ]  # fmt: skip

    def close(self) -> None:
        self._http.close()


def registered(port: int) -> Table:
    """A new player."""
    answer = httpx.post(f"http://127.0.0.1:{port}/v1/players", json={"name": "Bench"})
    answer.raise_for_status()
    told: dict[str, Any] = answer.json()
    return Table(port, told["token"]["secret"])


Made = Callable[[Table, str, Script], list[bytes]]
"""Requests of a table, a game and its script."""


def requests(table: Table, clients: int, each: int, made: Made = Table.commands) -> list[list[bytes]]:
    """Every client's requests, so many at least."""
    return [requests_of_mix(lambda _: table, number, each, made) for number in range(clients)]


def requests_of_mix(
    opening: Callable[[int], Table], number: int, each: int, made: Made = Table.commands
) -> list[bytes]:
    """One client's requests: games of the mix in turns, one after another of each kind, opened at these tables."""
    kinds = []
    for key in MIX:
        chained: list[bytes] = []
        for at, found in enumerate(islice(scripts(key), number % 4, None)):
            if len(chained) >= each // len(MIX):
                break
            table = opening(number + at)
            chained += made(table, table.opened(found), found)
        kinds.append(chained)
    return [one for together in zip(*kinds, strict=False) for one in together]


def made_beforehand(clients: int, hoped: int, seconds: float) -> int:
    """Requests of each client where so many a second are hoped for, in every repeat and before them."""
    return int(hoped * seconds * (REPEATS + 1) / clients) + 50


def request(method: str, path: str, token: str, body: bytes = b"", more: Mapping[str, str] = {}) -> bytes:
    """A request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"authorization: Bearer {token}"]
    lines += [f"{name}: {value}" for name, value in more.items()]
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body
