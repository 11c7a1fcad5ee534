"""`kibitz backup`: the whole database in one file, while the service runs or not."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from service.cli.database import database, place
from service.cli.ending import Refusal
from service.cli.options import database_options
from service.postgres.dump import dump
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Read models are not in it: they are made anew. Neither are the folders of keys; see deploy/OPERATING.md."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="where to; it must not be there yet")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Write the file, readable by its owner only, and tell up to which position of the log it goes."""
    if chosen.file.exists():
        raise Refusal(f"{chosen.file} is there already.")
    with database(settings) as conninfo:
        position = dump(conninfo, chosen.file)
    size = chosen.file.stat().st_size / 1e6
    print(f"{chosen.file} holds the log up to position {position} ({size:.1f} MB; {place(settings)}).")
    print("Keep the keys apart from it: " + ", ".join(map(str, key_folders(settings))) + ".")
    return 0


def key_folders(settings: Settings) -> list[Path]:
    """The folders of keys, which no database holds."""
    folders = (settings.keys_folder.expanduser(), settings.sealing_folder.expanduser())
    return list(dict.fromkeys(folders))
