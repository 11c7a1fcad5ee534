"""Following the log in rounds: one batch for every build, documents and positions of a batch in one transaction."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic

import psycopg
import structlog

from projections.builds import AnyConnection, Build, StaleBuild, builds, prepare, promote
from projections.projection import Projection, Recorded
from projections.store import fold_batch

ReadLog = Callable[[AnyConnection, int, int], Sequence[Recorded]]
"""Connection, position, limit -> at most so many records behind that position, in order; fewer only at the head."""

RETRY = 60.0
"""Seconds until a fold that has failed is tried again."""

_log = structlog.get_logger("projections")


class FoldFailed(Exception):
    """A fold has raised: its projection stands still, the others do not."""


class Follower:
    """Folds the log into these projections, `limit` events at most in a batch. One at a time may follow a database."""

    def __init__(self, projections: Iterable[Projection], read: ReadLog, limit: int) -> None:
        self._projections = {projection.name: projection for projection in projections}
        self._read, self._limit = read, limit
        self._failed: dict[int, tuple[str, float]] = {}

    def begin(self, connection: AnyConnection) -> None:
        """Every projection gets the builds it needs; failures of before are forgotten."""
        self._failed.clear()
        prepare(connection, self._projections.values())

    def round(self, connection: AnyConnection) -> bool:
        """A batch for every build; whether there is more to read. Builds that have come together stay together."""
        waiting, more = self._waiting(connection), False
        while waiting:
            batch = self._read(connection, waiting[0].position, self._limit)
            full = len(batch) == self._limit
            near = [build for build in waiting if not full or build.position <= batch[-1].position]
            self._fold(connection, near, batch)
            waiting, more = waiting[len(near) :], more or full
        self._promote(connection)
        return more

    def done(self, connection: AnyConnection, head: int) -> bool:
        """Whether every projection is live, has come this far, and nothing grows beside it; raises FoldFailed."""
        if self.failing:
            raise FoldFailed(", ".join(self.failing))
        found = self._ours(connection)
        reached = {build.projection for build in found if build.position >= head}
        return reached == set(self._projections) and all(build.live for build in found)

    def positions(self, connection: AnyConnection) -> dict[str, int]:
        """By projection the position that readers see."""
        found = sorted(self._ours(connection), key=lambda build: (build.projection, build.live))
        return {build.projection: build.position for build in found}

    @property
    def failing(self) -> tuple[str, ...]:
        """The projections whose fold has failed at what comes next in the log."""
        return tuple(sorted({name for name, _ in self._failed.values()}))

    def _waiting(self, connection: AnyConnection) -> list[Build]:
        """Our builds, the furthest behind first, without those whose fold has failed a moment ago."""
        now = monotonic()
        found = [build for build in self._ours(connection) if self._failed.get(build.build, ("", now))[1] <= now]
        return sorted(found, key=lambda build: build.position)

    def _ours(self, connection: AnyConnection) -> list[Build]:
        kinds = {(projection.name, projection.version) for projection in self._projections.values()}
        return [build for build in builds(connection) if (build.projection, build.version) in kinds]

    def _fold(self, connection: AnyConnection, group: Sequence[Build], batch: Sequence[Recorded]) -> None:
        if batch:
            with connection.transaction():
                for build in group:
                    self._fold_one(connection, build, batch)

    def _fold_one(self, connection: AnyConnection, build: Build, batch: Sequence[Recorded]) -> None:
        """A fold that raises holds up its own projection only."""
        try:
            with connection.transaction():
                fold_batch(connection, build, self._projections[build.projection], batch)
            self._failed.pop(build.build, None)
        except (psycopg.Error, StaleBuild):
            raise
        except Exception:  # noqa: BLE001  whatever a fold may raise
            _log.exception("projection_failed", projection=build.projection)
            self._failed[build.build] = (build.projection, monotonic() + RETRY)

    def _promote(self, connection: AnyConnection) -> None:
        for build in promote(connection):
            _log.info("projection_rebuilt", projection=build.projection, version=build.version, position=build.position)
