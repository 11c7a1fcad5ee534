"""Commands while hints are asked for as many as are taken at once, against the same commands while none is."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

from service.postgres import Server
from service.settings import Settings

from .asking import Table, registered
from .load import Load, Tally, accepted, load
from .measures import in_turns, ratio, say, spread
from .running import database, kibitz
from .scripts import Script, scripts

_CLIENTS, _RATE, _SECONDS = 16, 100.0, 6.0
_GAMES, _STEPS = 30, 60
"""Of each client: games, and the commands of each that are said."""
_HINTS = {"rated": False, "hints": True}


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: latencies in ms, of commands with and without hints, in turns."""
    with database(postgres) as conninfo, kibitz(conninfo, KIBITZ_HEAVY_PER_MINUTE=str(10**9)) as served:
        asked = [_asking(registered(served.port), number) for number in range(Settings().hint_queue)]
        with load(served.port, _commands(registered(served.port))) as playing, load(served.port, asked) as asking:
            asking.run(1.0)  # the solver's machine code
            say("hints")
            turns: dict[str, list[Any]] = in_turns({
                "quiet": lambda: playing.run(_SECONDS, _RATE), "with_hints": lambda: _with_hints(playing, asking)
            })  # fmt: skip
    quiet, (busy, hints) = turns["quiet"], zip(*turns["with_hints"], strict=True)
    return {
        "commands_a_second": _RATE, "hints_at_once": len(asked),
        "quiet_p50_ms": spread([one.p50 for one in quiet]), "quiet_p99_ms": spread([one.p99 for one in quiet]),
        "hints_p50_ms": spread([one.p50 for one in busy]), "hints_p99_ms": spread([one.p99 for one in busy]),
        "p50_ratio": ratio([one.p50 for one in busy], [one.p50 for one in quiet]),
        "p99_ratio": ratio([one.p99 for one in busy], [one.p99 for one in quiet]),
        "hints_a_second": spread([rate / 2 for rate in accepted(hints)]),
        "statuses": [one.statuses for one in (*busy, *hints)],
    }  # fmt: skip


def _with_hints(playing: Load, asking: Load) -> tuple[Tally, Tally]:
    with ThreadPoolExecutor(1) as beside:
        hints = beside.submit(asking.run, _SECONDS)
        return playing.run(_SECONDS, _RATE), hints.result()


def _commands(table: Table) -> list[list[bytes]]:
    """Requests of each client that plays."""
    found = scripts("klondike", _STEPS)
    return [
        [request for one in islice(found, _GAMES) for request in table.commands(table.opened(one), one)]
        for _ in range(_CLIENTS)
    ]


def _asking(table: Table, number: int) -> list[bytes]:
    """Requests of a client that asks for a hint before each command of games of its own."""
    made = list[bytes]()
    for one in islice(scripts("klondike", _STEPS), number * _GAMES, (number + 1) * _GAMES):
        game = table.opened(Script(one.body | _HINTS, one.said, one.steps))
        for command in table.commands(game, one):
            made += [table.get(f"/v1/games/{game}/hint"), command]
    return made
