"""Who may look, from which seat, and who may speak for it.

Hidden and missing games are refused alike: after the same work and after the same time.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.view import ALL_SEEING, Seat, Viewer
from service.accounts.access import Caller
from service.problems import Refused

PERIOD = 0.05
"""Seconds. A refusal comes a whole number of periods after its request, mostly one, to hide the time it took."""


class NoSuchGame(Refused):
    """There is no such game for this caller. `hidden`: it exists, and may have been in memory."""

    def __init__(self, *, hidden: bool) -> None:
        super().__init__("no_such_thing", "There is no such game, or you may not see it.")
        self.hidden = hidden


async def delay_refusal(query_missing_game: Callable[[], Awaitable[None]], refusal: Exception, began: float) -> None:
    """Delay a NoSuchGame: query the store as for a missing game, and wait for the end of the period.

    `began`: the request's begin by the monotonic clock. Other refusals are not delayed.
    """
    if isinstance(refusal.__cause__, NoSuchGame):
        refusal = refusal.__cause__
    if isinstance(refusal, NoSuchGame):
        if refusal.hidden:
            await query_missing_game()
        await asyncio.sleep(seconds_to_period(monotonic() - began))


def seconds_to_period(passed: float) -> float:
    """Seconds until the period ends, `passed` seconds after the request's begin."""
    return PERIOD - passed % PERIOD


OVER = ("finished", "voided")


def own_seats(game: Game, caller: Caller | None) -> tuple[Seat, ...]:
    """The seats that the caller holds."""
    return () if caller is None else game.seats_of(caller.player)


def visible_game(game: Game, caller: Caller | None) -> Game:
    """The game, if the caller may see it; raises NoSuchGame, as for a missing one."""
    hidden = game.opening.visibility == "private" or (game.opening.contest is not None and not game.revealed)
    if hidden and not own_seats(game, caller) and not _may_see(game, caller):
        raise NoSuchGame(hidden=True)
    return game


def _may_see(game: Game, caller: Caller | None) -> bool:
    """Whether the caller opened the game or is invited; for an imported game only its importers."""
    if caller is None:
        return False
    if game.importers is not None:
        return caller.player in game.importers
    return caller.player == game.opening.creator or game.invites(caller.player)


def speaker(game: Game, caller: Caller, seat: Seat | None) -> Seat:
    """The seat the caller speaks for: the one named, else the own one that is to act, else the first own one."""
    own = game.seats_of(caller.player)
    if not own or (seat is not None and seat not in own):
        visible_game(game, caller)
        raise Refused("not_your_seat", "You may not speak for that seat.")
    if seat is not None:
        return seat
    return own[0] if len(own) == 1 else _choose_acting_seat(game, own)


def check_one_viewpoint(seat: Seat | None, spectator: bool) -> None:
    """Raises ValueError for a query with both `seat` and `spectator`."""
    if seat is not None and spectator:
        raise ValueError("`seat` and `spectator=true` exclude each other")


def viewer(game: Game, caller: Caller | None, seat: Seat | None, spectator: bool) -> Viewer:
    """The viewer that the caller looks as. Once the game is over everybody may look from any seat."""
    own = own_seats(visible_game(game, caller), caller)
    if seat is not None and (seat in own or game.status in OVER) and seat < len(game.players):
        return seat
    if seat is not None:
        raise Refused("not_your_seat", "You may not look from that seat before the game is over.")
    return None if spectator or not own else _choose_acting_seat(game, own)


def all_seeing_viewer(game: Game, caller: Caller | None) -> Viewer:
    """The viewer who sees every card; raises Illegal before the game's secrets are revealed."""
    if not is_fully_known(visible_game(game, caller)):
        raise Illegal("game_not_finished", "A game is shown as known now once it is over.")
    return ALL_SEEING


def is_fully_known(game: Game) -> bool:
    """Whether the game's viewers may see all of it: it is over, and no contest withholds it."""
    return game.revealed or (game.status in OVER and game.opening.contest is None)


def _choose_acting_seat(game: Game, own: tuple[Seat, ...]) -> Seat:
    if len(own) > 1 and game.state is not None:
        to_act = game.type.look(game.state, own[0]).to_act
        return next((seat for seat in to_act if seat in own), own[0])
    return own[0]
