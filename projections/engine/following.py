"""Following the log in rounds: one batch for every build, documents and positions of a batch in one transaction."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import NamedTuple, Protocol

import structlog

from projections.engine.batches import BatchFolder
from projections.engine.builds import Build, builds, prepare, promote
from projections.engine.contract import KeyMissing, Projection, Recorded
from projections.engine.rows import AnyConnection

RETRY = 60.0
"""Seconds until a fold that has failed is tried again."""
KEY_RETRY = 3.0
"""Seconds until one that waits for a sealing key is: it may be put into its folder at any time."""
_SHARE = 5
"""Where builds stand apart a batch is so many times smaller, so that a growing one does not delay live ones."""

_log = structlog.get_logger("projections")
Topics = frozenset[str] | None
"""Tags of events; None: all."""


class TopicBatch(Protocol):
    """A part of the log: the records of some topics in order, its end position, and the head when it was read."""

    @property
    def records(self) -> Sequence[Recorded]: ...

    @property
    def upto(self) -> int: ...

    @property
    def head(self) -> int: ...


ReadLog = Callable[[AnyConnection, int, int, Topics], TopicBatch]
"""Connection, position, limit, topics -> the log behind that position, with at most so many records of these topics."""


class FailedFold(NamedTuple):
    """A projection whose fold has raised: when it is tried again (monotonic), where it stands, the error's class."""

    projection: str
    again_at: float
    position: int
    error: str


class FoldFailed(Exception):
    """A fold has raised: its projection stands still, the others do not."""


class Follower:
    """Folds the log into these projections, `limit` records at most in a batch. One at a time may follow a database."""

    def __init__(self, projections: Iterable[Projection], read: ReadLog, limit: int) -> None:
        self._projections = {projection.name: projection for projection in projections}
        self._read, self._limit = read, limit
        self._failed: dict[int, FailedFold] = {}
        self._folding = BatchFolder()
        self.head = 0
        """The head of the log, as of the last round."""
        self.positions: dict[str, int] = {}
        """By projection the position that readers see, of its live build if it has one; as of the last round."""

    def begin(self, connection: AnyConnection) -> None:
        """Give every projection the builds it needs; forget earlier failures and documents."""
        self._failed.clear()
        self._folding.forget()
        prepare(connection, self._projections.values())

    def round(self, connection: AnyConnection) -> bool:
        """Fold one batch into every build; True if there is more to read. Builds at one position share batches."""
        ours, more = self._own_builds(connection), False
        stood = {build.build: build for build in ours}
        self._failed = {number: failed for number, failed in self._failed.items() if number in stood}  # not the rebuilt
        now = monotonic()
        runnable = [build for build in ours if self._failed.get(build.build, ("", now))[1] <= now]
        waiting = sorted(runnable, key=lambda build: build.position)
        while waiting:
            limit = self._limit
            if waiting[0].position < waiting[-1].position:  # for the build that is furthest behind and those near it
                limit = max(1, limit // _SHARE)
            topics = [self._projections[name].topics for name in {build.projection for build in waiting}]
            every = [tags for tags in topics if tags is not None]
            read: Topics = frozenset().union(*every) if len(every) == len(topics) else None
            span = self._read(connection, waiting[0].position, limit, read)
            self.head = max(self.head, span.head)
            near = [build for build in waiting if build.position <= span.upto]
            stood |= {build.build: build for build in self._fold(connection, near, span)}
            waiting, more = waiting[len(near) :], more or span.upto < span.head
        for build in () if all(build.live for build in stood.values()) else promote(connection):
            self._folding.forget()
            _log.info("projection rebuilt", projection=build.projection, version=build.version, position=build.position)
        visible = sorted(stood.values(), key=lambda build: (build.projection, build.live))
        self.positions = {build.projection: build.position for build in visible}
        return more

    def is_caught_up(self, connection: AnyConnection, head: int) -> bool:
        """Whether every projection is live, has come this far, and nothing grows beside it; raises FoldFailed."""
        if self.failing:
            raise FoldFailed(", ".join(self.failing))
        present = self._own_builds(connection)
        reached = {build.projection for build in present if build.position >= head}
        return reached == set(self._projections) and all(build.live for build in present)

    @property
    def failing(self) -> tuple[str, ...]:
        """The projections whose fold has failed at what comes next in the log."""
        return tuple(sorted({failed.projection for failed in self._failed.values()}))

    @property
    def failures(self) -> tuple["FailedFold", ...]:
        """The same, with where each stands and why."""
        return tuple(sorted(self._failed.values(), key=lambda failed: failed.projection))

    def _own_builds(self, connection: AnyConnection) -> list[Build]:
        kinds = {(projection.name, projection.version) for projection in self._projections.values()}
        return [build for build in builds(connection) if (build.projection, build.version) in kinds]

    def _fold(self, connection: AnyConnection, near: Sequence[Build], span: TopicBatch) -> list[Build]:
        """These builds after the batch; a fold that raises holds up its own projection only."""
        behind = [(build, self._projections[build.projection]) for build in near if build.position < span.upto]
        folded, failed = self._folding.fold(connection, behind, span.records, span.upto) if behind else ([], [])
        for build in folded:
            self._failed.pop(build.build, None)
        for build, error in failed:
            waits, before = isinstance(error, KeyMissing), self._failed.get(build.build)
            retry_at = monotonic() + (KEY_RETRY if waits else RETRY)
            now = FailedFold(build.projection, retry_at, build.position, type(error).__name__)
            self._failed[build.build] = now
            if not waits:
                _log.error("projection failed", projection=build.projection, exc_info=error)
            elif before is None or (before.position, before.error) != (now.position, now.error):  # once, no traceback
                _log.warning("projection waits for a key", projection=build.projection, told=str(error))
        return folded
