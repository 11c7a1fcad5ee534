"""Acknowledged durable commands a second over HTTP, looks, and their baselines, taken in turns within seconds."""

from contextlib import ExitStack
from itertools import islice
from typing import Any

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
        tallies, rates = [turn[0] for turn in turns], [turn[0].accepted for turn in turns]
        posts, commits, c_client = ([turn[place] for turn in turns] for place in (1, 2, 3))
        answer = {
            "commands_per_second": spread(rates), **_latencies(tallies), "not_accepted": _refused(tallies),
            "processor_us_per_command": _optional([turn[4] for turn in turns]),
            "constant_post_per_second": spread(posts), "plain_commits_per_second": spread(commits),
            "ratio_to_constant_post": ratio(rates, posts), "ratio_to_plain_commits": ratio(rates, commits),
        }  # fmt: skip
        if None not in c_client:
            answer |= {"pgbench_commits_per_second": spread(c_client), "ratio_to_pgbench": ratio(rates, c_client)}
        return answer | {"load_average_before": before, "fdatasync_us": fdatasync(self._postgres.folder)}

    def _turn(self, clients: int, ours: Load, constant: Load, plain: PlainCommits) -> tuple[Tally, Any, Any, Any, Any]:
        """One repeat: commands, constants, plain commits by psycopg and pgbench; and what a command cost the server."""
        began = processor_seconds(self._served.process.pid)
        tally = ours.run(SECONDS)
        ended = processor_seconds(self._served.process.pid)
        used = None if began is None or ended is None else 1e6 * (ended - began) / sum(tally.statuses.values())
        binaries = self._postgres.binaries
        c_client = None if binaries is None else pgbench(binaries / "pgbench", self._conninfo, clients, self._size)
        return tally, constant.run(1.0).accepted, plain.rate(1.0), c_client, used

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


def _optional(numbers: list[float | None]) -> dict[str, Any] | None:
    return None if None in numbers else spread([number for number in numbers if number is not None])
