"""The command line: each command is a function of a module here, which is imported when the command is called."""

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from service import VERSION
from service.cli.ending import ONE_LINE_ERRORS, Usage, end_by_unwinding, sentence

COMMANDS = {
    "serve": ("serve:serve", "start the service, with its own PostgreSQL unless DATABASE_URL names another one"),
    "migrate": ("maintenance:migrate", "bring the database's schema to what this program needs"),
    "worker": ("worker:work", "keep the read models in a process of its own"),
    "pack": ("rebuild:pack", "pack games that are over for good"),
    "rebuild": ("rebuild:rebuild", "fold read models anew from the whole log"),
    "backup": ("maintenance:backup", "write the whole database to one file"),
    "restore": ("maintenance:restore", "fill an empty database from a backup"),
    "verify": ("verify:verify", "check records and games: digests, rules, deal, ending and signature"),
    "keys": ("keys:keys", "keep the keys that sign finished games, and those that seal what live ones hide"),
    "export": ("records:export", "write a game as an open record, or in a notation of its game type"),
    "import": ("records:import_files", "verify open records and keep their games beside the log"),
    "replay": ("replay:replay", "look at a game step by step in the terminal"),
    "analyse": ("replay:analyse", "tell where a finished game was lost, of its record or asked of a service"),
    "picture": ("records:draw", "write a game as one HTML page that replays it offline, or one step of it as SVG"),
    "login": ("login:login", "sign in at a service, for `replay --server` and `bot`: a browser anywhere says yes"),
    "logout": ("login:logout", "end what login has begun"),
    "bot": ("bot:play", "play at the tables of a service: a program as a player"),
    "moderator": ("keys:moderator", "register a moderator and print the token"),
    "openapi": ("reference:openapi", "write the API's description"),
    "settings": ("reference:settings", "list what can be set, and by which variable of the environment"),
    "doctor": ("doctor:doctor", "check what the service needs on this machine"),
}
"""Each command's function, and its purpose in the list of commands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 with one sentence on stderr if not, 2 for wrong usage."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    app = App(
        name="kibitz", help="A card-table service: it deals, referees, remembers.", version=f"kibitz {VERSION}",
        help_format="markdown",
        default_parameter=Parameter(negative=(), allow_repeating=True, show_default=False),
    )  # fmt: skip
    for name, (function, purpose) in COMMANDS.items():
        app.command(f"service.cli.{function}", name=name, help=None if name in words else purpose)
    try:
        if not words:
            raise Usage("Name a command; `kibitz --help` lists them.")
        command, bound, _ = app.parse_args(words, print_error=False, exit_on_error=False)
        end_by_unwinding()
        code: int | None = command(*bound.args, **bound.kwargs)
        sys.stdout.flush()
        return code or 0
    except (Usage, CycloptsError, *ONE_LINE_ERRORS) as error:
        print(f"kibitz: {sentence(error)}", file=sys.stderr)
        return 2 if isinstance(error, Usage | CycloptsError) else 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
