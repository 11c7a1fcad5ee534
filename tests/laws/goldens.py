"""Law: every game type has golden games, and each of them is dealt and played again line by line, to the same bytes.

Line 1 `{"options", "seats", "seed"}`, line 2 `{"deal": [events]}`, then one line per step with `seat`, `command`,
`events` and `ending` (null, or how the game type says that the game ended: its ending, or its whole result).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec import Struct

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import AnyGameType

from .broken import LawBroken, hold

LAW = "goldens"
GAMES = Path(__file__).parent.parent / "games"

Lines = list[dict[str, Any]]


def folder(key: str) -> Path:
    """Where the golden games of a game type are; the toy's lie beside the laws."""
    return Path(__file__).parent / "golden" if key == "toy" else GAMES / key / "golden"


def found(key: str) -> list[Path]:
    """The golden games of this game type."""
    return sorted(folder(key).glob("*.jsonl"))


def read(path: Path) -> Lines:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines() if line.strip()]


def replay(game_type: AnyGameType, lines: Lines) -> Struct:
    """The state after the last line; raises LawBroken at the first line that comes out otherwise."""
    state = _dealt(game_type, lines)
    for number, line in enumerate(lines[2:], start=3):
        state = _step(game_type, state, line, number)
    hold(len(lines) > 2, LAW, "a golden game without a step")
    return state


def _dealt(game_type: AnyGameType, lines: Lines) -> Struct:
    head, seats = lines[0], lines[0]["seats"]
    options = game_type.get(OptionRules).settle(msgspec.convert(head["options"], game_type.options), seats)
    events = game_type.deal(options, Chance(bytes.fromhex(head["seed"])), seats)
    _same(events, lines[1]["deal"], 2)
    return _folded(game_type, game_type.initial(options, seats), events)


def _step(game_type: AnyGameType, state: Struct, line: dict[str, Any], number: int) -> Struct:
    kinds: Any = _union(game_type.commands)
    command = msgspec.convert(line["command"], kinds)
    try:
        events = game_type.decide(state, line["seat"], command)
    except Illegal as refusal:
        raise LawBroken(LAW, f"line {number}: refused, {refusal.rule}") from refusal
    _same(events, line["events"], number)
    after = _folded(game_type, state, events)
    _ended(game_type, after, line.get("ending"), number)
    return after


def _same(events: Sequence[Struct], golden: Any, number: int) -> None:
    hold(_sent(events) == golden, LAW, f"line {number}: other events")


def _sent(events: Sequence[Struct]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(events))


def _folded(game_type: AnyGameType, state: Struct, events: Sequence[Struct]) -> Struct:
    for event in events:
        state = game_type.evolve(state, event)
    return state


def _ended(game_type: AnyGameType, state: Struct, ending: Any, number: int) -> None:
    result = game_type.result(state)
    forms: list[Any] = [None] if result is None else [result.ending, msgspec.to_builtins(result)]
    hold(_listed(ending) in map(_listed, forms), LAW, f"line {number}: ends as {result}, not as {ending}")


def _listed(ending: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(ending))


def _union(commands: Sequence[type[Struct]]) -> Any:
    return Union[tuple(commands)]  # noqa: UP007  built at run time


def changes(lines: Lines) -> Iterator[tuple[str, Lines]]:
    """The golden game with one thing changed, in every way that a replay must notice."""
    yield "another seed", [{**lines[0], "seed": "5e" * 32}, *lines[1:]]
    yield "an opening event less", [lines[0], {"deal": lines[1]["deal"][:-1]}, *lines[2:]]
    last = lines[-1]
    yield "an event less", [*lines[:-1], {**last, "events": last["events"][:-1]}]
    yield "a field more", [*lines[:-1], {**last, "events": [{**last["events"][0], "other": 1}, *last["events"][1:]]}]
    yield "another ending", [*lines[:-1], {**last, "ending": "lost" if last.get("ending") is None else None}]
