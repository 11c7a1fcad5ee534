"""Deals and solutions as solvers of Klondike, Golf, Black Hole and Pyramid write them, and the deals of Solvitaire.

A deal is a board (`Foundations:`, `Talon:` with the next card first, the columns bottom to top, one a line, `<7H>` face
down), as PySolFC writes it, or a JSON document of Solvitaire's. Klondike-Solver's own is 156 digits, three a card in
dealing order: its rank, then 1 to 4 for clubs, diamonds, hearts and spades. Boards after the first move say nothing.
Lines that begin with `#` or `;` are remarks, and a line `options: draw=3` is ours.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Notation, Noted
from domain.game_type import Illegal
from domain.kit import move_list
from domain.kit.cards import PACK, RANKS
from domain.kit.move_list import MOST_WORDS, MoveList, Word, read_card, text, unreadable_line
from domain.kit.patience import FOUNDATIONS
from domain.view import FACE_DOWN, Card

_NOISE = re.compile(r"solved!|\[(start|end) board]|info:.*|[=-]+|(total number|this scan|minim|solved in|took).*", re.I)
_CARD = re.compile(r"<?(10|[A2-9TJQK])[SHDC]>?", re.IGNORECASE)
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
    found = SolverBoard()
    for number, line in enumerate(content.splitlines(), 1):
        name, colon, rest = line.strip().partition(":")
        name, words = name.strip().lower(), (rest if colon else line).split()
        if (not words and not colon) or line.lstrip()[:1] in ("#", ";"):
            continue
        if colon and name == "options":
            found = replace(found, options=dict(move_list.read_option(number, word) for word in words))
        elif colon and name in ("", "talon", "foundations"):
            found = found if found.words else _with_cards(found, number, name, words)
        elif (
            not found.words
            and sum(map(len, (*found.columns, found.talon, found.foundation))) < len(PACK)
            and all(map(_CARD.fullmatch, words))
        ):
            found = _with_cards(found, number, "", words)
        elif _NOISE.fullmatch(line.strip()) is None:
            found = replace(found, words=(*found.words, Word(number, line.strip())))
        if max(len(found.words), len(found.columns)) > MOST_WORDS:
            raise Illegal("too_many_moves", f"The text has more than {MOST_WORDS} moves.")
    return found


def _with_cards(found: SolverBoard, number: int, name: str, words: Sequence[str]) -> SolverBoard:
    told = [word.strip("<>=") for word in words if not re.fullmatch("[SHDC]-0", word, re.IGNORECASE)]
    cards = tuple(read_card(number, word) for word in told if word)
    if name == "talon":
        return replace(found, talon=cards)
    return replace(found, foundation=cards) if name else replace(found, columns=(*found.columns, cards))


def _read_solvitaire(content: str) -> SolverBoard:
    try:
        told = msgspec.json.decode(content, type=_Solvitaire)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Illegal("unreadable_notation", f"The document is no deal of Solvitaire's: {error}.") from error
    piles = tuple(tuple(read_card(1, card) for card in pile) for pile in told.piles)
    stock = tuple(read_card(1, card) for card in told.stock[::-1])
    return SolverBoard(columns=piles, talon=stock, foundation=(read_card(1, told.hole),) if told.hole else ())


def black_hole_solver(
    key: str,
    read_deal: Callable[[SolverBoard], tuple[Any, tuple[Card, ...]]],
    board: Callable[[Any], SolverBoard],
    moves: Sequence[Struct],
    draw: Struct | None,
    example: str,
) -> Notation:
    """Black Hole Solver's notation of a game: `moves` by the column that loses its top card, `draw` from the talon.

    `read_deal`: a board -> the options and the cards in dealing order; `board`: the deal's event -> its board.
    """

    def command(word: Word) -> Struct:
        if draw is not None and word.text.lower() == "deal talon":
            return draw
        stack = _FROM_STACK.fullmatch(word.text)
        if stack is None or int(stack[1]) >= len(moves):
            raise unreadable_line(word.line, f"`{word.text[:80]}` is no move of Black Hole Solver's for these columns")
        return moves[int(stack[1])]

    def read(content: str) -> Noted:
        found = read_board(content)
        options, deal = read_deal(found)
        said = tuple(f"line {word.line}" for word in found.words)
        return Noted(options=options, deal=deal, commands=tuple(map(command, found.words)), said=said)

    def write(options: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        lying = board(_known(deal[0]))
        talon = [f"Talon: {' '.join(lying.talon)}"] if draw is not None else []
        head = [f"Foundations: {lying.foundation[0]}", *talon, *(f": {' '.join(cards)}" for cards in lying.columns)]
        zones = [getattr(event, "source", "") for event in line if hasattr(event, "card")]
        said = [f"Move a card from stack {zone[8:]} to the foundations" if zone else "Deal talon" for zone in zones]
        return text(head, options, said, 1)

    kind = f"text/vnd.kibitz.{key.replace('_', '-')}"
    return Notation(key="solver", name="Black Hole Solver", media_type=kind, example=example, write=write, read=read)


def klondike_solver(
    options: type[Struct], draw: Struct, recycle: Struct, move: Callable[[Any, Any, int], Struct]
) -> Notation:
    """Klondike-Solver's notation (pyksolve's, too), with the game's commands."""

    def commands(word: Word) -> Iterator[tuple[Struct, str]]:
        for step in word.text.split():
            found = _STEP.fullmatch(step)
            if found is None:
                raise unreadable_line(
                    word.line, f"`{step[:80]}` is no deck in 156 digits and no move, such as DR2 or 47-3"
                )
            draws, new, source, target, count = found.groups()
            made = [draw] * int(draws or 0) + [recycle] * bool(new)
            if source:
                made = [move(_ZONES[source.upper()], _ZONES[target.upper()], max(int(count or 1), 1))]
            yield from ((one, f"line {word.line}, `{step}`") for one in made)

    def read(content: str) -> Noted:
        found = read_board(content)
        decks = [word.text for word in found.words if _DECK.fullmatch(word.text)]
        played = (one for word in found.words if word.text not in decks for one in commands(word))
        steps = list(islice(played, MOST_WORDS + 1))
        cards = re.findall(r"(..)(.)", decks[0] if decks else "")
        deck = tuple(RANKS[int(rank) - 1] + "CDHS"[int(suit) - 1] for rank, suit in cards)
        deal = deck or move_list.deal_order(found.columns, range(1, 8)) + found.talon
        made, said = tuple(one for one, _ in steps), tuple(one for _, one in steps)
        return Noted(options=move_list.read_options(found, options), deal=deal, commands=made, said=said)

    def write(chosen: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        deck = "".join(f"{RANKS.index(card[0]) + 1:02}{'CDHS'.index(card[1]) + 1}" for card in _known(deal[0]).cards)
        runs = ((said, len(list(run))) for said, run in groupby(map(_step, line)))
        words = [word for said, count in runs for word in ([f"DR{count}"] if said == "DR" else [said] * count)]
        return text([deck], chosen, words)

    kind = "text/vnd.kibitz.klondike"
    return Notation(key="solver", name="Klondike-Solver", media_type=kind, example=_EXAMPLE, write=write, read=read)


def pyramid_solver(
    options: type[Any], places: Sequence[str], draw: Struct, recycle: Struct, remove: Callable[[Any, Any], Struct]
) -> Notation:
    """The notation of M. Chung's Pyramid solvers; `places` in dealing order, the rest of the cards is the stock."""

    def read(content: str) -> Noted:
        found = read_board(content)
        packs = [word for word in found.words if _PACK.fullmatch(word.text)]
        deal = tuple(re.findall("..", packs[0].text.upper())) if packs else sum(found.columns, ())
        chosen, words = move_list.read_options(found, options), [word for word in found.words if word not in packs]
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
        said = tuple(f"line {word.line}" for word in words)
        return Noted(options=chosen, deal=deal, commands=tuple(commands), said=said)

    def write(chosen: Any, deal: Sequence[Any], line: Sequence[Any]) -> str:
        said = [_removal(event) for event in line if not hasattr(event, "card")]
        return text(["".join(map(_small, _known(deal[0]).cards))], chosen, said, 1)

    kind = "text/vnd.kibitz.pyramid"
    return Notation(key="solver", name="Pyramid solver", media_type=kind, example=_PYRAMID, write=write, read=read)


def _removal(event: Any) -> str:
    if hasattr(event, "sources"):
        return f"Remove {' and '.join(map(_small, event.cards))}"
    return "Draw" if hasattr(event, "cards") else "Recycle"


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
