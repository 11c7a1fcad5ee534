"""A game with a spectator delay, over every channel: what players see now, everybody else sees three steps later."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import msgspec

from domain.play import frames as fr
from service.live import shapes

from . import truth
from .playing import Frame, Game, look, of, opened, play_on, say, seated, version_of
from .problems import told
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
    heard = list(events(Player("", "", "", http), game, **query, max_seconds=0))
    assert (frames(heard), ending(heard)) == (recorded, "limit")


def it_looks_like(frame: Frame, http: httpx.Client, query: dict[str, str], game: Game) -> None:
    answer = shown(http, game, "", query)
    seen = answer.json()
    for key in ("step", "live_step", "version", "status", "view", "result"):
        assert seen[key] == frame[key]
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


DELAY = 3
DEALT = 1
"""Step 0 opens the game, step 1 takes the second seat and deals."""


def delayed(ada: Player, bob: Player, delay: int = DELAY, **more: Any) -> Game:
    """A game that both sit at."""
    return seated(opened(ada, "spite_and_malice", spectator_delay=delay, **more), bob)


def test_spectators_are_three_steps_late_everywhere(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    for _, played in play_on((ada, bob), game, Random(1), most=9):
        step = played["step"]
        recorded = as_recorded(service, game)
        assert len(recorded) == step + 1
        assert recorded[-1]["version"] == played["version"] == look(ada, game)["version"] == look(bob, game)["version"]
        for player in (ada, bob):
            assert player.get(of(game, "/frames")).json()["steps"] == step + 1
            assert frames(list(events(player, game, max_seconds=0)))[-1]["version"] == played["version"]
        late = recorded[: max(DEALT, step - DELAY) + 1]
        for http, query in onlookers(service, ada, eve):
            everything_shows(late, http, query, game)
    assert len(late) == 8


def test_a_long_game_looks_late_at_every_step(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    seen = [look(eve, game) for _ in play_on((ada, bob), game, Random(3), most=45)]
    recorded = as_recorded(service, game)
    assert len(seen) == 45
    for number, late in enumerate(seen, 2):
        frame = recorded[max(DEALT, number - DELAY)]
        assert (late["step"], late["version"], late["view"]) == (frame["step"], frame["version"], frame["view"])


def test_a_stream_gets_steps_late(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    stream = events(eve.on(service), game)
    heard = [next_frame(stream), next_frame(stream)]
    for _, played in play_on((ada, bob), game, Random(4), most=8):
        if played["step"] > DEALT + DELAY:
            heard.append(next_frame(stream))
            assert heard[-1]["step"] == played["step"] - DELAY
        assert next(stream).name == "heartbeat"
    assert say(ada, game, {"type": "game/resign"}).status_code == 200
    rest = [event for event in stream if event.name != "heartbeat"]
    assert [frame["step"] for frame in frames(rest)] == [7, 8, 9, 10]
    assert ending(rest) == "finished"
    assert [*heard, *frames(rest)] == as_recorded(service, game)


def next_frame(stream: Iterator[Told]) -> Frame:
    """The next frame, whatever heartbeats come before it."""
    frame: Frame = next(event.data for event in stream if event.name == "frame")
    return frame


def test_a_resumed_stream_goes_on(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    list(play_on((ada, bob), game, Random(5), most=8))
    first = frames(list(events(eve, game, max_seconds=0)))
    after = {"last-event-id": str(first[-1]["version"])}
    assert frames(list(events(eve, game, headers=after, max_seconds=0))) == []
    assert say(bob, game, {"type": "game/resign"}).status_code == 200
    rest = list(events(eve, game, headers=after))
    assert ([*first, *frames(rest)], ending(rest)) == (as_recorded(service, game), "finished")


def test_a_stream_does_not_tell_which_versions_are_held_back(ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    list(play_on((ada, bob), game, Random(8), most=8))
    late, newest = look(eve, game)["version"], look(ada, game)["version"]
    assert late < newest
    answers = [
        eve.get(of(game, "/events"), params={"after": after, "max_seconds": 0})
        for after in (late + 1, newest, newest + 1, 99_999)
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(400, answers[0].text)}
    assert frames(list(events(eve, game, after=late, max_seconds=0))) == []
    assert frames(list(events(ada, game, after=newest, max_seconds=0))) == []


def test_after_the_end_everything_is_there(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob, delay=200)
    list(play_on((ada, bob), game, Random(6), most=5))
    assert say(bob, game, {"type": "game/resign"}).status_code == 200
    recorded = as_recorded(service, game)
    for http, query in onlookers(service, ada, eve):
        it_looks_like(recorded[-1], http, query, game)
        listed = shown(http, game, "/frames", query).json()
        assert (listed["steps"], listed["frames"]) == (len(recorded), recorded)
        heard = list(events(Player("", "", "", http), game, **query))
        assert (frames(heard), ending(heard)) == (recorded, "finished")
    assert eve.get(of(game, "/frames"), params={"known": "now"}).json()["steps"] == len(recorded)


def test_without_a_delay_spectators_see_it_all(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    assert game["spectator_delay"] == 0
    for _ in play_on((ada, bob), game, Random(7), most=4):
        for http, query in onlookers(service, ada, eve):
            everything_shows(as_recorded(service, game), http, query, game)


def test_what_goes_before_the_deal_is_shown_at_once(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice", spectator_delay=200)
    everything_shows(as_recorded(service, game), eve.http, {}, game)
    seated(game, bob)
    everything_shows(as_recorded(service, game), eve.http, {}, game)
    seen = look(eve, game)
    assert (seen["status"], seen["seats"][1]["player"]["id"]) == ("playing", bob.id)
    assert (seen["step"], seen["spectator_delay"]) == (DEALT, 200)
    list(play_on((ada, bob), game, Random(10), most=3))
    assert look(eve, game) == seen
    game = opened(ada, "spite_and_malice", spectator_delay=200, await_seeds=True)
    for number, act in enumerate(("/join", "/leave", "/join"), 1):
        answer = bob.post(of(game, act), {} if act == "/join" else None)
        assert answer.json()["step"] == look(eve, game)["step"] == number
        everything_shows(as_recorded(service, game), eve.http, {}, game)


def test_a_spectator_who_speaks_is_told_no_version(ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    list(play_on((ada, bob), game, Random(8), most=4))
    for query in ({}, {"dry_run": "true"}, {"seat": 0}):
        for headers in ({}, {"if-match": '"1"'}):
            answer = say(eve, game, {"type": "game/resign"}, params=query, headers=headers)
            assert "version" not in told(answer, 403, "not_your_seat")
    assert eve.get(of(game, "/legal-commands")).status_code == answer.status_code


def test_a_delay_is_0_to_200_steps_with_several_seats(service: Service, ada: Player, eve: Player) -> None:
    for key, delay in (
        ("spite_and_malice", 201),
        ("spite_and_malice", -1),
        ("spite_and_malice", None),
        ("klondike", 3),
    ):
        told(ada.post("/v1/games", {"game_type": key, "spectator_delay": delay}), 400, "malformed")
    game = opened(ada, "spite_and_malice", spectator_delay=2, hot_seat=True)
    for _, played in play_on((ada, ada), game, Random(9), most=5):
        it_looks_like(as_recorded(service, game)[max(0, played["step"] - 2)], eve.http, {}, game)


def test_a_rematch_keeps_the_delay(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    first = delayed(ada, bob)
    assert say(ada, first, {"type": "game/resign"}).status_code == 200
    game = ada.post(of(first, "/rematch")).json()
    assert ada.http.delete(of(game, f"/invitations/{bob.id}")).status_code == 204
    seated(game, eve)
    by_seat = {ada: game["your_seats"][0], eve: 1 - game["your_seats"][0]}
    list(play_on(sorted(by_seat, key=by_seat.__getitem__), game, Random(11), most=5))
    recorded = as_recorded(service, game)
    answer = bob.post(of(first, "/rematch"))
    assert (answer.status_code, answer.json()["id"]) == (200, game["id"])
    late = recorded[-1 - DELAY]
    assert (answer.json()["step"], answer.json()["version"]) == (late["step"], late["version"])
    assert (answer.json()["view"], version_of(answer)) == (late["view"], late["version"])
