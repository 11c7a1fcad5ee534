"""A game with a spectator delay, over every channel: what players see now, everybody else sees three steps later."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from .looking_on import as_recorded, everything_shows, it_looks_like, onlookers, shown
from .playing import Frame, Game, look, of, opened, play_on, say, seated, version_of
from .serving import Player, Service
from .streaming import Told, ending, events, frames

DELAY = 3
DEALT = 1
"""Step 0 opens the game, step 1 takes the second seat and deals."""


def delayed(ada: Player, bob: Player, delay: int = DELAY, **more: Any) -> Game:
    """A game that both sit at."""
    return seated(opened(ada, "spite_and_malice", spectator_delay=delay, **more), bob)


def test_every_channel_shows_a_spectator_the_game_three_steps_late(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = delayed(ada, bob)
    for _, played in play_on((ada, bob), game, Random(1), most=9):
        step = played["step"]
        recorded = as_recorded(service, game)
        assert len(recorded) == step + 1
        assert recorded[-1]["version"] == played["version"] == look(ada, game)["version"] == look(bob, game)["version"]
        late = recorded[: max(DEALT, step - DELAY) + 1]
        for http, query in onlookers(service, ada, eve):
            everything_shows(late, http, query, game)
    assert len(late) == 8


def test_the_players_see_every_step_at_once(ada: Player, bob: Player) -> None:
    game = delayed(ada, bob)
    for _, played in play_on((ada, bob), game, Random(2), most=6):
        for player in (ada, bob):
            seen = look(player, game)
            assert (seen["step"], seen["version"]) == (played["step"], played["version"])
            assert player.get(of(game, "/frames")).json()["steps"] == played["step"] + 1
            told = frames(list(events(player, game, max_seconds=0)))
            assert told[-1]["version"] == played["version"]


def test_a_long_game_looks_late_at_every_step(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    seen = [look(eve, game) for _ in play_on((ada, bob), game, Random(3), most=45)]
    recorded = as_recorded(service, game)
    assert len(seen) == 45
    for number, late in enumerate(seen, 2):
        frame = recorded[max(DEALT, number - DELAY)]
        assert (late["step"], late["version"], late["view"]) == (frame["step"], frame["version"], frame["view"])


def test_a_stream_gets_each_step_when_three_more_are_played_and_the_rest_at_the_end(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
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


def test_a_stream_taken_up_again_goes_on_with_what_was_held_back(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = delayed(ada, bob)
    list(play_on((ada, bob), game, Random(5), most=8))
    first = frames(list(events(eve, game, max_seconds=0)))
    after = {"last-event-id": str(first[-1]["version"])}
    assert frames(list(events(eve, game, headers=after, max_seconds=0))) == []
    assert say(bob, game, {"type": "game/resign"}).status_code == 200
    told = list(events(eve, game, headers=after))
    assert ([*first, *frames(told)], ending(told)) == (as_recorded(service, game), "finished")


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
        told = list(events(Player("", "", "", http), game, **query))
        assert (frames(told), ending(told)) == (recorded, "finished")
    assert eve.get(of(game, "/frames"), params={"known": "now"}).json()["steps"] == len(recorded)


def test_without_a_delay_a_spectator_sees_every_step_at_once(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    assert game["spectator_delay"] == 0
    for _ in play_on((ada, bob), game, Random(7), most=4):
        for http, query in onlookers(service, ada, eve):
            everything_shows(as_recorded(service, game), http, query, game)


def test_the_table_before_the_deal_and_the_deal_itself_are_shown_at_once(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = opened(ada, "spite_and_malice", spectator_delay=200)
    everything_shows(as_recorded(service, game), eve.http, {}, game)
    seated(game, bob)
    everything_shows(as_recorded(service, game), eve.http, {}, game)
    seen = look(eve, game)
    assert (seen["status"], seen["seats"][1]["player"]["id"]) == ("playing", bob.id)
    assert (seen["step"], seen["spectator_delay"]) == (DEALT, 200)
    list(play_on((ada, bob), game, Random(10), most=3))
    assert look(eve, game) == seen


def test_who_leaves_the_table_is_shown_it_as_it_stands(service: Service, ada: Player, bob: Player, eve: Player) -> None:
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
            assert (answer.json()["type"].rpartition("/")[2], "version" in answer.json()) == ("not_your_seat", False)
    assert eve.get(of(game, "/legal-commands")).status_code == answer.status_code


def test_a_hot_seat_has_spectators_too(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice", spectator_delay=2, hot_seat=True)
    for _, played in play_on((ada, ada), game, Random(9), most=5):
        it_looks_like(as_recorded(service, game)[max(0, played["step"] - 2)], eve.http, {}, game)


@pytest.mark.parametrize(
    "body",
    [
        {"game_type": "spite_and_malice", "spectator_delay": 201},
        {"game_type": "spite_and_malice", "spectator_delay": -1},
        {"game_type": "spite_and_malice", "spectator_delay": None},
        {"game_type": "klondike", "spectator_delay": 3},
    ],
)
def test_a_delay_is_0_to_200_steps_of_a_game_of_several_seats(body: dict[str, Any], ada: Player) -> None:
    assert ada.post("/v1/games", body).json()["type"].rpartition("/")[2] == "malformed"


def test_a_rematch_keeps_the_delay_and_who_asks_for_it_without_a_seat_gets_it_late(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
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
