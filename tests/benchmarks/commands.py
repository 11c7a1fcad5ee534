"""Acknowledged durable commands a second over HTTP, looks, and their baselines, taken in turns within seconds."""

from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

from service.event_store.codec import standard_codec
from service.postgres import Server

from .asking import Asking, Table, made_beforehand, registered, requests
from .commits import pgbench, plain_commits
from .load import Load, Tally, accepted, latencies, load, refused
from .machine import fdatasync, processor_seconds
from .machine import load as load_average
from .measures import against, in_turns, ratio, say, spread
from .running import Serving, constants, database, kibitz
from .scripts import MIX, script

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
            "64_minimal": bench.commands(64, minimal=True),
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


class Bench(NamedTuple):
    """The servers, and what is asked of them."""

    postgres: Server
    conninfo: str
    served: Serving
    baseline: Serving
    table: Table
    size: int

    def commands(self, clients: int, **how: bool) -> dict[str, Any]:
        """Commands of so many clients against plain commits of as many connections and against the constant."""
        say(f"commands, {clients} clients{''.join(f', {word}' for word in how)}")
        each = made_beforehand(clients, HOPED[clients], SECONDS)
        asked = requests(self.table, clients, each, partial(Table.commands, **how))
        programs = self.postgres.binaries
        with (
            load(self.served.port, asked) as ours, load(self.baseline.port, asked, cycle=True) as constant,
            plain_commits(self.conninfo, clients, self.size) as plain,
        ):  # fmt: skip
            ours.run(0.5), constant.run(0.5), plain.rate(0.3)
            before = load_average()
            turns: dict[str, list[Any]] = in_turns({
                "ours": lambda: costed(ours, self.served, SECONDS),
                "constant": lambda: costed(constant, self.baseline, 1.0),
                "pgbench": lambda: programs and pgbench(programs / "pgbench", self.conninfo, clients, self.size),
                "plain": lambda: plain.rate(1.0),
            })  # fmt: skip
        (tallies, costs), (constants, constant_costs) = (
            zip(*turns[name], strict=True) for name in ("ours", "constant")
        )
        rates, c_client = accepted(tallies), turns["pgbench"]
        return {
            "commands_per_second": spread(rates), **latencies(tallies), "not_accepted": refused(tallies),
            **against("constant_post", rates, accepted(constants)), **against("plain_commits", rates, turns["plain"]),
            **({"pgbench_commits_per_second": spread(c_client), "ratio_to_pgbench": ratio(rates, c_client)}
               if all(c_client) else {}),
            **({"processor_us_per_command": spread(costs), "processor_us_per_constant": spread(constant_costs)}
               if all(costs) and all(constant_costs) else {}),
            "load_average_before": before, "fdatasync_us": fdatasync(self.postgres.folder),
        }  # fmt: skip

    def looks(self, clients: int) -> dict[str, Any]:
        """GET of a game in memory against a constant of the same size."""
        say(f"looks, {clients} clients")
        games = [self.table.opened(script(MIX[number % len(MIX)], number)) for number in range(clients)]
        asked = [[self.table.get(f"/v1/games/{game}")] for game in games]
        with load(self.served.port, asked, True) as ours, load(self.baseline.port, asked, True) as constant:
            ours.run(0.3), constant.run(0.3)
            turns = in_turns({"ours": partial(ours.run, 1.0), "constant": partial(constant.run, 1.0)})
            tallies, constants = turns["ours"], turns["constant"]
        rates = accepted(tallies)
        return {
            "looks_per_second": spread(rates), **latencies(tallies), "not_accepted": refused(tallies),
            **against("constant_get", rates, accepted(constants)),
        }  # fmt: skip


def costed(load: Load, served: Serving, seconds: float) -> tuple[Tally, float]:
    """So many seconds of load, and the microseconds of the server's processor time for an answer (0: not known)."""
    began = processor_seconds(served.process.pid) or 0.0
    tally = load.run(seconds)
    used = (processor_seconds(served.process.pid) or 0.0) - began
    return tally, 1e6 * used / max(sum(tally.statuses.values()), 1)
