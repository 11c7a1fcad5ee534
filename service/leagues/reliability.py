"""Players barred from rated tables for a time, because they left too many games."""

from typing import TYPE_CHECKING
from uuid import UUID

from domain.game_type import Illegal
from projections.boards.reliability import RELIABILITIES, rows
from service.event_store.ids import now
from service.live import shapes

if TYPE_CHECKING:
    from service.http.services import Services


async def require_admission(services: "Services", player: UUID, seats: int, rated: bool) -> None:
    """Raises Illegal for a rated table of several seats while the player is barred."""
    if seats < 2 or not rated or not services.settings.bar_from_tables:
        return
    async with services.reads.of(RELIABILITIES) as found:
        row = await found.document(rows(), str(player))
    if row is not None and row.barred_until > now():
        until = shapes.moment(row.barred_until).isoformat(timespec="seconds")
        raise Illegal("barred", f"You have left too many games lately: rated tables are open to you from {until} on.")
