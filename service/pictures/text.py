"""One frame as plain text, for a terminal and for `Accept: text/plain`."""

from textwrap import wrap

from domain.play.frames import Frame
from service.pictures.faces import CARD, Faces, coloured, marking
from service.pictures.facts import FactLine, fact_lines
from service.pictures.heading import heading
from service.pictures.table import WIDTH, table

__all__ = ["coloured", "picture"]
_NO_FACES: Faces = {}


def picture(frame: Frame, faces: Faces = _NO_FACES, *, suit_symbols: bool = False) -> str:
    """The heading, the table, what happened in the step, and the facts; no colours, ends with a line feed.

    Cards are `QH` (with `suit_symbols` `Q♥`), `*1` a joker, `##` face down, `--` an empty place; `QH x12` is a pile
    of twelve with the queen of hearts on top. Cards of a game with `faces` of its own are written by their marks.
    """
    mark = marking(faces, suit_symbols=suit_symbols)
    parts = [[heading(frame)], [] if frame.view is None else table(frame.view.zones, mark)]
    parts += [[line for said in frame.sentences for line in wrap(said, WIDTH, subsequent_indent="  ")]]
    parts += [[] if frame.view is None else list(map(str, marked_facts(frame.view.facts, faces)))]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def marked_facts(facts: object, faces: Faces = _NO_FACES) -> list[FactLine]:
    """The facts line by line; of a game with faces of its own, cards by their marks."""
    mark = marking(faces, suit_symbols=False)
    lines = list(fact_lines(facts))
    return [line._replace(text=CARD.sub(lambda card: mark(card[0]), line.text)) for line in lines] if faces else lines
