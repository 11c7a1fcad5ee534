"""The rules of Golf: options and deal, what may be played and drawn, and when the game is over."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.golf.events import Command, Counted, Dealt, Draw, Drawn, Event, Move, Moved
from domain.games.golf.state import COLUMN, COLUMNS, DISCARD, IN_COLUMNS, TABLEAU, Options, State, takers
from domain.kit.cards import PACK, name
from domain.kit.turns import not_the_player
from domain.view import Seat

_DRAW = Draw()
_MOVES = tuple(Move(zone, DISCARD) for zone in TABLEAU)


def settle(options: Options, seats: int) -> Options:
    """The options; where ace and king are next to each other, queens go on kings as well."""
    return replace(options, queens_on_kings=options.queens_on_kings or options.wrap)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffle(PACK).cards),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if seat != 0:
        raise not_the_player("Golf")
    if state.resigned or is_cleared(state):
        raise Illegal("game_over", "Nothing can be played any more.")
    match command:
        case Draw():
            # Our ruling: the source says when one draws, not that one must not before; that is left to an option.
            if not state.stock:
                raise Illegal("stock_empty", "The stock is empty.")
            if state.options.draw_only_when_stuck and plays(state):
                raise Illegal("draw_only_when_stuck", "A card of the columns can still be played.")
            return (Drawn(state.stock[-1]),)
        case Move():
            return _play_card(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Drawn():
            return State(state.options, state.columns, state.stock[:-1], (*state.discard, event.card))
        case Moved():
            place, columns = COLUMN[event.source], list(state.columns)
            columns[place] = columns[place][:-1]
            return State(state.options, tuple(columns), state.stock, (*state.discard, event.card))
        case Counted():
            return replace(state, resigned=True)
        case Dealt():
            cards = event.cards
            columns = [cards[column:IN_COLUMNS:COLUMNS] for column in range(COLUMNS)]
            return replace(state, columns=tuple(columns), discard=(cards[IN_COLUMNS],), stock=cards[:IN_COLUMNS:-1])
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The plays from the first column on, then drawing; nothing for another seat or once the game is over."""
    if seat != 0 or state.resigned or is_cleared(state):
        return ()
    listed: list[Command] = [*plays(state)]
    if state.stock and not (listed and state.options.draw_only_when_stuck):
        listed.append(_DRAW)
    return tuple(listed)


def resign(state: State, seat: Seat) -> tuple[Counted, ...]:
    """Our ruling: whoever gives up scores the cards left, for a lost game of Golf is worth what it comes to."""
    return (Counted(),)


def result(state: State) -> Result | None:
    """Won with empty columns; lost, with a score, where the stock is empty and nothing can be played.

    Our ruling: with undo such a game stays open, told as stuck, until a move is taken back or the player resigns.
    """
    if is_cleared(state):
        return Result("won", "columns_cleared", (0,), (score(state),))
    if state.resigned:
        return Result("lost", "resigned", (), (score(state),))
    dead = bool(state.discard) and not state.options.undo and not legal_commands(state, 0)
    return Result("lost", "no_moves", (), (score(state),)) if dead else None


def score(state: State) -> int:
    """The cards left in the columns; with `negative_score`, once they are empty, minus the cards left in the stock."""
    if state.options.negative_score and is_cleared(state):
        return -len(state.stock)
    return sum(map(len, state.columns))


def is_cleared(state: State) -> bool:
    """Whether the columns are empty, after a deal."""
    return not any(state.columns) and bool(state.discard)


def plays(state: State) -> list[Move]:
    """The plays of top cards."""
    if not state.discard:
        return []
    fitting = takers(state.options)[state.discard[-1]]
    return [_MOVES[place] for place, column in enumerate(state.columns) if column and column[-1] in fitting]


def _play_card(state: State, command: Move) -> tuple[Event, ...]:
    column = state.columns[COLUMN[command.source]]
    if not column:
        raise Illegal("source_empty", "No card lies there.")
    card, top = column[-1], state.discard[-1]
    takes = takers(state.options)[top]
    if not takes:
        raise Illegal("nothing_on_a_king", "No card may be played on a king.")
    if card not in takes:
        raise Illegal("adjacent_rank", f"The {name(card)} is not one rank above or below the {name(top)}.")
    return (Moved(card, command.source, command.target),)
