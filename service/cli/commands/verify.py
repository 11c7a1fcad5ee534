"""`kibitz verify`: open records in files, and games of the store, checked step by step."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.game.open_record import OpenRecord
from service.cli import key_sets
from service.cli.database import database
from service.cli.errors import Usage
from service.cli.games import game_ids, game_records
from service.cli.options import database_options
from service.cli.verdicts import Verdict, fault, of_record, of_text
from service.event_store.connections import connected
from service.event_store.errors import UnknownTopic, UnreadableRecord
from service.event_store.imported import read_imported_text
from service.settings import Settings
from service.signing import JwkSet, signature_in

_EXIT = (
    "Exit status: 0 all is sound; 1 something has a fault; 3 all is sound, but with --signed not all of it is signed."
)
_KEYS = "public keys: a saved JWK set, or a service's address; for stored games the service's own if left out"


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = _EXIT
    parser.add_argument(
        "records", nargs="*", type=_named, metavar="FILE", help="open records, - for standard input; or ids of games"
    )
    parser.add_argument("--all", action="store_true", help="every game of the store")
    parser.add_argument("--keys", metavar="FILE_OR_URL", help=_KEYS)
    parser.add_argument("--signed", action="store_true", help="what is not signed by one of the keys will not do")
    database_options(parser)


def _named(text: str) -> UUID | str:
    """A game's id, or else a file; `./` before it makes a file of what looks like an id."""
    try:
        return UUID(text)
    except ValueError:
        return text


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each game on stdout, a sum on stderr; 1 if any has a fault, 3 if only signatures are missing."""
    if bool(chosen.records) == chosen.all:
        raise Usage("Name the records or games to verify, or say --all.")
    verdicts: list[tuple[bool, bool]] = []
    for verdict in _verdicts(chosen, settings):
        print(verdict.line)
        verdicts.append((verdict.sound, verdict.signed))
    faulty, unsigned = sum(not sound for sound, _ in verdicts), sum(sound and not signed for sound, signed in verdicts)
    print(f"Games verified: {len(verdicts)}; with faults: {faulty}.", file=sys.stderr)
    return 1 if faulty else 3 if chosen.signed and unsigned else 0


def _verdicts(chosen: Namespace, settings: Settings) -> Iterator[Verdict]:
    """Files need no database, and are judged first."""
    files = [name for name in chosen.records if isinstance(name, str)]
    games = [name for name in chosen.records if isinstance(name, UUID)]
    keys = key_sets.named(chosen.keys) if chosen.keys else None
    if chosen.signed and keys is None and files:
        raise Usage("Say by --keys whose signatures count.")
    yield from (_file(name, keys) for name in files)
    if games or chosen.all:
        yield from _stored(games, keys, chosen, settings)


def _file(name: str, keys: JwkSet | None) -> Verdict:
    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        return fault(name, f"The file cannot be read: {error.strerror}.")
    return of_text("standard input" if name == "-" else name, text, keys)


def _stored(games: list[UUID], keys: JwkSet | None, chosen: Namespace, settings: Settings) -> Iterator[Verdict]:
    """By the service's own keys if no others are named; the signature is told where it was asked for."""
    keys, told = keys or key_sets.own(settings), bool(chosen.keys or chosen.signed)
    with database(settings) as conninfo, connected(conninfo, "verify") as connection:
        for game in games or game_ids(connection):
            yield _game(connection, game, keys, told)


def _game(connection: Connection[Any], game: UUID, keys: JwkSet | None, told: bool) -> Verdict:
    try:
        records = game_records(connection, game)
    except (UnknownTopic, UnreadableRecord) as error:
        return fault(str(game), str(error))
    if not records:
        return fault(str(game), "There is no such game.")
    if (text := read_imported_text(connection, game)) is not None:
        return of_text(str(game), text, keys)
    record = OpenRecord(tuple(records), signature_in(connection, game))
    return of_record(str(game), record, keys, tell_signature=told)
