"""Move lists of patiences as their players pass them on: the deal, then the moves, word by word.

The deal is `#` and the number of a published one, as FreeCell's players write it, or the columns, one a line and bottom
to top, with `FC:` before what lies in the cells (`-`: nothing), as the boards of Freecell Solver have it; or with
`Freecells:` and four characters for each cell, as it prints them. Capitals and small letters are alike. A line of cards
without a colon belongs to the deal until that is whole. Lines that begin with `;` are remarks. Two lines before the
moves are ours. `options: undo=false` is left out where the options are usual. `autoplay: all` or `autoplay: safe` is
for lists from a program that moves cards home by itself, before the first move and after each: every card that can go,
or only those that no card still in play can need.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from domain.game_type import Illegal
from domain.view import Card

_WORDS_A_LINE = 10
_CARDS = 52
_CARD = re.compile(r"(10|[A2-9TJQK])[SHDC]", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[a-z .]*#|(?:[a-z]+ )*(?:game|deal)(?: no\.?)?) *(\d{1,10})", re.IGNORECASE)
_EMPTY = re.compile(r"[SHDC]-0", re.IGNORECASE)
O = TypeVar("O", bound=Struct)  # noqa: E741
S = TypeVar("S", bound=Struct)
C = TypeVar("C", bound=Struct)


Autoplay = Literal["all", "safe"]
MOST_WORDS = 2_000
"""No solution that anybody has published is a tenth as long."""


class Word(Struct, frozen=True):
    """One move as it is written, and its line, from 1."""

    line: int
    text: str


class MoveList(Struct, frozen=True, kw_only=True):
    """What a text says. `cells` and `columns` hold cards as they lie; `number` is a published deal's."""

    number: int | None = None
    cells: tuple[Card | None, ...] = ()
    columns: tuple[tuple[Card, ...], ...] = ()
    options: dict[str, Any] = {}
    autoplay: Autoplay | None = None
    words: tuple[Word, ...] = ()


def text(deal: Iterable[str], options: Struct, words: Sequence[str], a_line: int = _WORDS_A_LINE) -> str:
    """The text of a deal, given as lines, and its moves, so many a line."""
    lines = [words[at : at + a_line] for at in range(0, len(words), a_line)]
    return "\n".join([*deal, *_options_line(options), "", *map(" ".join, lines)]).rstrip("\n") + "\n"


def deal_lines(columns: Iterable[Sequence[Card]], cells: Sequence[Card | None] = ()) -> list[str]:
    """The lines of a deal: the cells, where the deal puts cards in them, and the columns."""
    head = [f"FC: {' '.join(card or '-' for card in cells)}"] if any(cells) else []
    return [*head, *(": " + " ".join(column) for column in columns)]


def _options_line(options: Struct) -> list[str]:
    usual = msgspec.to_builtins(type(options)())
    chosen = {name: value for name, value in msgspec.to_builtins(options).items() if value != usual[name]}
    told = [f"{name}={msgspec.json.encode(value).decode()}" for name, value in chosen.items()]
    return [f"options: {' '.join(told)}"] if told else []


def read_move_list(text: str) -> MoveList:
    """What the text says; raises Illegal with the line that cannot be read."""
    found = MoveList()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(";"):
            found = _with_line(found, number, line.strip())
    return found


def _with_line(found: MoveList, number: int, line: str) -> MoveList:
    name, colon, rest = line.partition(":")
    if colon:
        return _with_named(found, number, name.strip().lower(), rest)
    if (published := _NUMBER.fullmatch(line)) is not None:
        return msgspec.structs.replace(found, number=int(published[1]))
    if not _is_dealt(found) and all(map(_CARD.fullmatch, line.split())):
        return _with_named(found, number, "", line)
    return msgspec.structs.replace(found, words=(*found.words, *(Word(number, word) for word in line.split())))


def _is_dealt(found: MoveList) -> bool:
    """Whether the deal is whole, so that `5H` is a move home and no card."""
    lying = sum(map(len, found.columns)) + sum(card is not None for card in found.cells)
    return bool(found.words) or found.number is not None or lying >= _CARDS


