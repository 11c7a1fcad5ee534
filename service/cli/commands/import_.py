"""`kibitz import`: open records verified and kept beside the log of the store."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from psycopg import Connection

from service.cli.database import connect_database
from service.cli.ending import Refusal
from service.cli.keys import codec
from service.cli.options import database_options
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.imported import NOBODY, read_imported_text
from service.event_store.reading import read_stream
from service.problems import Refused
from service.records import imports
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="open records")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each file: NEW, HERE (it was already) or FAULT, and the game's id here; 1 if any is not here now.

    They belong to no player: a private one can be seen by nobody.
    """
    lines, unsealing = [], codec(settings)
    with connect_database(settings, "import") as connection:
        for path in chosen.files:
            lines.append(_import_file(connection, path, unsealing))
            print(lines[-1])
    faulty = sum(line.startswith("FAULT") for line in lines)
    print(f"Files read: {len(lines)}; with faults: {faulty}.", file=sys.stderr)
    return 1 if faulty else 0


def _import_file(connection: Connection[Any], path: Path, unsealing: Codec) -> str:
    try:
        found = imports.verify_import(path.read_bytes())
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    except Refused as error:
        return f"FAULT {path} {error}"
    told = f"{found.game.type.key}, {found.game.step} steps"
    if imports.is_same_game(found.record, read_stream(connection, found.game.id, codec=unsealing)):
        return f"HERE  {found.game.id} {told}"
    here = read_imported_text(connection, found.id) is not None
    with connection.transaction():
        for statement in imports.keep_statements(NOBODY, found, now()):
            connection.execute(statement.sql.encode(), statement.params)
    return f"HERE  {found.id} {told}" if here else f"NEW   {found.id} {told}, a record of game {found.game.id}"
