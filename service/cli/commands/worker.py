"""`kibitz worker`: the read models, kept by a process of its own."""

import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from prometheus_client.metrics_core import Metric

from service.analysis.analyst import Analyst
from service.cli.children import end_with_parent, settle_garbage_collector
from service.cli.database import await_database, database
from service.cli.ending import ENDS
from service.cli.keys import codec
from service.cli.options import database_options
from service.event_store.connections import open_connection
from service.event_store.errors import StoreUnavailable
from service.event_store.reading import read_topics
from service.keys.sealing import Seals
from service.outbox.delivery import Deliveries
from service.puzzles.miner import Miner
from service.settings import Settings
from service.telemetry import logs, tracing
from service.telemetry.metrics import metrics_server
from service.wishes.filler import Filler
from service.workers.health import look, standing_gauges
from service.workers.packing import IdleMaintenance
from service.workers.worker import Worker


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--metrics-port", type=int, help="tell Prometheus how it goes on this port (KIBITZ_METRICS_PORT)"
    )
    parser.add_argument("--metrics-host", help="the address of that port (KIBITZ_METRICS_HOST)")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Follow the log until a signal comes; stand by while another worker holds the lock."""
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    tracing.begin(settings.traces_endpoint)
    end_with_parent()
    try:
        if settings.database_url is not None:
            await_database(settings)
    except KeyboardInterrupt:
        return 0
    _follow(settings)
    tracing.end()
    return 0


def _follow(settings: Settings) -> None:
    with database(settings, may_start=False) as conninfo:
        idle = IdleMaintenance(settings, codec(settings))
        worker = Worker(conninfo, read=partial(read_topics, codec=codec(settings)), idle=idle)
        seals = Seals(settings.sealing_folder).read()
        beside = (
            Deliveries(conninfo, seals, settings), Analyst(conninfo, settings), Filler(conninfo, seals, settings),
            Miner(conninfo, settings),
        )  # fmt: skip
        for number in ENDS:
            signal.signal(number, lambda *_: worker.stop())
        with metrics_server(
            settings.metrics_host, settings.metrics_port, partial(_metrics, conninfo, settings)
        ) as port:
            told = "" if port is None else f" Its metrics are at http://{settings.metrics_host}:{port}/metrics."
            settle_garbage_collector()  # else each collection scans all cached documents
            print(f"The worker follows the log; Ctrl-C ends it.{told}", flush=True)
            for work in beside:
                work.start()
            worker.run()
            for work in beside:
                work.stop()


def _metrics(conninfo: str, settings: Settings) -> Iterable[Metric]:
    """Metrics of the read models, also while another worker maintains them."""
    with suppress(StoreUnavailable), open_connection(conninfo, "metrics") as connection:
        return list(standing_gauges(look(connection, codec(settings))))
    return standing_gauges(None)
