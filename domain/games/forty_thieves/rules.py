"""The rules of Forty Thieves: the deal, what a command does, what is legal, and how a game ends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.forty_thieves.events import Command, Dealt, Draw, Drawn, Event, Move, Moved, Recycle, Recycled, Source
from domain.games.forty_thieves.state import (
    ACCEPTS,
    ALL_HOME,
    CARDS,
    COLUMNS,
    FOUNDATIONS,
    HOME_PLACE,
    IN_COLUMNS,
    LIES_ON,
    TABLEAU,
    Build,
    Options,
    State,
)
from domain.kit.columns import COLUMN, lift_cards, move_cards
from domain.kit.patience import (
    HOME,
    NO_CARD,
    check_alternating,
    check_home,
    check_in_suit,
    next_home,
    run_length,
    top_of,
    with_value_at,
)
from domain.kit.talon import WASTE, can_recycle, check_recycle, draw_cards, next_cards, turn_waste_over
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

Column = tuple[Card, ...]
_Room = dict[Card, list[int]]

_DRAW, _RECYCLE = Draw(), Recycle()
_CHECKS: dict[Build, Callable[[Card, Card], None]] = {"suit": check_in_suit, "alternating": check_alternating}


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """Two packs shuffled together."""
    return (Dealt(chance.shuffle(CARDS).cards),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, foundations=(0,) * len(FOUNDATIONS))


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if seat != 0:
        raise not_the_player("Forty Thieves")
    if state.foundations == ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    match command:
        case Draw():
            return (Drawn(next_cards(state)),)
        case Move():
            return (_judge_move(state, _first_home(state, command)),)
        case Recycle():
            check_recycle(state)
            return (Recycled(),)
        case _:
            assert_never(command)


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A move home names the first of two foundations that are equally far, for nobody tells them apart. Our ruling."""
    return _first_home(state, command) if isinstance(command, Move) else command


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Drawn():
            return draw_cards(state, event.cards)
        case Moved():
            if event.target in COLUMN:
                return move_cards(state, event.source, event.target, event.cards)
            return _bring_home(state, event.source, HOME_PLACE[event.target])
        case Recycled():
            return turn_waste_over(state)
        case Dealt():
            columns = tuple(event.cards[place:IN_COLUMNS:COLUMNS] for place in range(COLUMNS))
            return replace(state, columns=columns, stock=event.cards[: IN_COLUMNS - 1 : -1])
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing for another seat or once the game is over."""
    if seat != 0 or state.foundations == ALL_HOME:
        return ()
    talon: tuple[Command, ...] = (_DRAW,) if state.stock else (_RECYCLE,) if can_recycle(state) else ()
    return (*moves(state), *talon)


def moves(state: State) -> list[Move]:
    """The legal moves: from the waste, then from columns 0 to 9; home first, then onto cards and into empty columns."""
    return [move for found in moves_by_source(state) for move in found]


def moves_by_source(state: State) -> Iterator[list[Move]]:
    """The same, one source after another, for who may stop at the first."""
    room, options = _find_room(state.columns), state.options
    lies_on, accepts = LIES_ON[options.build], ACCEPTS[options.build]
    if state.waste:
        yield _go_home(state, WASTE, state.waste[-1]) + _go_to_columns(WASTE, state.waste[-1:], lies_on, room)
    for source, column in zip(TABLEAU, state.columns, strict=True):
        if column:
            run = column[-run_length(column, accepts) :] if options.runs else column[-1:]
            yield _go_home(state, source, column[-1]) + _go_to_columns(source, run, lies_on, room)


def find_wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    if not all(state.columns):
        return set(CARDS)
    accepts = ACCEPTS[state.options.build]
    homes = next_home(state.foundations[::2]) | next_home(state.foundations[1::2])
    return homes.union(*[accepts[column[-1]] for column in state.columns])


def result(state: State) -> Result | None:
    """Won with all cards home; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards on the foundations. Our ruling: with undo a lost game stays open and is told as
    stuck.
    """
    if state.foundations == ALL_HOME:
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not is_dealt(state) or legal_commands(state, 0):
        return None
    return Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards on the foundations."""
    return sum(state.foundations)


def is_dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.waste or any(state.columns) or any(state.foundations))


def _first_home(state: State, move: Move) -> Move:
    """The move as it is, or to the first foundation of the suit where the second has as many cards."""
    place = HOME_PLACE.get(move.target, 0)
    first, second = place - place % 2, place - place % 2 + 1
    if place == second and state.foundations[first] == state.foundations[second]:
        return replace(move, target=FOUNDATIONS[first])
    return move


def _judge_move(state: State, move: Move) -> Moved:
    source, target = move.source, move.target
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = _lift(state, move)
    if target in HOME_PLACE:
        suit, second = divmod(HOME_PLACE[target], 2)
        check_home(state.foundations[second::2], cards, suit)
    elif column := state.columns[COLUMN[target]]:
        _CHECKS[state.options.build](column[-1], cards[0])
    return Moved(cards, source, target)


def _lift(state: State, move: Move) -> Column:
    """The cards to be moved; raises Illegal if they may not leave together."""
    lying = state.waste if move.source == WASTE else state.columns[COLUMN[move.source]]
    cards = lift_cards(lying, move.source, move.count, ("column_too_short", "The column has not so many cards."))
    if move.count == 1:
        return cards
    if not state.options.runs:
        raise Illegal("one_at_a_time", "Cards move one at a time in this game.")
    if move.count > run_length(lying, ACCEPTS[state.options.build]):
        raise Illegal("no_run", "So many cards do not lie in order there.")
    return cards


def _bring_home(state: State, source: Source, place: int) -> State:
    """The position after the top card of this zone went home."""
    foundations = with_value_at(state.foundations, place, state.foundations[place] + 1)
    if source == WASTE:
        return replace(state, foundations=foundations, waste=state.waste[:-1])
    column = COLUMN[source]
    return replace(
        state, foundations=foundations, columns=with_value_at(state.columns, column, state.columns[column][:-1])
    )


def _find_room(columns: Sequence[Column]) -> _Room:
    """The columns by their top cards, of which two may be alike, and the empty ones under NO_CARD."""
    room: _Room = {}
    for place, column in enumerate(columns):
        room.setdefault(top_of(column), []).append(place)
    return room


def _go_home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = HOME[card]
    first, second = state.foundations[2 * suit : 2 * suit + 2]
    if needed not in (first, second):
        return []
    return [Move(source, FOUNDATIONS[2 * suit + (needed != first)])]


def _go_to_columns(source: Source, run: Column, lies_on: Mapping[Card, tuple[Card, ...]], room: _Room) -> list[Move]:
    """The moves of parts of this run, from the top card alone on. No part fits the run's own top card."""
    listed = list[Move]()
    for count, card in enumerate(reversed(run), 1):
        for top in (*lies_on[card], NO_CARD):
            if top in room:
                listed += [Move(source, TABLEAU[place], count) for place in room[top]]
    return listed
