"""Durable commands a second over lines (`WS /v1/play`), pipelined, against as many HTTP clients, in turns."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from itertools import islice
from typing import Any

import msgspec

from service.postgres import Server

from .asking import Table, registered
from .commands import MIX, _refused, _run
from .load import Load, load
from .machine import load as load_average
from .measures import REPEATS, ratio, say, spread
from .running import Serving, database, kibitz
from .scripts import Script, scripts

CLIENTS, WINDOW, SECONDS = (64, 1), 16, 1.5
HOPED = {64: 8_000, 1: 4_000}
_UPGRADE = """\
GET /v1/play HTTP/1.1
host: 127.0.0.1
authorization: Bearer {}
connection: Upgrade
upgrade: websocket
sec-websocket-version: 13
sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==
sec-websocket-protocol: kibitz.play.v1

""".replace("\n", "\r\n")


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with database(postgres) as conninfo, kibitz(conninfo) as served:
        table = registered(served.port)
        return {
            "mix": MIX,
            "window": WINDOW,
            "by_clients": {str(one): _compared(served, table, one) for one in CLIENTS},
        }


def both_sides(stack: ExitStack, served: Serving, table: Table, clients: int) -> tuple[Load, Load]:
    """So many players by HTTP and by lines."""
    say(f"lines, {clients} clients, {WINDOW} messages under way")
    upgrade, each = _UPGRADE.format(table.token).encode(), HOPED[clients] / clients
    wanted = int(each * SECONDS * (REPEATS + 1)) // len(MIX) + 2 * WINDOW
    posts = [_mixed(table, number, wanted, _posts) for number in range(clients)]
    sent = [[upgrade, *_mixed(table, number, wanted, _messages)] for number in range(clients)]
    http = stack.enter_context(load(served.port, posts))
    return http, stack.enter_context(load(served.port, sent, window=WINDOW))


def _compared(served: Serving, table: Table, clients: int) -> dict[str, Any]:
    """So many lines against as many HTTP clients, in turns."""
    with ExitStack() as stack:
        http, lines = both_sides(stack, served, table, clients)
        http.run(0.5), lines.run(0.5)
        before = load_average()
        turns = [(_run(lines, served, SECONDS), _run(http, served, SECONDS)) for _ in range(REPEATS)]
    ours, theirs = [one[0] for one, _ in turns], [other[0] for _, other in turns]
    rates, asked = [one.accepted for one in ours], [one.accepted for one in theirs]
    return {
        "commands_per_second": spread(rates), "http_commands_per_second": spread(asked),
        "ratio_to_http": ratio(rates, asked), "not_accepted": _refused(ours), "http_not_accepted": _refused(theirs),
        "processor_us_per_command": spread([cost or 0.0 for (_, cost), _ in turns]),
        "http_processor_us_per_command": spread([cost or 0.0 for _, (_, cost) in turns]),
        "load_average_before": before,
    }  # fmt: skip


Made = Callable[[Table, str, Script], list[bytes]]


def _mixed(table: Table, number: int, wanted: int, made: Made) -> list[bytes]:
    """One client's commands: games of the mix in turns, so many of each kind."""
    kinds = [
        [one for game, found in _games(table, key, number, wanted) for one in made(table, game, found)] for key in MIX
    ]
    return [one for together in zip(*kinds, strict=False) for one in together]


def _posts(table: Table, game: str, found: Script) -> list[bytes]:
    return table.commands(game, found)


def _messages(table: Table, game: str, found: Script) -> list[bytes]:
    said = [{"game_id": game, "seat": one.seat, "command": one.command} for one in found.said]
    return [_frame({"type": "command", "id": "1", **one}) for one in said]


def _games(table: Table, key: str, number: int, wanted: int) -> list[tuple[str, Script]]:
    found, count = list[tuple[str, Script]](), 0
    for one in islice(scripts(key), number % 4, None):
        if count >= wanted:
            break
        found.append((table.opened(one), one))
        count += len(one.said)
    return found


def _frame(message: Any) -> bytes:
    """A masked text frame (RFC 6455, 5.2) of 126 to 65,535 bytes: blanks lengthen a shorter message."""
    text, mask = msgspec.json.encode(message).ljust(126), os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(text))
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + mask + masked
