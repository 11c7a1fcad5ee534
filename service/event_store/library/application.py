"""Kibitz as an eventsourcing application: the log through the library's repository, mapper and recorder.

The service keeps players, tokens, leagues, contests and rulings with it (`aggregates`); whoever studies a log opens it
with it in a notebook. Commands of games, which are the load, go to the event store directly.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Recording
from eventsourcing.utils import Environment

from domain.play.aggregate import Game
from domain.play.aggregate import fold as fold_game
from service.event_store.codec import AnyRecord, Codec
from service.event_store.library.datastore import Log, SharedLog
from service.event_store.library.factory import LogFactory
from service.event_store.reading import unsealing
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion


class Aggregate(Protocol):
    """What the library asks of an aggregate that it keeps in its cache."""

    @property
    def version(self) -> int:
        """The version of its last record."""


A = TypeVar("A", bound=Aggregate)
Fold = Callable[[Iterable[AnyRecord], A | None], A]
"""Records, and the aggregate before them (None: there was none) -> the aggregate after them."""


class Pending(NamedTuple):
    """Records to be saved, as the library collects them: one object per step, none per event."""

    id: UUID
    records: Sequence[AnyRecord]

    def collect_events(self) -> Iterator[AnyRecord]:
        """The records, in order."""
        return iter(self.records)


class CardTable(Application[UUID]):
    """Saves records and loads what they fold to. `DATABASE_URL` names the database, `SEALING_KEYS` the folder of keys.

    The environment may name another persistence module, such as upstream's own `eventsourcing.postgres`: the baseline
    that ours is measured against. Blocking, for threads.
    """

    env: ClassVar[dict[str, str]] = {
        "PERSISTENCE_MODULE": "service.event_store.library.factory",
        "MAPPER_TOPIC": "service.event_store.library.factory:RecordMapper",
        "DEEPCOPY_FROM_AGGREGATE_CACHE": "no",  # what our folds make is frozen
    }

    def __init__(self, env: dict[str, str] | None = None, log: Log | None = None, codec: Codec | None = None) -> None:
        self._log, self._codec = log, codec
        super().__init__(env)

    @classmethod
    def over(cls, store: EventStore, cached: int = 0) -> Self:
        """The application over a running store; `cached`: how many aggregates it keeps folded."""
        env = {cls.AGGREGATE_CACHE_MAXSIZE: str(cached)} if cached else {}
        return cls(env, SharedLog(store), store.codec)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """Our own over the log that was given; else what the environment names."""
        return super().construct_factory(env) if self._log is None else LogFactory(env, self._log, self._codec)

    def save_records(self, records: Sequence[AnyRecord], companions: Sequence[Companion] = ()) -> list[Recording[UUID]]:
        """Store records and companions, all or none; raises the library's IntegrityError if somebody was faster.

        Over a running store its own errors are raised.
        """
        if self._codec is not None:
            companions = (*companions, *unsealing.companions(records, self._codec.seals))
        pending: Any = Pending(records[0].stream, records)
        return self.save(pending, companions=companions) if companions else self.save(pending)

    def load(self, stream: UUID, kind: str | None, fold: Fold[A], version: int | None = None) -> A:
        """What the records of a stream fold to, now or at a version; raises AggregateNotFoundError.

        `kind`: what the stream has to be (`player`, `league`); None: anything that `fold` makes something of.
        """

        def project(known: A | None, records: Iterator[AnyRecord]) -> A | None:
            found = list(records)
            if known is None and (not found or found[0].type != (kind or found[0].type)):
                return None
            return fold(found, known)

        projector: Any = project
        aggregate: A = self.repository.get(stream, version=version, projector_func=projector)
        if version is None:
            self.keep(stream, aggregate)
        return aggregate

    def keep(self, stream: UUID, aggregate: A) -> None:
        """Remember an aggregate: the library's cache holds what was first loaded, for ones that change in place."""
        if self.repository.cache is not None:
            cached: Any = aggregate
            self.repository.cache.put(stream, cached)

    def game(self, game_id: UUID, version: int | None = None) -> Game:
        """The game as it stands, or stood at a version; raises AggregateNotFoundError."""
        return self.load(game_id, None, fold_game, version)
