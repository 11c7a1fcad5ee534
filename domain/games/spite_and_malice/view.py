"""Spite & Malice: what a viewer sees of the table, where it lies in the picture, and what is printed, as data."""

from collections.abc import Iterator
from typing import Annotated, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.rules import initial, result, settle
from domain.games.spite_and_malice.state import (
    DISCARD,
    DRAW,
    HAND,
    LABEL,
    MOST_PILES,
    NAMES,
    PLAY,
    REMOVED,
    SEATS,
    STOCK,
    VALUE,
    WILD_FROM,
    Facts,
    MinimumWild,
    Options,
    PresetKey,
    State,
)
from domain.games.spite_and_malice.state import Cards as Pile
from domain.kit.cards import RANKS
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, FACE_DOWN, Seat, View, Viewer, Zone, player_name

_WIDTH, _HEIGHT = 1.15, 1.25
_STOCKS, _HANDS = ([f"{what} of {player_name(seat)}" for seat in SEATS] for what in ("Stock", "Hand"))
_PILES = [[f"{player_name(seat)}, {LABEL[pile]}" for pile in DISCARD[seat]] for seat in SEATS]
_DECKS = [LABEL[deck].capitalize() for deck in PLAY]
"""The labels of the zones."""
_ROW = (2, 0)
"""The row of each seat's stock and hand: seat 0 below the play decks, seat 1 above; the discard piles grow below."""


class NamedTable(Struct, frozen=True):
    """Settings under a name that players know: what the option `preset` fills in."""

    id: Annotated[PresetKey, Meta(description="The value of the option `preset`.")]
    name: Annotated[str, Meta(description="What players call it.")]
    options: Annotated[Options, Meta(description="All that it sets, as options.")]


class LowestWild(Struct, frozen=True):
    """A value of the option `minimum_wild`."""

    id: Annotated[MinimumWild, Meta(description="The value of the option.")]
    wild_from: Annotated[int, Meta(description="Cards that count so much or more are wild.")]
    finish: Annotated[int, Meta(description="The number of cards that completes a play deck.")]


