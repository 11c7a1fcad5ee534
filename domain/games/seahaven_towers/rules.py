"""The rules of Seahaven Towers: the deal, what a command does, what may be done, and the ending.

A run is carried by way of the towers; we do it in one move.
"""

from typing import assert_never

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.seahaven_towers.events import Command, Dealt, Event, Move, Moved, Standard
from domain.games.seahaven_towers.state import (
    GAME,
    IN_COLUMNS,
    TABLEAU,
    TOWERS,
    Options,
    State,
    run_limit,
)
from domain.kit.cards import PACK
from domain.kit.cells import ALL_HOME, deal_columns, find_room, judge_move, list_moves, move_cards
from domain.kit.columns import only_changes_place
from domain.kit.patience import KINGS, cards_home, check_in_suit
from domain.kit.standard_notation import read_standard, spell_standard
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_ANY = frozenset(PACK)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(TOWERS), (0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack. Our ruling: the columns are dealt row by row, the towers last."""
    return (Dealt(chance.shuffle(PACK).cards),)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("Seahaven Towers")
    if state.foundations == ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    move = canonical(state, seat, command)
    into_space = _count_into_space if state.options.any_card else None
    cards = judge_move(GAME, state, move, state.options.strict_single, _check_column)
    return (Moved(cards, move.source, move.target, spell_standard(GAME, state, move, into_space)),)


def canonical(state: State, seat: Seat, command: Command) -> Move:
    """The move that a command in standard notation spells."""
    match command:
        case Move():
            return command
        case Standard():
            return Move(*read_standard(GAME, state, command.move, _count_into_space))
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Moved():
            return State(state.options, *move_cards(GAME, state, event.source, event.target, event.cards))
        case Dealt():
            columns = deal_columns(event.cards[:IN_COLUMNS], len(TABLEAU))
            return State(state.options, columns, (None, *event.cards[IN_COLUMNS:], None), state.foundations)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves; nothing for another seat. Once the game is won nothing is left to move."""
    return tuple(_list_moves(state)) if seat == 0 else ()


def result(state: State) -> Result | None:
    """Won with all cards home; lost where no card can move any more, unless moves may be taken back.

    The score is the number of cards on the foundations. Our ruling: with undo a game without a move stays open and is
    told as stuck.
    """
    if state.foundations == ALL_HOME:
        return Result("won", "all_home", (0,), (cards_home(state),))
    if state.options.undo or not _is_dealt(state) or _list_moves(state):
        return None
    return Result("lost", "no_moves", (), (cards_home(state),))


def stuck(state: State) -> bool:
    """Whether no card can move to any effect. Our ruling: a whole column that only changes its place has none."""
    if state.foundations == ALL_HOME or not _is_dealt(state):
        return False
    moves = _list_moves(state)
    return all(only_changes_place(state.columns, move.source, move.target, move.count) for move in moves)


def _is_dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return any(state.columns)


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if column:
        check_in_suit(column[-1], cards[0])
    elif cards[0] not in KINGS and not state.options.any_card:
        raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"No more than {limit} can be carried there in one move now.")


def _count_into_space(state: State, run: tuple[Card, ...]) -> int:
    """How many cards of a run are meant to go into an empty column where no count is said."""
    if state.options.any_card:
        return min(len(run), run_limit(state, into_space=True))
    return len(run) if run[0] in KINGS else 1


def _list_moves(state: State) -> list[Move]:
    """The legal moves: from towers and columns; home first, then to columns, then to towers."""
    limits = run_limit(state, into_space=False), run_limit(state, into_space=True)
    room = find_room(GAME, state, *limits, _ANY if state.options.any_card else KINGS)
    return list_moves(GAME, state, room, Move)
