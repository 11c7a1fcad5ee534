"""Notations of patiences: move lists as players pass them on, and deals and solutions as solvers write them.

**Move lists.** The deal, then the moves, word by word. The deal is `#` and the number of a published one, as FreeCell's
players write it, or the columns, one a line and bottom to top, with `FC:` before the cards of the cells (`-`: none), as
the boards of Freecell Solver have it; or with `Freecells:` and four characters for each cell, as it prints them.
Capitals and small letters are alike. A line of cards without a colon belongs to the deal until that is whole. Lines
that begin with `;` are remarks. Two lines before the moves are ours. `options: undo=false` is left out where the
options are usual. `autoplay: all` or `autoplay: safe` is for lists from a program that moves cards home by
itself, before the first move and after each: every card that can go, or only those that no card still in play can need.

**Solvers** of Klondike, Golf, Black Hole and Pyramid, and the deals of Solvitaire. A deal is a board (`Foundations:`,
`Talon:` with the next card first, the columns bottom to top, one a line, `<7H>` face down), as PySolFC writes it, or a
JSON document of Solvitaire's. Klondike-Solver's own is 156 digits, three a card in dealing order: its rank, then 1 to 4
for clubs, diamonds, hearts and spades. Boards after the first move say nothing. Lines that begin with `#` or `;` are
remarks, and a line `options: draw=3` is ours.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice, zip_longest
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Notation, Noted
from domain.game_type import Illegal
from domain.kit.cards import PACK, RANKS
from domain.kit.patience import FOUNDATIONS
from domain.view import FACE_DOWN, Card

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
"""No published solution is a tenth as long."""


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


def write_text(deal: Iterable[str], options: Struct, words: Sequence[str], a_line: int = _WORDS_A_LINE) -> str:
    """The text of a deal, given as lines, and its moves, so many a line."""
    lines = [words[at : at + a_line] for at in range(0, len(words), a_line)]
    defaults, chosen = msgspec.to_builtins(type(options)()), msgspec.to_builtins(options)
    pairs = [
        f"{name}={msgspec.json.encode(value).decode()}" for name, value in chosen.items() if value != defaults[name]
    ]
    options_line = [f"options: {' '.join(pairs)}"] if pairs else []
    return "\n".join([*deal, *options_line, "", *map(" ".join, lines)]).rstrip("\n") + "\n"


def deal_lines(columns: Iterable[Sequence[Card]], cells: Sequence[Card | None] = ()) -> list[str]:
    """The lines of a deal: the cells, where the deal puts cards in them, and the columns."""
    head = [f"FC: {' '.join(card or '-' for card in cells)}"] if any(cells) else []
    return [*head, *(": " + " ".join(column) for column in columns)]


def read_move_list(text: str) -> MoveList:
    """What the text says; raises Illegal with the line that cannot be read."""
    game = MoveList()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(";"):
            game = _with_line(game, number, line.strip())
    return game


def _with_line(game: MoveList, number: int, line: str) -> MoveList:
    name, colon, rest = line.partition(":")
    if colon:
        return _with_named(game, number, name.strip().lower(), rest)
    if (published := _NUMBER.fullmatch(line)) is not None:
        return msgspec.structs.replace(game, number=int(published[1]))
    lying = sum(map(len, game.columns)) + sum(card is not None for card in game.cells)
    is_dealt = bool(game.words) or game.number is not None or lying >= _CARDS  # then `5H` is a move home and no card
    if not is_dealt and all(map(_CARD.fullmatch, line.split())):
        return _with_named(game, number, "", line)
    return msgspec.structs.replace(game, words=(*game.words, *(Word(number, word) for word in line.split())))


def _with_named(game: MoveList, number: int, name: str, rest: str) -> MoveList:
    """The line after its colon: a column, the cells, empty foundations or options."""
    words = rest.split()
    if game.words:
        raise unreadable_line(number, "the deal stands before the moves")
    if name == "":
        return msgspec.structs.replace(game, columns=(*game.columns, tuple(read_card(number, word) for word in words)))
    if name in ("fc", "freecells"):
        return msgspec.structs.replace(game, cells=_cells(number, rest))
    if name in ("founds", "foundations") and all(map(_EMPTY.fullmatch, words)):
        return game
    if name == "options":
        return msgspec.structs.replace(game, options=dict(read_option(number, word) for word in words))
    if name == "autoplay":
        return msgspec.structs.replace(game, autoplay=_autoplay(number, words))
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


def read_options(game: MoveList, options: type[O]) -> O:
    """The options of the text; raises Illegal."""
    try:
        return msgspec.convert(game.options, options)
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


_NOISE = re.compile(r"solved!|\[(start|end) board]|info:.*|[=-]+|(total number|this scan|minim|solved in|took).*", re.I)
_OPEN_CARD = re.compile(r"<?(10|[A2-9TJQK])[SHDC]>?", re.IGNORECASE)
_FROM_STACK = re.compile(r"move a card from stack (\d{1,2}) to the foundations", re.IGNORECASE)
_DECK = re.compile(r"((0[1-9]|1[0-3])[1-4]){52}")
_STEP = re.compile(r"DR(\d{1,2})|(NEW)|F[1-7]|([1-7WCDSH])([1-7CDSH])(?:-(\d{1,2}))?", re.IGNORECASE)
_PACK = re.compile(r"([A2-9TJQK][SHDC]){52}", re.IGNORECASE)
_REMOVED = re.compile(r"draw|recycle|remove ([A2-9TJQK][SHDC])(?: and ([A2-9TJQK][SHDC]))?", re.IGNORECASE)
_ZONES = (
    dict(zip("SHDC", FOUNDATIONS, strict=True)) | {str(at + 1): f"tableau_{at}" for at in range(7)} | {"W": "waste"}
)
_SIGNS = {zone: sign for sign, zone in _ZONES.items()}


class SolverBoard(MoveList, frozen=True, kw_only=True):
    """What a text says; its words are whole lines. The talon has its next card first."""

    talon: tuple[Card, ...] = ()
    foundation: tuple[Card, ...] = ()


class _Solvitaire(Struct):
    """A deal of Solvitaire's: all piles bottom to top, small letters face down."""

    piles: tuple[tuple[str, ...], ...] = msgspec.field(name="tableau piles")
    stock: tuple[str, ...] = ()
    hole: str | None = msgspec.field(name="hole card", default=None)


