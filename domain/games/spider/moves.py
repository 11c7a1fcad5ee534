"""Judging a command: what happens, or the rule that it breaks."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.game_type import Illegal
from domain.games.spider.events import Command, Deal, Event, Move, Moved, RemoveSuit, RowDealt, SuitRemoved, Turned
from domain.games.spider.runs import ends_in_run, movable
from domain.games.spider.state import COLUMN, COLUMNS, FOUNDATIONS, TABLEAU, State, over
from domain.kit.patience import check_one_lower
from domain.view import Card, Seat

Column = tuple[Card, ...]


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Spider is played by the one player at seat 0.")
    if over(state):
        raise Illegal("game_over", "All eight runs are removed.")
    return _DECIDERS[type(command)](state, command)


def _move(state: State, command: Move) -> tuple[Event, ...]:
    """The move, the turned card, then the run that the move has finished."""
    source, target = COLUMN[command.source], COLUMN[command.target]
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = _lifted(state, source, command.count)
    if state.columns[target]:
        check_one_lower(state.columns[target][-1], cards[0])
    return (
        Moved(cards, command.source, command.target),
        *_turned(state, source, state.columns[source][: -command.count]),
        *_finished(state, [(target, state.columns[target] + cards)]),
    )


def _lifted(state: State, place: int, count: int) -> Column:
    """The cards to be moved; raises Illegal if they do not move as one."""
    column, down = state.columns[place], state.face_down[place]
    if not column:
        raise Illegal("source_empty", "No card lies there.")
    if count > len(column) - down:
        raise Illegal("face_up_only", "The column has not so many cards face up.")
    if count > movable(column, down):
        raise Illegal("run_in_suit", "Only cards of one suit that go down without a gap move as one.")
    return column[-count:]


def _deal(state: State, command: Deal) -> tuple[Event, ...]:
    """The row, then the runs that it has finished."""
    if len(state.stock) < COLUMNS:
        raise Illegal("stock_empty", "No row is left in the stock.")
    if not state.options.deal_with_spaces and not all(state.columns):
        raise Illegal("empty_column", "While a column is empty no row is dealt.")
    row = state.stock[: -COLUMNS - 1 : -1]
    grown = ((*column, card) for column, card in zip(state.columns, row, strict=True))
    return (RowDealt(row), *_finished(state, enumerate(grown)))


def _remove_suit(state: State, command: RemoveSuit) -> tuple[Event, ...]:
    place = COLUMN[command.source]
    if not state.options.manual_removal:
        raise Illegal("automatic_removal", "Finished runs are removed by themselves in this game.")
    if not ends_in_run(state.columns[place], state.face_down[place]):
        raise Illegal("finished_run", "The column does not end in a run of one suit from king to ace.")
    if command.target != FOUNDATIONS[len(state.finished)]:
        raise Illegal("first_empty_foundation", "A finished run goes to the first empty foundation.")
    return tuple(_removed(state, place, state.columns[place], len(state.finished)))


def _finished(state: State, grown: Iterable[tuple[int, Column]]) -> Iterator[Event]:
    """The removal of each run that these grown columns end in. Our ruling: column 0 first."""
    if state.options.manual_removal:
        return
    number = len(state.finished)
    for place, column in grown:
        if ends_in_run(column, state.face_down[place]):
            yield from _removed(state, place, column, number)
            number += 1


def _removed(state: State, place: int, column: Column, number: int) -> Iterator[Event]:
    yield SuitRemoved(column[-13:], TABLEAU[place], FOUNDATIONS[number])
    yield from _turned(state, place, column[:-13])


def _turned(state: State, place: int, left: Column) -> tuple[Turned, ...]:
    """The turned card, where what is left of a column lies face down altogether."""
    uncovered = left and len(left) == state.face_down[place]
    return (Turned(TABLEAU[place], left[-1]),) if uncovered else ()


_DECIDERS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    Move: _move,
    Deal: _deal,
    RemoveSuit: _remove_suit,
}
