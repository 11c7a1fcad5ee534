"""Pages of a long board, and ranks on it, under load, against an answer that is a constant."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from fractions import Fraction
from random import Random
from typing import Any
from uuid import UUID

import psycopg
from msgspec.structs import replace

from projections.boards.scoreboards import LIFE_TIME, SCOREBOARDS, Standing, board, lower_bound, sort_of
from projections.engine.batches import StoredDocuments
from projections.engine.builds import builds, prepare
from projections.engine.reading import Cursor
from service.postgres import Server
from tests.memory_documents import flush

from .asking import Asking, request
from .commands import to_constant
from .load import accepted, latencies, load
from .measures import against, say, spread
from .running import constants, database, kibitz

ROWS, CLIENTS, SECONDS = 100_000, 64, 1.0
_PATH = "/v1/scoreboards/klondike"


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: the first page and one from the middle, while nothing is written."""
    say(f"a board of {ROWS} rows, {CLIENTS} clients")
    with database(postgres) as conninfo:
        middle = _filled(conninfo)
        with kibitz(conninfo) as served, ExitStack() as stack:
            paths = {"first_page": _PATH, "middle_page": f"{_PATH}?cursor={middle.text()}"}
            return {"rows": ROWS, "clients": CLIENTS} | {
                name: _asked(stack, served.port, request("GET", path, "")) for name, path in paths.items()
            }


def _asked(stack: ExitStack, port: int, asked: bytes) -> dict[str, Any]:
    """This request of many clients, against a constant of the same length behind the framework's router, too."""
    with closing(Asking(port)) as asking:
        answer = asking.ask(asked)
    baseline = stack.enter_context(constants(b"", answer.body))
    page = request("GET", _PATH, "")
    ours = stack.enter_context(load(port, [[asked]] * CLIENTS, cycle=True))
    constant = stack.enter_context(load(baseline.port, [[page]] * CLIENTS, cycle=True))
    tallies, constants_ = to_constant(ours, constant, SECONDS)
    rates = accepted(tallies)
    return {
        "bytes": len(answer.body), "pages_per_second": spread(rates), **latencies(tallies),
        **against("constant", rates, accepted(constants_)),
    }  # fmt: skip


def _filled(conninfo: str) -> Cursor:
    """The board's documents, put where a worker puts them; the place in the middle of the list."""
    rows = sorted(_standings(), key=lambda row: (sort_of(row), str(row.player)), reverse=True)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        prepare(connection, [SCOREBOARDS])
        with connection.transaction():
            documents = StoredDocuments(connection, builds(connection)[0])
            for row in rows:
                documents.put(board("klondike"), str(row.player), row, sort_of(row))
            flush(connection, documents, 1)
        connection.execute("VACUUM ANALYZE documents")
    middle = rows[ROWS // 2]
    return Cursor(sort_of(middle) or b"", str(middle.player))


def _standings() -> Iterator[Standing]:
    lots = Random(3)
    for number in range(ROWS):
        games = lots.randrange(LIFE_TIME.least_games, 400)
        wins = lots.randrange(games + 1)
        bound = lower_bound(wins, games, Fraction(*LIFE_TIME.z))
        row = Standing(UUID(int=0xFACE000 + number), "klondike", None, LIFE_TIME.id, games, wins, games - wins)
        yield replace(row, clean_games=games, clean_wins=wins, clean_bound=bound, bound=bound, listed=True)