class Material(Struct, frozen=True, tag="spite_and_malice/material"):
    """The places of the largest table, the named tables, and the cards; options say how many there are of each."""

    places: Places
    tables: Annotated[tuple[NamedTable, ...], Meta(description="The tables that have names.")]
    wilds: Annotated[tuple[LowestWild, ...], Meta(description="What is wild by the option `minimum_wild`.")]
    cards: Cards


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


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    match event:
        case ev.Played() | ev.TurnStarted() | ev.Discarded() | ev.StockTurned():
            return event
        case ev.Drawn():
            return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, _backs(event.cards))
        case ev.Dealt() | ev.Reshuffled() | ev.DeckRemoved() | ev.Redealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Reshuffled() | ev.DeckRemoved() | ev.Redealt():
            return replace(event, chance=None, draw=None if event.draw is None else _backs(event.draw))
        case ev.Dealt():
            ours, theirs = (_backs(stock[:-1]) + stock[-1:] for stock in event.stocks)
            return ev.Dealt((ours, theirs), _backs(event.draw))
        case ev.TurnEnded() | ev.Exhausted() | ev.Deadlocked():
            return event
        case _:
            assert_never(event)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards this viewer does not see in other places: stocks below the top, hands, draw deck.

    Respects what the table's settings tell (no wilds among the stocks); counting cards tells a player more.
    """
    if viewer == ALL_SEEING:
        return state
    pool, chance = chance.shuffle(sorted(_unseen_cards(state, viewer)))
    plain = [card for card in pool if state.settings.wilds_in_stock or not state.settings.is_wild(card)]
    below = plain[: sum(_count_buried(state, seat) for seat in SEATS)]
    stocked, rest = iter(below), iter(_take_away(pool, below))
    return replace(
        state,
        stocks=tuple(_restock(state, seat, stocked) for seat in SEATS),
        hands=tuple(hand if seat == viewer else _draw_as_many(rest, hand) for seat, hand in enumerate(state.hands)),
        draw=_draw_as_many(rest, state.draw),
        chance=None if state.chance is None else chance,
    )


def _facts(state: State) -> Facts:
    settings = state.settings
    return Facts(
        next_ranks=tuple([RANKS[len(cards)] for cards in state.play_decks]),
        finish=settings.finish,
        minimum_wild=settings.minimum_wild,
        hand=settings.hand,
        stock_left=tuple([len(stock) for stock in state.stocks]),
        played=state.played,
        idle_turns=state.idle,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    for seat in SEATS:
        yield _stock_zone(state, seat, viewer)
        yield _hand_zone(state, seat, viewer)
    yield from _discard_zones(state)
    yield from _play_deck_zones(state)
    place, known = len(state.play_decks) + 1, viewer == ALL_SEEING
    yield closed_pile(DRAW, "Draw deck", place * _WIDTH, _HEIGHT, state.draw[::-1], known)
    yield closed_pile(REMOVED, "Removed cards", (place + 1) * _WIDTH, _HEIGHT, state.removed, known)


def _stock_zone(state: State, seat: Seat, viewer: Viewer) -> Zone:
    stock = state.stocks[seat]
    shown = stock if viewer == ALL_SEEING else stock[-1:] if state.turned[seat] else ()
    return Zone(STOCK[seat], _STOCKS[seat], "pile", 0, _ROW[seat] * _HEIGHT, seat, len(stock) - len(shown), shown)


def _hand_zone(state: State, seat: Seat, viewer: Viewer) -> Zone:
    """The hand of another seat is as many backs."""
    cards = state.hands[seat] if viewer in (seat, ALL_SEEING) else _backs(state.hands[seat])
    return Zone(HAND[seat], _HANDS[seat], "fan", 2 * _WIDTH, _ROW[seat] * _HEIGHT, seat, 0, cards)


def _discard_zones(state: State) -> list[Zone]:
    across = state.settings.discards + 1
    return [
        Zone(zone, label, "column", (seat * across + pile) * _WIDTH, 3 * _HEIGHT, seat, 0, cards)
        for seat in SEATS
        for pile, (zone, label, cards) in enumerate(
            zip(DISCARD[seat], _PILES[seat], state.discards[seat], strict=False)
        )
    ]


def _play_deck_zones(state: State) -> list[Zone]:
    decks = enumerate(zip(PLAY, _DECKS, state.play_decks, strict=False))
    return [Zone(zone, label, "pile", deck * _WIDTH, _HEIGHT, None, 0, cards) for deck, (zone, label, cards) in decks]


def _backs(cards: Pile) -> Pile:
    return (FACE_DOWN,) * len(cards)


def _unseen_cards(state: State, viewer: Viewer) -> Iterator[str]:
    for seat in SEATS:
        yield from state.stocks[seat][: _count_buried(state, seat)]
        yield from () if viewer == seat else state.hands[seat]
    yield from state.draw


def _count_buried(state: State, seat: Seat) -> int:
    """How many cards of a stock lie face down."""
    return max(0, len(state.stocks[seat]) - state.turned[seat])


def _take_away(pool: Pile, taken: list[str]) -> list[str]:
    """The pool without the cards taken, each copy counted, in its order."""
    left, gone = [], list(taken)
    for card in pool:
        if card in gone:
            gone.remove(card)
        else:
            left.append(card)
    return left


def _restock(state: State, seat: Seat, cards: Iterator[str]) -> Pile:
    stock, buried = state.stocks[seat], _count_buried(state, seat)
    return _draw_as_many(cards, stock[:buried]) + stock[buried:]


def _draw_as_many(cards: Iterator[str], places: Pile) -> Pile:
    return tuple(next(cards) for _ in places)


_LARGEST = Options(play_decks=MOST_PILES, discards=MOST_PILES)

MATERIAL = Material(
    places=card_places(look(initial(_LARGEST, 2), None)),
    tables=tuple(NamedTable(key, name, settle(Options(preset=key), 2)) for key, (name, _) in NAMES.items()),
    wilds=tuple(LowestWild(one, WILD_FROM[one], WILD_FROM[one] - 1) for one in get_args(MinimumWild)),
    cards=pack_cards(VALUE, VALUE),
)
