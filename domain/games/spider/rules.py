"""The rules of Spider: the deal, what a command does, what is legal, and how a game ends."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.spider.events import (
    Command,
    Deal,
    Dealt,
    Event,
    Move,
    Moved,
    RemoveSuit,
    RowDealt,
    SuitRemoved,
    Turned,
)
from domain.games.spider.state import (
    COLUMN,
    COLUMNS,
    EXTRA,
    FACE_UP_IN_DEAL,
    FOUNDATIONS,
    IN_COLUMNS,
    IN_ROWS,
    PACKS,
    RUN,
    TABLEAU,
    Options,
    State,
    over,
)
from domain.kit.cards import RANK
from domain.kit.patience import IN_SUIT, check_one_lower, run_length
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

Column = tuple[Card, ...]

_SPACE = 0
"""Stands for the top rank of an empty column."""


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """Two packs shuffled together, or as many cards in fewer suits."""
    return (Dealt(chance.shuffle(PACKS[options.suits]).cards),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("Spider")
    if over(state):
        raise Illegal("game_over", "All eight runs are removed.")
    match command:
        case Move():
            return _move_cards(state, command)
        case Deal():
            return _deal_row(state)
        case RemoveSuit():
            return _remove_suit(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Moved():
            source, target, columns = COLUMN[event.source], COLUMN[event.target], list(state.columns)
            columns[source] = columns[source][: -len(event.cards)]
            columns[target] += event.cards
            return replace(state, columns=tuple(columns))
        case Turned():
            face_down = list(state.face_down)
            face_down[COLUMN[event.source]] -= 1
            return replace(state, face_down=tuple(face_down))
        case RowDealt():
            columns = [(*column, card) for column, card in zip(state.columns, event.cards, strict=True)]
            return replace(state, columns=tuple(columns), stock=state.stock[: -len(event.cards)])
        case SuitRemoved():
            source, columns = COLUMN[event.source], list(state.columns)
            columns[source] = columns[source][: -len(event.cards)]
            return replace(state, columns=tuple(columns), finished=(*state.finished, event.cards[0][1]))
        case Dealt():
            return _lay_out(state, event)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves by column, then removing and dealing; nothing for another seat or once the game is over."""
    if seat != 0 or over(state):
        return ()
    return (*_moves(state), *_removals(state), *([Deal()] if _row_ready(state) else ()))


