"""Screaming Yoda: the commands that would be accepted, one per meaning, and the spelling that is listed."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games.screaming_yoda.commands import Call, Command, Flip, PickUp, Play, Shout, Swap
from domain.games.screaming_yoda.plays import Lay, flippable, laid, lays, left_after
from domain.games.screaming_yoda.shouts import callable_seats
from domain.games.screaming_yoda.state import State, playing, result, total
from domain.games.screaming_yoda.swaps import swaps
from domain.games.screaming_yoda.zones import COLUMN, HAND, PILE
from domain.view import Seat


def legal_commands(state: State, seat: Seat) -> Sequence[Command]:
    """Plays, flips and the pick-up of the seat on turn; then its shout and its calls, on turn or not."""
    if result(state) is not None or seat not in playing(state):
        return ()
    if state.swapping:
        return tuple(swaps(state, seat)) if seat in state.swapping else ()
    return (*_turn(state, seat), *_shouts(state, seat))


def _turn(state: State, seat: Seat) -> Iterator[Command]:
    if seat != state.turn:
        return
    for lay in lays(state, seat):
        yield from _spellings(_spelled(state, seat, lay, True))
    for column in flippable(state, seat):
        yield from _spellings(Flip(COLUMN[seat][column], PILE, total(state, seat) == 2))
    if state.pile:
        yield PickUp()


def _spellings(command: Play | Flip) -> Iterator[Command]:
    """Without the shout and, where that makes a difference, with it."""
    yield replace(command, shout=False)
    if command.shout:
        yield command


def _spelled(state: State, seat: Seat, lay: Lay, shout: bool) -> Play:
    return Play(lay.cards, lay.sources(seat)[0], PILE, shout and left_after(state, seat, lay) == 1)


def _shouts(state: State, seat: Seat) -> Iterator[Command]:
    if seat in state.exposed:
        yield Shout()
    yield from (Call(other) for other in callable_seats(state, seat))


def to_act(state: State) -> tuple[Seat, ...]:
    """Who may do something now: the seat on turn, who can shout, who can call, who still exchanges cards."""
    if result(state) is not None:
        return ()
    if state.swapping:
        return state.swapping
    busy = {state.turn, *state.exposed}
    return tuple(seat for seat in playing(state) if seat in busy or callable_seats(state, seat))


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """Cards in the order in which they lie, both zones named, a shout only where it has an effect."""
    if isinstance(command, Play):
        return _canonical_play(state, seat, command)
    if isinstance(command, Flip):
        return Flip(command.source, command.target or PILE, command.shout and total(state, seat) == 2)
    return Swap(command.card, command.target, command.source or HAND[seat]) if isinstance(command, Swap) else command


def _canonical_play(state: State, seat: Seat, play: Play) -> Play:
    try:
        return _spelled(state, seat, laid(state, seat, play), play.shout)
    except Illegal:
        return play
