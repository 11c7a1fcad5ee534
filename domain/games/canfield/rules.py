"""The rules of Canfield: the deal, what a command does, what an event makes of a position, and how a game ends."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.canfield.events import (
    Command,
    Dealt,
    Draw,
    Drawn,
    Event,
    Filled,
    Move,
    Moved,
    Recycle,
    Recycled,
    Source,
    Uncovered,
)
from domain.games.canfield.state import (
    ACCEPTS,
    BASE_CARD,
    COLUMNS,
    FIRST_COLUMN,
    FIRST_OF_STOCK,
    IN_RESERVE,
    RESERVE,
    TABLEAU,
    Options,
    Options2,
    State,
    State2,
    lower,
    reserve_top,
    tops,
)
from domain.kit.cards import PACK, RANK
from domain.kit.columns import COLUMN, lift_cards, move_cards
from domain.kit.patience import (
    FOUNDATIONS,
    HOME,
    NO_CARD,
    SUIT_PLACE,
    all_home,
    cards_home,
    check_alternating,
    check_home,
    home_cards,
    next_home,
    with_value_at,
)
from domain.kit.talon import WASTE, can_recycle, check_recycle, draw_cards, next_cards, turn_waste_over
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_LOWER: dict[Card, int] = {card: lower(rank) for card, rank in RANK.items()}
"""The rank that a column takes, by its top card."""


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, foundations=(0,) * 4)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, columns=((),) * COLUMNS, foundations=(0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffle(PACK).cards),)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("Canfield")
    if all_home(state.foundations):
        raise Illegal("game_over", "All cards are home.")
    match command:
        case Draw():
            return (Drawn(next_cards(state)),)
        case Move():
            return (_judge_move(state, command), *_open_reserve(state, command))
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
            moved = move_cards(state, event.source, event.target, event.cards)
            return replace(moved, reserve=state.reserve[:-1]) if event.source == RESERVE else moved
        case Uncovered():
            return replace(state, covered=state.covered - 1)
        case Filled():
            return replace(move_cards(state, RESERVE, event.target, (event.card,)), reserve=state.reserve[:-1])
        case Recycled():
            return turn_waste_over(state)
        case Dealt():
            return _deal_out(state, event.cards)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing for another seat or once the game is over."""
    if seat != 0 or all_home(state.foundations):
        return ()
    talon: tuple[Command, ...] = (Draw(),) if state.stock else (Recycle(),) if can_recycle(state) else ()
    return (*moves(state), *talon)


def moves(state: State) -> list[Move]:
    """The legal moves: from the reserve, the waste, each column, the foundations; home first, then columns 0 to 3."""
    heads, top, listed = tops(state), reserve_top(state), []
    if top is not None:
        listed += _go_home(state, RESERVE, top) + _go_to_columns(RESERVE, top, heads)
    if state.waste:
        listed += _go_home(state, WASTE, state.waste[-1]) + _go_to_columns(WASTE, state.waste[-1], heads)
    for place, column in enumerate(state.columns):
        if column:
            listed += _leave_column(state, place, column, heads)
    if state.options.foundation_return:
        for suit, count in enumerate(state.foundations):
            if count:
                listed += _go_to_columns(FOUNDATIONS[suit], home_cards(suit, count, state.base)[-1], heads)
    return listed


def find_wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    return next_home(state.foundations, state.base).union(*[ACCEPTS[top] for top in tops(state)])


def result(state: State) -> Result | None:
    """Won with all cards home; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards on the foundations, the dealt base card among them. The rule of the source is that
    play goes on until no move is possible: not even drawing or recycling. Our ruling: with undo the game then stays
    open and is told as stuck.
    """
    if all_home(state.foundations):
        return Result("won", "all_home", (0,), (cards_home(state),))
    if state.options.undo or not state.base or legal_commands(state, 0):
        return None
    return Result("lost", "no_moves", (), (cards_home(state),))


def _judge_move(state: State, command: Move) -> Moved:
    source, target = command.source, command.target
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    lying = _lying(state, source)
    cards = lift_cards(lying, source, command.count, ("column_too_short", "The column has not so many cards."))
    if target in SUIT_PLACE:
        check_home(state.foundations, cards, SUIT_PLACE[target], state.base, "base rank")
        return Moved(cards, source, target)
    if state.options.whole_column_only and source in COLUMN and len(cards) < len(lying):
        raise Illegal("whole_column_only", "All cards of the column move together in this game.")
    if column := state.columns[COLUMN[target]]:
        check_alternating(column[-1], cards[0], king_on_ace=True)
    elif state.reserve:
        raise Illegal("reserve_fills", "While the reserve has cards, it alone fills an empty column.")
    return Moved(cards, source, target)


def _lying(state: State, source: Source) -> tuple[Card, ...]:
    if source == RESERVE:
        top = reserve_top(state)
        return () if top is None else (top,)
    if source == WASTE:
        return state.waste
    if source in COLUMN:
        return state.columns[COLUMN[source]]
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    suit = SUIT_PLACE[source]
    return home_cards(suit, state.foundations[suit], state.base)


def _open_reserve(state: State, command: Move) -> tuple[Filled | Uncovered, ...]:
    """The fill of the column that the move empties, then the card that comes to the top of the reserve, if any."""
    source = command.source
    fill: tuple[Filled, ...] = ()
    if source in COLUMN and state.reserve and command.count == len(state.columns[COLUMN[source]]):
        fill = (Filled(state.reserve[-1], TABLEAU[COLUMN[source]]),)
    elif source != RESERVE:
        return ()
    return (*fill, *[Uncovered(card) for card in state.reserve[-2:-1]])


def _deal_out(state: State, cards: tuple[Card, ...]) -> State:
    """The packet of the reserve is turned over: its first card comes to lie on top."""
    base = cards[BASE_CARD]
    return replace(
        state,
        columns=tuple((card,) for card in cards[FIRST_COLUMN:FIRST_OF_STOCK]),
        foundations=with_value_at(state.foundations, HOME[base][0], 1),
        base=RANK[base],
        reserve=cards[IN_RESERVE - 1 :: -1],
        covered=IN_RESERVE - 1,
        stock=cards[: FIRST_OF_STOCK - 1 : -1],
    )


def _go_home(state: State, source: Source, card: Card) -> list[Move]:
    suit = HOME[card][0]
    fits = state.foundations[suit] == (RANK[card] - state.base) % 13
    return [Move(source, FOUNDATIONS[suit])] if fits else []


def _go_to_columns(source: Source, card: Card, heads: tuple[Card, ...]) -> list[Move]:
    return [Move(source, TABLEAU[place]) for place, top in enumerate(heads) if card in ACCEPTS[top]]


def _leave_column(state: State, place: int, column: tuple[Card, ...], heads: tuple[Card, ...]) -> list[Move]:
    source, length = TABLEAU[place], 1 if state.options.whole_column_only else len(column)
    listed = _go_home(state, source, column[-1])
    for target, top in enumerate(heads):
        if target != place:
            listed += [Move(source, TABLEAU[target], len(column) - deep) for deep in _fitting(column[:length], top)]
    return listed


def _fitting(run: tuple[Card, ...], top: Card) -> list[int]:
    """The cards of this run, by number from its lower end, that may go onto this top card.

    Ranks fall by one and go on from ace to king, so that a card that fits may come again 26 cards above.
    """
    if top == NO_CARD:
        return list(range(len(run)))
    first = (RANK[run[0]] - _LOWER.get(top, 0)) % 13
    return [deep for deep in range(first, len(run), 13) if run[deep] in ACCEPTS[top]]
