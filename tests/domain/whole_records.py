"""Complete open records of short games of every game type, over and revealed, and one change to a line of them."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.open_record import OpenRecord, Signature, record_lines, sealed_record
from domain.play.table import Opening, open_game

from .played import SECRET, START, player

SIGNATURE = Signature("00112233445566ff", bytes(range(63)) + b"\0")
Change = Callable[[Any], Any]
"""A part of a line as it shall be instead."""
Changed = tuple[str, Any]
"""What was done, where, and the line that it makes."""


@cache
def records(key: str, moves: int = 8, signer: str | None = None) -> tuple[AnyRecord, ...]:
    """A short random game, the fourth command an undo where there is one, given up by one seat after another."""
    found = GAME_TYPES[key]
    players = tuple(map(player, range(found.seats[0])))
    opening = Opening(type=found, options=found.options(), players=players)
    step = open_game(UUID(int=7), opening, SECRET, Act(player(0), None, START, signer))
    made, game, lots = list(step.records), step.game, Random(key)
    while not game.revealed:
        seat, command = _next(game, lots, moves)
        said = play(game, command, Act(player(seat), seat, START + 1_000_000 * (game.step + 1)))
        made, game = made + list(said.records), said.game
    return tuple(made)


def _next(game: Game, lots: Random, moves: int) -> tuple[int, Any]:
    listed = [(seat, command) for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    onward = [choice for choice in listed if not isinstance(choice[1], ev.Undo | ev.Resign)]
    back = [choice for choice in listed if isinstance(choice[1], ev.Undo)]
    if game.step >= moves or not onward:
        return next(choice for choice in listed if isinstance(choice[1], ev.Resign))
    return lots.choice(back if back and game.step == 3 else onward)


def text(key: str, form: int = 1, moves: int = 8) -> bytes:
    """The record of that game as text, in format 1 or 3."""
    record = OpenRecord(records(key, moves), SIGNATURE)
    return b"".join(record_lines(record if form == 1 else sealed_record(record, lambda message: SIGNATURE)))


def changes(line: Any) -> Iterator[Changed]:
    """This line (a JSON value) with one thing changed, in every way and at every place; signatures are left alone."""
    for path in _paths(line, ()):
        if not {"signature", "seal"}.intersection(path):
            for name, change in _CHANGES.items():
                made = _put(line, path, change)
                if made != line:
                    yield f"{name} at {'/'.join(map(str, path))}", made


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from _paths(part, (*path, name))


def _put(value: Any, path: tuple[Any, ...], change: Change) -> Any:
    if not path:
        return change(value)
    if isinstance(value, dict):
        return {name: _put(part, path[1:], change) if name == path[0] else part for name, part in value.items()}
    return [_put(part, path[1:], change) if place == path[0] else part for place, part in enumerate(value)]


def _other(value: Any) -> Any:
    """Another value of the same kind: one sign of a text, the next number."""
    if isinstance(value, str) and value:
        sign = (
            max(place for place, letter in enumerate(value) if letter.isalnum()) if any(map(str.isalnum, value)) else 0
        )
        return value[:sign] + _NEXT.get(value[sign], "A") + value[sign + 1 :]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return 1 if value is None else value


_NEXT = dict(zip("0123456789abcdefHDCS", "1234567890bcdefaDCSH", strict=True))


def _first_sign(value: Any) -> Any:
    """The rank of a card, the first digit of a digest."""
    return _NEXT.get(value[0], "2") + value[1:] if isinstance(value, str) and value else value


def _without_last(value: Any) -> Any:
    return (
        dict(list(value.items())[:-1]) if isinstance(value, dict) else value[:-1] if isinstance(value, list) else value
    )


def _turned(value: Any) -> Any:
    return value[1:] + value[:1] if isinstance(value, list) else value


def _more(value: Any) -> Any:
    return value | {"unheard_of": 1} if isinstance(value, dict) else value


def _emptied(value: Any) -> Any:
    return None if value is not None else value


_CHANGES: dict[str, Change] = {
    "another value": _other, "another first sign": _first_sign, "one less": _without_last, "another order": _turned,
    "an unknown field": _more, "nothing": _emptied,
}  # fmt: skip


def lines(whole: bytes) -> list[bytes]:
    """The lines of a text, each with its line feed."""
    return whole.splitlines(keepends=True)


def with_line(whole: bytes, number: int, value: Any) -> bytes:
    """The text with another line in the place of this one, counted from 0."""
    parts = lines(whole)
    return b"".join([*parts[:number], msgspec.json.encode(value) + b"\n", *parts[number + 1 :]])
