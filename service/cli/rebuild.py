"""Commands that read the whole log: `kibitz rebuild` and `pack`."""

from functools import partial

from projections import PROJECTIONS
from service.cli.ending import Refusal, Usage
from service.cli.options import NO_FLAGS, DatabaseFlags
from service.cli.store import codec, connect_database, database
from service.event_store.packing import Packer
from service.event_store.reading import read_topics
from service.live import inbox
from service.telemetry import logs
from service.workers import worker
from service.workers.maintenance import days_ago, rollout

INBOX = "inbox"


def pack(*, after_days: float | None = None, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Pack games that are over for good into one row each.

    It may be stopped at any time and runs beside the service; what it has packed stays packed.

    Args:
        after_days: days since the last change of a game
    """
    settings = flags.settings()
    days = settings.pack_after_days if after_days is None else after_days
    with connect_database(settings, "pack") as connection:
        if seconds := rollout(connection, settings):
            raise Refusal(f"For {seconds:.0f} seconds programs may still run that cannot read packed games.")
        games = records = size = failed = 0
        for batch in Packer(PROJECTIONS, codec(settings)).batches(connection, days_ago(days)):
            games, records, size = games + batch.games, records + batch.records, size + batch.bytes
            failed += batch.failed
        remaining = f" Left as they are, for the log says why: {failed}." if failed else ""
        print(f"Games packed: {games}; their records: {records}; bytes: {size}.{remaining}")


def rebuild(*projections: str, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Fold read models anew from the whole log, beside those that readers see until the new ones are there.

    One line for each: its name and the fingerprint of its documents.

    Args:
        projections: which ones; all if none is named
    """
    settings, names = flags.settings(), sorted([*PROJECTIONS, INBOX])
    if unknown := [name for name in projections if name not in names]:
        raise Usage(f"There is no projection {' or '.join(unknown)}; there are {', '.join(names)}.")
    names = list(projections) or names
    logs.configure(settings.log_level, settings.log_format)
    with database(settings) as conninfo:
        if models := [name for name in names if name != INBOX]:
            read = partial(read_topics, codec=codec(settings))
            for name, fingerprint in worker.rebuild(conninfo, models, read=read).items():
                print(f"{name} {fingerprint}")
        if INBOX in names:
            print(f"{INBOX} {inbox.rebuild(conninfo, codec(settings))}")
