"""Deck the Yard: the table as a viewer sees it, events as sentences, and its cards as data, partly reconstructed.

Everything is seen but the order of the stock and of the patterns to come, and the chance.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.capabilities import Face
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard import state as yard
from domain.games.deck_the_yard.rules import initial, legal_commands
from domain.kit.boards import Places, card_places, in_row
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

_STEP = 1.25
"""From one zone to the next, in card widths and card heights."""

_PAINT = {
    "red": "#c62f2d", "green": "#2f8f4e", "yellow": "#f2c53d",
    "blue": "#2f6fb5", "purple": "#7c4aa5", "pink": "#ee8fb4",
}  # fmt: skip
_ELVES = {"the first elf": "Elf 1", "the second elf": "Elf 2"}
_COLOURS = {card: tuple(yard.COLOUR[bulb] for bulb in bulbs) for card, bulbs in yard.PATTERNS.items()}


def look(state: yard.State, viewer: Viewer) -> View[yard.Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    now = yard.phase(state)
    face_up = [card for card in state.face_up if card is not None]
    facts = yard.Facts(
        patterns=tuple(
            yard.Pattern(card, yard.NUMBER[card], _COLOURS[card], yard.fits(state, card)) for card in face_up
        ),
        lineup=tuple(map(yard.call_card, yard.lineup(state))),
        hand=tuple(map(yard.call_card, state.hand)),
        next_colours=tuple(yard.COLOUR[bulb] for bulb in yard.next_bulbs(state)) if now == "action" else (),
        drawn=None if state.drawn is None else yard.call_card(state.drawn),
        claims=tuple(map(yard.call_card, state.claims)),
        claimed=len(state.claims),
    )
    to_act = (0,) if legal_commands(state, 0) else ()
    return View(now, to_act, _is_stuck(state), tuple(_zones(state, viewer == ALL_SEEING)), facts)


def redact(state: yard.State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance and without the cards that lie face down."""
    match event:
        case ev.Dealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Dealt():
            drawn = len(event.cards) - len(yard.hand_from(event.cards[::-1]).left)
            return ev.Dealt(_show_first(event.patterns, 2), _show_first(event.cards, drawn))
        case ev.StockShuffled():
            return ev.StockShuffled(event.stock if viewer == ALL_SEEING else _show_first(event.stock, 0))
        case _:
            return event


def _is_stuck(state: yard.State) -> bool:
    """Whether nothing more can be claimed; true only once the stock is empty and the hand is all there is.

    Our ruling: bulbs that can be added to a line-up which the hand cannot complete change nothing any more.
    """
    if state.stock or yard.phase(state) != "action":
        return False
    for pattern in state.face_up:
        if pattern is not None and yard.fits(state, pattern):
            missing = yard.PATTERNS[pattern][len(state.bulbs) :]
            if state.bubble is not None or yard.BUBBLE in state.hand:
                missing = missing[: yard.STRAND - 1 - len(state.bulbs)]
            if not Counter(missing) - Counter(state.hand):
                return False
    return True


Kind = Literal["bulb", "bubble_bulb", "plug", "broken_bulb", "event", "character"]
_KIND: dict[Card, Kind] = {
    **dict.fromkeys(yard.COLOUR, "bulb"),
    **dict.fromkeys(yard.CHARACTER, "character"),
    yard.BUBBLE: "bubble_bulb",
    yard.PLUG: "plug",
    yard.BROKEN: "broken_bulb",
    yard.EVENT: "event",
}


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


def _zones(state: yard.State, open_cards: bool) -> Iterator[Zone]:
    """Piles and patterns above, the line-up and the claims in the middle, the hand below."""
    yield closed_pile("stock", "Stock", 0, 0, state.stock, open_cards)
    yield Zone(yard.DISCARD, "Discards", "pile", _STEP, 0, cards=state.discard)
    yield Zone("drawn", "Drawn", "pile", 2 * _STEP, 0, cards=(state.drawn,) if state.drawn else ())
    yield closed_pile("pattern_stock", "Patterns to come", 5 * _STEP, 0, state.pattern_stock, open_cards)
    for place, (zone, card) in enumerate(zip(yard.FACE_UP, state.face_up, strict=True)):
        yield Zone(zone, f"Pattern {place + 1}", "pile", (6 + place) * _STEP, 0, cards=(card,) if card else ())
    yield Zone(yard.LINEUP, "Line-up", "row", 0, _STEP, cards=yard.lineup(state))
    yield Zone(yard.CLAIMS, "Claimed", "fan", 6 * _STEP, _STEP, cards=state.claims)
    yield Zone(yard.HAND, "Hand", "row", 0, 2 * _STEP, owner=0, cards=state.hand)


def boards(options: yard.Options, seats: int) -> Boards:
    """The line-up between the two patterns, which are large; the hand below, claims and what is drawn from around."""
    first, second = yard.FACE_UP
    return Boards(
        frame_board([
            Place(first, 0, 0, scale=2), Place("pattern_stock", 2.24, 0, scale=0.55),
            Place(yard.CLAIMS, 4.2, 0, "right", 3.4, scale=0.55), Place(yard.LINEUP, 2.24, 0.9, "right", 5.32),
            Place(second, 7.8, 0, scale=2), *in_row(("stock", yard.DISCARD), Place("", 0, 2.35)),
            Place(yard.HAND, 2.32, 2.28, "right", 6, scale=1.1), Place("drawn", 8.6, 2.3, scale=1.1),
        ]),
        frame_board([
            Place(first, 0, 0, scale=1.75), Place(second, 3.57, 0, scale=1.75),
            *in_row(("stock", yard.DISCARD), Place("", 1.86, 0, scale=0.77)),
            Place("pattern_stock", 1.86, 1, scale=0.55), Place("drawn", 2.71, 0.98, scale=0.77),
            Place(yard.LINEUP, 0, 2, "right", 5.32), Place(yard.HAND, 0, 3.22, "right", 5.32),
            Place(yard.CLAIMS, 0, 4.44, "right", 5.32, scale=0.5),
        ]),
    )  # fmt: skip


