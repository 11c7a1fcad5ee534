"""`kibitz worker`: the read models, kept by a process of its own."""

import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from prometheus_client.metrics_core import Metric

from service.analysis.queue import ANALYSES
from service.cli.children import end_with_parent, settle_garbage_collector
from service.cli.ending import ENDS
from service.cli.options import NO_FLAGS, DatabaseFlags
from service.cli.store import await_database, codec, database
from service.event_store.connections import open_connection
from service.event_store.errors import StoreUnavailable
from service.event_store.reading import read_topics
from service.jobs.searching import SearchThread
from service.keys.sealing import Seals
from service.outbox.delivery import Deliveries
from service.puzzles.miner import PUZZLES
from service.telemetry import logs, tracing
from service.telemetry.metrics import metrics_server
from service.winnable_deals import stock_search
from service.workers.health import look, standing_gauges
from service.workers.maintenance import IdleMaintenance
from service.workers.worker import Worker


def work(*, metrics_port: str | None = None, metrics_host: str | None = None, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Keep the read models in a process of its own until a signal comes; stand by while another worker holds the lock.

    Args:
        metrics_port: tell Prometheus how it goes on this port (KIBITZ_METRICS_PORT)
        metrics_host: the address of that port (KIBITZ_METRICS_HOST)
    """
    settings = flags.settings(metrics_port=metrics_port, metrics_host=metrics_host)
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    tracing.begin(settings.traces_endpoint)
    end_with_parent()
    try:
        if settings.database_url is not None:
            await_database(settings)
    except KeyboardInterrupt:
        return

    def metrics() -> Iterable[Metric]:
        """Metrics of the read models, also while another worker maintains them."""
        with suppress(StoreUnavailable), open_connection(conninfo, "metrics") as connection:
            return list(standing_gauges(look(connection, codec(settings))))
        return standing_gauges(None)

    with database(settings, may_start=False) as conninfo:
        idle = IdleMaintenance(settings, codec(settings))
        worker = Worker(conninfo, read=partial(read_topics, codec=codec(settings)), idle=idle)
        seals = Seals(settings.sealing_folder).read()
        others: tuple[Deliveries | SearchThread, ...] = (
            Deliveries(conninfo, seals, settings),
            *(SearchThread(conninfo, settings, search) for search in (ANALYSES, PUZZLES, stock_search(seals))),
        )
        for number in ENDS:
            signal.signal(number, lambda *_: worker.stop())
        with metrics_server(settings.metrics_host, settings.metrics_port, metrics) as port:
            where = "" if port is None else f" Its metrics are at http://{settings.metrics_host}:{port}/metrics."
            settle_garbage_collector()  # else each collection scans all cached documents
            print(f"The worker follows the log; Ctrl-C ends it.{where}", flush=True)
            for part in others:
                part.start()
            worker.run()
            for part in others:
                part.stop()
    tracing.end()
