"""What the player of Bridge Solitaire can say."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.bridge_solitaire.contract import Strain
from domain.view import NamedCard


class Select(Struct, frozen=True, tag="bridge_solitaire/select", forbid_unknown_fields=True, omit_defaults=True):
    """Keep six of the thirteen, in any order; `discard_top` is the discard left in sight (else the last dealt)."""

    cards: Annotated[
        tuple[NamedCard, ...], Meta(description="Six of `offered`, jokers among them.", min_length=6, max_length=6)
    ]
    discard_top: Annotated[NamedCard | None, Meta(description="The discard to lie on top.")] = None


class Bid(Struct, frozen=True, tag="bridge_solitaire/bid", forbid_unknown_fields=True):
    """Undertake 6 + `level` tricks, with a suit as trumps or without trumps."""

    level: Annotated[int, Meta(ge=1, le=7)]
    strain: Strain


class Pass(Struct, frozen=True, tag="bridge_solitaire/pass", forbid_unknown_fields=True):
    """Defend against the house's bid."""


class Play(Struct, frozen=True, tag="bridge_solitaire/play", forbid_unknown_fields=True):
    """Play a card from `hand_0` to `trick`."""

    card: Annotated[NamedCard, Meta(description="A card of `hand_0`.")]


class NextHand(Struct, frozen=True, tag="bridge_solitaire/next_hand", forbid_unknown_fields=True):
    """Shuffle all 54 cards and deal the rubber's next hand."""


class CloseRubber(Struct, frozen=True, tag="bridge_solitaire/close_rubber", forbid_unknown_fields=True):
    """Stop the rubber between two hands and enter the premiums of an unfinished one."""


Command = Select | Bid | Pass | Play | NextHand | CloseRubber
