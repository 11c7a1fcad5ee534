"""Moments over HTTP: found in the frames that whoever asks may have, and in nothing else."""

from random import Random
from typing import Any

from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service
from .test_spectator_delay import DEALT, DELAY, delayed


def moments(player: Player, game: Game, **query: Any) -> Any:
    answer = player.get(of(game, "/moments"), params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def kinds(found: Any) -> list[tuple[int, str]]:
    return [(moment["step"], moment["kind"]) for moment in found["moments"]]


def test_deal_undo_and_ending_are_moments(ada: Player) -> None:
    game = opened(ada)
    for command in ("klondike/draw", "klondike/draw", "game/undo", "game/resign"):
        assert say(ada, game, {"type": command}).status_code == 200
    found = moments(ada, game)
    assert kinds(found) == [(0, "deal"), (3, "undo"), (4, "ending")]
    assert found["steps"] == 5
    shown = ada.get(of(game, "/frames")).json()["frames"]
    assert all(moment["sentence"] in shown[moment["step"]]["sentences"] for moment in found["moments"])


def test_a_game_that_waits_has_none(ada: Player) -> None:
    found = moments(ada, opened(ada, "spite_and_malice"))
    assert (found["steps"], found["moments"]) == (1, [])


def test_a_spectator_is_told_late_of_a_game_with_a_delay(ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    for _, played in play_on((ada, bob), game, Random(3), most=12):
        late = moments(eve, game)
        assert late["steps"] == max(DEALT, played["step"] - DELAY) + 1
        assert all(step < late["steps"] for step, _ in kinds(late))
        assert moments(ada, game)["steps"] == played["step"] + 1
    say(ada, game, {"type": "game/resign"})
    assert kinds(moments(eve, game))[-1] == (look(eve, game)["step"], "ending")


def test_a_seat_hears_what_it_was_told_and_others_look_from_there_only_when_the_game_is_over(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    told(eve.get(of(game, "/moments"), params={"seat": 0}), 403, "not_your_seat")
    told(ada.get(of(game, "/moments"), params={"known": "now"}), 409, "illegal", "game_not_finished")
    dealt = [moments(player, game)["moments"][0]["sentence"] for player in (ada, bob, eve)]
    say(ada, game, {"type": "game/resign"})
    again = [moments(eve, game, **query)["moments"][0]["sentence"] for query in ({"seat": 0}, {"seat": 1}, {})]
    assert again == dealt
    assert kinds(moments(eve, game, known="now")) == kinds(moments(eve, game))
