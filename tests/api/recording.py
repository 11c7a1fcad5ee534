"""Open records over HTTP: taking games along, bringing them in, and whole games of every kind to do it with."""

from collections.abc import Sequence
from random import Random

import httpx

from domain.capabilities import OptionRules, Undoing
from domain.games import GAME_TYPES
from domain.play.open_record import MEDIA_TYPE

from .playing import RESIGN, UNDO, Game, legal, look, moves, of, opened, play_on, say
from .serving import Player, done

RECORD = {"content-type": MEDIA_TYPE}


def taken(player: Player | httpx.Client, game: Game, **query: str | int | bool) -> bytes:
    """The game's open record."""
    answer = player.get(of(game, "/record"), params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == MEDIA_TYPE
    return answer.content


def brought(player: Player, text: bytes) -> httpx.Response:
    """The answer to a record that is brought here."""
    return player.http.post("/v1/records", content=text, headers=RECORD)


def imported(player: Player, text: bytes) -> Game:
    """The game that this record tells, which was not here before."""
    answer = brought(player, text)
    assert answer.headers["location"] == of(done(answer, 201))
    return answer.json()


def with_company(players: Sequence[Player], key: str) -> Game:
    """A rated game with everybody's client seed, an undo where there is one, and given up seat by seat."""
    game = _seeded(players, key)
    seated = players[: len(game["seats"])]
    undone = 0
    for seat, _ in play_on(seated, game, Random(key), 10):
        if not undone and UNDO in legal(seated[seat], game, seat):
            undone += say(seated[seat], game, UNDO).status_code == 200
    kind = GAME_TYPES[key]
    assert undone == int(kind.get(Undoing).allowed(kind.get(OptionRules).settle(kind.options(), kind.seats[0])))
    return given_up(seated, game)


def _seeded(players: Sequence[Player], key: str) -> Game:
    """A deal in which something can be done: one in 35 of Black Hole's is dead at once, and is given up here."""
    while not _can_go_on(players, game := _dealt(players, key)):
        given_up(players[: len(game["seats"])], game)
    return game


def _can_go_on(players: Sequence[Player], game: Game) -> bool:
    seat = look(players[0], game)["view"]["to_act"][0]
    return bool(moves(players[seat], game, seat))


def _dealt(players: Sequence[Player], key: str) -> Game:
    game = opened(players[0], key, await_seeds=True)
    for seat, player in enumerate(players[: len(game["seats"])]):
        path, body = ("/join", {"client_seed": f"of seat {seat}"}) if seat else ("/seed", {"client_seed": "of seat 0"})
        done(player.post(of(game, path), body))
    assert look(players[0], game)["status"] == "playing"
    return game


def given_up(players: Sequence[Player], game: Game) -> Game:
    """The game when every seat that was still in it has resigned."""
    for player in players:
        if look(player, game)["status"] == "playing":
            done(say(player, game, RESIGN))
    return look(players[0], game)


def alone(player: Player, key: str) -> Game:
    """A game from a given seed, all seats one's own, that its player agrees to leave unfinished."""
    hot = {"hot_seat": True} if GAME_TYPES[key].seats[-1] > 1 else {}
    game = opened(player, key, seed=f"{key} 1", visibility="unlisted", **hot)
    assert list(play_on([player] * len(game["seats"]), game, Random(key), 10))
    if look(player, game)["status"] == "playing":
        done(player.post(of(game, "/abandon")))
    return look(player, game)
