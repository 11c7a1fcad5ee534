"""Spite & Malice: what a viewer sees of the table, and where it lies in the picture."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.spite_and_malice.options import MinimumWild
from domain.games.spite_and_malice.state import Cards, State, result
from domain.games.spite_and_malice.zones import DISCARD, DRAW, HAND, LABEL, PLAY, REMOVED, SEATS, STOCK
from domain.view import ALL_SEEING, FACE_DOWN, Seat, View, Viewer, Zone

_WIDTH, _HEIGHT = 1.15, 1.25
_ROW = (2, 0)
"""The row of each seat's stock and hand: seat 0 below the play decks, seat 1 above; the discard piles grow below."""


class Facts(Struct, frozen=True, tag="spite_and_malice/facts"):
    """What the piles do not show.

    `next_ranks` is for each play deck the rank that it takes next (a wild stands for its place); `finish` the number
    of cards that completes one. `stock_left` is by seat: the loser's number is the score of the family game.
    `idle_turns` counts turns in a row that ended with neither a play nor a discard.
    """

    next_ranks: tuple[str, ...]
    finish: int
    minimum_wild: MinimumWild
    hand: int
    stock_left: tuple[int, ...]
    played: bool
    idle_turns: int


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: own hand, stock tops, discard piles and play decks; counts of all the rest."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "deal" if state.turn is None else "play",
        to_act=() if over or state.turn is None else (state.turn,),
        stuck=False,
        zones=tuple(_zones(state, viewer)),
        facts=_facts(state),
    )


def _facts(state: State) -> Facts:
    return Facts(
        next_ranks=tuple("A23456789TJQK"[len(cards)] for cards in state.play_decks),
        finish=state.settings.finish,
        minimum_wild=state.settings.minimum_wild,
        hand=state.settings.hand,
        stock_left=tuple(len(stock) for stock in state.stocks),
        played=state.played,
        idle_turns=state.idle,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    for seat in SEATS:
        yield _stock(state, seat, viewer)
        yield _hand(state, seat, viewer)
    yield from _discards(state)
    yield from _play_decks(state)
    yield _hidden(DRAW, "Draw deck", state.draw[::-1], len(state.play_decks), viewer)
    yield _hidden(REMOVED, "Removed cards", state.removed, len(state.play_decks) + 1, viewer)


def _stock(state: State, seat: Seat, viewer: Viewer) -> Zone:
    stock = state.stocks[seat]
    shown = stock if viewer == ALL_SEEING else stock[-1:] if state.turned[seat] else ()
    label, y = f"Stock of seat {seat}", _ROW[seat] * _HEIGHT
    return Zone(STOCK[seat], label, "pile", 0, y, seat, len(stock) - len(shown), shown)


def _hand(state: State, seat: Seat, viewer: Viewer) -> Zone:
    """The hand of another seat is as many backs."""
    cards = state.hands[seat] if viewer in (seat, ALL_SEEING) else (FACE_DOWN,) * len(state.hands[seat])
    return Zone(HAND[seat], f"Hand of seat {seat}", "fan", 2 * _WIDTH, _ROW[seat] * _HEIGHT, seat, 0, cards)


def _discards(state: State) -> Iterator[Zone]:
    for seat in SEATS:
        first = seat * (state.settings.discards + 1)
        for pile, cards in enumerate(state.discards[seat]):
            label, x = f"Seat {seat}, {LABEL[DISCARD[seat][pile]]}", (first + pile) * _WIDTH
            yield Zone(DISCARD[seat][pile], label, "column", x, 3 * _HEIGHT, seat, 0, cards)


def _play_decks(state: State) -> Iterator[Zone]:
    for deck, cards in enumerate(state.play_decks):
        yield Zone(PLAY[deck], LABEL[PLAY[deck]].capitalize(), "pile", deck * _WIDTH, _HEIGHT, cards=cards)


def _hidden(zone: str, label: str, cards: Cards, place: int, viewer: Viewer) -> Zone:
    """A face-down pile, bottom to top, told by its count."""
    shown = cards if viewer == ALL_SEEING else ()
    x = (place + 1) * _WIDTH
    return Zone(zone, label, "pile", x, _HEIGHT, face_down=len(cards) - len(shown), cards=shown)
