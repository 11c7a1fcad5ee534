"""The card table as an eventsourcing application: the same log through the library's own classes."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import Recording

from domain.play.aggregate import Game, fold
from service.event_store.codec import AnyRecord


class Pending(NamedTuple):
    """Records to be saved, as the library collects them: one object per step, none per event."""

    id: UUID
    records: Sequence[AnyRecord]

    def collect_events(self) -> Iterator[AnyRecord]:
        """The records, in order."""
        return iter(self.records)


class CardTable(Application[UUID]):
    """Saves steps and loads games. The environment may name another persistence module, such as upstream's own
    `eventsourcing.postgres`: the baseline that ours is measured against. `DATABASE_URL` names the database of ours.
    """

    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": "service.event_store.library.factory",
        "MAPPER_TOPIC": "service.event_store.library.factory:RecordMapper",
    }

    def save_records(self, records: Sequence[AnyRecord]) -> list[Recording[UUID]]:
        """Store the records of one step, all or none; raises the library's IntegrityError if somebody was faster."""
        pending: Any = Pending(records[0].stream, records)
        return self.save(pending)

    def game(self, game_id: UUID, version: int | None = None) -> Game:
        """The game as it stands, or stood at a version; raises AggregateNotFoundError."""
        projector: Any = _projected
        game: Game = self.repository.get(game_id, version=version, projector_func=projector)
        return game


def _projected(game: Game | None, records: Iterator[AnyRecord]) -> Game | None:
    """The library's projector function: our fold, and None where there is nothing to fold."""
    found = list(records)
    return fold(found, game) if found else game
