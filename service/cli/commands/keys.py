"""`kibitz keys`: the keys by which finished games are signed."""

from argparse import ArgumentParser, Namespace
from datetime import datetime
from pathlib import Path

from service.cli.errors import Refusal
from service.settings import Settings
from service.signing import KeysUnusable
from service.signing.folder import keys, rotate
from service.signing.jwk import PublicKey, name_of, published


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=["list", "rotate"], help="list them, or make a new one that signs from now on")
    parser.add_argument("--data-folder", type=Path, help="whose folder `keys` is meant (KIBITZ_DATA_FOLDER)")
    parser.add_argument("--signing-keys", type=Path, help="another folder of keys (KIBITZ_SIGNING_KEYS)")


def run(chosen: Namespace, settings: Settings) -> int:
    """A line for each key, the oldest first. A service that runs notices a new key at its next signature."""
    folder = settings.keys_folder.expanduser()
    try:
        if chosen.what == "rotate":
            print(f"{name_of(rotate(folder).x)} signs from now on.")
        elif not folder.exists():
            raise Refusal(f"There are no keys in {folder}: `kibitz serve` makes the first one.")
        else:
            _list(folder)
    except KeysUnusable as error:
        raise Refusal(str(error)) from error
    return 0


def _list(folder: Path) -> None:
    for key in published(keys(folder)).keys:
        print(_told(key))


def _told(key: PublicKey) -> str:
    end = "now" if key.until is None else _time(key.until)
    return f"{key.kid}  from {_time(key.from_)} until {end}"


def _time(time: datetime) -> str:
    return time.isoformat(sep=" ", timespec="seconds")
