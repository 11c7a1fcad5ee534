"""Judging a command: what happens, or the rule that it breaks."""

from domain.game_type import Illegal
from domain.games.freecell.events import Command, Event, Move, Moved
from domain.games.freecell.notation import canonical, spelling
from domain.games.freecell.runs import run_limit, run_of
from domain.games.freecell.state import CELL, COLUMN, State
from domain.kit.patience import SUIT_PLACE, all_home, check_alternating, check_home, home_cards
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "FreeCell is played by the one player at seat 0.")
    if all_home(state.foundations):
        raise Illegal("game_over", "All cards are home.")
    move = canonical(state, seat, command)
    assert isinstance(move, Move)
    return (Moved(_judged(state, move), move.source, move.target, spelling(state, move)),)


def _judged(state: State, move: Move) -> tuple[Card, ...]:
    """The cards that move; raises Illegal."""
    if move.source == move.target:
        raise Illegal("same_zone", "The card lies there already.")
    cards = _lifted(state, move)
    if move.target in COLUMN:
        _check_column(state, cards, COLUMN[move.target])
    elif move.target in CELL:
        _check_cell(state, cards, move)
    else:
        check_home(state.foundations, cards, SUIT_PLACE[move.target])
    return cards


def _lifted(state: State, move: Move) -> tuple[Card, ...]:
    """The cards to be moved; raises Illegal if they may not leave."""
    lying = _lying(state, move.source)
    if not lying:
        raise Illegal("source_empty", "No card lies there.")
    if move.count > 1:
        _check_run(state, move)
    if move.source in SUIT_PLACE and move.target not in COLUMN:
        raise Illegal("return_to_column", "A card comes back from a foundation to a column only.")
    return lying[-move.count :]


def _lying(state: State, source: str) -> tuple[Card, ...]:
    if source in COLUMN:
        return state.columns[COLUMN[source]]
    if source in CELL:
        card = state.cells[CELL[source]]
        return () if card is None else (card,)
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    return home_cards(SUIT_PLACE[source], state.foundations[SUIT_PLACE[source]])


def _check_run(state: State, move: Move) -> None:
    if state.options.strict_single:
        raise Illegal("strict_single", "Cards move one at a time in this game.")
    if move.source not in COLUMN:
        raise Illegal("one_card", "Only its top card can be taken from there.")
    if move.count > len(run_of(state.columns[COLUMN[move.source]])):
        raise Illegal("no_run", "So many cards do not lie in sequence and alternating colours there.")


def _check_column(state: State, cards: tuple[Card, ...], target: int) -> None:
    column = state.columns[target]
    if column:
        check_alternating(column[-1], cards[0])
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"The free cells and empty columns carry {limit} cards there, not {len(cards)}.")


def _check_cell(state: State, cards: tuple[Card, ...], move: Move) -> None:
    """Our ruling: from cell to cell nothing would change, so that it is no move."""
    if len(cards) > 1:
        raise Illegal("one_card_in_a_cell", "A free cell holds one card.")
    if move.source in CELL:
        raise Illegal("cell_to_cell", "From cell to cell changes nothing.")
    if state.cells[CELL[move.target]] is not None:
        raise Illegal("cell_occupied", "That free cell holds a card already.")
