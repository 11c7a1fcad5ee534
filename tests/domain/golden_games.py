"""The golden games of every game type as whole games, from the opening to the secrets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union
from uuid import UUID

import msgspec

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, evolve
from domain.play.deciding import Step, play, record_events
from domain.record import Record
from tests.domain.played import SECRET, act, player
from tests.laws.goldens import found, read

PATHS = [(key, path) for key in GAME_TYPES for path in found(key)]
NAMES = [f"{key}/{path.stem}" for key, path in PATHS]


def records(key: str, path: Path) -> list[AnyRecord]:
    """The records of a golden game; its deal is that of the file, which proves nothing."""
    lines = read(path)
    step = _dealt(key, lines[0])
    played, game = list(step.records), step.game
    for number, (seat, command) in enumerate(_said(key, lines[2:]), 1):
        said = play(game, command, act(seat, number))
        played, game = played + list(said.records), said.game
    return played


def _dealt(key: str, head: dict[str, Any]) -> Step:
    game_type, seats = GAME_TYPES[key], head["seats"]
    options = game_type.get(OptionRules).settle(msgspec.convert(head["options"], game_type.options), seats)
    opened = ev.Opened(
        game_type=key, revision=game_type.revision, options=msgspec.to_builtins(options), seats=seats,
        creator=player(0), commitment="", players=tuple(map(player, range(seats))),
    )  # fmt: skip
    deal = game_type.deal(options, Chance(bytes.fromhex(head["seed"])), seats)
    return record_events(_opening(key, opened), [SECRET, *deal], act(None, 0))


def _opening(key: str, opened: ev.Opened) -> Step:
    """The opening; its digest is left out, and the chain begins behind it."""
    record: AnyRecord = Record(
        UUID(int=7), 1, act(None, 0).time, key, opened.revision, 0, player(0), None, None, opened
    )  # fmt: skip
    return Step((record,), evolve(None, record))


def _said(key: str, lines: list[dict[str, Any]]) -> Iterator[tuple[int, Any]]:
    commands: Any = Union[tuple(GAME_TYPES[key].commands)]  # noqa: UP007  built at run time
    for line in lines:
        yield line["seat"], msgspec.convert(line["command"], commands)
