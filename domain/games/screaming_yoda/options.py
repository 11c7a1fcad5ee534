"""Screaming Yoda: what can be chosen when a game is opened."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.game_type import Illegal

PenaltySource = Literal["removed", "pile"]

_FIRST = "The seat that is dealt to first and leads; if none is given it is drawn by lot, and is 0 in a given deal"
_SOURCE = (
    "Where a caught player draws three cards: `removed`, those removed from play, shuffled, then the pile from its"
    " bottom without its top card; or `pile`, the pile from its top"
)
_PLACES = "The game goes on after the first player is out, until one is left; scores are the opponents left behind"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened."""

    first_seat: Annotated[Annotated[int, Meta(ge=0, le=4)] | None, Meta(description=_FIRST)] = None
    swap_phase: Annotated[
        bool, Meta(description="Before play each player may exchange hand cards for cards face up before them")
    ] = False
    combo_only_single: Annotated[
        bool, Meta(description="Face-up cards join the last of the hand only if that is a single card")
    ] = False
    yoda_penalty_source: Annotated[PenaltySource, Meta(description=_SOURCE)] = "removed"
    false_call_penalty: Annotated[
        int,
        Meta(description="Cards drawn by who calls a player without cause; at 0 such a call is refused", ge=0, le=5),
    ] = 0
    play_for_places: Annotated[bool, Meta(description=_PLACES)] = False
    allow_two: Annotated[bool, Meta(description="Two may play (our ruling): 22 cards are dealt, 30 are left")] = False


def settle(options: Options, seats: int) -> Options:
    """The options as they are; raises Illegal for two seats not allowed, or a first seat that the table has not."""
    if seats == 2 and not options.allow_two:
        raise Illegal("two_seats", "Three to five play; two may where the option allow_two is chosen.")
    if options.first_seat is not None and options.first_seat >= seats:
        raise Illegal("first_seat", f"There is no seat {options.first_seat} at a table of {seats}.")
    return options
