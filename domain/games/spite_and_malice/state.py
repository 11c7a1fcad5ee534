"""Spite & Malice: what can be set, the four named tables, the places for cards and the state of a game."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.capabilities import Preset
from domain.chance import Chance
from domain.game_type import Concealed
from domain.kit.cards import JOKERS, PACK, RANKS
from domain.view import Card, Seat

Cards = tuple[Card, ...]
Over = Literal["cannot_draw", "two_idle_turns", "three_idle_redeals"]
PresetKey = Literal["snm_a", "snm_pz", "snm_pz_nwis", "snm_a_short"]
ShuffleType = Literal["draw_empty", "any_draw", "deck_removed"]
MinimumWild = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "joker"]
OnExhaustion = Literal["drawn", "partial_draw", "redeal_hands_and_discards", "fewest_stock_wins"]

_SHUFFLE = "When the draw deck is shuffled: when it is empty, right before any draw, or when a play deck is removed"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened; whatever is left out comes from the preset."""

    preset: Annotated[PresetKey, Meta(description="The named table that fills what is not given")] = "snm_a"
    shuffle_type: Annotated[ShuffleType | None, Meta(description=_SHUFFLE)] = None
    stock: Annotated[Annotated[int, Meta(ge=1, le=40)] | None, Meta(description="Cards in each stock")] = None
    play_decks: Annotated[Annotated[int, Meta(ge=1, le=8)] | None, Meta(description="Shared play decks")] = None
    discards: Annotated[Annotated[int, Meta(ge=1, le=8)] | None, Meta(description="Discard piles of each seat")] = None
    hand: Annotated[Annotated[int, Meta(ge=1, le=10)] | None, Meta(description="Cards in a full hand")] = None
    jokers: Annotated[bool | None, Meta(description="Whether two jokers come with each pack")] = None
    packs: Annotated[Annotated[int, Meta(ge=1, le=4)] | None, Meta(description="Packs of 52 shuffled together")] = None
    minimum_wild: Annotated[MinimumWild | None, Meta(description="This value and every higher one is wild")] = None
    wilds_in_stock: Annotated[bool | None, Meta(description="Whether a stock may hold wild cards")] = None
    must_play_ace: Annotated[bool, Meta(description="No turn ends while an own ace can be played")] = False
    wild_lowest: Annotated[bool, Meta(description="A wild counts lowest when the first player is found")] = False
    on_exhaustion: Annotated[OnExhaustion, Meta(description="What follows when a draw cannot be completed")] = "drawn"


class Settings(Struct, frozen=True, omit_defaults=True):
    """The options of one game with every gap filled, as its state holds them."""

    shuffle_type: ShuffleType = "draw_empty"
    stock: int = 20
    play_decks: int = 4
    discards: int = 4
    hand: int = 5
    jokers: bool = False
    packs: int = 2
    minimum_wild: MinimumWild = "K"
    wilds_in_stock: bool = True
    must_play_ace: bool = False
    wild_lowest: bool = False
    on_exhaustion: OnExhaustion = "drawn"

    @property
    def wild_from(self) -> int:
        """The lowest wild value: 2 to 13, 14 for the joker."""
        return WILD_FROM[self.minimum_wild]

    @property
    def finish(self) -> int:
        """The length at which a play deck is complete: the highest value that is not wild."""
        return self.wild_from - 1

    def is_wild(self, card: Card) -> bool:
        return VALUE[card] >= self.wild_from


VALUE: dict[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK} | dict.fromkeys(JOKERS, 14)
"""Ace 1 to king 13, a joker 14."""

WILD_FROM: dict[str, int] = {rank: place for place, rank in enumerate(RANKS, 1)} | {"joker": 14}
"""The lowest wild value, 2 to 14, by the option `minimum_wild`."""

