"""Decs Building: what a viewer sees of the table, and where it lies in the picture."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.decs_building.board import KINDS, FeatureId
from domain.games.decs_building.decide import to_act
from domain.games.decs_building.grid import orientations
from domain.games.decs_building.picture import SeatFacts, seat_facts
from domain.games.decs_building.places import free_places
from domain.games.decs_building.secrecy import sees
from domain.games.decs_building.state import STACKS, State, clockwise
from domain.kit.outline import Outline, outlines
from domain.view import FACE_DOWN, Seat, View, Viewer, Zone

_WIDTH, _HEIGHT = 1.15, 1.25


class Facts(Struct, frozen=True, tag="decs_building/facts", omit_defaults=True):
    """What the cards do not show.

    `token` is the seat with the first-player token, which passes by a seat that is out; `to_place` the feature that
    was paid for and has to be drawn; `last_round_next` that three stacks have been empty and the round after this one
    is the last. `outlines` are the ways in which that feature may be drawn now, by its turnings.
    """

    round: int
    token: Seat
    final_round: bool
    last_round_next: bool
    extra_action: bool
    to_place: FeatureId | None
    seats: tuple[SeatFacts, ...]
    outlines: tuple[Outline, ...] = ()


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: stacks, played piles and grids; own hand and deck; counts of the others'."""
    acting = to_act(state)
    return View(
        _phase(state), () if acting is None else (acting,), False, tuple(_zones(state, viewer)), _facts(state, viewer)
    )


def _phase(state: State) -> str:
    if state.over is not None:
        return "finished"
    if state.round == 0:
        return "deal"
    if state.takers:
        return "start_card"
    return "placing" if state.placing is not None else "extra_action" if state.extra else "turns"


def _facts(state: State, viewer: Viewer) -> Facts:
    return Facts(
        round=state.round,
        token=next(iter(clockwise(state, state.token)), state.token),
        final_round=state.final,
        last_round_next=state.latched and not state.final,
        extra_action=state.extra,
        to_place=state.placing,
        seats=tuple(seat_facts(state, seat, sees(viewer, seat)) for seat in range(len(state.players))),
        outlines=_outlines(state),
    )


def _outlines(state: State) -> tuple[Outline, ...]:
    if state.placing is None or state.turn is None:
        return ()
    places = free_places(state, state.turn, state.placing)
    return outlines(orientations(KINDS[state.placing]), ((place.turning, place.anchor) for place in places))


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    for place, (stack, cards) in enumerate(zip(STACKS, state.stacks, strict=True)):
        yield Zone(stack, stack.replace("_", " of ").capitalize(), "pile", place * _WIDTH, 0, cards=cards)
    yield Zone("removed", "Out of the game", "pile", len(STACKS) * _WIDTH, 0, cards=state.removed)
    for seat in range(len(state.players)):
        yield from _seat(state, seat, viewer)


def _seat(state: State, seat: Seat, viewer: Viewer) -> Iterator[Zone]:
    """The deck is its owner's to look at, next card on top; a hand of another seat is as many backs."""
    player, seen, y = state.players[seat], sees(viewer, seat), (1 + seat) * _HEIGHT
    deck = player.deck[::-1] if seen else ()
    hand = player.hand if seen else (FACE_DOWN,) * len(player.hand)
    yield Zone(f"deck_{seat}", f"Deck of seat {seat}", "pile", 0, y, seat, len(player.deck) - len(deck), deck)
    yield Zone(f"hand_{seat}", f"Hand of seat {seat}", "fan", _WIDTH, y, seat, 0, hand)
    yield Zone(f"played_{seat}", f"Played pile of seat {seat}", "row", 5 * _WIDTH, y, seat, 0, player.played)
