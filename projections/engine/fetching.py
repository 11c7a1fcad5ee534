"""Documents read together before a batch is folded, and a batch folded into one build by itself."""

from collections.abc import Iterable
from typing import Any

from msgspec import DecodeError
from msgspec.json import decode

from projections.engine import rows
from projections.engine.builds import AnyConnection, Build
from projections.engine.contract import Projection, Recorded, Wanted, advance
from projections.engine.rows import Key
from projections.engine.store import StoredDocuments

_DAMAGED = object()

Wants = Iterable[tuple[StoredDocuments, Wanted]]


def fetch(connection: AnyConnection, wants: Wants) -> None:
    """The documents that these want and do not know are read in one query; one that is damaged stays unknown."""
    asked = [(documents, documents.missing(wanted)) for documents, wanted in wants]
    bodies = {Key(*row[:3]): row[3] for row in rows.read(connection, [key for _, keys in asked for key in keys])}
    for documents, types in asked:
        found = {key: _decoded(bodies[key], types[key]) if key in bodies else None for key in types}
        whole = {key: document for key, document in found.items() if document is not _DAMAGED}
        documents.take(whole, [(key, document) for key, document in whole.items() if document is not None])


def _decoded(body: bytes, type_: type[Any]) -> Any:
    try:
        return decode(body, type=type_)
    except DecodeError:
        return _DAMAGED


def wanted(projection: Projection, batch: Iterable[Recorded]) -> Wanted:
    """What folding these will probably read."""
    return (one for recorded in batch if projection.reads(recorded.record) for one in projection.wants(recorded.record))


def fold_batch(connection: AnyConnection, build: Build, projection: Projection, batch: Iterable[Recorded]) -> Build:
    """The build after a batch of the log, written but not committed."""
    documents = StoredDocuments(connection, build)
    news = [recorded for recorded in batch if recorded.position > build.position]
    fetch(connection, [(documents, wanted(projection, news))])
    position = advance(projection, documents, build.position, news)
    if position > build.position:
        documents.flush(position)
    return build._replace(position=position)
