"""`kibitz worker`: the read models, kept by a process of its own."""

import signal
from argparse import ArgumentParser, Namespace

from service import logs
from service.cli.database import database
from service.cli.options import database_options
from service.cli.signals import ENDS
from service.settings import Settings
from service.worker import Worker


def arguments(parser: ArgumentParser) -> None:
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Follow the log until a signal says to stop; while another worker is at it, stand by."""
    logs.configure(settings.log_level, settings.log_format)
    with database(settings, may_start=False) as conninfo:
        worker = Worker(conninfo)
        for number in ENDS:
            signal.signal(number, lambda *_: worker.stop())
        print("The worker follows the log; Ctrl-C ends it.", flush=True)
        worker.run()
    return 0
