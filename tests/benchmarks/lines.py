"""Durable commands a second over lines (`WS /v1/play`), pipelined, against as many HTTP clients, in turns."""

import os
from contextlib import ExitStack
from itertools import islice
from typing import Any

from service.postgres import Server

from .asking import Table, registered
from .commands import MIX, _refused, _run
from .load import Load, load
from .machine import load as load_average
from .measures import REPEATS, ratio, say, spread
from .running import Serving, database, kibitz
from .scripts import Script, scripts

CLIENTS, WINDOW, SECONDS = 64, 16, 1.5
HOPED = 12_000
_UPGRADE = (
    "GET /v1/play HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\nconnection: Upgrade\r\n"
    "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "sec-websocket-protocol: kibitz.play.v1\r\n\r\n"
)


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document."""
    with database(postgres) as conninfo, kibitz(conninfo) as served, ExitStack() as stack:
        return _rounds(served, *both_sides(stack, served))


def both_sides(stack: ExitStack, served: Serving) -> tuple[Load, Load]:
    """The same players by HTTP and by lines."""
    table = registered(served.port)
    say(f"lines, {CLIENTS} clients, {WINDOW} messages under way")
    posts = [_requests(table, number) for number in range(CLIENTS)]
    upgrade = _UPGRADE.format(table.token).encode()
    sent = [[upgrade, *_messages(table, number)] for number in range(CLIENTS)]
    http = stack.enter_context(load(served.port, posts))
    return http, stack.enter_context(load(served.port, sent, window=WINDOW))


def _rounds(served: Serving, http: Load, lines: Load) -> dict[str, Any]:
    http.run(0.5), lines.run(0.5)
    before = load_average()
    turns = [(_run(lines, served, SECONDS), _run(http, served, SECONDS)) for _ in range(REPEATS)]
    ours, theirs = [one[0] for one, _ in turns], [other[0] for _, other in turns]
    rates, posts = [one.accepted for one in ours], [one.accepted for one in theirs]
    return {
        "clients": CLIENTS, "window": WINDOW, "commands_per_second": spread(rates),
        "http_commands_per_second": spread(posts), "ratio_to_http": ratio(rates, posts),
        "not_accepted": _refused(ours), "http_not_accepted": _refused(theirs),
        "processor_us_per_command": spread([cost or 0.0 for (_, cost), _ in turns]),
        "http_processor_us_per_command": spread([cost or 0.0 for _, (_, cost) in turns]),
        "load_average_before": before,
    }  # fmt: skip


def _games(table: Table, key: str, number: int, wanted: int) -> list[tuple[str, Script]]:
    found, count = list[tuple[str, Script]](), 0
    for one in islice(scripts(key), number % 4, None):
        if count >= wanted:
            break
        found.append((table.opened(one), one))
        count += len(one.said)
    return found


def _wanted(rate: int) -> int:
    return int(rate * SECONDS * (REPEATS + 1) / CLIENTS) // len(MIX) + 20


def _requests(table: Table, number: int) -> list[bytes]:
    kinds = [
        [one for game, found in _games(table, key, number, _wanted(8_000)) for one in table.commands(game, found)]
        for key in MIX
    ]
    return [one for together in zip(*kinds, strict=False) for one in together]


def _messages(table: Table, number: int) -> list[bytes]:
    kinds = [
        [
            _frame({"type": "command", "id": "1", "game_id": game, "seat": one.seat, "command": one.command})
            for game, found in _games(table, key, number, _wanted(HOPED)) for one in found.said
        ]
        for key in MIX
    ]  # fmt: skip
    return [one for together in zip(*kinds, strict=False) for one in together]


def _frame(message: Any) -> bytes:
    """A masked text frame (RFC 6455, 5.2) of 126 to 65,535 bytes: blanks lengthen a shorter message."""
    import msgspec

    text, mask = msgspec.json.encode(message).ljust(126), os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(text))
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + mask + masked
