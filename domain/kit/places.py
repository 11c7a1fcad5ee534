"""Places for cards as a game type's material names them: every zone that a view can have."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.game_type import Seat, View


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
