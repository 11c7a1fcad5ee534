"""A label broken into lines, as large as its room allows: `service/web/static/fitting.js` says the same."""

from collections.abc import Sequence

from msgspec import Struct

LEADING = 1.15
"""From line to line, in parts of the size of the type."""
LETTER = 0.56
"""The breadth of a letter in parts of the size of the type, on the safe side."""
_NEARLY = (0.8, 0.9, 0.9)
"""The share of the largest size that is large enough in one line, in two and in three."""
_EVEN = 0.6


class Fitted(Struct, frozen=True):
    """Lines of type, and how large the type may be."""

    lines: tuple[str, ...]
    size: float


def fit_label(text: str, room: float, largest: float) -> Fitted:
    """The text in the fewest lines that are large enough; if none are, in the lines that allow the largest type."""
    ways = [_way(_break_text(text, count), room, largest) for count in range(1, len(_NEARLY) + 1)]
    large = (way for way, nearly in zip(ways, _NEARLY, strict=True) if way.size >= nearly * largest)
    return next(large, max(ways, key=lambda way: way.size))


def even_sizes(sizes: Sequence[float], largest: float) -> list[float]:
    """One size for the labels of a table; a label with very little room does not shrink the others."""
    common = min((size for size in sizes if size >= _EVEN * largest), default=largest)
    return [min(common, size) for size in sizes]


def cut_line(line: str, size: float, room: float) -> str:
    """The line as far as it fits, at least four letters of it."""
    most = max(int(room / (size * LETTER) + 1e-9), 4)
    return line if len(line) <= most else line[: most - 1] + "…"


def _way(lines: tuple[str, ...], room: float, largest: float) -> Fitted:
    return Fitted(lines, min(largest, room / (max(map(len, lines)) * LETTER)))


def _break_text(text: str, count: int) -> tuple[str, ...]:
    """The text in at most so many lines, the longest as short as possible."""
    ways = (_wrap_words(text.split(" "), most) for most in range(1, len(text) + 1))
    return next(way for way in ways if len(way) <= count)


def _wrap_words(words: Sequence[str], most: int) -> tuple[str, ...]:
    """Lines of at most so many letters; a longer word has its own line."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
