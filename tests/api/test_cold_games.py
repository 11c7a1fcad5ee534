"""A process that has never seen a game shows it as the one that played it, and plays it on."""

from random import Random
from uuid import UUID

import psycopg

from .playing import Game, legal, look, opened, play_on, say
from .serving import Player, Service, serving
from .watching import until


def undone(player: Player, game: Game, steps: int) -> None:
    answer = say(player, game, [{"type": "game/undo"}] * steps)
    assert answer.json()["accepted"] == steps, answer.text


def kept(service: Service, game: Game) -> bool:
    """Whether the process that plays the game has kept a snapshot of it."""
    with psycopg.connect(service.conninfo) as connection:
        return bool(connection.execute("SELECT FROM snapshots WHERE game = %s", [UUID(game["id"])]).fetchall())


def test_a_fresh_process_shows_a_long_game(service: Service, ada: Player, bob: Player) -> None:
    klondike, duel = opened(ada, seed="cold"), opened(ada, "spite_and_malice", seats=2, seed="cold", hot_seat=True)
    for game in (klondike, duel):
        assert len(list(play_on([ada, ada], game, Random(5), 60))) == 60
    until(lambda: kept(service, klondike) and kept(service, duel))
    with serving(service.conninfo) as fresh:
        for game in (klondike, duel):
            for player in (ada, bob):
                assert look(player.on(fresh), game) == look(player, game)
            assert legal(ada.on(fresh), game) == legal(ada, game)
        undone(ada.on(fresh), klondike, 50)
        seen = look(ada.on(fresh), klondike)
    assert seen == look(ada, klondike)
    assert seen["live_step"] < seen["step"] == 110
