"""`kibitz keys`, for the keys that sign finished games and those that seal live ones; `kibitz moderator`."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from domain.player import MODERATOR_SCOPES
from service.accounts.access import Access
from service.accounts.players import Accounts
from service.cli.ending import Refusal, Usage
from service.cli.options import NO_FLAGS, DatabaseFlags, Whole
from service.cli.store import connect_database, database
from service.event_store import unsealing
from service.event_store.store import EventStore
from service.keys.key_files import KeysUnusable
from service.keys.sealing import make_sealing_key, retire_sealing_key, sealing_keys
from service.keys.signing import key_name, public_set, rotate_signing_keys, signing_keys
from service.live.shapes import Name
from service.settings import Settings


def keys(
    action: Literal["list", "rotate", "needed", "retire", "give-up"],
    key: str | None = None,
    /,
    *,
    sealing: bool = False,
    signing_keys: str | None = None,
    sealing_keys: str | None = None,
    flags: DatabaseFlags = NO_FLAGS,
) -> None:
    """Keep the keys that sign finished games, and those that seal what live ones hide: a line for each, oldest first.

    A service that runs notices a new key within a second.

    Args:
        action: list them; rotate: make a new one that signs, or seals, from now on; of sealing keys also: needed: how
            many live games need each; retire KEY: remove one that none needs; give-up KEY: it is lost, the read models
            go on without its games
        key: the name of a sealing key, 8 hex digits
        sealing: list or rotate the sealing keys
        signing_keys: another folder of signing keys (KIBITZ_SIGNING_KEYS)
        sealing_keys: another folder of sealing keys (KIBITZ_SEALING_KEYS)
    """
    settings = flags.settings(signing_keys=signing_keys, sealing_keys=sealing_keys)
    try:
        name = None if key is None else bytes.fromhex(key)
    except ValueError:
        name = b""
    if name is not None and len(name) != 4:
        raise Usage(f"{key!r} is no name of a sealing key: 8 hex digits.")
    if (action in ("retire", "give-up")) != (name is not None):
        raise Usage("A key is named to retire it or to give it up.")
    try:
        if action == "needed":
            _print_needed(settings)
        elif name is not None:
            _give_up(name, settings, lost=action == "give-up")
        elif sealing:
            _print_sealing_keys(action, settings.sealing_folder.expanduser())
        else:
            _print_signing_keys(action, settings.keys_folder.expanduser())
    except KeysUnusable as error:
        raise Refusal(str(error)) from error


def _print_signing_keys(action: str, folder: Path) -> None:
    if action == "rotate":
        print(f"{key_name(rotate_signing_keys(folder).x)} signs from now on.")
        return
    if not folder.exists():
        raise Refusal(f"There are no keys in {folder}: `kibitz serve` makes the first one.")
    for key in public_set(signing_keys(folder)).keys:
        print(f"{key.kid}  from {_time(key.from_)} until {'now' if key.until is None else _time(key.until)}")


def _print_sealing_keys(action: str, folder: Path) -> None:
    if action == "rotate":
        print(f"{make_sealing_key(folder).id.hex()} seals from now on; those before stay until `kibitz keys retire`.")
        return
    if not (keys := sealing_keys(folder)):
        raise Refusal(f"There are no sealing keys in {folder}: `kibitz serve` makes the first one.")
    for key in keys:
        print(f"{key.id.hex()}  from {_time(key.from_)}")


def _time(time: datetime) -> str:
    return time.isoformat(sep=" ", timespec="seconds")


def _print_needed(settings: Settings) -> None:
    """A line for each key in the folder, and for each missing key that live games need."""
    present = {key.id: "in the folder" for key in sealing_keys(settings.sealing_folder.expanduser())}
    with connect_database(settings, "keys") as connection:
        needed = unsealing.needed_keys(connection)
    for key in sorted({*present, *needed}):
        print(f"{key.hex()}  {present.get(key, 'MISSING')}, needed by {needed.get(key, 0)} live games and contests")


def _give_up(key: bytes, settings: Settings, *, lost: bool) -> None:
    """Retire a key of the folder that no live game needs, or give up a lost one and its games."""
    folder = settings.sealing_folder.expanduser()
    present = [sealing_key.id for sealing_key in sealing_keys(folder)]
    if lost and key in present:
        raise Refusal(f"The key {key.hex()} is in the folder: there is nothing to give up.")
    if not lost and key not in present[:-1]:
        sealing = "or is the key that seals: `kibitz keys rotate --sealing` first"
        raise Refusal(f"{key.hex()} is not in {folder}, {sealing}.")
    with connect_database(settings, "keys") as connection:
        count = unsealing.needed_keys(connection).get(key, 0)
        if count and not lost:
            raise Refusal(f"{count} live games and contests need the key {key.hex()}.")
        unsealing.give_up(connection, key)
    if lost:
        print(f"{key.hex()} is given up, and {count} live games and contests with it.")
    else:
        retire_sealing_key(folder, key)
        print(f"{key.hex()} is gone.")


def moderator(*, name: str, days: Whole | None = None, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Register a moderator and print the token, shown this once: the only way to one with the scope `moderate`.

    The service may run meanwhile.

    Args:
        name: what the moderator is called
        days: days until the token expires (KIBITZ_TOKEN_DAYS)
    """
    settings = flags.settings()
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        raise Usage(f"{name!r} is no name: 1 to 40 printable characters.") from None
    if days is not None and not 1 <= days <= 3660:
        raise Usage(f"{days} is no number of days from 1 to 3660.")

    async def register(conninfo: str) -> str | None:
        store = EventStore(conninfo)
        await store.open()
        try:
            accounts = Accounts(store, Access(store))
            _, token = await accounts.register(name, days or settings.token_days, scopes=MODERATOR_SCOPES)
        finally:
            await store.close()
        return token.secret

    with database(settings) as conninfo:
        print(asyncio.run(register(conninfo)))
