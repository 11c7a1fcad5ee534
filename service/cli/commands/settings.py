"""`kibitz settings`: what can be set, by which variable of the environment."""

import shutil
from argparse import ArgumentParser, Namespace

from service.cli import settings_table
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help="as the page deploy/SETTINGS.md")


def run(chosen: Namespace, settings: Settings) -> int:
    """Print every setting; what they are set to is not told, for some hold passwords."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(settings_table.markdown() if chosen.markdown else settings_table.text(width), end="")
    return 0
