"""A frame in words: the line over every picture, how a game ended, and its typed facts as lines `name: value`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from domain.capabilities import Chip
from domain.game_type import Result
from domain.play.events import Source
from domain.play.frames import Frame
from domain.view import Seat, player_name


def heading(frame: Frame) -> str:
    """`Step 12, showing step 9 again | playing, phase play | Player 1 to act`."""
    again = "" if frame.live_step == frame.step else f", showing step {frame.live_step} again"
    parts = [f"Step {frame.step}{again}"]
    if frame.source is not None:
        parts.append(_source_words(frame.source))
    parts.append(frame.status if frame.view is None else f"{frame.status}, phase {frame.view.phase}")
    if frame.view is not None and frame.view.to_act:
        parts.append(f"{players(frame.view.to_act)} to act")
    if frame.view is not None and frame.view.stuck:
        parts.append("stuck")
    if frame.result is not None:
        parts.append(ending(frame.result))
    return " | ".join(parts)


def _source_words(source: Source) -> str:
    """`imported from game 0190f3c2-..., not vouched for`."""
    vouched = "not vouched for" if source.vouched_for_by is None else f"vouched for by {source.vouched_for_by}"
    return f"imported from game {source.game}, {vouched}"


def ending(result: Result) -> str:
    """`won: all home; by Player 1; points 52`."""
    parts = [f"{result.ending}: {result.reason.replace('_', ' ')}"]
    parts += [f"by {players(result.winners)}"] if result.winners else []
    parts += [f"points {', '.join(map(str, result.scores))}"] if result.scores else []
    return "; ".join(parts)


def players(named: tuple[Seat, ...]) -> str:
    """`Player 1`, `Player 1 and Player 3`: who knows people puts their names there (`name_players`)."""
    return " and ".join(map(player_name, named))


def name_players(text: str, names: Sequence[str | None]) -> str:
    """The text with these names by seat in place of `Player 1`, as far as they are known."""
    known = {player_name(seat): name for seat, name in enumerate(names) if name}
    return _PLAYER.sub(lambda found: known.get(found[0], found[0]), text)


def value_at(facts: Any, path: str) -> Any:
    """The part of these facts, as builtin types, at a path (`seats.0.score`); None where there is none."""
    for name in path.split("."):
        if isinstance(facts, dict):
            facts = facts.get(name)
        elif isinstance(facts, list | tuple) and name.isdigit() and int(name) < len(facts):
            facts = facts[int(name)]
        else:
            return None
    return facts


def chip_text(chip: Chip, facts: Any, seat: Seat = 0) -> str:
    """`Captured 4 of 9`: what the chip says of these facts; empty where it says nothing."""
    value = value_at(facts, chip.fact.replace("@", str(seat)))
    if value is None or value is False or value in ("", [], (), {}) or chip.shown == "elsewhere":
        return ""
    if chip.shown == "flag":
        return chip.label
    if chip.shown == "seats":
        value = [player_name(seat) for seat in ([value] if isinstance(value, int) else value)]
    of = f" of {value_at(facts, chip.of.replace('@', str(seat)))}" if chip.shown == "of" else ""
    parts = value if isinstance(value, dict) else {"": value}
    said = _PART.sub(lambda part: _chip_word(chip, parts.get(part[1])), chip.form)
    return f"{chip.label} {said.strip()}{of}"


def _chip_word(chip: Chip, value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_chip_word(chip, part) for part in value)
    word = "" if value is None else str(value).replace("_", " ")
    return chip.words.get(word, word)


def leave_out(facts: Any, paths: Iterable[str]) -> Any:
    """These facts, as builtin types, without what stands at these paths; `@` is every part of a list."""
    kept = msgspec.to_builtins(facts)
    for path in paths:
        _remove(kept, path.removesuffix(".@").split("."))
    return kept


def _remove(facts: Any, path: Sequence[str]) -> None:
    name, *rest = path
    if not rest:
        if isinstance(facts, dict):
            facts.pop(name, None)
    elif name == "@":
        for part in facts or ():
            _remove(part, rest)
    else:
        _remove(value_at(facts, name), rest)


_PLAYER = re.compile(r"\bPlayer \d+\b")
_PART = re.compile(r"\{(\w*)\}")


class FactLine(NamedTuple):
    """One line, how far it is indented, and whether it is a row of a board in characters."""

    depth: int
    text: str
    board: bool = False

    def __str__(self) -> str:
        return "  " * self.depth + self.text


def fact_lines(facts: Any, depth: int = 0) -> Iterator[FactLine]:
    """The facts in their order; parts of a fact are indented under its name, boards row by row."""
    for name, value in msgspec.to_builtins(facts).items():
        if name != "type":
            yield from _fact(name.replace("_", " "), value, depth)


def _fact(name: str, value: Any, depth: int) -> Iterator[FactLine]:
    if isinstance(value, dict) and value:
        yield FactLine(depth, f"{name}:")
        yield from fact_lines(value, depth + 1)
    elif is_board(value):
        yield FactLine(depth, f"{name}:")
        yield from (FactLine(depth + 1, row, True) for row in value)
    elif _has_parts(value):
        yield FactLine(depth, f"{name}:")
        yield from (line for place, part in enumerate(value) for line in _part(place, part, depth + 1))
    else:
        yield FactLine(depth, f"{name}: {plain(value)}")


def _part(place: int, part: Any, depth: int) -> Iterator[FactLine]:
    """One part of a list: a line, or its number and its facts if these have parts too."""
    if isinstance(part, dict) and any(_is_deep(value) for value in part.values()):
        yield from _fact(str(place), part, depth)
    else:
        yield FactLine(depth, plain(part))


def _is_deep(value: Any) -> bool:
    return isinstance(value, dict) or _has_parts(value) or is_board(value)


def _has_parts(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value)


def is_board(value: Any) -> bool:
    """Rows of a board in characters: of one length, without spaces, not all of them letters and digits."""
    if not isinstance(value, list | tuple) or len(value) < 3 or not all(isinstance(row, str) for row in value):
        return False
    text = "".join(value)
    return len({len(row) for row in value}) == 1 and " " not in text and not text.isalnum() and len(value[0]) > 2


def fact_sentences(facts: Any) -> Iterator[str]:
    """The facts as one sentence each: `Tricks won: 4.` Boards are left out: the sentences of zones describe them."""
    for name, value in msgspec.to_builtins(facts).items():
        if name == "type" or is_board(value):
            continue
        words = name.replace("_", " ").capitalize()
        if isinstance(value, list | tuple) and value and all(isinstance(part, dict) for part in value):
            yield from (f"{words}, {place}: {plain(part)}." for place, part in enumerate(value))
        else:
            yield f"{words}: {plain(value)}."


def plain(value: Any) -> str:
    """A value in words: `yes` and `no`, `none` for nothing, parts with commas between them, places as `6-2`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and value.keys() == {"cells", "anchors"}:
        return _outline(value["cells"], len(value["anchors"]))
    if isinstance(value, dict):
        told = {name: part for name, part in value.items() if name != "type" and not is_board(part)}
        return ", ".join(f"{name.replace('_', ' ')} {plain(part)}" for name, part in told.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join("-".join(map(str, part)) if _is_cell(part) else plain(part) for part in value) or "none"
    return "none" if value is None else str(value)


def _outline(cells: Sequence[Sequence[int]], places: int) -> str:
    """A shape that is being placed: `XX/X. in 12 places`, row by row from its top."""
    filled = {(row, column) for row, column in cells}
    height, width = (1 + max(cell[axis] for cell in filled) for axis in (0, 1))
    rows = ("".join(".X"[(row, column) in filled] for column in range(width)) for row in range(height))
    return f"{'/'.join(rows)} in {places} {'place' if places == 1 else 'places'}"


def _is_cell(part: Any) -> bool:
    """A place on a board: its row and its column."""
    return isinstance(part, list | tuple) and len(part) == 2 and all(type(number) is int for number in part)
