"""`kibitz pack`: games that are over for good become one row each."""

from argparse import ArgumentParser, Namespace
from typing import Any

from psycopg import Connection

from projections import PROJECTIONS
from service.cli.database import connect_database
from service.cli.ending import Refusal
from service.cli.keys import codec
from service.cli.options import database_options
from service.event_store.packing import Packer
from service.settings import Settings
from service.workers.packing import days_ago, rollout


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = "It may be stopped at any time and runs beside the service; what it has packed stays packed."
    parser.add_argument("--after-days", type=float, metavar="DAYS", help="days since the last change of a game")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line with the packed games, their records and bytes."""
    days = settings.pack_after_days if chosen.after_days is None else chosen.after_days
    with connect_database(settings, "pack") as connection:
        _require_all_can_read(connection, settings)
        print(_pack_games(connection, Packer(PROJECTIONS, codec(settings)), days))
    return 0


def _require_all_can_read(connection: Connection[Any], settings: Settings) -> None:
    if seconds := rollout(connection, settings):
        raise Refusal(f"For {seconds:.0f} seconds programs may still run that cannot read packed games.")


def _pack_games(connection: Connection[Any], packer: Packer, days: float) -> str:
    games = records = size = failed = 0
    for batch in packer.batches(connection, days_ago(days)):
        games, records, size = games + batch.games, records + batch.records, size + batch.bytes
        failed += batch.failed
    text = f"Games packed: {games}; their records: {records}; bytes: {size}."
    return text + (f" Left as they are, for the log says why: {failed}." if failed else "")