def read_board(content: str) -> SolverBoard:
    """What the text says; raises Illegal with the line that cannot be read."""
    if content.lstrip().startswith("{"):
        return _read_solvitaire(content)
    board = SolverBoard()
    for number, line in enumerate(content.splitlines(), 1):
        name, colon, rest = line.strip().partition(":")
        name, words = name.strip().lower(), (rest if colon else line).split()
        if (not words and not colon) or line.lstrip()[:1] in ("#", ";"):
            continue
        if colon and name == "options":
            board = replace(board, options=dict(read_option(number, word) for word in words))
        elif colon and name in ("", "talon", "foundations"):
            board = board if board.words else _with_cards(board, number, name, words)
        elif (
            not board.words
            and sum(map(len, (*board.columns, board.talon, board.foundation))) < len(PACK)
            and all(map(_OPEN_CARD.fullmatch, words))
        ):
            board = _with_cards(board, number, "", words)
        elif _NOISE.fullmatch(line.strip()) is None:
            board = replace(board, words=(*board.words, Word(number, line.strip())))
        if max(len(board.words), len(board.columns)) > MOST_WORDS:
            raise Illegal("too_many_moves", f"The text has more than {MOST_WORDS} moves.")
    return board


def _with_cards(board: SolverBoard, number: int, name: str, words: Sequence[str]) -> SolverBoard:
    words = [word.strip("<>=") for word in words if not re.fullmatch("[SHDC]-0", word, re.IGNORECASE)]
    cards = tuple(read_card(number, word) for word in words if word)
    if name == "talon":
        return replace(board, talon=cards)
    return replace(board, foundation=cards) if name else replace(board, columns=(*board.columns, cards))


