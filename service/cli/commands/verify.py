"""`kibitz verify`: games of the store, checked record by record."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.game.verify import verify
from service.cli.database import database
from service.cli.errors import Usage
from service.cli.games import game_id, game_ids, game_records
from service.cli.options import database_options
from service.event_store.connections import connected
from service.event_store.errors import UnknownTopic, UnreadableRecord
from service.settings import Settings


class Verdict(NamedTuple):
    """What is said of one game."""

    sound: bool
    line: str


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=game_id, metavar="GAME_ID", help="the games to check")
    parser.add_argument("--all", action="store_true", help="every game there is")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each game on stdout, a sum on stderr; 1 if any game has a fault."""
    if bool(chosen.games) == chosen.all:
        raise Usage("Name the games to verify, or say --all.")
    count = faulty = 0
    with database(settings) as conninfo, connected(conninfo, "verify") as connection:
        for verdict in _verdicts(connection, chosen.games):
            print(verdict.line)
            count, faulty = count + 1, faulty + (not verdict.sound)
    print(f"Games verified: {count}; with faults: {faulty}.", file=sys.stderr)
    return 1 if faulty else 0


def _verdicts(connection: Connection[Any], games: list[UUID]) -> Iterator[Verdict]:
    for game in games or game_ids(connection):
        yield _verdict(connection, game)


def _verdict(connection: Connection[Any], game: UUID) -> Verdict:
    try:
        records = game_records(connection, game)
    except (UnknownTopic, UnreadableRecord) as error:
        return Verdict(False, f"FAULT {game} {error}")
    if not records:
        return Verdict(False, f"FAULT {game} There is no such game.")
    if faults := verify(records):
        return Verdict(False, f"FAULT {game} " + " ".join(f"Step {step}: {what}" for step, what in faults))
    return Verdict(True, f"OK    {game} {records[0].type}, {records[-1].step} steps")
