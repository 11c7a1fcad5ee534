"""The rules of Klondike: the deal, what a command does, what an event makes of a position, and how a game ends."""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.klondike.events import (
    Command,
    Dealt,
    Draw,
    Drawn,
    Event,
    Move,
    Moved,
    Recycle,
    Recycled,
    Source,
    Turned,
)
from domain.games.klondike.state import (
    ACCEPTS,
    COLUMNS,
    IN_COLUMNS,
    TABLEAU,
    Options,
    Options2,
    State,
    State2,
    columns_dealt,
)
from domain.kit.cards import PACK, RANK
from domain.kit.columns import COLUMN, lift_cards, move_cards
from domain.kit.patience import (
    ALL_HOME,
    FOUNDATIONS,
    HOME,
    KINGS,
    NO_CARD,
    SUIT_PLACE,
    cards_home,
    check_alternating,
    check_home,
    home_cards,
    next_home,
    with_value_at,
)
from domain.kit.talon import WASTE, can_recycle, check_recycle, draw_cards, next_cards, recycles_left, turn_waste_over
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_LOWER: dict[Card, int] = {card: rank - 1 for card, rank in RANK.items()} | {NO_CARD: 13}
"""The rank that a column takes, by its top card."""


def settle(options: Options, seats: int) -> Options:
    """The options as they are; raises Illegal for an ending on the last pass where no pass is the last."""
    if options.end_on_last_pass and options.passes is None:
        raise Illegal("last_pass_of_unlimited", "Without a limit of passes no pass is the last: set `passes` as well.")
    return options


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS, foundations=(0,) * 4)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS, foundations=(0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffle(PACK).cards),)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("Klondike")
    if is_closed(state):
        how = "All cards are home." if state.foundations == ALL_HOME else "The last pass through the stock is over."
        raise Illegal("game_over", how)
    match command:
        case Draw():
            return (Drawn(next_cards(state)),)
        case Move():
            return (_judge_move(state, command), *_turn_card(state, command))
        case Recycle():
            check_recycle(state)
            return (Recycled(),)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Drawn():
            return draw_cards(state, event.cards)
        case Moved():
            return move_cards(state, event.source, event.target, event.cards)
        case Turned():
            place = COLUMN[event.source]
            return replace(state, face_down=with_value_at(state.face_down, place, state.face_down[place] - 1))
        case Recycled():
            return turn_waste_over(state)
        case Dealt():
            columns, stock = columns_dealt(event.cards), event.cards[: IN_COLUMNS - 1 : -1]
            return replace(state, columns=columns, face_down=tuple(range(COLUMNS)), stock=stock)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing for another seat or once the game is over."""
    if seat != 0 or is_closed(state):
        return ()
    talon: tuple[Command, ...] = (Draw(),) if state.stock else (Recycle(),) if can_recycle(state) else ()
    return (*moves(state), *talon)


def moves(state: State) -> list[Move]:
    """The legal moves: from the waste, from each column, from the foundations; home first, then columns 0 to 6."""
    return [move for found in moves_by_source(state) for move in found]


def moves_by_source(state: State) -> Iterator[list[Move]]:
    """The same, one source after another, for who may stop at the first."""
    tops = tuple([column[-1] if column else NO_CARD for column in state.columns])
    if state.waste:
        card = state.waste[-1]
        yield _go_home(state, WASTE, card) + _go_to_columns(WASTE, card, tops)
    for place, column in enumerate(state.columns):
        if column:
            yield _leave_column(state, tops, place)
    if state.options.foundation_return:
        for suit, home in enumerate(state.foundations):
            if home:
                yield _go_to_columns(FOUNDATIONS[suit], PACK[13 * suit + home - 1], tops)


def find_wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    tops = [column[-1] if column else NO_CARD for column in state.columns]
    return next_home(state.foundations).union(*[ACCEPTS[top] for top in tops])


def is_closed(state: State) -> bool:
    """Whether nothing may be moved or drawn any more, whatever lies on the table."""
    return state.foundations == ALL_HOME or last_pass_over(state)


def last_pass_over(state: State) -> bool:
    """Whether `end_on_last_pass` ends the game here.

    The source ends the game after the last run through the stock. Our ruling: the run is over when the stock is empty
    and the top of the waste has no place; with the waste empty what can still be played is played. Revision 1 ended a
    game with the waste.
    """
    if state.stock or not _on_last_pass(state):
        return False
    return state.waste[-1] not in find_wanted(state) if state.waste else not isinstance(state, State2)


def result(state: State) -> Result | None:
    """Won with all cards home; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards on the foundations. The rule of the source is that play goes on until no move is
    possible: not even drawing or recycling. Our ruling: with undo the game then stays open and is told as stuck.
    """
    if state.foundations == ALL_HOME:
        return Result("won", "all_home", (0,), (cards_home(state),))
    if state.options.undo or not _is_dealt(state) or legal_commands(state, 0):
        return None
    return Result("lost", "last_pass" if _on_last_pass(state) else "no_moves", (), (cards_home(state),))


def _judge_move(state: State, command: Move) -> Moved:
    source, target = command.source, command.target
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    lying = _face_up(state, source)
    cards = lift_cards(lying, source, command.count, ("face_up_only", "The column has not so many cards face up."))
    if target in SUIT_PLACE:
        check_home(state.foundations, cards, SUIT_PLACE[target])
        return Moved(cards, source, target)
    if state.options.whole_run_only and source in COLUMN and len(cards) < len(lying):
        raise Illegal("whole_run_only", "All face-up cards of the column move together in this game.")
    if column := state.columns[COLUMN[target]]:
        check_alternating(column[-1], cards[0])
    elif cards[0] not in KINGS:
        raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")
    return Moved(cards, source, target)


def _face_up(state: State, source: Source) -> tuple[Card, ...]:
    if source == WASTE:
        return state.waste
    if source in COLUMN:
        return state.columns[COLUMN[source]][state.face_down[COLUMN[source]] :]
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    suit = SUIT_PLACE[source]
    return home_cards(suit, state.foundations[suit])


def _turn_card(state: State, command: Move) -> tuple[Turned, ...]:
    """The turned card, where the last face-up card of a column left. Our ruling: this is not left to the player."""
    if command.source not in COLUMN:
        return ()
    place = COLUMN[command.source]
    left, down = state.columns[place][: -command.count], state.face_down[place]
    return (Turned(TABLEAU[place], left[-1]),) if left and len(left) == down else ()


def _go_home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = HOME[card]
    return [Move(source, FOUNDATIONS[suit])] if state.foundations[suit] == needed else []


def _go_to_columns(source: Source, card: Card, tops: tuple[Card, ...]) -> list[Move]:
    return [Move(source, TABLEAU[place]) for place, top in enumerate(tops) if card in ACCEPTS[top]]


def _leave_column(state: State, tops: tuple[Card, ...], place: int) -> list[Move]:
    run, source = state.columns[place][state.face_down[place] :], TABLEAU[place]
    fitting = _fitting(run, tops, state.options.whole_run_only)
    return _go_home(state, source, run[-1]) + [Move(source, TABLEAU[target], count) for target, count in fitting]


def _fitting(run: tuple[Card, ...], tops: tuple[Card, ...], whole: bool) -> Iterator[tuple[int, int]]:
    """The columns that take a part of this run, and how many cards: ranks fall by one, so that one part fits at most.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    head, length = RANK[run[0]], 1 if whole else len(run)
    for place, top in enumerate(tops):
        deep = head - _LOWER[top]
        if 0 <= deep < length and run[deep] in ACCEPTS[top]:
            yield place, len(run) - deep


def _on_last_pass(state: State) -> bool:
    """Whether `end_on_last_pass` holds for the pass that goes on, or for none that is to come."""
    return state.options.end_on_last_pass and recycles_left(state) == 0


def _is_dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.waste or any(state.columns) or any(state.foundations))
