"""Judging a command: what happens, or the rule that it breaks."""

from collections.abc import Callable
from typing import Any

from domain.game_type import Illegal
from domain.games.canfield.events import Command, Draw, Drawn, Event, Filled, Move, Moved, Recycle, Recycled, Uncovered
from domain.games.canfield.passes import all_home, recycles_left
from domain.games.canfield.state import COLUMN, RESERVE, TABLEAU, WASTE, State, home_cards, lower, needed, reserve_top
from domain.kit.cards import RANK, SUITS, is_red, name
from domain.kit.patience import SUIT_PLACE
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Canfield is played by the one player at seat 0.")
    if all_home(state):
        raise Illegal("game_over", "All cards are home.")
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
    """The move, the fill of the column that it empties, then the card that comes to the top of the reserve."""
    if command.source == command.target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = _lifted(state, command)
    if command.target in SUIT_PLACE:
        _check_home(state, cards, SUIT_PLACE[command.target])
    else:
        _check_column(state, cards, command)
    return (Moved(cards, command.source, command.target), *_consequences(state, command))


def _lifted(state: State, command: Move) -> tuple[Card, ...]:
    """The cards to be moved, all of them seen; raises Illegal if they may not leave."""
    lying = _lying(state, command.source)
    if not lying:
        raise Illegal("source_empty", "No card lies there.")
    if command.count > 1 and command.source not in COLUMN:
        raise Illegal("top_card_only", "Only its top card can be taken from there.")
    if command.count > len(lying):
        raise Illegal("column_too_short", "The column has not so many cards.")
    return lying[-command.count :]


def _lying(state: State, source: str) -> tuple[Card, ...]:
    if source == RESERVE:
        top = reserve_top(state)
        return () if top is None else (top,)
    if source == WASTE:
        return state.waste
    if source in COLUMN:
        return state.columns[COLUMN[source]]
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    return home_cards(state, SUIT_PLACE[source])


def _check_home(state: State, cards: tuple[Card, ...], suit: int) -> None:
    if len(cards) > 1:
        raise Illegal("one_card_home", "Cards go to a foundation one at a time.")
    if SUITS[suit] != cards[0][1]:
        raise Illegal("own_foundation", f"The {name(cards[0])} belongs on the foundation of its own suit.")
    if state.foundations[suit] != needed(cards[0], state.base):
        raise Illegal("next_in_suit", "A foundation is built up in suit from the base rank without a gap.")


def _check_column(state: State, cards: tuple[Card, ...], command: Move) -> None:
    if state.options.whole_column_only and command.source in COLUMN and len(cards) < len(_lying(state, command.source)):
        raise Illegal("whole_column_only", "All cards of the column move together in this game.")
    column = state.columns[COLUMN[command.target]]
    if column:
        _check_order(column[-1], cards[0])
    elif state.reserve:
        raise Illegal("reserve_fills", "While the reserve has cards, it alone fills an empty column.")


def _check_order(top: Card, card: Card) -> None:
    if is_red(top) == is_red(card):
        raise Illegal("alternating_colours", f"The {name(card)} has the colour of the {name(top)}.")
    if RANK[card] != lower(RANK[top]):
        raise Illegal("one_rank_lower", f"The {name(card)} is not one rank below the {name(top)}.")


def _consequences(state: State, command: Move) -> tuple[Event, ...]:
    if command.source == RESERVE:
        return _uncovered(state)
    if command.source in COLUMN and state.reserve and command.count == len(state.columns[COLUMN[command.source]]):
        return (Filled(state.reserve[-1], TABLEAU[COLUMN[command.source]]), *_uncovered(state))
    return ()


def _uncovered(state: State) -> tuple[Uncovered, ...]:
    """The card under the top of the reserve, if there is one."""
    return (Uncovered(state.reserve[-2]),) if len(state.reserve) > 1 else ()


_DECIDERS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {Draw: _draw, Recycle: _recycle, Move: _move}