PRESETS: dict[PresetKey, Settings] = {
    "snm_a": Settings(),
    "snm_pz": Settings(jokers=True, minimum_wild="joker"),
    "snm_pz_nwis": Settings(jokers=True, minimum_wild="joker", wilds_in_stock=False),
    "snm_a_short": Settings(stock=5),
}
"""The playable rows of the source's table of game types (Naglma's Spite & Malice)."""

NAMES: dict[PresetKey, tuple[str, str]] = {
    "snm_a": ("SNM A", "Kings are wild"),
    "snm_pz": ("SNM PZ", "Jokers are wild"),
    "snm_pz_nwis": ("SNM PZ_NWIS", "Jokers are wild, none in the stocks"),
    "snm_a_short": ("SNM A-SHORT", "Short: stocks of five"),
}

_COLUMNS = (
    "shuffle_type", "stock", "play_decks", "discards", "hand", "jokers", "packs", "minimum_wild", "wilds_in_stock",
)  # fmt: skip
NAMED = tuple(
    Preset(
        name=name, label=label, options=Options(preset=key),
        row={column: getattr(PRESETS[key], column) for column in _COLUMNS},
    )
    for key, (name, label) in NAMES.items()
)  # fmt: skip
"""The four card rows of the source's table of game types (Naglma's Spite & Malice), by name."""

MOST_PILES = 8
SEATS = (0, 1)

HAND = ("hand_0", "hand_1")
STOCK = ("stock_0", "stock_1")
PLAY = tuple(f"play_{deck}" for deck in range(MOST_PILES))
DISCARD = tuple(tuple(f"discard_{seat}_{pile}" for pile in range(MOST_PILES)) for seat in SEATS)
DRAW = "draw"
REMOVED = "removed"

PLAY_INDEX: dict[str, int] = {zone: deck for deck, zone in enumerate(PLAY)}
DISCARD_PLACE: dict[str, tuple[Seat, int]] = {
    zone: (seat, pile) for seat in SEATS for pile, zone in enumerate(DISCARD[seat])
}

LABEL: dict[str, str] = (
    {zone: f"play deck {deck + 1}" for deck, zone in enumerate(PLAY)}
    | {zone: f"discard pile {pile + 1}" for zone, (_, pile) in DISCARD_PLACE.items()}
    | dict.fromkeys(STOCK, "stock")
    | dict.fromkeys(HAND, "hand")
)
"""The zone as it is spoken of beside its owner; piles count from 1, their ids from 0."""


NO_HANDS: tuple[Cards, ...] = ((), ())
"""Empty hands: always this very object, because a field is left out of a state's encoding, and so of its digest, only
where it holds the default itself."""


class State(Concealed, frozen=True, omit_defaults=True):
    """Everything on and under the table. Piles run bottom to top; the draw deck has its next card first.

    `turned` tells for each seat whether the top of its stock lies face up; `played` whether the seat on turn has
    played; `idle` counts turns in a row that ended without a discard or a play; `redeals` how
    often everything outside the stocks was dealt again since a stock card was last played.
    """

    settings: Settings = Settings()
    draw: Cards = ()
    removed: Cards = ()
    play_decks: tuple[Cards, ...] = ()
    stocks: tuple[Cards, ...] = ((), ())
    hands: tuple[Cards, ...] = NO_HANDS
    discards: tuple[tuple[Cards, ...], ...] = ((), ())
    turned: tuple[bool, ...] = (True, True)
    turn: Seat | None = None
    played: bool = False
    idle: int = 0
    redeals: int = 0
    over: Over | None = None
    chance: Chance | None = None


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


def settings_of(options: Options) -> Settings:
    """The settings of options that are settled."""
    return Settings(**{name: getattr(options, name) for name in Settings.__struct_fields__})


def pack(settings: Settings) -> tuple[Card, ...]:
    """Every card of the game; jokers come two to a pack, `*1` and `*2` with the first, `*3` and `*4` with the next."""
    jokers = (JOKERS * 2)[: 2 * settings.packs] if settings.jokers else ()
    return PACK * settings.packs + jokers
