"""Judging a command: what happens, or the rule that it breaks."""

from collections.abc import Callable
from typing import Any

from domain.game_type import Illegal
from domain.games.klondike.events import Command, Draw, Drawn, Event, Move, Moved, Recycle, Recycled, Turned
from domain.games.klondike.passes import closed, recycles_left
from domain.games.klondike.state import COLUMN, TABLEAU, WASTE, State
from domain.kit.patience import KINGS, SUIT_PLACE, all_home, check_alternating, check_home, home_cards
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Klondike is played by the one player at seat 0.")
    if closed(state):
        how = "All cards are home." if all_home(state.foundations) else "The last pass through the stock is over."
        raise Illegal("game_over", how)
    return _DECIDERS[type(command)](state, command)


def _draw(state: State, command: Draw) -> tuple[Event, ...]:
    if not state.stock:
        raise Illegal("stock_empty", "The stock is empty.")
    return (Drawn(state.stock[: -state.options.draw - 1 : -1]),)


def _recycle(state: State, command: Recycle) -> tuple[Event, ...]:
    if state.stock:
        raise Illegal("stock_not_empty", "The waste is turned over only when the stock is empty.")
    if not state.waste:
        raise Illegal("waste_empty", "There is no waste to turn over.")
    if recycles_left(state) == 0:
        raise Illegal("passes_used_up", "This was the last pass through the stock.")
    return (Recycled(),)


def _move(state: State, command: Move) -> tuple[Event, ...]:
    if command.source == command.target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = _lifted(state, command)
    if command.target in SUIT_PLACE:
        check_home(state.foundations, cards, SUIT_PLACE[command.target])
    else:
        _check_column(state, cards, command)
    return (Moved(cards, command.source, command.target), *_uncovered(state, command))


def _lifted(state: State, command: Move) -> tuple[Card, ...]:
    """The cards to be moved, all face up; raises Illegal if they may not leave."""
    lying = _face_up(state, command.source)
    if not lying:
        raise Illegal("source_empty", "No card lies there.")
    if command.count > 1 and command.source not in COLUMN:
        raise Illegal("top_card_only", "Only its top card can be taken from there.")
    if command.count > len(lying):
        raise Illegal("face_up_only", "The column has not so many cards face up.")
    return lying[-command.count :]


def _face_up(state: State, source: str) -> tuple[Card, ...]:
    if source == WASTE:
        return state.waste
    if source in COLUMN:
        return state.columns[COLUMN[source]][state.face_down[COLUMN[source]] :]
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    suit = SUIT_PLACE[source]
    return home_cards(suit, state.foundations[suit])


def _check_column(state: State, cards: tuple[Card, ...], command: Move) -> None:
    if state.options.whole_run_only and command.source in COLUMN and len(cards) < len(_face_up(state, command.source)):
        raise Illegal("whole_run_only", "All face-up cards of the column move together in this game.")
    column = state.columns[COLUMN[command.target]]
    if column:
        check_alternating(column[-1], cards[0])
    elif cards[0] not in KINGS:
        raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")


def _uncovered(state: State, command: Move) -> tuple[Turned, ...]:
    """The turned card, where the last face-up card of a column left. Our ruling: this is not left to the player."""
    if command.source not in COLUMN:
        return ()
    place = COLUMN[command.source]
    left, down = state.columns[place][: -command.count], state.face_down[place]
    return (Turned(TABLEAU[place], left[-1]),) if left and len(left) == down else ()


_DECIDERS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {Draw: _draw, Recycle: _recycle, Move: _move}
