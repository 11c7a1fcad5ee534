"""What the materials of several game types have in common: places for cards, and the cards of a pack."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.kit.cards import PACK, RANK, name
from domain.view import Card, Seat, View


class CardPlace(Struct, frozen=True, omit_defaults=True):
    """A place for cards on the table: a zone of the views, which commands and events name by the same id."""

    id: Annotated[str, Meta(description="The id of the zone.")]
    name: Annotated[str, Meta(description="What people call it.")]
    seat: Annotated[Seat | None, Meta(description="The seat whose place it is; left out where it is nobody's.")] = None


Places = Annotated[tuple[CardPlace, ...], Meta(description="Every zone that a view can have, whatever the options.")]


def card_places(*views: View[Any]) -> tuple[CardPlace, ...]:
    """The places of these views, each once: what one table has and another has not is listed as well."""
    zones = {zone.id: zone for view in views for zone in view.zones}
    return tuple(CardPlace(zone.id, zone.label, zone.owner) for zone in zones.values())


class PackCard(Struct, frozen=True, omit_defaults=True):
    """A card of the pack."""

    id: Annotated[Card, Meta(description="The card as zones, commands and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    value: Annotated[int, Meta(description="What it counts where cards are compared.")]
    count: Annotated[int, Meta(description="How many there are of it.")] = 1


Cards = Annotated[tuple[PackCard, ...], Meta(description="The cards that are played with.")]


def pack_cards(cards: Iterable[Card] = PACK, values: Mapping[Card, int] = RANK) -> tuple[PackCard, ...]:
    """These cards, each kind once, with what they count: ace 1 to king 13 unless said otherwise."""
    return tuple(PackCard(card, name(card), values[card], count) for card, count in Counter(cards).items())
