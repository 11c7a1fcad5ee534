"""Builds: each is one run of a projection's fold from position 0, with a position and documents of its own.

One build of a projection is live and read. A second one may grow beside it, because the version has changed or
because a rebuild was asked for, and takes its place in one transaction.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from psycopg import Connection
from psycopg.rows import class_row, tuple_row

from projections.engine.contract import Projection
from projections.engine.memory import Row, fingerprint

AnyConnection = Connection[Any]


class Build(NamedTuple):
    """One build of a projection and the position up to which it has folded the log."""

    build: int
    projection: str
    version: int
    position: int
    live: bool


class StaleBuild(Exception):
    """Somebody else has moved this build on or dropped it: what was folded here must be forgotten."""


def builds(connection: AnyConnection) -> list[Build]:
    """Every build there is, in the order of their numbers."""
    with connection.cursor(row_factory=class_row(Build)) as cursor:
        return cursor.execute(
            "SELECT build, projection, version, position, live FROM positions ORDER BY build"
        ).fetchall()


def prepare(connection: AnyConnection, projections: Iterable[Projection]) -> None:
    """Every projection has a live build, and one of its own version; what grows for another version goes."""
    present = {(build.projection, build.live): build for build in builds(connection)}
    for projection in projections:
        live, growing = present.get((projection.name, True)), present.get((projection.name, False))
        if growing is not None and growing.version != projection.version:
            drop(connection, growing)
        if live is None or live.version != projection.version:
            add(connection, projection, live=live is None)


def add(connection: AnyConnection, projection: Projection, *, live: bool) -> None:
    """A new build at position 0, live or beside the live one; if there is one already, it stays."""
    connection.execute(
        "INSERT INTO positions (projection, version, live) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (projection.name, projection.version, live),
    )


def drop(connection: AnyConnection, build: Build) -> None:
    """The build with all of its documents goes, or neither."""
    with connection.transaction():
        connection.execute("DELETE FROM positions WHERE build = %s", (build.build,))
        connection.execute("DELETE FROM documents WHERE build = %s", (build.build,))


def restart(connection: AnyConnection, projection: Projection) -> None:
    """A rebuild is asked for: a build at position 0 beside the live one, in the place of one that grew there."""
    with connection.transaction():
        for build in builds(connection):
            if build.projection == projection.name and not build.live:
                drop(connection, build)
        add(connection, projection, live=False)


def move(connection: AnyConnection, found: Sequence[Build], position: int) -> None:
    """These builds stand at this position; raises StaleBuild if one does not stand where it was thought to."""
    moved = connection.execute(
        "UPDATE positions SET position = %s FROM unnest(%s::bigint[], %s::bigint[]) AS thought (build, position)"
        " WHERE positions.build = thought.build AND positions.position = thought.position",
        (position, [build.build for build in found], [build.position for build in found]),
    )
    if moved.rowcount != len(found):
        raise StaleBuild(", ".join(build.projection for build in found))


def move_back(connection: AnyConnection, build: Build) -> None:
    """The build stands where it was, in the transaction that has moved it."""
    connection.execute("UPDATE positions SET position = %s WHERE build = %s", (build.position, build.build))


def hold(connection: AnyConnection, build: Build) -> None:
    """Nobody else moves or drops the build before this transaction ends; raises StaleBuild if it was dropped."""
    held = connection.execute("SELECT FROM positions WHERE build = %s FOR UPDATE", (build.build,))
    if held.rowcount != 1:
        raise StaleBuild(build.projection)


def swap(connection: AnyConnection, old: Build, new: Build) -> None:
    """The new build takes the old one's place, for every reader at once."""
    with connection.transaction():
        drop(connection, old)
        connection.execute("UPDATE positions SET live = true WHERE build = %s", (new.build,))


def promote(connection: AnyConnection) -> list[Build]:
    """Each growing build that has come as far as the live one takes its place; these are returned."""
    found = builds(connection)
    live = {build.projection: build for build in found if build.live}
    ripe = [build for build in found if not build.live and build.position >= live[build.projection].position]
    for build in ripe:
        swap(connection, live[build.projection], build)
    return ripe


def build_fingerprint(connection: AnyConnection, build: Build) -> str:
    """The fingerprint of all its documents (see `projections.memory`), as of now."""
    with connection.transaction():
        return fingerprint(_rows(connection, build))


def live_fingerprint(connection: AnyConnection, projection: Projection) -> str:
    """The fingerprint of a projection's live documents: that of no documents if there is no live build."""
    live = [build for build in builds(connection) if build.live and build.projection == projection.name]
    return build_fingerprint(connection, live[0]) if live else fingerprint(())


def _rows(connection: AnyConnection, build: Build) -> Iterator[Row]:
    with connection.cursor("document_rows", row_factory=tuple_row) as cursor:
        cursor.itersize = 5000
        cursor.execute(
            "SELECT collection, key, sort, body FROM documents WHERE build = %s ORDER BY collection, key",
            (build.build,),
        )
        yield from cursor
