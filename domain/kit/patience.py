"""Words that the patiences share: foundations built up in suit, columns built downwards, and how they lie."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Final, Literal, Protocol, TypeVar, get_args

from msgspec import Meta

from domain.game_type import Illegal
from domain.kit.cards import PACK, RANK, SUIT_NAMES, SUITS, is_red, name
from domain.view import Card, Zone

T = TypeVar("T")

_PASSES = Meta(description="Times that the stock may be gone through; null: any number.")
FewPasses = Annotated[Annotated[int, Meta(ge=1, le=10)] | None, _PASSES]
"""The option `passes` of revisions 1."""
Passes = Annotated[Annotated[int, Meta(ge=1, le=100)] | None, _PASSES]
"""The option `passes`."""

FoundationReturn = Annotated[bool, Meta(description="The top card of a foundation may be moved back to a column.")]
"""The option `foundation_return`."""

Stock = Literal["stock"]
STOCK: Final[Stock] = "stock"
Discard = Literal["discard"]
DISCARD: Final[Discard] = "discard"
Foundation = Literal["foundation_spades", "foundation_hearts", "foundation_diamonds", "foundation_clubs"]
FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)

SUIT_PLACE: dict[str, int] = {zone: place for place, zone in enumerate(FOUNDATIONS)}
"""The place of a foundation's suit in SUITS, by zone."""

HOME: dict[Card, tuple[int, int]] = {card: (SUITS.index(card[1]), RANK[card] - 1) for card in PACK}
"""The foundation a card belongs on, as the place of its suit, and how many cards must lie there first: aces first."""

ALL_HOME = (13, 13, 13, 13)
"""How many cards lie on the foundations once all are there."""

NO_CARD: Card = ""
"""What lies on top of an empty column."""

_ROUND = tuple(PACK[13 * suit : 13 * suit + 13] * 2 for suit in range(4))
"""Each suit twice around, so that a foundation is a piece of it, for every lowest rank."""

KINGS = frozenset(card for card in PACK if RANK[card] == 13)

ALTERNATING: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if RANK[card] == RANK[top] - 1 and is_red(card) != is_red(top)) for top in PACK
}
"""The cards that may be put on a card where columns are built down in alternating colours; on an ace none."""

IN_SUIT: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if RANK[card] == RANK[top] - 1 and card[1] == top[1]) for top in PACK
}
"""The cards that may be put on a card where columns are built down in suit; on an ace none."""

ON_ALTERNATING: dict[Card, tuple[Card, ...]] = {
    card: tuple(top for top in PACK if card in ALTERNATING[top]) for card in PACK
}
"""The cards that a card may be put on where columns are built down in alternating colours; for a king none."""

ON_IN_SUIT: dict[Card, tuple[Card, ...]] = {card: tuple(top for top in PACK if card in IN_SUIT[top]) for card in PACK}
"""The cards that a card may be put on where columns are built down in suit; for a king none."""

STEP = 1.25
"""From one zone to the next, in card widths and card heights."""

_SUITS = tuple(suit.capitalize() for suit in SUIT_NAMES.values())
_COLUMNS = tuple((f"tableau_{place}", f"Column {place + 1}") for place in range(10))
"""Zones and labels of foundations and columns."""

_NUMBERED = {"tableau": "column", "pyramid": "row"}
"""What zones with a number are called, by the first word of their ids."""


def top_of(column: Sequence[Card]) -> Card:
    """The top card of a column, NO_CARD if it is empty."""
    return column[-1] if column else NO_CARD


def run_length(column: Sequence[Card], accepts: Mapping[Card, frozenset[Card]]) -> int:
    """How many cards, from the top, each lie on one that takes them; 0 in an empty column."""
    length, size = 1, len(column)
    while length < size and column[-length] in accepts[column[-length - 1]]:
        length += 1
    return min(length, size)


def fitting_count(run: Sequence[Card], top: Card, accepts: Mapping[Card, frozenset[Card]]) -> int:
    """How many cards of this run go onto another column's top card; 0: none.

    Ranks fall by one, so that one number at most fits. Neither the run nor the other column is empty.
    """
    count = RANK[top] - RANK[run[-1]]
    return count if 0 < count <= len(run) and run[-count] in accepts[top] else 0


def with_value_at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The values with another one at this place."""
    listed = list(values)
    listed[place] = value
    return tuple(listed)


def home_cards(suit: int, count: int, base: int = 1) -> tuple[Card, ...]:
    """The cards of a foundation on which `count` cards lie, the one of the base rank first."""
    return _ROUND[suit][base - 1 : base - 1 + count]


def next_home(foundations: Sequence[int], base: int = 1) -> set[Card]:
    """The cards that the foundations wait for."""
    return {_ROUND[suit][base - 1 + count] for suit, count in enumerate(foundations) if count < 13}


class CardMove(Protocol):
    """A move of the top `count` cards of a zone, as the command of a game says it."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def count(self) -> int: ...


