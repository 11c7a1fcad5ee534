"""`kibitz rebuild`: read models folded anew, beside those that readers see until the new ones are there."""

from argparse import ArgumentParser, Namespace

from projections import PROJECTIONS
from service import logs
from service.cli.database import database
from service.cli.errors import Usage
from service.cli.options import database_options
from service.settings import Settings
from service.worker import rebuild


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("projections", nargs="*", metavar="PROJECTION", help="which ones; all if none is named")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each read model: its name and the fingerprint of its documents."""
    unknown = [name for name in chosen.projections if name not in PROJECTIONS]
    if unknown:
        raise Usage(f"There is no projection {' or '.join(unknown)}; there are {', '.join(sorted(PROJECTIONS))}.")
    logs.configure(settings.log_level, settings.log_format)
    with database(settings) as conninfo:
        for name, fingerprint in rebuild(conninfo, chosen.projections or None).items():
            print(f"{name} {fingerprint}")
    return 0
