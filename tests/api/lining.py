"""A client of the line `WS /v1/play`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from .playing import Game
from .serving import Player, Service

PROTOCOL: Any = "kibitz.play.v1"
Told = dict[str, Any]


class Line:
    """An open line: messages go out as they are given, and come back as they arrive."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.texts: list[bytes] = []
        """Every message so far, as it came."""

    def send(self, type: str, id: str, **members: Any) -> None:
        """Send a message of this type."""
        self.socket.send(json.dumps({"type": type, "id": id, **members}, separators=(",", ":")))

    def told(self) -> Told:
        """The next message."""
        text = self.socket.recv(30)
        assert isinstance(text, str)
        self.texts.append(text.encode())
        message: Told = json.loads(text)
        return message

    def answer(self, id: str) -> Told:
        """What ends the wait for the message of this id."""
        while True:
            message = self.told()
            if message["id"] == id and message["type"] != "event":
                return message

    def ask(self, type: str, id: str = "ask", **members: Any) -> Told:
        """Send a message; the answer to it."""
        self.send(type, id, **members)
        return self.answer(id)

    def say(self, game: Game, command: Any, **members: Any) -> Told:
        """Say a command; the answer to it."""
        return self.ask("command", game_id=game["id"], command=command, **members)

    def answer_bytes(self) -> bytes:
        """The bytes of the answer in the newest message, which accepted a command."""
        return self.texts[-1].partition(b',"answer":')[2].rpartition(b',"log_position":')[0]

    def code(self) -> int:
        """The code that the line is closed with, once all messages are read."""
        try:
            while True:
                self.told()
        except ConnectionClosed as closed:
            return 1006 if closed.rcvd is None else closed.rcvd.code


@contextmanager
def line(
    service: Service, player: Player | None = None, headers: dict[str, str] | None = None, **more: Any
) -> Iterator[Line]:
    """A line of this player, or of nobody."""
    token = {} if player is None else {"authorization": f"Bearer {player.token}"}
    options: dict[str, Any] = {"subprotocols": [PROTOCOL], "additional_headers": {**token, **(headers or {})}}
    options |= {"compression": None, "proxy": None, "close_timeout": 5, "max_size": None, **more}
    with connect(service.url.replace("http", "ws") + "/v1/play", **options) as socket:
        yield Line(socket)
