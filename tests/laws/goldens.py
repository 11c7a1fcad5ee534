"""Law: every game type has golden games, and each of them is dealt and played again line by line, to the same bytes.

Line 1 `{"options", "seats", "seed"}`, line 2 `{"deal": [events]}`, then one line per step with `seat`, `command`,
`events` and `ending` (null, or how the game type says that the game ended: its ending, or its whole result).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Union
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, evolve
from domain.play.deciding import Act, Step, play, record_events
from domain.record import Record

from .broken import LawBroken, hold

LAW = "goldens"
GAMES = Path(__file__).parent.parent / "games"
SECRET = ev.Sealed(bytes(32), bytes(32))

Lines = list[dict[str, Any]]


def folder(key: str) -> Path:
    """Where the golden games of a game type are; the toy's lie beside the laws."""
    return Path(__file__).parent / "golden" if key == "toy" else GAMES / key / "golden"


def found(key: str) -> list[Path]:
    """The golden games of this game type."""
    return sorted(folder(key).glob("*.jsonl"))


def read(path: Path) -> Lines:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines() if line.strip()]


def replay(game_type: AnyGameType, lines: Lines) -> tuple[AnyRecord, ...]:
    """The records of the whole game; raises LawBroken at the first line that comes out otherwise.

    The deal is that of the file, which proves nothing; the opening has no digest, and the chain begins behind it.
    """
    hold(len(lines) > 2, LAW, "a golden game without a step")
    step = _dealt(game_type, lines)
    records = list(step.records)
    for number, line in enumerate(lines[2:], start=3):
        step = _step(game_type, step, line, number)
        records += step.records
    return tuple(records)


def _dealt(game_type: AnyGameType, lines: Lines) -> Step:
    head, seats = lines[0], lines[0]["seats"]
    options = game_type.get(OptionRules).settle(msgspec.convert(head["options"], game_type.options), seats)
    events = game_type.deal(options, Chance(bytes.fromhex(head["seed"])), seats)
    _same(events, lines[1]["deal"], 2)
    opened = ev.Opened(
        game_type=game_type.key, revision=game_type.revision, options=msgspec.to_builtins(options), seats=seats,
        creator=_player(0), commitment="", players=tuple(map(_player, range(seats))),
    )  # fmt: skip
    record: AnyRecord = Record(
        UUID(int=7), 1, _act(None, 0).time, game_type.key, opened.revision, 0, _player(0), None, None, opened
    )  # fmt: skip
    return record_events(Step((record,), evolve(None, record)), [SECRET, *events], _act(None, 0))


def _step(game_type: AnyGameType, before: Step, line: dict[str, Any], number: int) -> Step:
    kinds: Any = Union[tuple(game_type.commands)]  # noqa: UP007  built at run time
    try:
        step = play(before.game, msgspec.convert(line["command"], kinds), _act(line["seat"], number - 2))
    except Illegal as refusal:
        raise LawBroken(LAW, f"line {number}: refused, {refusal.rule}") from refusal
    _same([record.event for record in step.records if type(record.event) in game_type.events], line["events"], number)
    _ended(game_type.result(step.game.state), line.get("ending"), number)
    return step


def _player(seat: int) -> UUID:
    return UUID(int=100 + seat)


def _act(seat: int | None, number: int) -> Act:
    return Act(_player(seat or 0), seat, 1_700_000_000_000_000 + number * 1_000_000)


def _same(events: Sequence[Struct], golden: Any, number: int) -> None:
    hold(_sent(events) == golden, LAW, f"line {number}: other events")


def _ended(result: Any, ending: Any, number: int) -> None:
    forms: list[Any] = [None] if result is None else [result.ending, msgspec.to_builtins(result)]
    hold(_sent(ending) in map(_sent, forms), LAW, f"line {number}: ends as {result}, not as {ending}")


def _sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def changes(lines: Lines) -> Iterator[Lines]:
    """The golden game with one thing changed, in every way that a replay must notice."""
    last = lines[-1]
    yield [{**lines[0], "seed": "5e" * 32}, *lines[1:]]
    yield [lines[0], {"deal": lines[1]["deal"][:-1]}, *lines[2:]]
    yield [*lines[:-1], {**last, "events": last["events"][:-1]}]
    yield [*lines[:-1], {**last, "events": [{**last["events"][0], "other": 1}, *last["events"][1:]]}]
    yield [*lines[:-1], {**last, "ending": "lost" if last.get("ending") is None else None}]
