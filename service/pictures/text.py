"""One frame as plain text, for a terminal and for `Accept: text/plain`."""

from textwrap import wrap

from domain.game.frames import Frame
from service.pictures.faces import coloured, letters, symbols
from service.pictures.facts import fact_lines
from service.pictures.heading import heading
from service.pictures.table import WIDTH, table

__all__ = ["coloured", "picture"]


def picture(frame: Frame, *, suit_symbols: bool = False) -> str:
    """The heading, the table, what happened in the step, and the facts; no colours, ends with a line feed.

    Cards are `QH` (with `suit_symbols` `Q♥`), `*1` a joker, `##` face down, `--` an empty place; `QH x12` is a pile
    of twelve with the queen of hearts on top.
    """
    face = symbols if suit_symbols else letters
    parts = [[heading(frame)], [] if frame.view is None else table(frame.view.zones, face)]
    parts += [[line for said in frame.sentences for line in wrap(said, WIDTH, subsequent_indent="  ")]]
    parts += [[] if frame.view is None else list(fact_lines(frame.view.facts))]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"
