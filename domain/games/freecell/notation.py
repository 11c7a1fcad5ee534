"""A game of FreeCell as a move list in standard notation: the deal by its number or its cards, then the moves.

The notation is that of the Solitaire Laboratory's FreeCell FAQ, the board that of Freecell Solver.
"""

from collections.abc import Sequence
from functools import partial

from domain.capabilities import Notation, Noted
from domain.game_type import Illegal
from domain.games.freecell.events import Dealt, Event, Moved, Standard
from domain.games.freecell.rules import LAST_NUMBER, decide, evolve, initial, number_of, shuffle_by_number
from domain.games.freecell.state import TABLEAU, Options, State
from domain.kit import move_list
from domain.kit.cards import SUITS, is_red
from domain.kit.cells import deal_columns
from domain.kit.move_list import Autoplay, MoveList
from domain.kit.patience import HOME, top_of
from domain.kit.standard_notation import command_of
from domain.view import Card

_SIZES = (7, 7, 7, 7, 6, 6, 6, 6)


def _write(options: Options, deal: Sequence[Event], line: Sequence[Event]) -> str:
    cards = next(event.cards for event in deal if isinstance(event, Dealt))
    number = number_of(cards)
    lines = [f"#{number}"] if number else move_list.deal_lines(deal_columns(cards, len(TABLEAU)))
    return move_list.text(lines, options, [_word(event) for event in line])


def _word(event: Event) -> str:
    if not isinstance(event, Moved) or event.standard is None:
        raise Illegal("not_in_notation", "Standard notation has no word for a card that comes back from a foundation.")
    return event.standard


def _read(text: str) -> Noted:
    found = move_list.read_move_list(text)
    options = move_list.read_options(found, Options)
    if found.number is None:
        deal = _cards(found)
        return Noted(options=options, deal=deal, commands=_commands(found, options, deal))
    if found.columns or not 1 <= found.number <= LAST_NUMBER:
        raise Illegal("unreadable_notation", f"A deal has its cards, or a number from 1 to {LAST_NUMBER}.")
    commands = _commands(found, options, shuffle_by_number(found.number, options))
    return Noted(options=options, number=found.number, commands=commands)


def _commands(found: MoveList, options: Options, cards: tuple[Card, ...]) -> tuple[Standard, ...]:
    """The moves, and those that the list leaves to its player's program."""
    words = [(word, command_of(word, Standard, "26, a3, 5h or 26v3")) for word in found.words]
    if found.autoplay is None:
        return tuple(command for _, command in words)
    home = partial(_home_by_itself, found.autoplay)
    return move_list.with_autoplay(words, evolve(initial(options, 1), Dealt(cards)), _play, home)


def _play(state: State, command: Standard) -> State:
    for event in decide(state, 0, command):
        state = evolve(state, event)
    return state


def _home_by_itself(autoplay: Autoplay, state: State) -> Standard | None:
    """The next card that the player's program moves home: any that can go, or one that none in play can need."""
    tops = [*zip("abcd", state.cells, strict=True), *zip("12345678", map(top_of, state.columns), strict=True)]
    for sign, card in tops:
        if card and _is_next_home(state, card) and (autoplay == "all" or _is_needless(state.foundations, card)):
            return Standard(f"{sign}h")
    return None


def _is_next_home(state: State, card: Card) -> bool:
    suit, needed = HOME[card]
    return state.foundations[suit] == needed


def _is_needless(foundations: tuple[int, ...], card: Card) -> bool:
    """Whether both cards that could lie on this one are home, as FreeCell for Windows asks; aces and twos always go."""
    others = [count for suit, count in zip(SUITS, foundations, strict=True) if is_red(card) != (suit in "HD")]
    return HOME[card][1] < 2 or min(others) >= HOME[card][1]


def _cards(found: MoveList) -> tuple[Card, ...]:
    if any(found.cells):
        raise Illegal("unreadable_notation", "At the deal of FreeCell the cells are empty.")
    return move_list.deal_order(found.columns, _SIZES)


STANDARD = Notation(
    key="standard",
    name="Standard FreeCell notation",
    media_type="text/vnd.kibitz.freecell",
    example="#1\n\n6a 6b 6h\n",
    write=_write,
    read=_read,
)
