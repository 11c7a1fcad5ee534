"""Read models catching up with a long log, against folding it in memory, reading it only, and the library's runner.

In memory every event of the log is shown to every projection, which folds those of its topics into documents that stay
objects. The worker has the store pick out the topics, and encodes and stores the documents. `fold_topics_in_memory` is
the stricter baseline: the events of the topics alone, picked out and decoded before.
"""

from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Any
from uuid import UUID

import psycopg
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from projections import PROJECTIONS
from projections.engine.contract import advance
from service.event_store.codec import Recorded
from service.postgres import Server
from service.workers.worker import Worker
from tests.memory_documents import MemoryDocuments

from .library import Library
from .measures import in_turns, per_second, ratio, say, timed
from .running import database, fill_log, one_value, read_whole_log
from .scripts import script

EVENTS = 200_000
BATCH = 5000  # as the worker reads
LIBRARY_EVENTS = 2000  # of the same log: it is slow
_SHORT, _DIFFERENT, _PEOPLE = 40, 12, 500


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document; every rate in events of the log a second."""
    say(f"read models, {EVENTS} events")
    with database(postgres) as conninfo, psycopg.connect(conninfo, autocommit=True) as connection:
        seconds = timed(partial(fill_log, connection, islice(_played(), EVENTS)))
        log = read_whole_log(connection, BATCH)
        known = [one for one in log if any(projection.reads(one.record) for projection in PROJECTIONS.values())]
        took = in_turns(_works(conninfo, connection, log, known))
        documents = one_value(connection, "SELECT count(*) FROM documents")
    library = _library(postgres)
    return {
        "events": EVENTS, "of_topics_read": len(known), "projections": sorted(PROJECTIONS), "documents": documents,
        "events_inserted_per_second": round(EVENTS / seconds),
        **per_second(took),
        "catch_up_to_fold_in_memory": ratio(took["catch_up"], took["fold_in_memory"]),
        "catch_up_to_fold_topics_in_memory": ratio(took["catch_up"], took["fold_topics_in_memory"]),
        "catch_up_to_read_and_decode": ratio(took["catch_up"], took["read_and_decode"]),
        "library_events": LIBRARY_EVENTS,
        **per_second({f"library_runner{name}": numbers for name, numbers in library.items()}),
        **{f"catch_up_to_library_runner{name}": ratio(took["catch_up"], numbers) for name, numbers in library.items()},
        "by_projection": {name: round(EVENTS / timed(partial(_in_memory, log, [name]))) for name in PROJECTIONS},
    }  # fmt: skip


def _library(postgres: Server) -> dict[str, list[float]]:
    """The library's runner, shown every event, and subscribed to the topics: events of the log a second."""
    with database(postgres) as conninfo:
        library = Library(conninfo, islice(_played(), LIBRARY_EVENTS))
        ways = (("", False), ("_by_topic", True))
        return in_turns({name: lambda by=by: library.events / library.seconds(by) for name, by in ways})


def _works(
    conninfo: str, connection: "psycopg.Connection[Any]", log: list[Recorded], known: list[Recorded]
) -> dict[str, Any]:
    def catch_up() -> float:
        connection.execute("TRUNCATE positions, documents")
        return EVENTS / timed(Worker(conninfo, batch=BATCH).catch_up)

    works = {
        "fold_in_memory": partial(_in_memory, log, list(PROJECTIONS)),
        "fold_topics_in_memory": partial(_in_memory, known, list(PROJECTIONS)),
        "read_and_decode": partial(read_whole_log, connection, BATCH),
        "copy_out": partial(_copied_out, connection),
    }
    return {"catch_up": catch_up} | {name: lambda work=work: EVENTS / timed(work) for name, work in works.items()}


def _in_memory(log: list[Recorded], names: list[str]) -> None:
    for name in names:
        advance(PROJECTIONS[name], MemoryDocuments(), 0, log)


def _copied_out(connection: "psycopg.Connection[Any]") -> None:
    """The same rows, not decoded."""
    text = "COPY (SELECT position, state FROM events ORDER BY position) TO STDOUT (FORMAT binary)"
    with connection.cursor() as cursor, cursor.copy(text) as copy:
        for _ in copy:
            pass


def _played() -> Iterator[AnyRecord]:
    """Short games of every type, given up at last if they are not over, each with people of its own."""
    lots, people = Random(7), [UUID(int=0xFACE000 + number) for number in range(_PEOPLE)]
    kinds = [script(key, number, _SHORT, True).records for number in range(_DIFFERENT) for key in GAME_TYPES]
    for number, records in enumerate(cycle(kinds)):
        seated = tuple(lots.sample(people, len(records[0].event.players)))
        for record in records:
            yield replace(record, stream=UUID(int=0x6A3E << 100 | number), event=_seated(record.event, seated))


def _seated(event: Struct, seated: tuple[UUID, ...]) -> Struct:
    """The event with these people at the table, rated: what scoreboards read."""
    if isinstance(event, ev.Opened):
        return replace(event, players=seated, creator=seated[0], rated=True, origin="shuffled")
    return replace(event, players=seated, rated=True) if isinstance(event, ev.Finished) else event
