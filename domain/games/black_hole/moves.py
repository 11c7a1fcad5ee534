"""What may be moved, what it does, and when the game is over."""

from msgspec.structs import replace

from domain.game_type import Illegal, Result
from domain.games.black_hole.deal import pile_dealt
from domain.games.black_hole.events import Dealt, Event, Move, Moved
from domain.games.black_hole.state import BESIDE, FOUNDATION, PILE, TABLEAU, State
from domain.kit.cards import PACK, name
from domain.view import Seat

_MOVES = tuple(Move(zone, FOUNDATION) for zone in TABLEAU)


def decide(state: State, seat: Seat, command: Move) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Black Hole is played by the one player at seat 0.")
    pile = state.piles[PILE[command.source]]
    if not pile:
        raise Illegal("source_empty", "No card lies there.")
    top = state.foundation[-1]
    if pile[-1] not in BESIDE[top]:
        raise Illegal("adjacent_rank", f"The {name(pile[-1])} is not one rank above or below the {name(top)}.")
    return (Moved(pile[-1], command.source, command.target),)


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The piles whose top card fits, from pile 0 on; none for another seat."""
    if seat != 0 or not state.foundation:
        return ()
    fitting = BESIDE[state.foundation[-1]]
    return tuple([_MOVES[place] for place, pile in enumerate(state.piles) if pile and pile[-1] in fitting])


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    if isinstance(event, Dealt):
        piles = tuple(pile_dealt(event.cards, place) for place in range(len(TABLEAU)))
        return replace(state, piles=piles, foundation=(event.start,))
    return _moved(state, event)


def _moved(state: State, event: Moved) -> State:
    place, piles = PILE[event.source], state.piles
    left = (*piles[:place], piles[place][:-1], *piles[place + 1 :])
    return State(state.options, left, (*state.foundation, event.card))


def result(state: State) -> Result | None:
    """Won with 52 cards on the foundation; lost where no top card fits.

    Our ruling: with undo the game then stays open and is told as stuck.
    """
    if len(state.foundation) == len(PACK):
        return Result("won", "all_home", (0,), (score(state),))
    return Result("lost", "no_moves", (), (score(state),)) if stuck(state) and not state.options.undo else None


def score(state: State) -> int:
    """The number of cards on the foundation."""
    return len(state.foundation)


def stuck(state: State) -> bool:
    """Whether no top card fits, though some are left: everything is in view, and nothing else can be done."""
    return 0 < len(state.foundation) < len(PACK) and not legal_commands(state, 0)
