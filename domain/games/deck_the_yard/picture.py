"""What a viewer may see: everything but the order of the stock and of the patterns to come, and the chance."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.deal import hand_from
from domain.games.deck_the_yard.ending import phase, stuck
from domain.games.deck_the_yard.legal import legal_commands
from domain.games.deck_the_yard.pack import COLOUR, NUMBER, PATTERNS, Cards, called
from domain.games.deck_the_yard.patterns import fits, next_bulbs
from domain.games.deck_the_yard.state import CLAIMS, DISCARD, FACE_UP, HAND, LINEUP, Facts, Pattern, State, lineup
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

_STEP = 1.25
"""From one zone to the next, in card widths and card heights."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    return View(
        phase=phase(state),
        to_act=(0,) if legal_commands(state, 0) else (),
        stuck=stuck(state),
        zones=tuple(_zones(state, viewer == ALL_SEEING)),
        facts=_facts(state),
    )


def _zones(state: State, open_cards: bool) -> Iterator[Zone]:
    """Piles and patterns above, the line-up and the claims in the middle, the hand below."""
    yield _hidden("stock", "Stock", 0, state.stock, open_cards)
    yield Zone(DISCARD, "Discards", "pile", _STEP, 0, cards=state.discard)
    yield Zone("drawn", "Drawn", "pile", 2 * _STEP, 0, cards=_one(state.drawn))
    yield _hidden("pattern_stock", "Patterns to come", 5 * _STEP, state.pattern_stock, open_cards)
    for place, zone in enumerate(FACE_UP):
        yield Zone(zone, f"Pattern {place}", "pile", (6 + place) * _STEP, 0, cards=_one(state.face_up[place]))
    yield Zone(LINEUP, "Line-up", "row", 0, _STEP, cards=lineup(state))
    yield Zone(CLAIMS, "Claimed", "fan", 6 * _STEP, _STEP, cards=state.claims)
    yield Zone(HAND, "Hand", "row", 0, 2 * _STEP, owner=0, cards=state.hand)


def _hidden(zone: str, label: str, x: float, cards: Cards, open_cards: bool) -> Zone:
    down, faces = (0, cards) if open_cards else (len(cards), ())
    return Zone(zone, label, "pile", x, 0, face_down=down, cards=faces)


def _one(card: Card | None) -> Cards:
    return () if card is None else (card,)


def _facts(state: State) -> Facts:
    acting = phase(state) == "action"
    return Facts(
        patterns=tuple(_pattern(state, card) for card in state.face_up if card is not None),
        lineup=tuple(map(called, lineup(state))),
        hand=tuple(map(called, state.hand)),
        next_colours=tuple(COLOUR[bulb] for bulb in next_bulbs(state)) if acting else (),
        drawn=None if state.drawn is None else called(state.drawn),
        claims=tuple(map(called, state.claims)),
        claimed=len(state.claims),
    )


def _pattern(state: State, card: Card) -> Pattern:
    return Pattern(card, NUMBER[card], tuple(COLOUR[bulb] for bulb in PATTERNS[card]), fits(state, card))


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance and without the cards that lie face down."""
    redaction = _REDACTIONS.get(type(event))
    return event if redaction is None else redaction(event, viewer)


def _dealt(event: ev.Dealt, viewer: Viewer) -> ev.Dealt:
    if viewer == ALL_SEEING:
        return replace(event, chance=None)
    drawn = len(event.cards) - len(hand_from(event.cards[::-1]).left)
    return ev.Dealt(_shown(event.patterns, 2), _shown(event.cards, drawn))


def _stock_shuffled(event: ev.StockShuffled, viewer: Viewer) -> ev.StockShuffled:
    return ev.StockShuffled(event.stock if viewer == ALL_SEEING else _shown(event.stock, 0))


def _shown(cards: Cards, count: int) -> Cards:
    """The first so many cards, and backs."""
    return cards[:count] + (FACE_DOWN,) * (len(cards) - count)


_REDACTIONS: dict[type, Callable[[Any, Viewer], ev.Event]] = {
    ev.Dealt: _dealt,
    ev.StockShuffled: _stock_shuffled,
}
