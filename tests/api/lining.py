"""A client of the line `WS /v1/play`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from .serving import Player, Service

PROTOCOL: Any = "kibitz.play.v1"


class Line:
    """An open line: messages go out as they are given, and come back as they arrive."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, type: str, id: str, **members: Any) -> None:
        """Send a message of this type."""
        self.socket.send(json.dumps({"type": type, "id": id, **members}))

    def told(self) -> dict[str, Any]:
        """The next message."""
        found: dict[str, Any] = json.loads(self.socket.recv(20))
        return found

    def until(self, *types: str) -> list[dict[str, Any]]:
        """The messages up to the first of one of these types."""
        heard = [self.told()]
        while heard[-1]["type"] not in types:
            heard.append(self.told())
        return heard

    def say(self, game: dict[str, Any], command: Any, id: str = "1", **members: Any) -> dict[str, Any]:
        """Say a command; the answer to it."""
        self.send("command", id, game_id=game["id"], command=command, **members)
        return next(one for one in iter(self.told, None) if one["id"] == id and one["type"] in ("accepted", "refused"))


@contextmanager
def line(service: Service, player: Player | None = None, headers: dict[str, str] | None = None) -> Iterator[Line]:
    """A line of this player, or of nobody."""
    known = {} if player is None else {"authorization": f"Bearer {player.token}"}
    address = service.url.replace("http", "ws") + "/v1/play"
    with connect(
        address, subprotocols=[PROTOCOL], additional_headers={**known, **(headers or {})}, compression=None,
        proxy=None, close_timeout=5,
    ) as socket:  # fmt: skip
        yield Line(socket)
