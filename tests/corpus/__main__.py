"""`python -m tests.corpus`: what there is. `add KEY...`: games that are missing. `pins KEY...`: the pins made anew.

Stored games are only ever added to: no command changes or removes one.
"""

import sys
from collections.abc import Callable, Sequence

from domain.games import REVISIONS, AnyGameType

from . import files, marks, pins
from .making import gathered
from .unreachable import UNREACHABLE


def _revisions(keys: Sequence[str]) -> list[AnyGameType]:
    unknown = set(keys) - {key for key, _ in REVISIONS}
    if unknown:
        sys.exit(f"There is no game type {', '.join(sorted(unknown))}.")
    return [found for (key, _), found in REVISIONS.items() if not keys or key in keys]


def _told(game_type: AnyGameType) -> str:
    games = files.stored(game_type)
    steps = sum(game[-1].step for game in games)
    size = sum(path.stat().st_size for path in (files.path(game_type), pins.path(game_type)) if path.exists())
    return f"{files.name(game_type)}: {len(games)} games, {steps} steps, {size} bytes."


def _add(game_type: AnyGameType) -> str:
    before = files.stored(game_type)
    gathering = gathered(game_type, before, UNREACHABLE.get(files.name(game_type), {}))
    if gathering.kept:
        files.append(game_type, gathering.kept)
        known = pins.kept(game_type)
        made = {str(game[0].stream): pins.pinned(game) for game in gathering.kept}
        pins.keep(game_type, pins.Pins(known.defaults, {**known.games, **made}, known.material))
    left = f" Still missing: {', '.join(sorted(gathering.missing))}." if gathering.missing else ""
    return f"{files.name(game_type)}: {len(gathering.kept)} games behind the {len(before)} stored ones.{left}"


def _pins(game_type: AnyGameType) -> str:
    games, before = files.stored(game_type), pins.kept(game_type).games
    made = {str(game[0].stream): pins.pinned(game) for game in games}
    pins.keep(game_type, pins.Pins(marks.defaults(game_type), made, marks.printed(game_type)))
    changed = [game for game, pin in made.items() if before.get(game) != pin]
    return f"{files.name(game_type)}: {len(changed)} of {len(made)} games are pinned otherwise than before."


_DOES: dict[str, Callable[[AnyGameType], str]] = {"add": _add, "pins": _pins}


def main(arguments: Sequence[str]) -> None:
    """Do it for every revision of the game types named, or of all."""
    does = _DOES.get(arguments[0] if arguments else "", _told)
    for found in _revisions([] if does is _told else arguments[1:]):
        sys.stdout.write(does(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
