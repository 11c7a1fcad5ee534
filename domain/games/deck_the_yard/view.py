"""What a viewer sees of Deck the Yard, and its cards as data, partly reconstructed.

Everything is seen but the order of the stock and of the patterns to come, and the chance. In pictures bulbs are discs,
plugs and broken bulbs tiles, all others cards.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.capabilities import Face
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.rules import initial, legal_commands
from domain.games.deck_the_yard.state import (
    BROKEN,
    BUBBLE,
    CHARACTER,
    CLAIMS,
    COLOUR,
    DISCARD,
    EVENT,
    FACE_UP,
    HAND,
    HAND_SIZE,
    KEPT,
    LINEUP,
    NUMBER,
    PATTERNS,
    PLUG,
    STOCK,
    STRAND,
    TO_WIN,
    Cards,
    Facts,
    Options,
    Pattern,
    State,
    call_card,
    colours,
    fits,
    hand_from,
    lineup,
    next_bulbs,
    phase,
)
from domain.kit.boards import below, beside
from domain.kit.material import Places, card_places
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

_STEP = 1.25
"""From one zone to the next, in card widths and card heights."""

_PAINT = {
    "red": "#c62f2d", "green": "#2f8f4e", "yellow": "#f2c53d",
    "blue": "#2f6fb5", "purple": "#7c4aa5", "pink": "#ee8fb4",
}  # fmt: skip


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    return View(
        phase=phase(state),
        to_act=(0,) if legal_commands(state, 0) else (),
        stuck=stuck(state),
        zones=tuple(_zones(state, viewer == ALL_SEEING)),
        facts=_facts(state),
    )


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance and without the cards that lie face down."""
    match event:
        case ev.Dealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Dealt():
            drawn = len(event.cards) - len(hand_from(event.cards[::-1]).left)
            return ev.Dealt(_show_first(event.patterns, 2), _show_first(event.cards, drawn))
        case ev.StockShuffled():
            return ev.StockShuffled(event.stock if viewer == ALL_SEEING else _show_first(event.stock, 0))
        case _:
            return event


def stuck(state: State) -> bool:
    """Whether nothing more can be claimed, told only once the stock is empty and the hand is all there is.

    Our ruling: bulbs that can be added to a line-up which the hand cannot complete change nothing any more.
    """
    if state.stock or phase(state) != "action":
        return False
    return not any(_within_reach(state, pattern) for pattern in state.face_up)


Kind = Literal["bulb", "bubble_bulb", "plug", "broken_bulb", "event", "character"]


