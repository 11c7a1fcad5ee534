"""The words of a frame as SVG: heading above the table, what happened and the facts below it."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap

from msgspec import Struct

from domain.board import HEIGHT, WIDTH, Seating
from service.pictures.svg.art import SUIT_PATHS
from service.pictures.words import FactLine

_LETTER = 0.54
"""The breadth of a letter in parts of the size of the type, on the safe side."""
_COLUMN = 330.0
_FACT, _SAID, _INDENT = 15.0, 18.0, 14.0


class Words(Struct, frozen=True):
    """A piece of the drawing and the height that it needs."""

    drawing: str
    height: float


def line(text: str, x: float, y: float, size: float, kind: str = "table-ink", more: str = "") -> str:
    """One line of type; `y` is its baseline."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}"{more}>{escape(text)}</text>'


def heading(title: str, lines: Sequence[tuple[str, str]], width: float) -> Words:
    """The title, and lines each with its class, within this width."""
    drawn, y = [line(title, 20, 36, _fitting_size(title, 24, width - 40), more=' font-weight="700"')], 36.0
    for text, kind in lines:
        for part in wrap(text, _letters(width - 40, _SAID)):
            y += 24
            drawn.append(line(part, 20, y, _SAID, kind))
    return Words("".join(drawn), y + 16)


def chips(texts: Sequence[str], top: float, width: float) -> Words:
    """The chips that say something, side by side in as many rows as they need."""
    drawn, x, y = [], 20.0, top
    for text in filter(None, texts):
        wide = len(text) * 16 * _LETTER + 24
        if x > 20 and x + wide > width - 20:
            x, y = 20.0, y + 38
        drawn.append(f'<rect class="table-plate" x="{x:g}" y="{y:g}" width="{wide:g}" height="30" rx="15"/>')
        drawn.append(line(text, x + wide / 2, y + 21, 16, more=' text-anchor="middle"'))
        x += wide + 10
    return Words("".join(drawn), y - top + 42 if drawn else 0.0)


def plate(seat: Seating, name: str, chips: Sequence[str], acts: bool) -> str:
    """The plate of a seat: a mark if it is its turn, its name, its chips."""
    x, y, width, height = seat.x * WIDTH, seat.y * HEIGHT, seat.width * WIDTH, seat.height * HEIGHT
    told, more = "  ".join([name, *chips]), ' font-weight="700"' if acts else ""
    size, baseline = _fitting_size(told, height * 0.62, width - height - 14), y + height * 0.71
    dot = f'<circle class="table-turn" cx="{x + height * 0.53:g}" cy="{y + height / 2:g}" r="{height / 5:g}"/>'
    return (
        f'<rect class="table-plate" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{height / 2:g}"/>'
        f"{dot if acts else ''}{line(name, x + height, baseline, size, more=more)}"
        + line("  ".join(chips), x + width - 16, baseline, size, "table-faint", ' text-anchor="end"')
    )


def label(text: str, x: float, y: float, room: float) -> str:
    """A label with its baseline here, in type that fits into the room."""
    return line(text, x, y, round(_fitting_size(text, 17, room), 2), "table-faint")


def mark(text: str) -> str:
    """What stands faintly on an empty place of 100 x 140: a suit or some letters."""
    if text in SUIT_PATHS:
        return f'<path class="table-mark" transform="translate(50 70) scale(2.6)" d="{SUIT_PATHS[text]}"/>'
    return line(text, 50, 84, 40, "table-mark", ' text-anchor="middle"') if text else ""


def step_words(sentences: Sequence[str], top: float, width: float) -> Words:
    """What happened in the step."""
    lines = [part for sentence in sentences for part in wrap(sentence, _letters(width - 40, _SAID))]
    drawn = [line(text, 20, top + 24 * number, _SAID) for number, text in enumerate(lines, 1)]
    return Words("".join(drawn), 24.0 * len(lines) + 12)


def facts(lines: Sequence[FactLine], top: float, width: float) -> Words:
    """The facts in as many columns as there is room for, each fact with what belongs to it in one of them."""
    count = max(int((width - 40) // _COLUMN), 1)
    across = (width - 40) / count
    columns = _columns([_wrapped_block(block, across - 20) for block in _blocks(lines)], count)
    drawn = [
        _fact(line, 20 + place * across, top + 20 * row)
        for place, column in enumerate(columns)
        for row, line in enumerate(column, 1)
    ]
    return Words("".join(drawn), 20.0 * max(map(len, columns)) + 20)


def _blocks(lines: Sequence[FactLine]) -> list[list[FactLine]]:
    """What should stay together: a fact, or one of several parts of it."""
    blocks: list[list[FactLine]] = []
    for line in lines:
        if line.depth == 0 or (line.depth == 1 and len(blocks[-1]) > 1 and not line.board):
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _wrapped_block(block: Sequence[FactLine], width: float) -> list[FactLine]:
    return [part for line in block for part in ([line] if line.board else _broken_line(line, width))]


def _broken_line(line: FactLine, width: float) -> list[FactLine]:
    letters = _letters(width - _INDENT * line.depth, _FACT)
    return [line._replace(text=text) for text in wrap(line.text, letters, subsequent_indent="   ")]


def _columns(blocks: Sequence[list[FactLine]], count: int) -> list[list[FactLine]]:
    """About equally long."""
    high = sum(map(len, blocks)) / count
    columns: list[list[FactLine]] = [[]]
    for block in blocks:
        if columns[-1] and len(columns) < count and len(columns[-1]) + len(block) / 2 > high:
            columns.append([])
        columns[-1].extend(block)
    return columns


def _fact(told: FactLine, x: float, y: float) -> str:
    left = x + _INDENT * told.depth
    return _row(told.text, left, y) if told.board else line(told.text, left, y, _FACT, "table-faint")


def _row(text: str, x: float, y: float) -> str:
    """A row of a board: a square for each character, `.` an empty one."""
    squares = "".join(f"M{x + 19 * place:g} {y - 14:g}h18v18h-18z" for place in range(len(text)))
    spots = " ".join(f"{x + 9 + 19 * place:g}" for place in range(len(text)))
    return (
        f'<path class="table-square" d="{squares}"/><text class="table-ink" font-size="14" text-anchor="middle"'
        f' x="{spots}" y="{y:g}" xml:space="preserve">{escape(text.replace(".", " "))}</text>'
    )


def _fitting_size(text: str, size: float, width: float) -> float:
    return min(size, width / (max(len(text), 1) * _LETTER))


def _letters(width: float, size: float) -> int:
    """How many letters of this size there is room for."""
    return max(int(width / (size * _LETTER)), 10)
