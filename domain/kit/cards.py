"""Cards as two characters: packs, ranks, suits, colours and names."""

from collections.abc import Container, Iterator, Sequence
from itertools import permutations, product

from domain.view import FACE_DOWN, Card

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANK_WORDS = "ace two three four five six seven eight nine ten jack queen king"
_RANK_NAMES = dict(zip(RANKS, _RANK_WORDS.split(), strict=True))

PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, spades first, ace to king."""

JOKERS: tuple[Card, ...] = ("*1", "*2", "*3", "*4")

_NAMES: dict[Card, str] = {card: f"{_RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}" for card in PACK}
_NAMES |= dict.fromkeys(JOKERS, "joker") | {FACE_DOWN: "a card"}

RANK: dict[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK}
"""The plain rank of a card: ace 1 to king 13. Jokers have none."""


def turned_ranks() -> list[list[int]]:
    """Other names for the ranks, ace 0, where they go round and any of them may stand for the ace (`RankNames`)."""
    return [[(rank + turn) % len(RANKS) for rank in range(len(RANKS))] for turn in range(len(RANKS))]


def turned_ranks_both_ways() -> list[list[int]]:
    """The same where cards go up and down alike."""
    return [*turned_ranks(), *(row[::-1] for row in turned_ranks())]


def paired_ranks() -> list[tuple[int, ...]]:
    """Other names for the ranks where two make thirteen: the six pairs in any order, either first; the king alone."""
    lower = (
        [11 - rank if swapped else rank for rank, swapped in zip(ranks, swaps, strict=True)]
        for ranks in permutations(range(6))
        for swaps in product((False, True), repeat=6)
    )
    return [(*ranks, *[11 - rank for rank in reversed(ranks)], 12) for ranks in lower]


def is_joker(card: Card) -> bool:
    return card[0] == "*"


def suit(card: Card) -> str:
    """S, H, D or C; a joker's digit."""
    return card[1]


def is_red(card: Card) -> bool:
    return card[1] in "HD"


def name(card: Card) -> str:
    """The card as spoken: `queen of hearts`, `joker`, `a card` face down."""
    return _NAMES[card]


def rank_name(rank: str) -> str:
    """The rank as spoken: `queen`."""
    return _RANK_NAMES[rank]


def names(cards: tuple[Card, ...]) -> str:
    """Several cards as spoken: `ace of spades, two of hearts`."""
    return ", ".join(name(card) for card in cards)


def hide_all_but(cards: tuple[Card, ...], places: Container[int]) -> tuple[Card, ...]:
    """The cards of a deal, face down but at these places of the dealing order."""
    return tuple(card if place in places else FACE_DOWN for place, card in enumerate(cards))


def backs(cards: Sequence[Card]) -> tuple[Card, ...]:
    """As many cards face down."""
    return (FACE_DOWN,) * len(cards)


def draw_as_many(cards: Iterator[Card], places: Sequence[Card]) -> tuple[Card, ...]:
    """The next cards, one for each of these places."""
    return tuple(next(cards) for _ in places)


def count_cards(count: int) -> str:
    """`1 card`, `5 cards`."""
    return "1 card" if count == 1 else f"{count} cards"
