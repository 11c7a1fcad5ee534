"""What a line of the log costs: gathered as the service writes it, and through the standard library's queue."""

import io
import logging
from functools import partial
from logging.handlers import QueueHandler, QueueListener
from os import devnull
from queue import SimpleQueue
from typing import Any

from service.postgres import Server
from service.telemetry.logs import Sink

from .measures import interleaved, ratio, say, spread

_TIMES = 2_000


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: microseconds of processor time, writing included."""
    say("watching")
    with open(devnull, "w") as sink:
        rates = interleaved({"gathered_line": partial(_gather, sink), "queued_line": partial(_queue, sink)}, _TIMES)
    costs = {name: [1e6 / rate for rate in repeats] for name, repeats in rates.items()}
    return {
        **{f"{name}_us": spread(numbers) for name, numbers in costs.items()},
        "gathered_to_queued_line": ratio(costs["gathered_line"], costs["queued_line"]),
    }


def _gather(nowhere: io.TextIOBase) -> None:
    """Lines that are encoded already, written as the service writes them."""
    sink = Sink(nowhere, 0.1)  # type: ignore[arg-type]
    for _ in range(_TIMES):
        sink.write("a line\n")
    sink.drain()


def _queue(nowhere: io.TextIOBase) -> None:
    """The same through the standard library's queue handler and the thread of its listener."""
    lines: SimpleQueue[Any] = SimpleQueue()
    listener = QueueListener(lines, logging.StreamHandler(nowhere))
    logger = logging.Logger("benchmark")
    logger.addHandler(QueueHandler(lines))
    listener.start()
    for _ in range(_TIMES):
        logger.info("a line")
    listener.stop()