def _show_first(cards: yard.Cards, count: int) -> yard.Cards:
    return cards[:count] + (FACE_DOWN,) * (len(cards) - count)


_ENDS: dict[yard.Over, str] = {
    "eight_claims": "The player has claimed eight cards.",
    "hand_empty": "The hand is empty, and the game is over.",
    "ended_by_player": "The player ends the game.",
}


def tell(state: yard.State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case ev.Drawn():
            return f"The player draws {_a(event.card)}."
        case ev.Discarded():
            return f"The player discards {_a(event.card)}."
        case ev.Dealt():
            first, second = map(_name_pattern, event.patterns[:2])
            hand = yard.hand_from(event.cards[::-1])
            drawn = f"The player draws {_all(hand.kept)}{_set_aside(hand.aside)}."
            return f"The first two patterns are {first} and {second}. {drawn}"
        case ev.StockShuffled():
            return "The stock is shuffled with the cards that had been set aside."
        case ev.ColourPlayed():
            return f"The player adds {_a(event.card)} to the line-up."
        case ev.BubblePlayed():
            return f"The player puts {_a(event.card)} at the far right of the line-up."
        case ev.PatternClaimed():
            return f"The player has completed and claims {_name_pattern(event.pattern)}; the five bulbs are discarded."
        case ev.PatternRevealed():
            return f"The next pattern is {_name_pattern(event.pattern)}."
        case ev.EventCardResolved():
            if not event.power_outage:
                return "A plug is discarded with the event: nothing happens."
            gone = f"the player discards {_all(event.hand)}" if event.hand else "there is no hand to discard"
            return f"The power goes out: {gone}."
        case ev.HandRedrawn():
            hand = yard.hand_from(event.cards[::-1])
            return f"The new hand is {_all(hand.kept) if hand.kept else 'empty'}{_set_aside(hand.aside)}."
        case ev.CharacterResolved():
            if event.claimed:
                return f"The player discards a plug and claims {_a(event.card)}."
            return f"Without a plug for {_a(event.card)}, the card is discarded."
        case ev.BrokenBulbResolved():
            if event.plug is not None:
                return "A plug is discarded with the broken bulb: nothing happens."
            if not event.lineup:
                return "The broken bulb meets no line-up and is discarded."
            return f"The broken bulb takes the whole line-up with it: {_all(event.lineup)}."
        case ev.PlayEnded():
            return _ENDS[event.reason]
        case _:
            assert_never(event)


def _set_aside(cards: Sequence[Card]) -> str:
    verb = "is" if len(cards) == 1 else "are"
    return f"; {_all(cards)} {verb} set aside and put back" if cards else ""


def _a(card: Card) -> str:
    """`a red bulb (AH)`, `Santa (KC)`."""
    article = "" if card in yard.CHARACTER else "a "
    return f"{article}{yard.call_card(card)} ({card})"


def _name_pattern(card: Card) -> str:
    return f"{yard.call_card(card)} ({card}: {yard.colours(yard.PATTERNS[card])})"


def _all(cards: Sequence[Card]) -> str:
    """`a red bulb (AH), a plug (*2) and Santa (KC)`."""
    *first, last = map(_a, cards)
    return f"{', '.join(first)} and {last}" if first else last


def _paper_face(card: Card, mark: str, strand: tuple[str, ...] = (), name: str = "") -> Face:
    """A card with its mark in full."""
    return Face(name=name or yard.call_card(card), mark=mark, colour="#fbf8ef", shape="card", strand=strand)


def _pattern_face(card: Card) -> Face:
    name = f"{yard.call_card(card)}: {yard.colours(yard.PATTERNS[card])}"
    return _paper_face(card, yard.NUMBER[card], tuple(_PAINT[yard.COLOUR[bulb]] for bulb in yard.PATTERNS[card]), name)


FACES: dict[Card, Face] = {
    **{
        card: _paper_face(card, colour.capitalize(), (_PAINT[colour],), f"a {colour} bulb")
        for card, colour in yard.COLOUR.items()
    },
    yard.BUBBLE: _paper_face(yard.BUBBLE, "Bubble", ("#bfe3ea",), "a bubble bulb"),
    yard.PLUG: _paper_face(yard.PLUG, "Plug", name="a plug"),
    yard.BROKEN: _paper_face(yard.BROKEN, "Broken", ("#9aa3a8",), "a broken bulb"),
    yard.EVENT: _paper_face(yard.EVENT, "Event", name="a draw-event card"),
    **{card: _paper_face(card, _ELVES.get(name, name)) for card, name in yard.CHARACTER.items()},
    **{card: _pattern_face(card) for card in yard.PATTERNS},
}

MATERIAL = Material(
    places=card_places(look(initial(yard.Options(), 1), None)),
    stock=tuple(
        StockCard(card, yard.call_card(card), _KIND[card], yard.COLOUR.get(card), count, card in yard.KEPT)
        for card, count in Counter(yard.STOCK).items()
    ),
    patterns=tuple(
        PatternCard(card, yard.call_card(card), yard.NUMBER[card], bulbs, _COLOURS[card])
        for card, bulbs in yard.PATTERNS.items()
    ),
    hand=yard.HAND_SIZE,
    to_win=yard.TO_WIN,
)
