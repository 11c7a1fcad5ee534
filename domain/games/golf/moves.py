"""What may be played and drawn, and when the game is over."""

from domain.game_type import Illegal, Result
from domain.games.golf.events import Command, Counted, Draw, Drawn, Event, Move, Moved
from domain.games.golf.state import COLUMN, DISCARD, TABLEAU, State, takers
from domain.kit.cards import name
from domain.view import Card, Seat

_DRAW = Draw()
_MOVES = tuple(Move(zone, DISCARD) for zone in TABLEAU)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Golf is played by the one player at seat 0.")
    if closed(state):
        raise Illegal("game_over", "Nothing can be played any more.")
    return _draw(state) if isinstance(command, Draw) else _move(state, command)


def _draw(state: State) -> tuple[Event, ...]:
    """Our ruling: the source says when one draws, not that one must not before; that is left to an option."""
    if not state.stock:
        raise Illegal("stock_empty", "The stock is empty.")
    if state.options.draw_only_when_stuck and plays(state):
        raise Illegal("draw_only_when_stuck", "A card of the columns can still be played.")
    return (Drawn(state.stock[-1]),)


def _move(state: State, command: Move) -> tuple[Event, ...]:
    column = state.columns[COLUMN[command.source]]
    if not column:
        raise Illegal("source_empty", "No card lies there.")
    if column[-1] not in takers(state.options)[state.discard[-1]]:
        raise _misfit(state, column[-1])
    return (Moved(column[-1], command.source, command.target),)


def _misfit(state: State, card: Card) -> Illegal:
    top = state.discard[-1]
    if not takers(state.options)[top]:
        return Illegal("nothing_on_a_king", "No card may be played on a king.")
    return Illegal("adjacent_rank", f"The {name(card)} is not one rank above or below the {name(top)}.")


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The plays from column 0 on, then drawing; nothing for another seat or once the game is over."""
    if seat != 0 or closed(state):
        return ()
    listed: list[Command] = [*plays(state)]
    if state.stock and not (listed and state.options.draw_only_when_stuck):
        listed.append(_DRAW)
    return tuple(listed)


def plays(state: State) -> list[Move]:
    """The plays of top cards."""
    if not state.discard:
        return []
    fitting = takers(state.options)[state.discard[-1]]
    return [_MOVES[place] for place, column in enumerate(state.columns) if column and column[-1] in fitting]


def cleared(state: State) -> bool:
    """Whether the columns are empty, after a deal."""
    return not any(state.columns) and bool(state.discard)


def closed(state: State) -> bool:
    """Whether nothing may be done any more, whatever is left."""
    return state.resigned or cleared(state)


def score(state: State) -> int:
    """The cards left in the columns; with `negative_score`, once they are empty, minus the cards left in the stock."""
    if state.options.negative_score and cleared(state):
        return -len(state.stock)
    return sum(map(len, state.columns))


def resign(state: State, seat: Seat) -> tuple[Counted, ...]:
    """Our ruling: whoever gives up scores the cards left, for a lost game of Golf is worth what it comes to."""
    return (Counted(),)


def result(state: State) -> Result | None:
    """Won with empty columns; lost, with a score, where the stock is empty and nothing can be played.

    Our ruling: with undo such a game stays open, told as stuck, until a move is taken back or the player resigns.
    """
    if cleared(state):
        return Result("won", "columns_cleared", (0,), (score(state),))
    if state.resigned:
        return Result("lost", "resigned", (), (score(state),))
    dead = bool(state.discard) and not state.options.undo and not legal_commands(state, 0)
    return Result("lost", "no_moves", (), (score(state),)) if dead else None


def stuck(state: State) -> bool:
    """Whether no card can be played, and on no card of the stock either. Our ruling.

    Which cards the stock holds the player can tell from those in view, and their order does not matter here.
    """
    if closed(state) or not state.discard or plays(state):
        return False
    tops, takes = {column[-1] for column in state.columns if column}, takers(state.options)
    return all(tops.isdisjoint(takes[card]) for card in state.stock)
