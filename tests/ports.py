"""Ports that are free and stay so: below those that the system gives out by itself."""

import os
import socket
from contextlib import ExitStack, suppress
from random import SystemRandom

_OURS = range(20_000, 32_000)
"""Linux gives out those from 32768 on: to every connection, and to whoever asks for any port."""


def _share() -> range:
    """This process's part of them: between the choice and its use no other process of the run may choose the same."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % count  # one that died is replaced
    each = len(_OURS) // count
    return _OURS[number * each : (number + 1) * each]


def free_ports(count: int = 1) -> int:
    """The first of so many ports of the loopback in a row that nobody listens at."""
    while True:
        first = SystemRandom().choice(_share()[: 1 - count or None])
        with suppress(OSError), ExitStack() as stack:
            for port in range(first, first + count):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first
