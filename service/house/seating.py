"""A seat for the house: who may ask for it, and at which tables it sits."""

import secrets

from domain.game_type import Forbidden, Illegal
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.table import check_waiting, invite, join
from domain.view import Seat
from service.house.players import HOUSE, PLAYERS, Level, levels_of


def seat_house(game: Game, level: Level, seat: Seat | None, act: Act) -> Step:
    """A player of the house takes a seat at the table of this actor, and gives a seed of its own; raises Illegal.

    It plays unrated games only: nobody can win a rating, a place on a board or a reliable name from a program that
    always says yes. A private game's opener invites it first.
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
