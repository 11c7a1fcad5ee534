"""Judging a command: what happens, or the rule that it breaks."""

from domain.game_type import Illegal
from domain.games.seahaven_towers.events import Command, Event, Move, Moved
from domain.games.seahaven_towers.notation import canonical, spelling
from domain.games.seahaven_towers.runs import run_limit, run_of
from domain.games.seahaven_towers.state import COLUMN, TOWER, State
from domain.kit.patience import KINGS, SUIT_PLACE, all_home, check_home, check_in_suit
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Seahaven Towers is played by the one player at seat 0.")
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
    elif move.target in TOWER:
        _check_tower(state, cards, move)
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
    return lying[-move.count :]


def _lying(state: State, source: str) -> tuple[Card, ...]:
    if source in COLUMN:
        return state.columns[COLUMN[source]]
    card = state.towers[TOWER[source]]
    return () if card is None else (card,)


def _check_run(state: State, move: Move) -> None:
    if state.options.strict_single:
        raise Illegal("strict_single", "Cards move one at a time in this game.")
    if move.source not in COLUMN:
        raise Illegal("one_card", "A tower holds one card.")
    if move.count > len(run_of(state.columns[COLUMN[move.source]])):
        raise Illegal("no_run", "So many cards do not lie in sequence and suit there.")


def _check_column(state: State, cards: tuple[Card, ...], target: int) -> None:
    column = state.columns[target]
    if column:
        check_in_suit(column[-1], cards[0])
    elif cards[0] not in KINGS and not state.options.any_card:
        raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"No more than {limit} can be carried there in one move now.")


def _check_tower(state: State, cards: tuple[Card, ...], move: Move) -> None:
    """Our ruling: from tower to tower nothing would change, so that it is no move."""
    if len(cards) > 1:
        raise Illegal("one_card_in_a_tower", "A tower holds one card.")
    if move.source in TOWER:
        raise Illegal("tower_to_tower", "From tower to tower changes nothing.")
    if state.towers[TOWER[move.target]] is not None:
        raise Illegal("tower_occupied", "That tower holds a card already.")