def result(state: State) -> Result | None:
    """Won with the eight runs removed; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards removed. The rule of the source is that play goes on until no useful move is
    possible. Our ruling: it ends by itself without undo and where nothing at all is legal; useful is for the player
    to judge, who resigns.
    """
    if over(state):
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not is_dealt(state) or legal_commands(state, 0):
        return None
    return Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards removed."""
    return 13 * len(state.finished)


def is_dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.finished or any(state.columns))


def _move_cards(state: State, command: Move) -> tuple[Event, ...]:
    """The move, the turned card, then the run that the move has finished."""
    source, target = COLUMN[command.source], COLUMN[command.target]
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = _cards_to_move(state, source, command.count)
    if state.columns[target]:
        check_one_lower(state.columns[target][-1], cards[0])
    return (
        Moved(cards, command.source, command.target),
        *_turn_up(state, source, state.columns[source][: -command.count]),
        *_remove_finished(state, [(target, state.columns[target] + cards)]),
    )


def _cards_to_move(state: State, place: int, count: int) -> Column:
    """The cards to be moved; raises Illegal if they do not move as one."""
    column, down = state.columns[place], state.face_down[place]
    if not column:
        raise Illegal("source_empty", "No card lies there.")
    if count > len(column) - down:
        raise Illegal("face_up_only", "The column has not so many cards face up.")
    if count > _movable(column, down):
        raise Illegal("run_in_suit", "Only cards of one suit that go down without a gap move as one.")
    return column[-count:]


def _movable(column: Column, face_down: int) -> int:
    """How many cards from the top move as one: face up, in one suit, each one rank below the card it lies on."""
    return run_length(column[face_down:], IN_SUIT)


def _turn_up(state: State, place: int, left: Column) -> tuple[Turned, ...]:
    """The turned card, where what is left of a column lies face down altogether."""
    uncovered = left and len(left) == state.face_down[place]
    return (Turned(TABLEAU[place], left[-1]),) if uncovered else ()


def _remove_finished(state: State, grown: Iterable[tuple[int, Column]]) -> Iterator[Event]:
    """The removal of each run that these grown columns end in. Our ruling: the first column first."""
    if state.options.manual_removal:
        return
    number = len(state.finished)
    for place, column in grown:
        if _ends_in_run(column, state.face_down[place]):
            yield from _remove_run(state, place, column, number)
            number += 1


def _ends_in_run(column: Column, face_down: int) -> bool:
    """Whether the last thirteen cards of a column are face up and king to ace of one suit."""
    return len(column) - face_down >= 13 and column[-13:] == RUN[column[-1][1]]


def _remove_run(state: State, place: int, column: Column, number: int) -> Iterator[Event]:
    yield SuitRemoved(column[-13:], TABLEAU[place], FOUNDATIONS[number])
    yield from _turn_up(state, place, column[:-13])


def _deal_row(state: State) -> tuple[Event, ...]:
    """The row, then the runs that it has finished."""
    if len(state.stock) < COLUMNS:
        raise Illegal("stock_empty", "No row is left in the stock.")
    if not state.options.deal_with_spaces and not all(state.columns):
        raise Illegal("empty_column", "While a column is empty no row is dealt.")
    row = state.stock[: -COLUMNS - 1 : -1]
    grown = ((*column, card) for column, card in zip(state.columns, row, strict=True))
    return (RowDealt(row), *_remove_finished(state, enumerate(grown)))


def _remove_suit(state: State, command: RemoveSuit) -> tuple[Event, ...]:
    place = COLUMN[command.source]
    if not state.options.manual_removal:
        raise Illegal("automatic_removal", "Finished runs are removed by themselves in this game.")
    if not _ends_in_run(state.columns[place], state.face_down[place]):
        raise Illegal("finished_run", "The column does not end in a run of one suit from king to ace.")
    if command.target != FOUNDATIONS[len(state.finished)]:
        raise Illegal("first_empty_foundation", "A finished run goes to the first empty foundation.")
    return tuple(_remove_run(state, place, state.columns[place], len(state.finished)))


def _lay_out(state: State, event: Dealt) -> State:
    columns = tuple(_column_of_deal(event.cards, column, state.options) for column in range(COLUMNS))
    return replace(
        state,
        columns=columns,
        face_down=tuple(len(column) - 1 for column in columns),
        stock=event.cards[: IN_COLUMNS - 1 : -1],
    )


def _column_of_deal(cards: tuple[Card, ...], column: int, options: Options) -> Column:
    """The cards of a column, bottom to top; the last lies face up."""
    extra = EXTRA[options.extra_columns]
    fifth = cards[IN_ROWS + extra.index(column) : IN_ROWS + extra.index(column) + 1] if column in extra else ()
    return (*cards[column:IN_ROWS:COLUMNS], *fifth, cards[FACE_UP_IN_DEAL[column]])


def _moves(state: State) -> list[Move]:
    tops = [RANK[column[-1]] if column else _SPACE for column in state.columns]
    listed: list[Move] = []
    for place, rank in enumerate(tops):
        if length := _movable(state.columns[place], state.face_down[place]):
            listed += _moves_of_run(place, rank, length, tops)
    return listed


def _moves_of_run(place: int, rank: int, length: int, tops: list[int]) -> list[Move]:
    """The moves of parts of one run: onto a card one number of cards fits at most, into a space every number.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    source, listed = TABLEAU[place], []
    for target, top in enumerate(tops):
        if top == _SPACE:
            listed += [Move(source, TABLEAU[target], count) for count in range(1, length + 1)]
        elif 0 < top - rank <= length:
            listed.append(Move(source, TABLEAU[target], top - rank))
    return listed


def _removals(state: State) -> Iterator[RemoveSuit]:
    if state.options.manual_removal:
        for place, column in enumerate(state.columns):
            if _ends_in_run(column, state.face_down[place]):
                yield RemoveSuit(TABLEAU[place], FOUNDATIONS[len(state.finished)])


def _row_ready(state: State) -> bool:
    """Whether a row may be dealt: the stock has one and, but for the relaxed rule, no column is empty."""
    return len(state.stock) >= COLUMNS and (state.options.deal_with_spaces or all(state.columns))
