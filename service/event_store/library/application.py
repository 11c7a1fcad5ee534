"""Kibitz as an eventsourcing application: the log through the library's repository, mapper and recorder.

The service stores players, tokens, leagues, contests and rulings with it (`aggregates`), and a notebook can open a log
with it. Commands of games, which are the load, go to the event store directly.
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
"""Records, and the aggregate before them or None -> the aggregate after them."""


class Pending(NamedTuple):
    """Records to save, in the form that the library collects."""

    id: UUID
    records: Sequence[AnyRecord]

    def collect_events(self) -> Iterator[AnyRecord]:
        """The records, in order."""
        return iter(self.records)


class CardTable(Application[UUID]):
    """Saves records and loads what they fold to. `DATABASE_URL` names the database, `SEALING_KEYS` the folder of keys.

    The environment may name another persistence module, such as upstream's `eventsourcing.postgres`, the baseline for
    measuring ours. Blocking, for threads.
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
        """Our factory over the given log; else the one that the environment names."""
        return super().construct_factory(env) if self._log is None else LogFactory(env, self._log, self._codec)

    def save_records(self, records: Sequence[AnyRecord], companions: Sequence[Companion] = ()) -> list[Recording[UUID]]:
        """Store records and companions, all or none; raises the library's IntegrityError if somebody was faster.

        Over a running store the store's errors are raised.
        """
        if self._codec is not None:
            companions = (*companions, *unsealing.companions(records, self._codec.seals))
        pending: Any = Pending(records[0].stream, records)
        return self.save(pending, companions=companions) if companions else self.save(pending)

    def load(self, stream: UUID, kind: str | None, fold: Fold[A], version: int | None = None) -> A:
        """What the records of a stream fold to, now or at a version; raises AggregateNotFoundError.

        `kind`: the expected kind of the stream (`player`, `league`); None: any that `fold` accepts.
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
        """Put an aggregate in the cache: the library only caches the first loaded, as it expects changes in place."""
        if self.repository.cache is not None:
            cached: Any = aggregate
            self.repository.cache.put(stream, cached)

    def game(self, game_id: UUID, version: int | None = None) -> Game:
        """The game now or at a version; raises AggregateNotFoundError."""
        return self.load(game_id, None, fold_game, version)
