"""`kibitz rebuild`: read models folded anew, beside those that readers see until the new ones are there; the inbox."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import partial

from projections import PROJECTIONS
from service.cli.database import database
from service.cli.ending import Usage
from service.cli.keys import codec
from service.cli.options import database_options
from service.event_store.codec import Codec
from service.event_store.reading import read_topics
from service.live import inbox
from service.settings import Settings
from service.telemetry import logs
from service.workers.worker import rebuild

INBOX = "inbox"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("projections", nargs="*", metavar="PROJECTION", help="which ones; all if none is named")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each read model: its name and the fingerprint of its documents."""
    known = sorted([*PROJECTIONS, INBOX])
    names = chosen.projections or known
    if unknown := [name for name in names if name not in known]:
        raise Usage(f"There is no projection {' or '.join(unknown)}; there are {', '.join(known)}.")
    logs.configure(settings.log_level, settings.log_format)
    with database(settings) as conninfo:
        for name, fingerprint in _rebuild_all(conninfo, names, codec(settings)):
            print(f"{name} {fingerprint}")
    return 0


def _rebuild_all(conninfo: str, names: Sequence[str], codec: Codec) -> Iterator[tuple[str, str]]:
    if projections := [name for name in names if name != INBOX]:
        yield from rebuild(conninfo, projections, read=partial(read_topics, codec=codec)).items()
    if INBOX in names:
        yield INBOX, inbox.rebuild(conninfo, codec)
