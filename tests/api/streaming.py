"""Reading server-sent events."""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import httpx

from .playing import Game, of
from .serving import Player


class Told(NamedTuple):
    """One event of a stream, without the log position that only a stream tells; heartbeats have no data."""

    name: str
    id: Any
    data: Any


def events(player: Player, game: Game, headers: dict[str, str] | None = None, **query: Any) -> Iterator[Told]:
    """The events of a game's stream, as they come."""
    return events_at(player, of(game, "/events"), headers, **query)


def events_at(player: Player, path: str, headers: dict[str, str] | None = None, **query: Any) -> Iterator[Told]:
    """The events of the stream at this path, as they come."""
    headers = {"accept": "text/event-stream", **(headers or {})}
    with player.http.stream("GET", path, params=query, headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield from _events(answer)


def calm_events_at(player: Player, path: str, headers: dict[str, str] | None = None, **query: Any) -> Iterator[Told]:
    """The same without heartbeats."""
    return (event for event in events_at(player, path, headers, **query) if event.name != "heartbeat")


def _events(answer: httpx.Response) -> Iterator[Told]:
    block: dict[str, str] = {}
    for line in answer.iter_lines():
        if line.startswith(":"):
            yield Told("heartbeat", None, None)
        elif line:
            name, _, value = line.partition(": ")
            block[name] = value
        elif "event" in block:
            data = json.loads(block["data"])
            if block["event"] not in ("account_event", "league_event"):
                assert block["event"] in ("end", "analysis") or data.pop("log_position") > 0
            text = block.get("id")
            yield Told(block["event"], int(text) if text is not None and text.isdigit() else text, data)
            block = {}


def frames(told: list[Told]) -> list[Any]:
    """The frames among these events; every event id is its frame's version."""
    events_of_frames = [event for event in told if event.name == "frame"]
    assert all(event.id == event.data["version"] for event in events_of_frames)
    return [event.data for event in events_of_frames]


def ending(told: list[Told]) -> str:
    """Why the stream ended: its last event says so, and no other does."""
    assert [event.name for event in told].count("end") == 1
    assert told[-1].name == "end"
    return told[-1].data["reason"]


def in_background(player: Player, game: Game, **query: Any) -> "Future[list[Told]]":
    """The whole stream, read by a thread of its own until it ends."""
    pool = ThreadPoolExecutor(1)
    reading = pool.submit(lambda: list(events(player, game, **query)))
    pool.shutdown(wait=False)
    return reading
