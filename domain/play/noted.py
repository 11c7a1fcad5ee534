"""Playing what a notation's text says: a new game with that deal, and every move of it decided by the rules."""

from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.capabilities import Noted, NumberedDeals
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.kit.move_list import MOST_WORDS
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, play
from domain.play.table import Opening, open_game


class NewGame(NamedTuple):
    """The id and the secrets of the game made from a text; the deal comes from the text."""

    id: UUID
    secret: ev.Sealed


def play_noted(game_type: AnyGameType, noted: Noted, new: NewGame, act: Act) -> Step:
    """The records of the opening and of every move by `act.actor`, who holds the only seat; raises Illegal.

    A move that the rules refuse is told by its number, from 1.
    """
    if len(noted.commands) > MOST_WORDS:
        raise Illegal("too_many_moves", f"The text has more than {MOST_WORDS} moves.")
    opened = open_game(new.id, _opening(game_type, noted, act), _noted_secrets(game_type, noted, new.secret), act)
    records, game = list(opened.records), opened.game
    for number, command in enumerate(noted.commands, 1):
        said = _play_move(game, number, command, act._replace(seat=0))
        records += said.records
        game = said.game
    return Step(tuple(records), game)


def _play_move(game: Game, number: int, command: Struct, act: Act) -> Step:
    try:
        return play(game, command, act)
    except Illegal as illegal:
        raise Illegal(illegal.rule, f"Move {number}: {illegal.message}") from illegal


def _opening(game_type: AnyGameType, noted: Noted, act: Act) -> Opening:
    return Opening(
        type=game_type, options=noted.options, players=(act.actor,), rated=False, origin="import",
        visibility="unlisted",
    )  # fmt: skip


def _noted_secrets(game_type: AnyGameType, noted: Noted, secret: ev.Sealed) -> ev.Sealed:
    deal = noted.deal
    if noted.number is not None and game_type.has(NumberedDeals):
        deal = tuple(game_type.get(NumberedDeals).cards(noted.number, noted.options))
    return ev.Sealed(secret.seed, secret.digest_key, deal)