class Foundations(Protocol):
    """A position with foundations: the numbers of cards on them, by suit as in SUITS."""

    @property
    def foundations(self) -> tuple[int, ...]: ...


def cards_home(state: Foundations) -> int:
    """The number of cards on the foundations: the score of many a patience."""
    return sum(state.foundations)


def all_home(state: Foundations) -> bool:
    """Whether every card is on its foundation: with that many a patience is won."""
    return state.foundations[0] == 13 and min(state.foundations) == 13  # the first one nearly always tells


def check_home(
    foundations: Sequence[int], cards: Sequence[Card], suit: int, base: int = 1, lowest: str = "ace"
) -> None:
    """Raises Illegal unless these cards are one, the next in order for the foundation of this suit."""
    if len(cards) > 1:
        raise Illegal("one_card_home", "Cards go to a foundation one at a time.")
    own, place = HOME[cards[0]]
    if own != suit:
        raise Illegal("own_foundation", f"The {name(cards[0])} belongs on the foundation of its own suit.")
    if foundations[suit] != (place + 1 - base) % 13:
        raise Illegal("next_in_suit", f"A foundation is built up in suit from the {lowest} without a gap.")


def check_alternating(top: Card, card: Card, king_on_ace: bool = False) -> None:
    """Raises Illegal unless the card is one rank below the top card and of the other colour."""
    if card in ALTERNATING[top]:
        return
    if is_red(top) == is_red(card):
        raise Illegal("alternating_colours", f"The {name(card)} has the colour of the {name(top)}.")
    check_one_lower(top, card, king_on_ace)


def check_in_suit(top: Card, card: Card) -> None:
    """Raises Illegal unless the card is one rank below the top card and of the same suit."""
    if top[1] != card[1]:
        raise Illegal("in_suit", f"The {name(card)} is not of the suit of the {name(top)}.")
    check_one_lower(top, card)


def check_one_lower(top: Card, card: Card, king_on_ace: bool = False) -> None:
    """Raises Illegal unless the card is one rank below the top card, a king below an ace only where that is agreed."""
    if RANK[card] != (RANK[top] - 1 or 13 * king_on_ace):
        raise Illegal("one_rank_lower", f"The {name(card)} is not one rank below the {name(top)}.")


def foundation_zones(foundations: Sequence[int], above: Sequence[int], base: int = 1) -> tuple[Zone, ...]:
    """The four foundations, spades first, in the top row above the columns of these numbers."""
    homes = zip(FOUNDATIONS, _SUITS, above, _ROUND, foundations, strict=True)
    return tuple([
        Zone(zone, suit, "pile", STEP * x, 0, cards=cards[base - 1 : base - 1 + count])
        for zone, suit, x, cards, count in homes
    ])  # fmt: skip


def column_zone(place: int, cards: tuple[Card, ...], face_down: int = 0, left: int = 0) -> Zone:
    """Column `place` in the row below the foundations: its face-up cards, and how many unseen cards lie under them.

    `left` is how many columns' room is left free before the first.
    """
    zone, label = _COLUMNS[place]
    return Zone(zone, label, "column", STEP * (left + place), STEP, None, face_down, cards)


def closed_pile(zone: str, label: str, x: float, y: float, cards: tuple[Card, ...], known: bool) -> Zone:
    """A pile that lies face down, unless its cards are known to who looks."""
    if known:
        return Zone(zone, label, "pile", x, y, cards=cards)
    return Zone(zone, label, "pile", x, y, face_down=len(cards))


def column_zones(columns: Sequence[tuple[Card, ...]], face_down: Sequence[int]) -> list[Zone]:
    """The columns in the row below the foundations; the lowest cards of each, so many, lie face down."""
    lying = enumerate(zip(_COLUMNS, columns, face_down, strict=False))
    return [
        Zone(zone, label, "column", STEP * place, STEP, None, down, cards[down:])
        for place, ((zone, label), cards, down) in lying
    ]


@cache
def zone_name(zone: str) -> str:
    """`column 3` of `tableau_2`, `row 7` (pyramid), `the waste`, `the foundation of spades`; `a foundation` of two."""
    kind, *which = zone.split("_")
    if kind in _NUMBERED:
        return f"{_NUMBERED[kind]} {int(which[0]) + 1}"
    return f"{'a' if len(which) > 1 else 'the'} {' of '.join((kind, *which[:1]))}"


def say_move(cards: Sequence[Card], source: str, target: str) -> str:
    """The move of these cards from zone to zone as a sentence."""
    return f"The player moves {the(cards)} from {zone_name(source)} to {zone_name(target)}."


def the(cards: Sequence[Card]) -> str:
    """`the ace of spades, the two of hearts and the ten of clubs`."""
    *first, last = (f"the {name(card)}" for card in cards)
    return f"{', '.join(first)} and {last}" if first else last
