"""Acknowledged durable commands a second over HTTP, looks, and their baselines, taken in turns within seconds."""

from contextlib import ExitStack
from itertools import islice
from typing import Any, NamedTuple

from service.event_store.codec import standard_codec
from service.postgres import Server

from .asking import Asking, Table, registered
from .commits import PlainCommits, pgbench, plain_commits
from .load import Load, Tally, load
from .machine import fdatasync, processor_seconds
from .machine import load as load_average
from .measures import REPEATS, ratio, say, spread
from .running import Serving, constants, database, kibitz
from .scripts import script, scripts

MIX = ("klondike", "spite_and_malice", "bridge_solitaire")
"""Every client plays these in turns. A fixed mix: runs stay comparable when game types are added."""
SECONDS = 1.5
HOPED = {1: 2500, 16: 6000, 64: 8000}
"""By number of clients, the commands a second for which requests are made beforehand."""


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    size = record_size()
    with database(postgres) as conninfo, kibitz(conninfo) as served, ExitStack() as stack:
        table = registered(served.port)
        played, looked = samples(served, table)
        baseline = stack.enter_context(constants(played, looked))
        bench = Bench(postgres, conninfo, served, baseline, table, size)
        return {
            "mix": MIX, "bytes_of_a_record": size, "bytes_of_an_answer": len(played), "bytes_of_a_look": len(looked),
            "by_clients": {str(clients): bench.commands(clients) for clients in HOPED},
            "16_with_if_match_and_key": bench.commands(16, careful=True),
            "looks_16": bench.looks(16),
        }  # fmt: skip


def record_size() -> int:
    """The mean size of a stored record of the mix, in bytes: the plain rows are as long."""
    sizes = [len(standard_codec().encode(record)) for key in MIX for record in script(key, 0).records]
    return round(sum(sizes) / len(sizes))


def samples(served: Serving, table: Table) -> tuple[bytes, bytes]:
    """The answer to a command and the answer to a look, of about the mix's mean size."""
    asking, answers, looks = Asking(served.port), list[bytes](), list[bytes]()
    for key in MIX:
        game = table.opened(script(key, 0))
        answers += [asking.ask(one).body for one in table.commands(game, script(key, 0))[:40]]
        looks.append(asking.ask(table.get(f"/v1/games/{game}")).body)
    asking.close()
    return _middling(answers), _middling(looks)


def _middling(answers: list[bytes]) -> bytes:
    mean = sum(map(len, answers)) / len(answers)
    return min(answers, key=lambda answer: abs(len(answer) - mean))


class Turn(NamedTuple):
    """One repeat; costs are microseconds of the server's processor time for an answer, other than tallies rates."""

    ours: Tally
    cost: float | None
    constant: Tally
    constant_cost: float | None
    plain: float
    pgbench: float | None


