"""What play notices of analyses: commands at half load, with their queue full and one of them computed."""

import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from statistics import median
from typing import Any

import psutil

from service.postgres import Server

from .asking import Table, registered, requests
from .load import Load, Tally, load
from .measures import say, short, spread
from .running import Serving, database, kibitz

SECONDS, ROUNDS = 1.5, 20
CLIENTS = 64
_HOPED = 3_000  # commands a second at half load
_LULL = 0.6  # seconds without commands after which the service, too, holds that the search goes on
_WARM = 0.3  # seconds of commands before each round, in which the service notices them


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document. In the other turns the search stands still; the queue is as full."""
    say(f"commands at half load, {CLIENTS} clients, the queue of analyses full")
    with database(postgres) as conninfo, kibitz(conninfo, KIBITZ_ANALYSIS_SECONDS="3600") as served:
        table = registered(served.port)
        waiting = _fill_queue(table)
        each = int(_HOPED * (SECONDS + _WARM) * 2 * (ROUNDS + 1) / CLIENTS)
        with load(served.port, requests(table, CLIENTS, each)) as ours:
            full = _run_without_search(served, ours, 0).accepted
            turns = [(_run_without_search(served, ours, full / 2), _run(ours, full / 2)) for _ in range(ROUNDS)]
    still, busy = [tally.p99 for tally, _ in turns], [tally.p99 for _, tally in turns]
    return {
        "analyses_waiting": waiting, "full_load_per_second": round(full),
        "commands_per_second": spread([tally.accepted for pair in turns for tally in pair]),
        "rounds_cut_short": sum(tally.exhausted for pair in turns for tally in pair),
        "p99_ms": spread(still), "p99_with_analysis_ms": spread(busy), "p99_ratio": _ratio_of_medians(busy, still),
    }  # fmt: skip


def _ratio_of_medians(ours: Sequence[float], baseline: Sequence[float]) -> dict[str, Any]:
    """Of all rounds, and between which numbers nine of ten lie where rounds are drawn anew by lot.

    A standstill of the machine is a round's p99: one pair of rounds tells nothing.
    """
    lots, places = Random(1), range(len(ours))
    found = []
    for drawn in [places] + [lots.choices(places, k=len(places)) for _ in range(1_000)]:
        found.append(median(ours[place] for place in drawn) / median(baseline[place] for place in drawn))
    ordered = sorted(found[1:])
    return {"median": short(found[0]), "min": short(ordered[50]), "max": short(ordered[949]), "repeats": len(ours)}


def _fill_queue(table: Table) -> int:
    """Ask for analyses of games that take long, until no more are taken; how many were."""
    for number in range(1_000):
        body = {"game_type": "spider", "options": {"suits": 4}, "seed": f"queue {number}"}
        game = table.post("/v1/games", body).json()["id"]
        table.post(f"/v1/games/{game}/commands", {"type": "game/resign"}).raise_for_status()
        answer = table.post(f"/v1/games/{game}/analysis", {"bound": 50_000_000})
        if answer.status_code == 503:
            return number
        answer.raise_for_status()
    raise RuntimeError("the queue is never full")


def _run_without_search(served: Serving, ours: Load, rate: float) -> Tally:
    """While the process that searches stands still: no other is begun before it ends.

    The service lets it stand still itself while many commands come, and knows nothing of our signals: without a lull
    it would hold that it stands still while it has been let go on here.
    """
    time.sleep(_LULL)
    search = _stop_search(served)
    try:
        ours.run(_WARM, rate)
        return ours.run(SECONDS, rate)
    finally:
        search.resume()


def _run(ours: Load, rate: float) -> Tally:
    time.sleep(_LULL)
    ours.run(_WARM, rate)
    return ours.run(SECONDS, rate)


def _stop_search(served: Serving) -> psutil.Process:
    while True:
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(served.process.pid).children(recursive=True):
                if "analyses" in child.cmdline():
                    child.suspend()
                    return child
        time.sleep(0.05)
