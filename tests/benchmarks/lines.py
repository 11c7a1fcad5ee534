"""Durable commands a second over lines (`WS /v1/play`), pipelined, against as many HTTP clients, in turns."""

import os
from contextlib import ExitStack
from typing import Any

import msgspec

from service.postgres import Server

from .asking import Table, made_beforehand, registered, requests
from .commands import costed
from .load import Load, accepted, load, refused
from .machine import load as load_average
from .measures import in_turns, ratio, say, spread
from .running import Serving, database, kibitz
from .scripts import MIX, Script

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
        by_clients = {str(one): _compared(served, table, one) for one in CLIENTS}
        return {"mix": MIX, "window": WINDOW, "by_clients": by_clients}


def both_sides(stack: ExitStack, served: Serving, table: Table, clients: int) -> tuple[Load, Load]:
    """So many players by HTTP and by lines."""
    say(f"lines, {clients} clients, {WINDOW} messages under way")
    upgrade = _UPGRADE.format(table.token).encode()
    each = made_beforehand(clients, HOPED[clients], SECONDS) + 2 * WINDOW * len(MIX)
    sent = [[upgrade, *messages] for messages in requests(table, clients, each, _messages)]
    http = stack.enter_context(load(served.port, requests(table, clients, each)))
    return http, stack.enter_context(load(served.port, sent, window=WINDOW))


def _compared(served: Serving, table: Table, clients: int) -> dict[str, Any]:
    """So many lines against as many HTTP clients, in turns."""
    with ExitStack() as stack:
        http, lines = both_sides(stack, served, table, clients)
        http.run(0.5), lines.run(0.5)
        before = load_average()
        turns = in_turns({
            "lines": lambda: costed(lines, served, SECONDS), "http": lambda: costed(http, served, SECONDS)
        })  # fmt: skip
    (ours, costs), (theirs, http_costs) = (zip(*turns[name], strict=True) for name in ("lines", "http"))
    rates, asked = accepted(ours), accepted(theirs)
    return {
        "commands_per_second": spread(rates), "http_commands_per_second": spread(asked),
        "ratio_to_http": ratio(rates, asked), "not_accepted": refused(ours), "http_not_accepted": refused(theirs),
        "processor_us_per_command": spread(costs), "http_processor_us_per_command": spread(http_costs),
        "load_average_before": before,
    }  # fmt: skip


def _messages(table: Table, game: str, found: Script) -> list[bytes]:
    said = [{"game_id": game, "seat": one.seat, "command": one.command} for one in found.said]
    return [_frame({"type": "command", "id": "1", **one}) for one in said]


def _frame(message: Any) -> bytes:
    """A masked text frame (RFC 6455, 5.2) of 126 to 65,535 bytes: blanks lengthen a shorter message."""
    text, mask = msgspec.json.encode(message).ljust(126), os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(text))
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + mask + masked
