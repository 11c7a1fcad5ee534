"""A frame in words: the heading of every picture, sentences to be read aloud, typed facts as lines `name: value`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from domain.capabilities import Chip, Face
from domain.game_type import Result
from domain.kit.cards import name as card_name
from domain.play.frames import Frame, ending_cause, source_sentence
from domain.view import FACE_DOWN, Card, Seat, Zone, player_name

Faces = Mapping[Card, Face]
NO_FACES: Faces = {}
Naming = Callable[[Card], str]
CARD = re.compile(r"(?<![A-Za-z0-9*])(?:[A2-9TJQK][SHDC]|\*[1-4])(?!\w)")
"""A card's code among words."""
_PLAYER, _HOUSE_WON = re.compile(r"\bPlayer \d+\b"), re.compile(r"House \([^)]*\) won")
_PART = re.compile(r"\{(\w*)\}")
_PATH = re.compile(r"\{([\w.]+)(?:=(\w+))?\}")
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SPREAD = ("column", "row", "fan", "score")


def heading(frame: Frame) -> str:
    """`Step 12, showing step 9 again | playing, phase play | Player 1 to act`."""
    again = "" if frame.live_step == frame.step else f", showing step {frame.live_step} again"
    parts = [f"Step {frame.step}{again}"]
    if frame.source is not None:
        voucher = frame.source.vouched_for_by
        vouched = "not vouched for" if voucher is None else f"vouched for by {voucher}"
        parts.append(f"imported from game {frame.source.game}, {vouched}")
    parts.append(frame.status if frame.view is None else f"{frame.status}, phase {frame.view.phase}")
    if frame.view is not None and frame.view.to_act:
        parts.append(f"{players(frame.view.to_act)} to act")
    if frame.view is not None and frame.view.stuck:
        parts.append("stuck")
    if frame.result is not None:
        parts.append(ending(frame.result))
    return " | ".join(parts)


def ending(result: Result) -> str:
    """`Player 1 won: given up, 4 : 0`; without winners `lost: no move is left, score 12`."""
    points = f"{'' if len(result.scores) > 1 else 'score '}{' : '.join(map(str, result.scores))}"
    ended = f"{players(result.winners)} won" if result.winners else result.ending
    return f"{ended}: {ending_cause(result.reason)}{f', {points}' if result.scores else ''}"


def players(seats: tuple[Seat, ...]) -> str:
    """`Player 1`, `Player 1 and Player 3`; `name_players` puts names there."""
    return " and ".join(map(player_name, seats))


def name_players(text: str, names: Sequence[str | None]) -> str:
    """The text with these names by seat in place of `Player 1`; None: the name is not known. "The House" wins."""
    by_player = {player_name(seat): name for seat, name in enumerate(names) if name}
    return _HOUSE_WON.sub("The House won", _PLAYER.sub(lambda player: by_player.get(player[0], player[0]), text))


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


def fill_note(note: str, facts: Any) -> str:
    """The first words of a note that miss no fact, with the facts in them, a ten as people write it."""
    for words in note.split("|"):
        pieces = _PATH.split(words)
        parts = [(value_at(facts, path), only) for path, only in zip(pieces[1::3], pieces[2::3], strict=True)]
        if all(value is not None and only in (None, str(value)) for value, only in parts):
            pieces[1::3] = ["" if only else "10" if value == "T" else str(value) for value, only in parts]
            return "".join(text for at, text in enumerate(pieces) if at % 3 < 2)
    return ""


def chip_text(chip: Chip, facts: Any, seat: Seat = 0) -> str:
    """`Captured 4 of 9`: the chip's words for these facts; empty for null, false and empty values."""
    value = value_at(facts, chip.fact.replace("@", str(seat)))
    if value is None or value is False or value in ("", [], (), {}) or chip.shown == "elsewhere":
        return ""
    if isinstance(value, int) and not (
        (chip.least is None or value >= chip.least) and (chip.most is None or value <= chip.most)
    ):
        return ""
    if chip.shown == "flag":
        return chip.label
    if chip.shown == "seats":
        value = [player_name(seat) for seat in ([value] if isinstance(value, int) else value)]
    of = f" of {value_at(facts, chip.of.replace('@', str(seat)))}" if chip.shown == "of" else ""
    parts = value if isinstance(value, dict) else {"": value}
    text = _PART.sub(lambda part: _chip_word(chip, parts.get(part[1])), chip.form)
    return f"{chip.label} {text.strip()}{of}"