class Bench:
    """The servers, and what is asked of them."""

    def __init__(
        self, postgres: Server, conninfo: str, served: Serving, baseline: Serving, table: Table, size: int
    ) -> None:
        self._postgres, self._conninfo = postgres, conninfo
        self._served, self._baseline, self._table, self._size = served, baseline, table, size

    def commands(self, clients: int, careful: bool = False) -> dict[str, Any]:
        """Commands of so many clients against plain commits of as many connections and against the constant."""
        say(f"commands, {clients} clients{', If-Match and Idempotency-Key' if careful else ''}")
        wanted = int(HOPED[clients] * SECONDS * (REPEATS + 1) / clients) + 50
        asked = [self._requests(number, wanted, careful) for number in range(clients)]
        with ExitStack() as stack:
            ours = stack.enter_context(load(self._served.port, asked))
            constant = stack.enter_context(load(self._baseline.port, asked, cycle=True))
            plain = stack.enter_context(plain_commits(self._conninfo, clients, self._size))
            return self._rounds(clients, ours, constant, plain)

    def _requests(self, number: int, wanted: int, careful: bool) -> list[bytes]:
        """One client's commands: games of the mix in turns, one after another of each kind."""
        kinds = [self._chain(key, number, wanted // len(MIX), careful) for key in MIX]
        return [one for together in zip(*kinds, strict=False) for one in together]

    def _chain(self, key: str, number: int, wanted: int, careful: bool) -> list[bytes]:
        chained: list[bytes] = []
        for found in islice(scripts(key), number % 4, None):
            if len(chained) >= wanted:
                break
            chained += self._table.commands(self._table.opened(found), found, careful)
        return chained

    def _rounds(self, clients: int, ours: Load, constant: Load, plain: PlainCommits) -> dict[str, Any]:
        ours.run(0.5), constant.run(0.5), plain.rate(0.3)
        before, turns = load_average(), [self._turn(clients, ours, constant, plain) for _ in range(REPEATS)]
        rates, posts = [turn.ours.accepted for turn in turns], [turn.constant.accepted for turn in turns]
        commits, c_client = [turn.plain for turn in turns], [turn.pgbench for turn in turns if turn.pgbench]
        tallies, costs = [turn.ours for turn in turns], [turn.cost for turn in turns if turn.cost]
        constant_costs = [turn.constant_cost for turn in turns if turn.constant_cost]
        return {
            "commands_per_second": spread(rates), **_latencies(tallies), "not_accepted": _refused(tallies),
            "constant_post_per_second": spread(posts), "ratio_to_constant_post": ratio(rates, posts),
            "plain_commits_per_second": spread(commits), "ratio_to_plain_commits": ratio(rates, commits),
            **({"pgbench_commits_per_second": spread(c_client), "ratio_to_pgbench": ratio(rates, c_client)}
               if len(c_client) == len(turns) else {}),
            **({"processor_us_per_command": spread(costs), "processor_us_per_constant": spread(constant_costs)}
               if costs and constant_costs else {}),
            "load_average_before": before, "fdatasync_us": fdatasync(self._postgres.folder),
        }  # fmt: skip

    def _turn(self, clients: int, ours: Load, constant: Load, plain: PlainCommits) -> Turn:
        """Commands, constants, and plain commits by psycopg and by pgbench, one after another."""
        tally, cost = _run(ours, self._served, SECONDS)
        constants, constant_cost = _run(constant, self._baseline, 1.0)
        program = self._postgres.binaries
        c_client = pgbench(program / "pgbench", self._conninfo, clients, self._size) if program else None
        return Turn(tally, cost, constants, constant_cost, plain.rate(1.0), c_client)

    def looks(self, clients: int) -> dict[str, Any]:
        """GET of a game in memory against a constant of the same size."""
        say(f"looks, {clients} clients")
        games = [self._table.opened(script(MIX[number % len(MIX)], number)) for number in range(clients)]
        asked = [[self._table.get(f"/v1/games/{game}")] for game in games]
        with load(self._served.port, asked, True) as ours, load(self._baseline.port, asked, True) as constant:
            ours.run(0.3), constant.run(0.3)
            turns = [(ours.run(1.0), constant.run(1.0)) for _ in range(REPEATS)]
        tallies, rates = [turn[0] for turn in turns], [turn[0].accepted for turn in turns]
        baseline = [turn[1].accepted for turn in turns]
        return {
            "looks_per_second": spread(rates), **_latencies(tallies), "not_accepted": _refused(tallies),
            "constant_get_per_second": spread(baseline), "ratio_to_constant_get": ratio(rates, baseline),
        }  # fmt: skip


def _latencies(tallies: list[Tally]) -> dict[str, Any]:
    return {
        "p50_ms": spread([tally.p50 for tally in tallies]),
        "p99_ms": spread([tally.p99 for tally in tallies]),
    }


def _refused(tallies: list[Tally]) -> dict[str, int]:
    """Answers that were no 200, by status, and rounds that ended early because a client had no more to say."""
    found: dict[str, int] = {}
    for tally in tallies:
        for status, count in tally.statuses.items():
            if status != "200":
                found[status] = found.get(status, 0) + count
    return found | ({"rounds_cut_short": cut} if (cut := sum(tally.exhausted for tally in tallies)) else {})


def _run(load: Load, served: Serving, seconds: float) -> tuple[Tally, float | None]:
    """So many seconds of load, and what an answer cost the server."""
    began = processor_seconds(served.process.pid)
    tally = load.run(seconds)
    ended = processor_seconds(served.process.pid)
    answers = sum(tally.statuses.values())
    return tally, 1e6 * (ended - began) / answers if began is not None and ended is not None and answers else None
