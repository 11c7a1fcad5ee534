"""Looking on without a seat: every channel that tells of a game, against what is recorded."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec

from domain.play import frames as fr
from service.live import shapes

from . import truth
from .playing import Frame, Game, of, version_of
from .serving import Player, Service
from .streaming import Told, ending, events, frames

NDJSON = {"accept": "application/x-ndjson"}
TEXT = {"accept": "text/plain"}


def onlookers(service: Service, ada: Player, eve: Player) -> list[tuple[httpx.Client, dict[str, str]]]:
    """Who looks without a seat: a player with none, nobody known, and a player who leaves the own seat aside."""
    return [(eve.http, {}), (service.http, {}), (ada.http, {"spectator": "true"})]


def as_recorded(service: Service, game: Game) -> list[Frame]:
    """Every frame of a spectator, made from the records and past the service's reading of them."""
    shown = fr.frames(truth.records(service, game), None)
    return [json.loads(msgspec.json.encode(shapes.frame(frame))) for frame in shown]


def shown(http: httpx.Client, game: Game, rest: str, query: dict[str, Any], **headers: str) -> httpx.Response:
    return http.get(of(game, rest), params=query, headers=headers)


def everything_shows(recorded: list[Frame], http: httpx.Client, query: dict[str, str], game: Game) -> None:
    """Each way to look at the game tells these frames and knows of no other."""
    it_looks_like(recorded[-1], http, query, game)
    listed = shown(http, game, "/frames", query).json()
    assert (listed["steps"], listed["frames"], listed["next"]) == (len(recorded), recorded, None)
    lines = shown(http, game, "/frames", query, **NDJSON).text.splitlines()
    assert [json.loads(line) for line in lines] == recorded
    single_frames_are(recorded, http, query, game)
    ranges_are(recorded, http, query, game)
    told = list(stream_of(http, query, game))
    assert (frames(told), ending(told)) == (recorded, "limit")


def it_looks_like(frame: Frame, http: httpx.Client, query: dict[str, str], game: Game) -> None:
    answer = shown(http, game, "", query)
    seen = answer.json()
    told = {"step", "live_step", "version", "status", "view", "result"}
    assert {key: seen[key] for key in told} == {key: frame[key] for key in told}
    assert (seen["updated_at"], version_of(answer)) == (frame["time"], frame["version"])
    assert seen["viewer"] is None


def single_frames_are(recorded: list[Frame], http: httpx.Client, query: dict[str, str], game: Game) -> None:
    last = len(recorded) - 1
    assert shown(http, game, f"/frames/{last}", query).json() == recorded[-1]
    assert shown(http, game, f"/frames/{last}", query, **TEXT).status_code == 200
    for beyond in range(last + 1, last + 5):
        for media in ({}, TEXT):
            assert shown(http, game, f"/frames/{beyond}", query, **media).status_code == 404


def ranges_are(recorded: list[Frame], http: httpx.Client, query: dict[str, str], game: Game) -> None:
    last = len(recorded) - 1
    beyond = shown(http, game, "/frames", {**query, "first": last + 1}).json()
    assert (beyond["steps"], beyond["frames"], beyond["next"]) == (last + 1, [], None)
    across = shown(http, game, "/frames", {**query, "first": last, "last": last + 3}).json()
    assert (across["frames"], across["next"]) == (recorded[-1:], None)
    some = shown(http, game, "/frames", {**query, "limit": 1}).json()
    assert (some["frames"], some["next"] is None) == (recorded[:1], last == 0)
    rest = shown(http, game, "/frames", {**query, "cursor": some["next"]}).json() if last else {"frames": []}
    assert rest["frames"] == recorded[1:]


def stream_of(http: httpx.Client, query: dict[str, str], game: Game) -> Iterator[Told]:
    """What the stream has by now."""
    return events(Player("", "", "", http), game, **query, max_seconds=0)
