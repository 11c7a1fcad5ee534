"""Clients that leave: each asks for something and resets its connection at some moment of the request."""

import asyncio
import base64
import json
import os
import socket
import struct
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx

from .world import LIMIT

_AT_ONCE = 240
_RESET = struct.pack("ii", 1, 0)
_PAUSE, _PATIENCE = 0.05, 2.0  # seconds: the longest pause before a client leaves; the longest wait for first bytes
_SSE = "Accept: text/event-stream"
_UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: kibitz.play.v1\r\nSec-WebSocket-Key: " + base64.b64encode(bytes(16)).decode()
)
MOMENTS = ("at once", "within the request", "soon", "after first bytes", "without reading")
"""When a client leaves: `soon` is up to 50 ms later."""


class Account:
    """A new player with a game under way, one that is over and analysed, and a league."""

    def __init__(self, url: str, address: str = "127.0.0.1") -> None:
        self.url, self.address = url, address
        transport = httpx.HTTPTransport(local_address=address)
        self.http = httpx.Client(base_url=url, timeout=60, transport=transport)
        registered = self.post("/v1/players", {"name": "Leaver"})
        self.player, self.token = UUID(registered["player"]["id"]), str(registered["token"]["secret"])
        self.http.headers["authorization"] = f"Bearer {self.token}"
        self.game = str(self.post("/v1/games", {"game_type": "klondike"})["id"])
        self.over = str(self.post("/v1/games", {"game_type": "golf"})["id"])
        self.post(f"/v1/games/{self.over}/commands", {"type": "game/resign"})
        self.post(f"/v1/games/{self.over}/analysis", {})
        self.league = str(self.post("/v1/leagues", {"name": "Gone", "game_type": "golf", "rules": "same-deal-1"})["id"])

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """What is answered in the end, whatever the database does meanwhile."""
        headers = {"idempotency-key": str(uuid4())} if "game_type" in body else {}
        end = time.monotonic() + LIMIT
        while (
            answer := self.http.post(path, json=body, headers=headers)
        ).status_code == 503 and time.monotonic() < end:
            time.sleep(1)
        assert answer.is_success or answer.status_code == 409, answer.text  # said before an outage, and again behind it
        return answer.json()

    def requests(self) -> dict[str, bytes]:
        """A request of each kind, by its operation."""
        game, over = f"/v1/games/{self.game}", f"/v1/games/{self.over}"
        draw, opening = {"type": "klondike/draw"}, {"game_type": "klondike"}
        subscribed = [
            {"type": "subscribe_game", "id": "1", "game_id": self.game},
            {"type": "subscribe_inbox", "id": "2"},
            {"type": "subscribe_account_events", "id": "3"},
            *({"type": "command", "id": f"c{number}", "game_id": self.game, "command": draw} for number in range(8)),
        ]
        return {
            "stream_game": self._request("GET", f"{game}/events"),
            "stream_game of one that is over": self._request("GET", f"{over}/events"),
            "stream_inbox": self._request("GET", "/v1/inbox/events"),
            "list_account_events": self._request("GET", "/v1/account/events", _SSE),
            "list_league_events": self._request("GET", f"/v1/leagues/{self.league}/events", _SSE),
            "get_analysis": self._request("GET", f"{over}/analysis", _SSE),
            "get_feed": self._request("GET", "/v1/feed?wait=60"),
            "open_line": self._request("GET", "/v1/play", _UPGRADE) + b"".join(map(_frame, subscribed)),
            "post_command": self._request("POST", f"{game}/commands", body=draw),
            "post_command with a key": self._request("POST", f"{game}/commands", "Idempotency-Key: k", body=draw),
            "open_game": self._request("POST", "/v1/games", f"Idempotency-Key: {uuid4()}", body=opening),
            "get_frames": self._request("GET", f"{game}/frames"),
            "get_record": self._request("GET", f"{over}/record"),
            "list_games": self._request("GET", "/v1/games"),
            "get_scoreboard": self._request("GET", "/v1/scoreboards/klondike"),
        }

    def _request(self, method: str, path: str, *headers: str, body: Any = None) -> bytes:
        text = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers = (*headers, "Content-Type: application/json", f"Content-Length: {len(text)}")
        lines = (f"{method} {path} HTTP/1.1", "Host: kibitz", f"Authorization: Bearer {self.token}", *headers)
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text

    def unanswered(self) -> dict[str, str]:
        """The operations that are not answered as they should be once the clients have gone, with what is answered.

        A 503 is asked again for a while: heavy work of those who have gone may be under way.
        """
        asked = {operation: request for operation, request in self.requests().items() if operation != "open_line"}
        end = time.monotonic() + LIMIT
        answers = {operation: self._answer_to(request, end) for operation, request in asked.items()}
        good = ("HTTP/1.1 20", "HTTP/1.1 409")
        return {operation: answer for operation, answer in answers.items() if not answer.startswith(good)}

    def _answer_to(self, request: bytes, end: float) -> str:
        """The status line."""
        with socket.create_connection(_place(self.url), LIMIT, (self.address, 0)) as client:
            client.sendall(request.replace(b"/feed?wait=60", b"/feed"))
            answer = client.recv(65_536).partition(b"\r\n")[0].decode()
        if " 503 " not in answer or time.monotonic() > end:
            return answer
        time.sleep(1)
        return self._answer_to(request, end)


def leave(accounts: Sequence[Account], count: int, lots: Random, kinds: Sequence[str] = ()) -> Counter[str]:
    """So many clients of these accounts, many at once, each of which leaves at its moment; how many asked for what.

    `kinds`: the operations that are asked for, if not all.
    """
    requests = [(account, *request) for account in accounts for request in account.requests().items()]
    chosen = [request for request in requests if not kinds or request[1] in kinds]

    async def leave_in_waves() -> Counter[str]:
        asked: Counter[str] = Counter()
        while (left := count - asked.total()) > 0:
            wave = lots.choices(chosen, k=min(left, _AT_ONCE))
            asked.update(operation for _, operation, _ in wave)
            await asyncio.gather(*(_leave_once(account, request, lots) for account, _, request in wave))
        return asked

    return asyncio.run(leave_in_waves())


async def _leave_once(account: Account, request: bytes, lots: Random) -> None:
    loop, moment = asyncio.get_running_loop(), lots.choice(MOMENTS)
    with socket.socket() as client, suppress(OSError, TimeoutError):  # the service may have been killed, too
        client.setblocking(False)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        if moment == "without reading":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.bind((account.address, 0))
        await loop.sock_connect(client, _place(account.url))
        length = lots.randrange(1, len(request)) if moment == "within the request" else len(request)
        await loop.sock_sendall(client, request[:length])
        match moment:
            case "soon" | "without reading" | "within the request":
                await asyncio.sleep(lots.random() * _PAUSE)
            case "after first bytes":
                async with asyncio.timeout(_PATIENCE):
                    await loop.sock_recv(client, lots.randrange(1, 4096))
            case _:
                pass


def _place(url: str) -> tuple[str, int]:
    place = urlsplit(url)
    assert place.hostname is not None
    assert place.port is not None
    return place.hostname, place.port


def _frame(message: Any) -> bytes:
    """A text message of a client, masked as RFC 6455 asks (5.3); up to 65,535 bytes."""
    text, mask = json.dumps(message).encode(), os.urandom(4)
    masked = bytes(byte ^ mask[number % 4] for number, byte in enumerate(text))
    length = bytes([0x80 | len(text)]) if len(text) < 126 else struct.pack("!BH", 0x80 | 126, len(text))
    return b"\x81" + length + mask + masked
