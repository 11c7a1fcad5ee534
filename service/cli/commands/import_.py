"""`kibitz import`: open records verified and kept beside the log of the store."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from psycopg import Connection

from service import imports
from service.cli.database import database
from service.cli.errors import Refusal
from service.cli.games import game_records
from service.cli.options import database_options
from service.cli.sealing import codec
from service.event_store.codec import Codec
from service.event_store.connections import connected
from service.event_store.imported import NOBODY, imported_text
from service.ids import now
from service.problems import Refused
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="open records")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each file: NEW, HERE (it was already) or FAULT; 1 if any is not here now.

    They belong to no player: a private one can be seen by nobody.
    """
    lines, unsealing = [], codec(settings)
    with database(settings) as conninfo, connected(conninfo, "import") as connection:
        for path in chosen.files:
            lines.append(_imported(connection, path, unsealing))
            print(lines[-1])
    faulty = sum(line.startswith("FAULT") for line in lines)
    print(f"Files read: {len(lines)}; with faults: {faulty}.", file=sys.stderr)
    return 1 if faulty else 0


def _imported(connection: Connection[Any], path: Path, unsealing: Codec) -> str:
    try:
        found = imports.checked(path.read_bytes())
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    except Refused as error:
        return f"FAULT {path} {error}"
    told = f"{found.game.id} {found.game.type.key}, {found.game.step} steps"
    known = game_records(connection, found.game.id, unsealing)
    if not known:
        with connection.transaction():
            for statement in imports.keeping(NOBODY, found, now()):
                connection.execute(statement.sql.encode(), statement.params)
        return f"NEW   {told}"
    text = imported_text(connection, found.game.id)
    same = tuple(known) == found.record.records if text is None else text == found.text
    return f"HERE  {told}" if same else f"FAULT {path} Another record of game {found.game.id} is here."
