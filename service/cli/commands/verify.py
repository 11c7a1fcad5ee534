"""`kibitz verify`: open records in files, and games of the store, checked step by step."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from service.cli.database import connect_database, database
from service.cli.ending import Usage
from service.cli.keys import codec, load_key_set, own_key_set
from service.cli.options import database_options
from service.cli.verifying.store import report, verify_store
from service.cli.verifying.sweeping import Task
from service.cli.verifying.verdicts import (
    FAULT,
    NOT_BY_THESE,
    UNSIGNED,
    Criteria,
    Verdict,
    exit_code,
    fault,
    judge_game,
    verdict_of_text,
)
from service.keys.signing import JwkSet
from service.settings import Settings

_EXIT = (
    "Exit status: 0 all is sound, and signed; 1 something has a fault; 2 wrong usage; 4 all is sound, but a signature "
    "is missing where the opening names the key of a service that signs: it was cut off; 3 all is sound, but with "
    "--signed not all of it is signed by one of the keys; 5 all is sound, but a record was never signed. Of several "
    "the first in the order 1, 4, 3, 5. Without --keys it is not checked who has signed. Games of the store that were "
    "never signed are from before there were keys, or go on, and are 0."
)
_KEYS = "public keys: a saved JWK set, or a service's address; for stored games the service's own if left out"
_RESUME = "note the progress here; where the file is there already, go on from it. It is removed when all is done"
_ONLY_ALL = ("sample", "seed", "resume")


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = _EXIT
    parser.add_argument(
        "records",
        nargs="*",
        type=_game_or_file,
        metavar="FILE",
        help="open records, - for standard input; or ids of games",
    )
    parser.add_argument("--all", action="store_true", help="every game of the store, and whether the log is whole")
    parser.add_argument("--sample", type=_count, metavar="N", help="with --all: only so many games, chosen by lot")
    parser.add_argument("--seed", metavar="TEXT", help="what decides the lot: the same choice again")
    parser.add_argument("--processes", type=_count, default=os.cpu_count() or 1, metavar="N", help="how many at once")
    parser.add_argument("--resume", type=Path, metavar="FILE", help=_RESUME)
    parser.add_argument(
        "--quiet", action="store_true", help="with --all: only the games with faults, or whose signature is missing"
    )
    parser.add_argument("--keys", metavar="FILE_OR_URL", help=_KEYS)
    parser.add_argument("--signed", action="store_true", help="what is not signed by one of the keys will not do")
    database_options(parser)


def _game_or_file(text: str) -> UUID | str:
    """A game's id, or else a file; `./` before it makes a file of what looks like an id."""
    try:
        return UUID(text)
    except ValueError:
        return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each game on stdout, a sum on stderr; the exit codes are those of `verdicts`."""
    if bool(chosen.records) == chosen.all:
        raise Usage("Name the records or games to verify, or say --all.")
    if not chosen.all and any(getattr(chosen, name) is not None for name in _ONLY_ALL):
        raise Usage("--sample, --seed and --resume go with --all.")
    return _verify_all(chosen, settings) if chosen.all else _verify_each(chosen, settings)


def _verify_all(chosen: Namespace, settings: Settings) -> int:
    keys, told = _keys(chosen), bool(chosen.keys or chosen.signed)
    with database(settings) as conninfo:
        found = verify_store(chosen, Task(conninfo, settings, keys, told))
    report(found)
    by_these = NOT_BY_THESE if chosen.signed and found.unsigned else 0
    return exit_code([FAULT if found.faults else 0, UNSIGNED if found.cut else 0, by_these])


def _verify_each(chosen: Namespace, settings: Settings) -> int:
    codes: list[int] = []
    for verdict in _verdicts(chosen, settings):
        print(verdict.line)
        codes += [verdict.code, NOT_BY_THESE if chosen.signed and not verdict.signed else 0]
    print(f"Games verified: {len(codes) // 2}; with faults: {codes.count(FAULT)}.", file=sys.stderr)
    return exit_code(codes)


def _keys(chosen: Namespace) -> JwkSet | None:
    return load_key_set(chosen.keys) if chosen.keys else None


def _verdicts(chosen: Namespace, settings: Settings) -> Iterator[Verdict]:
    """Files need no database, and are judged first."""
    files = [name for name in chosen.records if isinstance(name, str)]
    games = [name for name in chosen.records if isinstance(name, UUID)]
    keys = _keys(chosen)
    if chosen.signed and keys is None and files:
        raise Usage("Say by --keys whose signatures count.")
    yield from (_file_verdict(name, keys) for name in files)
    if games:
        yield from _stored_verdicts(games, keys, chosen, settings)


def _file_verdict(name: str, keys: JwkSet | None) -> Verdict:
    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        return fault(name, f"The file cannot be read: {error.strerror}.")
    return verdict_of_text("standard input" if name == "-" else name, text, keys)


def _stored_verdicts(
    games: list[UUID], keys: JwkSet | None, chosen: Namespace, settings: Settings
) -> Iterator[Verdict]:
    """Verdicts by the named keys, else the service's own; signatures are shown with --keys or --signed."""
    by = Criteria(codec(settings), keys or own_key_set(settings), bool(chosen.keys or chosen.signed))
    with connect_database(settings, "verify") as connection:
        yield from (judge_game(connection, game, by).verdict for game in games)