def _chip_word(chip: Chip, value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_chip_word(chip, part) for part in value)
    word = "" if value is None else str(value).replace("_", " ")
    return chip.words.get(word, word)


def leave_out(facts: Any, paths: Iterable[str]) -> Any:
    """These facts, as builtin types, without the parts at these paths; `@` is every part of a list."""
    rest = msgspec.to_builtins(facts)
    for path in paths:
        _remove(rest, path.removesuffix(".@").split("."))
    return rest


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
        for place, part in enumerate(value):  # a part is a line, or its number and its facts if these have parts too
            if isinstance(part, dict) and any(
                isinstance(fact, dict) or _has_parts(fact) or is_board(fact) for fact in part.values()
            ):
                yield from _fact(str(place), part, depth + 1)
            else:
                yield FactLine(depth + 1, plain(part))
    else:
        yield FactLine(depth, f"{name}: {plain(value)}")


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
    """A value in words: `yes` and `no`, `none` for nothing, parts with commas between them, places as `6-2`.

    A shape to be placed is `XX/X. in 12 places`, row by row from its top.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and value.keys() == {"cells", "anchors"}:
        filled, places = {(row, column) for row, column in value["cells"]}, len(value["anchors"])
        height, width = (1 + max(cell[axis] for cell in filled) for axis in (0, 1))
        rows = ("".join(".X"[(row, column) in filled] for column in range(width)) for row in range(height))
        return f"{'/'.join(rows)} in {places} {'place' if places == 1 else 'places'}"
    if isinstance(value, dict):
        parts = {name: part for name, part in value.items() if name != "type" and not is_board(part)}
        return ", ".join(f"{name.replace('_', ' ')} {plain(part)}" for name, part in parts.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join("-".join(map(str, part)) if _is_cell(part) else plain(part) for part in value) or "none"
    return "none" if value is None else str(value)


def _is_cell(part: Any) -> bool:
    """A place on a board: its row and its column."""
    return isinstance(part, list | tuple) and len(part) == 2 and all(type(number) is int for number in part)


def speak_frame(frame: Frame, faces: Faces = NO_FACES) -> str:
    """The step, then the table zone by zone, one sentence a line; ends with a line feed.

    `faces` are what cards stand for that are no playing cards.
    """
    again = "" if frame.live_step == frame.step else f" The table of step {frame.live_step} stands again."
    source = [] if frame.source is None or frame.step == 0 else [source_sentence(frame.source)]
    lines = [f"Step {frame.step}.{again}", *source, *frame.sentences]
    if (view := frame.view) is not None:
        call = naming(faces)
        lines += [*(speak_zone(zone, call) for zone in view.zones)]
        lines += [f"To act: {players(view.to_act)}."] if view.to_act else []
        lines += ["The game is stuck."] if view.stuck else []
        lines += [CARD.sub(lambda card: call(card[0]), fact) for fact in fact_sentences(view.facts)]
    lines += [] if frame.result is None else [f"The game is over, {ending(frame.result)}."]
    return "\n".join(lines) + "\n"


def naming(faces: Faces) -> Naming:
    """The names of cards in a game whose cards stand for these faces."""
    return lambda card: faces[card].name if card in faces else card_name(card)


def speak_zone(zone: Zone, call: Naming) -> str:
    """`Waste: queen of hearts, on top of five cards.` A spread is read bottom to top, a pile by its top alone."""
    under = len(zone.cards) + zone.face_down - 1
    if zone.layout not in _SPREAD and zone.cards and under:
        return f"{zone.label}: {call(zone.cards[-1])}, on top of {_count_cards(under)}."
    runs = [
        f"{_count_cards(len(run))} face down" if down else ", ".join(map(call, run))
        for down, cards in groupby((FACE_DOWN,) * zone.face_down + zone.cards, key=lambda card: card == FACE_DOWN)
        for run in [tuple(cards)]
    ]
    return f"{zone.label}: {', then '.join(runs) or 'empty'}."


def _count_cards(number: int) -> str:
    words = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{words} card" if number == 1 else f"{words} cards"
