"""Builds: each is one run of a projection's fold from position 0, with a position and documents of its own.

One build of a projection is live and read. A second one may grow beside it, because the version has changed or
because a rebuild was asked for, and takes its place in one transaction.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from psycopg.rows import class_row, tuple_row

from projections.engine.contract import Projection
from projections.engine.rows import AnyConnection, DocumentRow, fingerprint


class Build(NamedTuple):
    """One build of a projection and the position up to which it has folded the log."""

    build: int
    projection: str
    version: int
    position: int
    live: bool


class StaleBuild(Exception):
    """Another process has moved or dropped this build: documents folded here must be forgotten."""


def builds(connection: AnyConnection) -> list[Build]:
    """Every build there is, in the order of their numbers."""
    with connection.cursor(row_factory=class_row(Build)) as cursor:
        return cursor.execute(
            "SELECT build, projection, version, position, live FROM positions ORDER BY build"
        ).fetchall()


def prepare(connection: AnyConnection, projections: Iterable[Projection]) -> None:
    """Give every projection a live build and one of its own version; drop growing builds of other versions."""
    present = {(build.projection, build.live): build for build in builds(connection)}
    for projection in projections:
        live, growing = present.get((projection.name, True)), present.get((projection.name, False))
        if growing is not None and growing.version != projection.version:
            drop(connection, growing)
        if live is None or live.version != projection.version:
            add(connection, projection, live=live is None)


def add(connection: AnyConnection, projection: Projection, *, live: bool) -> None:
    """Add a build at position 0, live or growing; if there is one already, it stays."""
    connection.execute(
        "INSERT INTO positions (projection, version, live) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (projection.name, projection.version, live),
    )


def drop(connection: AnyConnection, build: Build) -> None:
    """Delete the build and all its documents in one transaction."""
    with connection.transaction():
        connection.execute("DELETE FROM positions WHERE build = %s", (build.build,))
        connection.execute("DELETE FROM documents WHERE build = %s", (build.build,))


def restart(connection: AnyConnection, projection: Projection) -> None:
    """Start a rebuild: a build at position 0 beside the live one; a growing one is dropped."""
    with connection.transaction():
        for build in builds(connection):
            if build.projection == projection.name and not build.live:
                drop(connection, build)
        add(connection, projection, live=False)


def set_positions(connection: AnyConnection, moving: Sequence[Build], position: int) -> None:
    """Set the position of these builds; raises StaleBuild if a stored position is not the expected one."""
    moved = connection.execute(
        "UPDATE positions SET position = %s FROM unnest(%s::bigint[], %s::bigint[]) AS thought (build, position)"
        " WHERE positions.build = thought.build AND positions.position = thought.position",
        (position, [build.build for build in moving], [build.position for build in moving]),
    )
    if moved.rowcount != len(moving):
        raise StaleBuild(", ".join(build.projection for build in moving))


def reset_position(connection: AnyConnection, build: Build) -> None:
    """Set the build's old position again, in the transaction that has changed it."""
    connection.execute("UPDATE positions SET position = %s WHERE build = %s", (build.position, build.build))


def lock_build(connection: AnyConnection, build: Build) -> None:
    """Lock the build's row until this transaction ends; raises StaleBuild if the build was dropped."""
    held = connection.execute("SELECT FROM positions WHERE build = %s FOR UPDATE", (build.build,))
    if held.rowcount != 1:
        raise StaleBuild(build.projection)


def swap(connection: AnyConnection, old: Build, new: Build) -> None:
    """The new build takes the old one's place, for every reader at once."""
    with connection.transaction():
        drop(connection, old)
        connection.execute("UPDATE positions SET live = true WHERE build = %s", (new.build,))


def promote(connection: AnyConnection) -> list[Build]:
    """Swap in each growing build that has reached the live one's position; returns those builds."""
    present = builds(connection)
    live = {build.projection: build for build in present if build.live}
    ripe = [build for build in present if not build.live and build.position >= live[build.projection].position]
    for build in ripe:
        swap(connection, live[build.projection], build)
    return ripe


def build_fingerprint(connection: AnyConnection, build: Build) -> str:
    """The fingerprint of all its documents (see `projections.engine.rows`), as of now."""
    with connection.transaction():
        return fingerprint(_rows(connection, build))


def live_fingerprint(connection: AnyConnection, projection: Projection) -> str:
    """The fingerprint of a projection's live documents: that of no documents if there is no live build."""
    live = [build for build in builds(connection) if build.live and build.projection == projection.name]
    return build_fingerprint(connection, live[0]) if live else fingerprint(())


def _rows(connection: AnyConnection, build: Build) -> Iterator[DocumentRow]:
    with connection.cursor("document_rows", row_factory=tuple_row) as cursor:
        cursor.itersize = 5000
        cursor.execute(
            "SELECT collection, key, sort, body FROM documents WHERE build = %s ORDER BY collection, key",
            (build.build,),
        )
        yield from cursor
