"""Memory of the service: a game that waits in the cache, and an open event stream."""

import gc
import tracemalloc
from typing import Any

from domain.play.aggregate import fold
from service.event_store.codec import standard_codec
from service.postgres import Server

from .asking import Asking, registered
from .machine import resident
from .measures import say
from .running import Serving, database, kibitz
from .scripts import MIX, long_script, script

GAMES = 2000
STREAMS = 2000


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document; differences of the process's private memory, in bytes."""
    say(f"memory of {GAMES} games and {STREAMS} streams")
    gc.collect()
    with database(postgres) as conninfo, kibitz(conninfo) as served:
        table = registered(served.port)
        ids = [table.opened(script(MIX[number % 3], number // 3 % 16)) for number in range(60)]
        start = resident(served.process.pid)
        ids += [table.opened(script(MIX[number % 3], number // 3 % 16)) for number in range(GAMES)]
        cached = resident(served.process.pid)
        streams = [_streaming(served, table.get(f"/v1/games/{game}/events")) for game in ids[:STREAMS]]
        streaming = resident(served.process.pid)
        for stream in streams:
            stream.close()
    return {
        "games": GAMES, "bytes_per_cached_game": _each(start, cached, GAMES),
        "bytes_of_a_klondike_of_500_steps": _long_game(), "streams": len(streams),
        "bytes_per_open_stream": _each(cached, streaming, len(streams)), "bytes_of_the_process": streaming,
    }  # fmt: skip


def _streaming(served: Serving, request: bytes) -> Asking:
    asking = Asking(served.port)
    asking.begin(request)
    return asking


def _each(before: int | None, after: int | None, count: int) -> int | None:
    return None if before is None or after is None else round((after - before) / count)


def _long_game() -> int:
    """A game with all the states that undo may bring back, as loading it makes it."""
    stored = [standard_codec().encode(record) for record in long_script("klondike", 500).records]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    game = fold(map(standard_codec().decode, stored))
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return held if game.version else 0
