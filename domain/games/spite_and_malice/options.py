"""Spite & Malice: what can be set, the four named tables, and the settings a game is played with."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.kit.cards import JOKERS, PACK, RANKS
from domain.view import Card

Preset = Literal["snm_a", "snm_pz", "snm_pz_nwis", "snm_a_short"]
ShuffleType = Literal["draw_empty", "any_draw", "deck_removed"]
MinimumWild = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "joker"]
OnExhaustion = Literal["drawn", "partial_draw", "redeal_hands_and_discards", "fewest_stock_wins"]

_SHUFFLE = "When the draw deck is shuffled: when it is empty, right before any draw, or when a play deck is removed"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened; whatever is left out comes from the preset."""

    preset: Annotated[Preset, Meta(description="The named table that fills what is not given")] = "snm_a"
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
        return wild_from(self.minimum_wild)

    @property
    def finish(self) -> int:
        """The length at which a play deck is complete: the highest value that is not wild."""
        return self.wild_from - 1

    def is_wild(self, card: Card) -> bool:
        return VALUE[card] >= self.wild_from


VALUE: dict[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK} | dict.fromkeys(JOKERS, 14)
"""Ace 1 to king 13, a joker 14."""

_WILD_FROM: dict[str, int] = {rank: place for place, rank in enumerate(RANKS, 1)} | {"joker": 14}


def wild_from(lowest: MinimumWild) -> int:
    """The lowest wild value: 2 to 13, 14 for the joker."""
    return _WILD_FROM[lowest]


PRESETS: dict[Preset, Settings] = {
    "snm_a": Settings(),
    "snm_pz": Settings(jokers=True, minimum_wild="joker"),
    "snm_pz_nwis": Settings(jokers=True, minimum_wild="joker", wilds_in_stock=False),
    "snm_a_short": Settings(stock=5),
}
"""The playable rows of the source's table of game types (Naglma's Spite & Malice)."""


def settle(options: Options, seats: int) -> Options:
    """The options with every gap filled from the preset; raises Illegal where no game could be dealt so."""
    preset = PRESETS[options.preset]
    names = [name for name in Settings.__struct_fields__ if getattr(options, name) is None]
    settled = replace(options, **{name: getattr(preset, name) for name in names})
    _check(settings_of(settled))
    return settled


def settings_of(options: Options) -> Settings:
    """The settings of options that are settled."""
    return Settings(**{name: getattr(options, name) for name in Settings.__struct_fields__})


def pack(settings: Settings) -> tuple[Card, ...]:
    """Every card of the game; jokers come two to a pack, `*1` and `*2` with the first, `*3` and `*4` with the next."""
    jokers = (JOKERS * 2)[: 2 * settings.packs] if settings.jokers else ()
    return PACK * settings.packs + jokers


def _check(settings: Settings) -> None:
    cards = pack(settings)
    if 2 * settings.stock + settings.hand > len(cards):
        raise Illegal("too_many_cards", f"Two stocks and a hand need more than the {len(cards)} cards there are.")
    if not settings.wilds_in_stock:
        _check_without_wilds(settings, cards)


def _check_without_wilds(settings: Settings, cards: tuple[Card, ...]) -> None:
    plain = sum(not settings.is_wild(card) for card in cards)
    if 2 * settings.stock > plain:
        raise Illegal("stocks_without_wilds", f"Two stocks without wilds need more than the {plain} cards there are.")
    if settings.finish == 1:
        raise Illegal("first_cards_equal", "With nothing but aces in the stocks no first card is ever the higher one.")
