"""The command line: one module per command in `service.cli.commands`, imported when it is asked for."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType

from service import VERSION
from service.cli.ending import SAID_IN_ONE_SENTENCE, Refusal, Usage, end_by_unwinding, sentence
from service.cli.options import settings_of

COMMANDS = {
    "serve": "start the service, with its own PostgreSQL unless DATABASE_URL names another one",
    "migrate": "bring the database's schema to what this program needs",
    "worker": "keep the read models in a process of its own",
    "pack": "pack games that are over for good",
    "rebuild": "fold read models anew from the whole log",
    "backup": "write the whole database to one file",
    "restore": "fill an empty database from a backup",
    "verify": "check records and games: digests, rules, deal, ending and signature",
    "keys": "keep the keys that sign finished games, and those that seal what live ones hide",
    "export": "write a game as an open record, or in a notation of its game type",
    "import": "verify open records and keep their games beside the log",
    "replay": "look at a game step by step in the terminal",
    "analyse": "tell where a finished game was lost, of its record or asked of a service",
    "picture": "write a game as one HTML page that replays it offline, or one step of it as SVG",
    "login": "sign in at a service, for `replay --server` and `bot`: a browser anywhere says yes",
    "logout": "end what login has begun",
    "bot": "play at the tables of a service: a program as a player",
    "moderator": "register a moderator and print the token",
    "openapi": "write the API's description",
    "settings": "list what can be set, and by which variable of the environment",
    "doctor": "check what the service needs on this machine",
}
"""By name, each with what it is for; its module has `arguments(parser)` and `run(chosen, settings) -> exit code`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 with one sentence on stderr if not, 2 for wrong usage."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(words)
    chosen = parser.parse_args(words)
    end_by_unwinding()
    try:
        return _run(chosen)
    except (Usage, *SAID_IN_ONE_SENTENCE) as error:
        print(f"kibitz: {sentence(error)}", file=sys.stderr)
        return 2 if isinstance(error, Usage) else 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _run(chosen: argparse.Namespace) -> int:
    code: int = _module(chosen.name).run(chosen, settings_of(chosen))
    sys.stdout.flush()
    return code


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kibitz", description="A card-table service: it deals, referees, remembers.")
    parser.add_argument("--version", action="version", version=f"kibitz {VERSION}")
    commands = parser.add_subparsers(dest="name", metavar="COMMAND", required=True)
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
        if name in words:
            _module(name).arguments(command)
    return parser


def _module(name: str) -> ModuleType:
    return import_module(f"service.cli.commands.{name}{'_' if iskeyword(name) else ''}")


__all__ = ["COMMANDS", "Refusal", "main"]
