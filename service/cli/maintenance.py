"""Commands on the whole database: `kibitz migrate`, `backup` and `restore`."""

from pathlib import Path

from service.cli.ending import Refusal
from service.cli.options import NO_FLAGS, DatabaseFlags
from service.cli.store import any_database, data_place, database
from service.event_store import schema
from service.postgres import dump
from service.settings import Settings


def migrate(*, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Bring the database's schema to what this program needs: the one command that changes it."""
    settings = flags.settings()
    with any_database(settings, may_create=True) as conninfo:
        schema.migrate(conninfo)
    print(f"The schema is at {schema.migrations()[-1].name} ({data_place(settings)}).")


def backup(file: Path, /, *, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Write the whole database to one file that its owner alone can read, while the service runs or not.

    Read models are not in it: they are made anew. Neither are the folders of keys; see deploy/OPERATING.md.

    Args:
        file: where to; it must not be there yet
    """
    settings = flags.settings()
    if file.exists():
        raise Refusal(f"{file} is there already.")
    with database(settings) as conninfo:
        position = dump.dump(conninfo, file)
    size = file.stat().st_size / 1e6
    print(f"{file} holds the log up to position {position} ({size:.1f} MB; {data_place(settings)}).")
    print("Keep the keys apart from it: " + ", ".join(map(str, _key_folders(settings))) + ".")


def restore(file: Path, /, *, flags: DatabaseFlags = NO_FLAGS) -> None:
    """Fill an empty database from a backup, and bring its schema to what this program needs.

    The database must be empty, the data folder new: nothing is restored over anything.

    Args:
        file: what `kibitz backup` has written
    """
    settings = flags.settings()
    if not file.exists():
        raise Refusal(f"There is no file {file}.")
    with any_database(settings, may_create=True) as conninfo:
        position = dump.restore(conninfo, file)
        schema.migrate(conninfo)
    print(f"The log stands at position {position} ({data_place(settings)}). Read models grow when the service starts.")
    for folder in _key_folders(settings):
        if not folder.exists():
            print(f"There is no folder {folder}: put back the keys that belong to these games.")


def _key_folders(settings: Settings) -> list[Path]:
    """The folders of keys, which no database holds."""
    return list(dict.fromkeys((settings.keys_folder.expanduser(), settings.sealing_folder.expanduser())))