def _with_named(found: MoveList, number: int, name: str, rest: str) -> MoveList:
    """The line after its colon: a column, the cells, empty foundations or options."""
    words = rest.split()
    if found.words:
        raise unreadable_line(number, "the deal stands before the moves")
    if name == "":
        return msgspec.structs.replace(
            found, columns=(*found.columns, tuple(read_card(number, word) for word in words))
        )
    if name in ("fc", "freecells"):
        return msgspec.structs.replace(found, cells=_cells(number, rest))
    if name in ("founds", "foundations") and all(map(_EMPTY.fullmatch, words)):
        return found
    if name == "options":
        return msgspec.structs.replace(found, options=dict(read_option(number, word) for word in words))
    if name == "autoplay":
        return msgspec.structs.replace(found, autoplay=_autoplay(number, words))
    raise unreadable_line(number, f"`{name}` is not a part of a deal")


def _cells(line: int, rest: str) -> tuple[Card | None, ...]:
    """The cells as words, `-` for nothing; or as Freecell Solver prints them, four characters for each."""
    printed = [rest[at : at + 4].strip() for at in range(0, len(rest), 4)]
    if all(not word or _CARD.fullmatch(word) for word in printed):
        return tuple(read_card(line, word) if word else None for word in printed)
    return tuple(None if word == "-" else read_card(line, word) for word in rest.split())


def read_card(line: int, word: str) -> Card:
    """The card; raises Illegal with the line."""
    if _CARD.fullmatch(word) is None:
        raise unreadable_line(line, f"`{word}` is no card")
    return word.upper().replace("10", "T")


def read_option(line: int, word: str) -> tuple[str, Any]:
    """The option's name and value; raises Illegal with the line."""
    name, _, value = word.partition("=")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError as error:
        raise unreadable_line(line, f"`{word}` is no option, such as undo=false") from error


def _autoplay(line: int, words: list[str]) -> Autoplay:
    match words:
        case ["all"]:
            return "all"
        case ["safe"]:
            return "safe"
    raise unreadable_line(line, "autoplay is `all` or `safe`")


def with_autoplay(
    words: Sequence[tuple[Word, C]], state: S, play: Callable[[S, C], S], home: Callable[[S], C | None]
) -> tuple[C, ...]:
    """The commands of these words, with the autoplay moves of the player's program between them.

    `home` finds the next card that goes home by itself. Raises Illegal with the line of a word that cannot be played.
    """
    if len(words) > MOST_WORDS:
        raise Illegal("too_many_moves", f"The text has more than {MOST_WORDS} moves.")
    commands: list[C] = []

    def go_home() -> None:
        nonlocal state
        while (command := home(state)) is not None:
            commands.append(command)
            state = play(state, command)

    go_home()
    for number, (word, command) in enumerate(words, 1):
        try:
            state = play(state, command)
        except Illegal as illegal:
            what = f"Line {word.line}: move {number}, `{word.text}`, cannot be played. {illegal.message}"
            raise Illegal(illegal.rule, what) from illegal
        commands.append(command)
        go_home()
    return tuple(commands)


def read_options(found: MoveList, options: type[O]) -> O:
    """The options of the text; raises Illegal."""
    try:
        return msgspec.convert(found.options, options)
    except msgspec.ValidationError as error:
        raise Illegal("unreadable_notation", f"The options cannot be read: {error}.") from error


def deal_order(columns: Sequence[Sequence[Card]], sizes: Sequence[int]) -> tuple[Card, ...]:
    """The cards of these columns in the order of dealing, row by row; raises Illegal if they are not of these sizes."""
    if [len(column) for column in columns] != list(sizes):
        raise Illegal("unreadable_notation", f"The deal has columns of {' '.join(map(str, sizes))} cards.")
    return tuple(card for row in zip_longest(*columns) for card in row if card is not None)


def unreadable_line(line: int, what: str) -> Illegal:
    """What is raised for this line."""
    return Illegal("unreadable_notation", f"Line {line}: {what}.")