def _read_solvitaire(content: str) -> SolverBoard:
    try:
        document = msgspec.json.decode(content, type=_Solvitaire)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Illegal("unreadable_notation", f"The document is no deal of Solvitaire's: {error}.") from error
    piles = tuple(tuple(read_card(1, card) for card in pile) for pile in document.piles)
    stock = tuple(read_card(1, card) for card in document.stock[::-1])
    return SolverBoard(columns=piles, talon=stock, foundation=(read_card(1, document.hole),) if document.hole else ())


def black_hole_solver(
    key: str,
    read_deal: Callable[[SolverBoard], tuple[Any, tuple[Card, ...]]],
    board_of: Callable[[Any], SolverBoard],
    moves: Sequence[Struct],
    draw: Struct | None,
    example: str,
) -> Notation:
    """Black Hole Solver's notation of a game: `moves` by the column that loses its top card, `draw` from the talon.

    `read_deal`: a board -> the options and the cards in dealing order; `board_of`: the deal's event -> its board.
    """

    def command(word: Word) -> Struct:
        if draw is not None and word.text.lower() == "deal talon":
            return draw
        stack = _FROM_STACK.fullmatch(word.text)
        if stack is None or int(stack[1]) >= len(moves):
            raise unreadable_line(word.line, f"`{word.text[:80]}` is no move of Black Hole Solver's for these columns")
        return moves[int(stack[1])]

    def read(content: str) -> Noted:
        board = read_board(content)
        options, deal = read_deal(board)
        words = tuple(f"line {word.line}" for word in board.words)
        return Noted(options=options, deal=deal, commands=tuple(map(command, board.words)), said=words)

    def write(options: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        lying = board_of(_known(deal[0]))
        talon = [f"Talon: {' '.join(lying.talon)}"] if draw is not None else []
        head = [f"Foundations: {lying.foundation[0]}", *talon, *(f": {' '.join(cards)}" for cards in lying.columns)]
        zones = [getattr(event, "source", "") for event in line if hasattr(event, "card")]
        words = [f"Move a card from stack {zone[8:]} to the foundations" if zone else "Deal talon" for zone in zones]
        return write_text(head, options, words, 1)

    kind = f"text/vnd.kibitz.{key.replace('_', '-')}"
    return Notation(key="solver", name="Black Hole Solver", media_type=kind, example=example, write=write, read=read)


def klondike_solver(
    options: type[Struct], draw: Struct, recycle: Struct, move: Callable[[Any, Any, int], Struct]
) -> Notation:
    """Klondike-Solver's notation (pyksolve's, too), with the game's commands."""

    def commands(word: Word) -> Iterator[tuple[Struct, str]]:
        for step in word.text.split():
            parts = _STEP.fullmatch(step)
            if parts is None:
                raise unreadable_line(
                    word.line, f"`{step[:80]}` is no deck in 156 digits and no move, such as DR2 or 47-3"
                )
            draws, new, source, target, count = parts.groups()
            made = [draw] * int(draws or 0) + [recycle] * bool(new)
            if source:
                made = [move(_ZONES[source.upper()], _ZONES[target.upper()], max(int(count or 1), 1))]
            yield from ((command, f"line {word.line}, `{step}`") for command in made)

    def read(content: str) -> Noted:
        board = read_board(content)
        decks = [word.text for word in board.words if _DECK.fullmatch(word.text)]
        played = (item for word in board.words if word.text not in decks for item in commands(word))
        steps = list(islice(played, MOST_WORDS + 1))
        cards = re.findall(r"(..)(.)", decks[0] if decks else "")
        deck = tuple(RANKS[int(rank) - 1] + "CDHS"[int(suit) - 1] for rank, suit in cards)
        deal = deck or deal_order(board.columns, range(1, 8)) + board.talon
        made, texts = tuple(command for command, _ in steps), tuple(text for _, text in steps)
        return Noted(options=read_options(board, options), deal=deal, commands=made, said=texts)

    def write(chosen: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        deck = "".join(f"{RANKS.index(card[0]) + 1:02}{'CDHS'.index(card[1]) + 1}" for card in _known(deal[0]).cards)
        runs = ((step, len(list(run))) for step, run in groupby(map(_step, line)))
        words = [word for step, count in runs for word in ([f"DR{count}"] if step == "DR" else [step] * count)]
        return write_text([deck], chosen, words)

    kind = "text/vnd.kibitz.klondike"
    return Notation(key="solver", name="Klondike-Solver", media_type=kind, example=_EXAMPLE, write=write, read=read)


def pyramid_solver(
    options: type[Any], places: Sequence[str], draw: Struct, recycle: Struct, remove: Callable[[Any, Any], Struct]
) -> Notation:
    """The notation of M. Chung's Pyramid solvers; `places` in dealing order, the rest of the cards is the stock."""

    def read(content: str) -> Noted:
        board = read_board(content)
        packs = [word for word in board.words if _PACK.fullmatch(word.text)]
        deal = tuple(re.findall("..", packs[0].text.upper())) if packs else sum(board.columns, ())
        chosen, words = read_options(board, options), [word for word in board.words if word not in packs]
        stock, waste = list(deal[: len(places) - 1 : -1]), list[Card]()
        zones, commands = dict(zip(deal, places, strict=False)), list[Struct]()
        for word in words:
            removed = _REMOVED.fullmatch(word.text)
            if removed is None:
                raise unreadable_line(word.line, f"`{word.text[:80]}` is no move, such as Draw or Remove 9s and 4s")
            if cards := [card.upper() for card in removed.groups() if card]:
                ways = [zones.get(card) or ("waste" if card in waste[-1:] else "stock") for card in cards] + ["discard"]
                stock, waste = [[card for card in pile if card not in cards] for pile in (stock, waste)]
                commands.append(remove(ways[0], ways[1]))
            elif word.text.lower() == "draw":
                waste += [stock.pop() for _ in range(min(chosen.draw, len(stock)))]
                commands.append(draw)
            else:
                stock, waste = waste[::-1], []
                commands.append(recycle)
        texts = tuple(f"line {word.line}" for word in words)
        return Noted(options=chosen, deal=deal, commands=tuple(commands), said=texts)

    def write(chosen: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        texts = [
            f"Remove {' and '.join(map(_small, event.cards))}" if hasattr(event, "sources")
            else "Draw" if hasattr(event, "cards") else "Recycle"
            for event in line if not hasattr(event, "card")
        ]  # fmt: skip
        return write_text(["".join(map(_small, _known(deal[0]).cards))], chosen, texts, 1)

    kind = "text/vnd.kibitz.pyramid"
    return Notation(key="solver", name="Pyramid solver", media_type=kind, example=_PYRAMID, write=write, read=read)


def _small(card: Card) -> str:
    return card[0] + card[1].lower()


def _known(dealt: Any) -> Any:
    """The deal's event; raises Illegal while some of its cards lie face down."""
    if FACE_DOWN in dealt.cards:
        raise Illegal("not_in_notation", "The deal can be written when the game is over: it has cards face down.")
    return dealt


def _step(event: Any) -> str:
    """The event's step: only a move has a target, only a turned card a source without one."""
    if target := getattr(event, "target", ""):
        count = f"-{len(event.cards)}" if len(event.cards) > 1 else ""
        return _SIGNS[event.source] + _SIGNS[target] + count
    if source := getattr(event, "source", ""):
        return f"F{_SIGNS[source]}"
    return "DR" if hasattr(event, "cards") else "NEW"


_EXAMPLE = (
    "042031094013012043033041072074064083044063021023022034112104134052014111113051061132"
    "092101024121133054091011123122084062071093114124081053102032131073082103\n\n5S F5 54 F5 DR1 W4 DR2 WS\n"
)
_PYRAMID = (
    "ThJsJh9cQd5c2d9hTd4hQs9d3s8dKh6c3h6d8cKcAhQhTc9sKd8s4s2c4cJc7cJd8h6s5d3c4d3d6hTs5sKs7dAc7s2sQc2h5hAs7hAd\n"
    "options: passes=3 stock_top=true\n\nRemove 9s and 4s\nRemove Kd\nDraw\n"
)
