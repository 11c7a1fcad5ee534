"""Screaming Yoda: what a viewer sees of the table, and where it lies in the picture."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.screaming_yoda.legal import to_act
from domain.games.screaming_yoda.state import RESETTING, Cards, State, result, total
from domain.games.screaming_yoda.zones import COLUMN, DRAW, HAND, PILE, REMOVED
from domain.view import ALL_SEEING, FACE_DOWN, Seat, View, Viewer, Zone

_WIDTH, _HEIGHT = 1.15, 1.25


class Facts(Struct, frozen=True, tag="screaming_yoda/facts"):
    """What the piles do not show.

    `to_beat` is the rank to match or beat (None: any card goes); `cards_left` counts by seat all that each has.
    Seats: `turn` plays, `exposed` have one card and can be called, `skips` lose their next turn, `swapping` still
    exchange cards, `out` have played their last card and `resigned` have given up, in that order.
    """

    turn: Seat | None
    to_beat: str | None
    cards_left: tuple[int, ...]
    exposed: tuple[Seat, ...]
    skips: tuple[Seat, ...]
    swapping: tuple[Seat, ...]
    out: tuple[Seat, ...]
    resigned: tuple[Seat, ...]


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: the own hand, the pile and all face-up cards; counts of the rest."""
    return View(
        phase=_phase(state), to_act=to_act(state), stuck=False, zones=tuple(_zones(state, viewer)), facts=_facts(state)
    )


def _phase(state: State) -> str:
    if result(state) is not None:
        return "finished"
    if state.swapping:
        return "swap"
    return "deal" if state.turn is None else "play"


def _facts(state: State) -> Facts:
    beaten = state.pile[-1][0] if state.pile else None
    return Facts(
        turn=None if result(state) is not None else state.turn,
        to_beat=None if beaten is None or beaten in RESETTING else beaten,
        cards_left=tuple(total(state, seat) for seat in range(len(state.hands))),
        exposed=state.exposed,
        skips=state.skips,
        swapping=state.swapping,
        out=state.out,
        resigned=state.resigned,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    yield _heap(DRAW, "Draw pile", 0, state.draw[::-1], viewer)
    yield _heap(REMOVED, "Removed cards", _WIDTH, state.removed, viewer)
    yield Zone(PILE, "Pile", "fan", 2 * _WIDTH, 0, cards=state.pile)
    for seat in range(len(state.hands)):
        yield from _columns(state, seat, viewer)
        yield _hand(state, seat, viewer)


def _heap(zone: str, label: str, x: float, cards: Cards, viewer: Viewer) -> Zone:
    """A face-down pile, bottom to top, told by its count."""
    shown = cards if viewer == ALL_SEEING else ()
    return Zone(zone, label, "pile", x, 0, face_down=len(cards) - len(shown), cards=shown)


def _columns(state: State, seat: Seat, viewer: Viewer) -> Iterator[Zone]:
    """A face-down card that nobody has seen under a face-up card."""
    for column, (under, over) in enumerate(zip(state.face_down[seat], state.face_up[seat], strict=True)):
        known, face_up = (tuple(card for card in cards if card is not None) for cards in ((under, over), (over,)))
        shown = known if viewer == ALL_SEEING else face_up
        label, x, y = f"Seat {seat}, column {column}", column * _WIDTH, (seat + 1) * _HEIGHT
        yield Zone(COLUMN[seat][column], label, "pile", x, y, seat, len(known) - len(shown), shown)


def _hand(state: State, seat: Seat, viewer: Viewer) -> Zone:
    """The hand of another seat is as many backs."""
    cards = state.hands[seat] if viewer in (seat, ALL_SEEING) else (FACE_DOWN,) * len(state.hands[seat])
    x = len(state.face_up[seat]) * _WIDTH
    return Zone(HAND[seat], f"Hand of seat {seat}", "fan", x, (seat + 1) * _HEIGHT, seat, 0, cards)
