"""The players of the house: programs, some of each level; which levels a game type has; how one takes a seat.

Their ids are the same at every service, so every process knows them. They have no token, so no client can act for them.
"""

import secrets
from typing import Literal, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Struct

from domain.capabilities import Resample
from domain.game_type import Forbidden, Illegal, show_everything
from domain.games import GAME_TYPES, AnyGameType
from domain.kit.evaluation import Evaluator, GreedyChoice
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.table import check_waiting, invite, join
from domain.view import Seat

Level = Literal["greedy", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)
_MOST = max(max(game_type.seat_counts) for game_type in GAME_TYPES.values()) - 1
"""Players of each level: a person sits at every table of theirs."""


class HousePlayer(Struct, frozen=True):
    """A player of the house."""

    id: UUID
    level: Level
    name: str


PLAYERS = {
    level: tuple(
        HousePlayer(uuid5(NAMESPACE_URL, f"urn:kibitz:{name}"), level, name)
        for name in (f"House ({level})", *(f"House ({level}, {number})" for number in range(2, _MOST + 1)))
    )
    for level in LEVELS
}
HOUSE = {player.id: player for players in PLAYERS.values() for player in players}
"""Every player of the house, by id."""


def levels_of(game_type: AnyGameType) -> tuple[Level, ...]:
    """The levels that play this game type; none for a game for one, or where no other world can be drawn."""
    honest = game_type.has(Resample) or game_type.redact is show_everything
    if max(game_type.seat_counts) < 2 or not game_type.has(GreedyChoice) or not honest:
        return ()
    return LEVELS if game_type.get(Evaluator).stronger else ("greedy",)


def seat_house(game: Game, level: Level, seat: Seat | None, act: Act) -> Step:
    """A player of the house takes a seat at this actor's table, and gives a seed of its own; raises Illegal.

    It plays unrated games only: a program that accepts every game would give away ratings, places on boards and
    reliability. A private game's opener invites it first.
    """
    check_waiting(game)
    if act.actor is None or not (act.seat is not None or act.actor == game.opening.creator or game.invites(act.actor)):
        raise Forbidden("not_at_table", "Whoever opened the game, has a seat or is invited asks for the house.")
    if level not in levels_of(game.type):
        raise Illegal("no_such_level", f"The house has no {level} player of {game.type.name}.", "/level")
    if game.opening.rated:
        raise Illegal("rated_game", "The house plays no rated games: open one with `rated` false.")
    if all(player is None or player in HOUSE for player in game.players):
        raise Illegal("nobody_to_play", "Take a seat first: the house does not play alone.")
    bot = next(player.id for player in PLAYERS[level] if player.id not in game.players)
    step = Step((), game)
    if game.opening.visibility == "private" and not game.invites(bot):
        step = invite(game, ev.Invite(bot), act)
    return step.then(join(step.game, ev.Join(seat, secrets.token_hex(8)), Act(bot, None, act.time)))
