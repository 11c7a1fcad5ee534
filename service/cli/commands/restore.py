"""`kibitz restore`: an empty database filled from a backup."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from service.cli.commands.backup import key_folders
from service.cli.database import direct_address, place, private_postgres
from service.cli.ending import Refusal
from service.cli.options import database_options
from service.event_store import schema
from service.postgres.dump import restore
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = "The database must be empty, the data folder new: nothing is restored over anything."
    parser.add_argument("file", type=Path, metavar="FILE", help="what `kibitz backup` has written")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Fill the database, bring its schema to what this program needs, and tell the position it stands at."""
    if not chosen.file.exists():
        raise Refusal(f"There is no file {chosen.file}.")
    if settings.database_url is not None:
        position = _fill_database(direct_address(settings), chosen.file)
    else:
        with private_postgres(settings, may_start=True, may_create=True) as server:
            position = _fill_database(server.dsn, chosen.file)
    print(f"The log stands at position {position} ({place(settings)}). Read models grow when the service starts.")
    for folder in key_folders(settings):
        if not folder.exists():
            print(f"There is no folder {folder}: put back the keys that belong to these games.")
    return 0


def _fill_database(conninfo: str, file: Path) -> int:
    position = restore(conninfo, file)
    schema.migrate(conninfo)
    return position
