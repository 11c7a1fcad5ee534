"""One batch of the log folded into many builds: documents read are kept for the next batch, writes go out together."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import psycopg
from msgspec import DecodeError
from msgspec.json import decode

from projections.engine import rows
from projections.engine.builds import Build, StaleBuild, reset_position, set_positions
from projections.engine.contract import Collection, Projection, Recorded, Wanted, advance
from projections.engine.rows import AnyConnection, Key
from projections.engine.store import StoredDocuments

_DAMAGED = object()
Wants = Iterable[tuple[StoredDocuments, Wanted]]


KEPT = 50_000
"""So many documents of a build are kept at most from batch to batch."""

FoldTarget = tuple[Build, Projection]


class FoldResult(NamedTuple):
    """The builds at their new position, and those whose fold has raised, at their old one."""

    builds: list[Build]
    failed: list[tuple[Build, Exception]]


class BatchFolder:
    """Folds batches and keeps the builds' documents between them; right only while nobody else writes to the builds."""

    def __init__(self) -> None:
        self._kept: dict[int, StoredDocuments] = {}

    def forget(self) -> None:
        """Drop all kept documents: somebody else may have written since."""
        self._kept.clear()

    def fold(
        self, connection: AnyConnection, group: Sequence[FoldTarget], batch: Sequence[Recorded], upto: int
    ) -> FoldResult:
        """Fold, write and commit the builds up to this position; raises StaleBuild, and then commits nothing."""
        parts = [_Part(build, projection, batch) for build, projection in group]
        try:
            failed = self._commit(connection, parts, upto)
        except BaseException:
            self.forget()
            raise
        return self._note_committed(parts, failed, upto)

    def _commit(self, connection: AnyConnection, parts: list["_Part"], upto: int) -> dict[int, Exception]:
        """The exceptions raised, by build number. With nothing to fold only the positions move."""
        if not any(part.news for part in parts):
            set_positions(connection, [part.build for part in parts], upto)
            return {}
        with connection.transaction():
            return self._fold(connection, parts, upto)

    def _fold(self, connection: AnyConnection, parts: list["_Part"], upto: int) -> dict[int, Exception]:
        set_positions(connection, [part.build for part in parts], upto)  # first, the lock order of `drop`
        reading = [(self._documents(connection, part.build), part) for part in parts if part.news]
        fetch_wanted(connection, [(documents, part.wanted) for documents, part in reading if not documents.whole])
        failed = dict[int, Exception]()
        for documents, part in reading:
            if (error := _fold_error(part, documents)) is not None:
                failed[part.build.build] = error
                self._roll_back(connection, part.build)
        rows.write(connection, [documents.changes() for documents in self._kept.values()])
        return failed

    def _documents(self, connection: AnyConnection, build: Build) -> StoredDocuments:
        """The kept documents, if they are at the build's position; else new ones."""
        kept = self._kept.get(build.build)
        if kept is None or kept.build.position != build.position:
            kept = self._kept[build.build] = StoredDocuments(connection, build)
        return kept

    def _roll_back(self, connection: AnyConnection, build: Build) -> None:
        self._kept.pop(build.build).roll_back()
        reset_position(connection, build)

    def _note_committed(self, parts: list["_Part"], failed: dict[int, Exception], upto: int) -> FoldResult:
        """Note the committed position; forget the documents of a build that keeps too many."""
        folded = [part.build._replace(position=upto) for part in parts if part.build.build not in failed]
        for build in folded:
            if (kept := self._kept.get(build.build)) is not None:
                kept.note_committed(upto)
                kept.trim(KEPT)
        return FoldResult(
            folded, [(part.build, failed[part.build.build]) for part in parts if part.build.build in failed]
        )


class _Part:
    """A build's part of a batch: the records that its projection reads."""

    def __init__(self, build: Build, projection: Projection, batch: Sequence[Recorded]) -> None:
        self.build, self.projection = build, projection
        self.news = [one for one in batch if one.position > build.position and projection.reads(one.record)]

    @property
    def wanted(self) -> list[tuple[Collection[Any], str]]:
        """The documents that the fold will probably read; if `wants` raises, the fold will show the fault."""
        try:
            return list(wanted(self.projection, self.news))
        except Exception:  # noqa: BLE001  whatever a projection may raise
            return []


def _fold_error(part: _Part, documents: StoredDocuments) -> Exception | None:
    """The exception of the fold, or None; database errors are raised: they are not the fold's fault."""
    try:
        advance(part.projection, documents, part.build.position, part.news)
    except (psycopg.Error, StaleBuild):
        raise
    except Exception as error:  # noqa: BLE001  whatever a fold may raise
        return error
    return None


def fetch_wanted(connection: AnyConnection, wants: Wants) -> None:
    """Read all wanted documents that are not known yet, in one query; a damaged one stays unknown."""
    asked = [(documents, documents.missing(wanted)) for documents, wanted in wants]
    bodies = {Key(*row[:3]): row[3] for row in rows.read(connection, [key for _, keys in asked for key in keys])}
    for documents, types in asked:
        found = {key: _decode(bodies[key], types[key]) if key in bodies else None for key in types}
        whole = {key: document for key, document in found.items() if document is not _DAMAGED}
        documents.take(whole, [(key, document) for key, document in whole.items() if document is not None])


def _decode(body: bytes, type_: type[Any]) -> Any:
    try:
        return decode(body, type=type_)
    except DecodeError:
        return _DAMAGED


def wanted(projection: Projection, batch: Iterable[Recorded]) -> Wanted:
    """The documents that folding these records will probably read."""
    return (one for recorded in batch if projection.reads(recorded.record) for one in projection.wants(recorded.record))
