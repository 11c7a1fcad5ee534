"""Documents that are kept in their stored form only: whoever folds into them begins anew at every event."""

from collections.abc import Iterator
from typing import Any

import msgspec

from projections.engine.contract import Collection, D
from projections.engine.rows import encode_document
from tests.memory_documents import MemoryDocuments


class EncodedDocuments(MemoryDocuments):
    """Every document is written out when it is put and read in when it is got."""

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        super().put(collection, key, _again(document), sort)

    def get(self, collection: Collection[D], key: str) -> D | None:
        found = super().get(collection, key)
        return None if found is None else _again(found)

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        return ((key, _again(document)) for key, document in super().scan(collection, since))


def _again(document: D) -> D:
    read: Any = msgspec.json.decode(encode_document(document), type=type(document))
    return read  # type: ignore[no-any-return]
