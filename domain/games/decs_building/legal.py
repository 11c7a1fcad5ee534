"""Decs Building: the commands that would be accepted, one per meaning, and the spelling that is listed.

What can be meant is more than can be listed. A listed discard names its first card and leaves the others open; a
listed action names the cards of its payment once and leaves their order and the place of what is drawn open: the
places are listed when they are asked for.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from domain.games.decs_building.action import can_stand
from domain.games.decs_building.board import SPACES, Alternative, SpaceId, StackId, Way
from domain.games.decs_building.commands import Command, DeclineExtra, Discard, Pass, Place, TakeAction, TakeStartCard
from domain.games.decs_building.decide import to_act
from domain.games.decs_building.payments import kinds, offers
from domain.games.decs_building.places import fits, free_places
from domain.games.decs_building.state import STACK, SUIT_STACKS, Cards, State, start_choices
from domain.view import Seat

Choice = tuple[SpaceId, Alternative | None]


def legal_commands(state: State, seat: Seat) -> Sequence[Command]:
    """What the seat may say: start cards, places, or actions in board order and then the other ways to end a turn."""
    if seat != to_act(state):
        return ()
    if state.takers:
        return tuple(TakeStartCard(stack) for stack in start_choices(state))
    if state.placing is not None:
        return tuple(Place(place.cells) for place in free_places(state, seat, state.placing))
    return (*_actions(state, seat), *_endings(state, seat))


def _endings(state: State, seat: Seat) -> Sequence[Command]:
    if state.extra:
        return (DeclineExtra(),)
    return (*(Discard(card) for card in dict.fromkeys(sorted(state.players[seat].hand))), Pass())


def _actions(state: State, seat: Seat) -> Iterator[TakeAction]:
    paid = _payments(state, seat)
    for space, entry in SPACES.items():
        for way in {way.alternative: way for way in entry.ways}.values():
            payments = paid.get((space, way.alternative))
            if payments and _open(state, seat, space, way):
                yield from _listed(state, space, way, payments)


def _payments(state: State, seat: Seat) -> dict[Choice, list[Cards]]:
    """By what they pay for, the different cards that pay it, sorted."""
    hand, paid = sorted(state.players[seat].hand), dict[Choice, list[Cards]]()
    for size in (1, 2, 3):
        for cards in dict.fromkeys(combinations(hand, size)):
            for choice in offers(kinds(cards), state.extra):
                paid.setdefault(choice, []).append(cards)
    return paid


def _open(state: State, seat: Seat, space: SpaceId, way: Way) -> bool:
    """Whether the pawn, the stack and the room are there."""
    feature = SPACES[space].feature
    stacked = way.stack is None or bool(state.stacks[STACK[way.stack]])
    return can_stand(state, seat, space) and stacked and (feature is None or fits(state, seat, feature))


def _listed(state: State, space: SpaceId, way: Way, payments: list[Cards]) -> Iterator[TakeAction]:
    orders = _both_ways(payments) if SPACES[space].removes_second else payments
    for source in _sources(state) if SPACES[space].any_suit else (None,):
        for cards in orders:
            yield TakeAction(space, cards, way.alternative, source)


def _both_ways(payments: list[Cards]) -> list[Cards]:
    """Which of two cards is the second matters where it leaves the game."""
    return list(dict.fromkeys(order for cards in payments for order in (cards, cards[::-1])))


def _sources(state: State) -> list[StackId]:
    return [stack for stack in SUIT_STACKS if state.stacks[STACK[stack]]]


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """Cells in reading order; the cards of a payment sorted, and the order they are spent in beside them."""
    if isinstance(command, Place):
        return Place(tuple(sorted(command.cells)))
    return _canonical_action(command) if isinstance(command, TakeAction) else command


def _canonical_action(command: TakeAction) -> TakeAction:
    order = command.order or command.payment
    cells = None if command.cells is None else tuple(sorted(command.cells))
    if SPACES[command.space].removes_second:
        return replace(command, payment=order, cells=cells, order=None)
    cards = tuple(sorted(order))
    return replace(command, payment=cards, cells=cells, order=None if order == cards else order)