class StockCard(Struct, frozen=True):
    """A card of the stock."""

    id: Annotated[Card, Meta(description="How zones, commands and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    kind: Annotated[Kind, Meta(description="What it is: a bubble bulb ends any pattern, a plug answers what is drawn.")]
    colour: Annotated[str | None, Meta(description="The colour of a bulb.")]
    count: Annotated[int, Meta(description="How many there are of it in the stock.")]
    kept: Annotated[bool, Meta(description="May be in a hand; other cards are resolved as they are drawn.")]


class PatternCard(Struct, frozen=True):
    """A pattern that can be claimed."""

    id: Annotated[Card, Meta(description="How zones and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    number: Annotated[str, Meta(description="Its number: P01 to P18.")]
    bulbs: Annotated[tuple[Card, ...], Meta(description="The bulbs that complete it, from the left.")]
    colours: Annotated[tuple[str, ...], Meta(description="Their colours.")]


class Material(Struct, frozen=True, tag="deck_the_yard/material"):
    """The stock, the patterns, and how many claimed cards win."""

    places: Places
    stock: Annotated[tuple[StockCard, ...], Meta(description="The cards of the stock, each kind once.")]
    patterns: Annotated[tuple[PatternCard, ...], Meta(description="The patterns by their numbers.")]
    hand: Annotated[int, Meta(description="Cards in a full hand.")]
    to_win: Annotated[int, Meta(description="So many claimed cards win: patterns and characters.")]


def _zones(state: State, open_cards: bool) -> Iterator[Zone]:
    """Piles and patterns above, the line-up and the claims in the middle, the hand below."""
    yield closed_pile("stock", "Stock", 0, 0, state.stock, open_cards)
    yield Zone(DISCARD, "Discards", "pile", _STEP, 0, cards=state.discard)
    yield Zone("drawn", "Drawn", "pile", 2 * _STEP, 0, cards=_one(state.drawn))
    yield closed_pile("pattern_stock", "Patterns to come", 5 * _STEP, 0, state.pattern_stock, open_cards)
    for place, zone in enumerate(FACE_UP):
        yield Zone(zone, f"Pattern {place + 1}", "pile", (6 + place) * _STEP, 0, cards=_one(state.face_up[place]))
    yield Zone(LINEUP, "Line-up", "row", 0, _STEP, cards=lineup(state))
    yield Zone(CLAIMS, "Claimed", "fan", 6 * _STEP, _STEP, cards=state.claims)
    yield Zone(HAND, "Hand", "row", 0, 2 * _STEP, owner=0, cards=state.hand)


def boards(options: Options, seats: int) -> Boards:
    """Patterns above, the line-up in the middle, the hand below; what is drawn from on the left."""
    patterns = ("pattern_stock", *FACE_UP)
    return Boards(
        frame_board([
            *beside(patterns, Place("", 1.6, 0), 0.3), Place(CLAIMS, 5.5, 0, "right", 2.36, 0.68),
            *below(("stock", DISCARD, "drawn"), Place("", 0, 0), 0.2),
            Place(LINEUP, 1.6, 1.2, "right", 6.26), Place(HAND, 1.6, 2.4, "right", 6.26),
        ]),
        frame_board([
            *beside(patterns, Place("", 0, 0), 0.2), Place(CLAIMS, 3.6, 0, "right", 2.3, 0.6),
            Place(LINEUP, 0, 1.22, "right", 5.74),
            *beside(("stock", DISCARD, "drawn"), Place("", 1.25, 2.44)), Place(HAND, 0, 3.66, "right", 5.74),
        ]),
    )  # fmt: skip


def _one(card: Card | None) -> Cards:
    return () if card is None else (card,)


def _facts(state: State) -> Facts:
    acting = phase(state) == "action"
    return Facts(
        patterns=tuple(_pattern(state, card) for card in state.face_up if card is not None),
        lineup=tuple(map(call_card, lineup(state))),
        hand=tuple(map(call_card, state.hand)),
        next_colours=tuple(COLOUR[bulb] for bulb in next_bulbs(state)) if acting else (),
        drawn=None if state.drawn is None else call_card(state.drawn),
        claims=tuple(map(call_card, state.claims)),
        claimed=len(state.claims),
    )


def _pattern(state: State, card: Card) -> Pattern:
    return Pattern(card, NUMBER[card], tuple(COLOUR[bulb] for bulb in PATTERNS[card]), fits(state, card))


def _show_first(cards: Cards, count: int) -> Cards:
    """The first so many cards, and backs."""
    return cards[:count] + (FACE_DOWN,) * (len(cards) - count)


def _within_reach(state: State, pattern: Card | None) -> bool:
    """Whether the hand alone completes this pattern."""
    if pattern is None or not fits(state, pattern):
        return False
    wanting = PATTERNS[pattern][len(state.bulbs) :]
    if state.bubble is not None or BUBBLE in state.hand:
        wanting = wanting[: STRAND - 1 - len(state.bulbs)]
    return not Counter(wanting) - Counter(state.hand)


_SPECIAL: dict[Card, Kind] = {BUBBLE: "bubble_bulb", PLUG: "plug", BROKEN: "broken_bulb", EVENT: "event"}


def _kind(card: Card) -> Kind:
    return "bulb" if card in COLOUR else "character" if card in CHARACTER else _SPECIAL[card]


def _bulb_face(card: Card) -> Face:
    colour = COLOUR[card]
    return Face(name=f"a {colour} bulb", mark=colour[:2].capitalize(), colour=_PAINT[colour])


def _character_face(card: Card) -> Face:
    words = call_card(card).removeprefix("the ").split()
    mark = words[0][:3] if len(words) == 1 else words[0][:2] + words[1][:1]
    return Face(name=call_card(card), mark=mark.capitalize(), colour="#f7f1e3", shape="card")


def _pattern_face(card: Card) -> Face:
    name = f"{call_card(card)}: {colours(PATTERNS[card])}"
    strand = tuple(_PAINT[COLOUR[bulb]] for bulb in PATTERNS[card])
    return Face(name=name, mark=NUMBER[card], colour="#e4ecf3", shape="card", strand=strand)


FACES: dict[Card, Face] = {
    **{card: _bulb_face(card) for card in COLOUR},
    BUBBLE: Face(name="a bubble bulb", mark="Bub", colour="#bfe3ea"),
    PLUG: Face(name="a plug", mark="Plg", colour="#4d5b66", shape="tile"),
    BROKEN: Face(name="a broken bulb", mark="Brk", colour="#8d8d8d", shape="tile"),
    EVENT: Face(name="a draw-event card", mark="Evt", colour="#d9c7ee", shape="card"),
    **{card: _character_face(card) for card in CHARACTER},
    **{card: _pattern_face(card) for card in PATTERNS},
}

MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    stock=tuple(
        StockCard(card, call_card(card), _kind(card), COLOUR.get(card), count, card in KEPT)
        for card, count in Counter(STOCK).items()
    ),
    patterns=tuple(
        PatternCard(card, call_card(card), NUMBER[card], bulbs, tuple(COLOUR[bulb] for bulb in bulbs))
        for card, bulbs in PATTERNS.items()
    ),
    hand=HAND_SIZE,
    to_win=TO_WIN,
)
