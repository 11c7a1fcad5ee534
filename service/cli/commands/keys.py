"""`kibitz keys`: the keys by which finished games are signed, and those that seal what live games hide."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from service.cli.database import connect_database
from service.cli.ending import Refusal, Usage
from service.cli.options import database_options
from service.event_store import unsealing
from service.keys.key_files import KeysUnusable
from service.keys.sealing import make_sealing_key, retire_sealing_key, sealing_keys
from service.keys.signing import PublicKey, key_name, public_set, rotate_signing_keys, signing_keys
from service.settings import Settings

_WHAT = """
list them; rotate: make a new one that signs, or seals, from now on; of sealing keys also: needed: how many live games
need each; retire KEY: remove one that none needs; give-up KEY: it is lost, the read models go on without its games
"""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=["list", "rotate", "needed", "retire", "give-up"], help=_WHAT)
    parser.add_argument("key", nargs="?", type=_key, metavar="KEY", help="the name of a sealing key, 8 hex digits")
    parser.add_argument("--sealing", action="store_true", help="list or rotate the sealing keys")
    parser.add_argument("--signing-keys", type=Path, help="another folder of signing keys (KIBITZ_SIGNING_KEYS)")
    parser.add_argument("--sealing-keys", type=Path, help="another folder of sealing keys (KIBITZ_SEALING_KEYS)")
    database_options(parser)


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 4:
        raise ArgumentTypeError(f"{text!r} is no name of a sealing key: 8 hex digits")
    return key


def run(chosen: Namespace, settings: Settings) -> int:
    """A line for each key, the oldest first. A service that runs notices a new key within a second."""
    if (chosen.what in ("retire", "give-up")) != (chosen.key is not None):
        raise Usage("A key is named to retire it or to give it up.")
    try:
        for line in _key_lines(chosen, settings):
            print(line)
    except KeysUnusable as error:
        raise Refusal(str(error)) from error
    return 0


def _key_lines(chosen: Namespace, settings: Settings) -> Iterator[str]:
    if chosen.what == "needed":
        return _needed_keys(settings)
    if chosen.what == "retire":
        return _retire(chosen.key, settings)
    if chosen.what == "give-up":
        return _give_up(chosen.key, settings)
    return _sealing_keys(chosen, settings) if chosen.sealing else _signing_keys(chosen, settings)


def _signing_keys(chosen: Namespace, settings: Settings) -> Iterator[str]:
    path = settings.keys_folder.expanduser()
    if chosen.what == "rotate":
        yield f"{key_name(rotate_signing_keys(path).x)} signs from now on."
    elif not path.exists():
        raise Refusal(f"There are no keys in {path}: `kibitz serve` makes the first one.")
    else:
        yield from map(_key_line, public_set(signing_keys(path)).keys)


def _key_line(key: PublicKey) -> str:
    end = "now" if key.until is None else _time(key.until)
    return f"{key.kid}  from {_time(key.from_)} until {end}"


def _time(time: datetime) -> str:
    return time.isoformat(sep=" ", timespec="seconds")


def _sealing_keys(chosen: Namespace, settings: Settings) -> Iterator[str]:
    path = settings.sealing_folder.expanduser()
    if chosen.what == "rotate":
        yield f"{make_sealing_key(path).id.hex()} seals from now on; those before stay until `kibitz keys retire`."
    elif found := sealing_keys(path):
        yield from (f"{key.id.hex()}  from {_time(key.from_)}" for key in found)
    else:
        raise Refusal(f"There are no sealing keys in {path}: `kibitz serve` makes the first one.")


def _needed_keys(settings: Settings) -> Iterator[str]:
    """A line for each key in the folder, and for each missing key that live games need."""
    held = {key.id: "in the folder" for key in sealing_keys(settings.sealing_folder.expanduser())}
    with connect_database(settings, "keys") as connection:
        needed = unsealing.needed_keys(connection)
    for key in sorted({*held, *needed}):
        yield f"{key.hex()}  {held.get(key, 'MISSING')}, needed by {needed.get(key, 0)} live games and contests"


def _retire(key: bytes, settings: Settings) -> Iterator[str]:
    path = settings.sealing_folder.expanduser()
    held = [one.id for one in sealing_keys(path)]
    if key not in held or key == held[-1]:
        raise Refusal(f"{key.hex()} is not in {path}, or is the key that seals: `kibitz keys rotate --sealing` first.")
    with connect_database(settings, "keys") as connection:
        if count := unsealing.needed_keys(connection).get(key, 0):
            raise Refusal(f"{count} live games and contests need the key {key.hex()}.")
        unsealing.give_up(connection, key)
    retire_sealing_key(path, key)
    yield f"{key.hex()} is gone."


def _give_up(key: bytes, settings: Settings) -> Iterator[str]:
    if key in {one.id for one in sealing_keys(settings.sealing_folder.expanduser())}:
        raise Refusal(f"The key {key.hex()} is in the folder: there is nothing to give up.")
    with connect_database(settings, "keys") as connection:
        count = unsealing.needed_keys(connection).get(key, 0)
        unsealing.give_up(connection, key)
    yield f"{key.hex()} is given up, and {count} live games and contests with it."
