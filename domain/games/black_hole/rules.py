"""The rules of Black Hole: the deal, what may be moved, what it does, and when the game is over."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.black_hole.events import Dealt, Event, Move, Moved
from domain.games.black_hole.state import BESIDE, DEPTH, FOUNDATION, PILE, TABLEAU, Options, State
from domain.kit.cards import PACK, name
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_MOVES = tuple(Move(zone, FOUNDATION) for zone in TABLEAU)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """The start card is laid down before the other 51 are shuffled; a given deal names all 52, it anywhere among them.

    Taking the first ace out of a shuffled pack would leave an unfair deal (J. Wolter, Experimental Analysis of Black
    Hole). That a given deal may name the start card in any place is our ruling.
    """
    start = options.start_card
    pack = _without(start, PACK) if chance.given is None else PACK
    return (Dealt(start, _without(start, chance.shuffle(pack).cards)),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=((),) * len(TABLEAU))


def decide(state: State, seat: Seat, command: Move) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if seat != 0:
        raise not_the_player("Black Hole")
    pile = state.piles[PILE[command.source]]
    if not pile:
        raise Illegal("source_empty", "No card lies there.")
    top = state.foundation[-1]
    if pile[-1] not in BESIDE[top]:
        raise Illegal("adjacent_rank", f"The {name(pile[-1])} is not one rank above or below the {name(top)}.")
    return (Moved(pile[-1], command.source, command.target),)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Moved():
            place, piles = PILE[event.source], list(state.piles)
            piles[place] = piles[place][:-1]
            return State(state.options, tuple(piles), (*state.foundation, event.card))
        case Dealt():
            piles = [event.cards[DEPTH * place : DEPTH * (place + 1)] for place in range(len(TABLEAU))]
            return replace(state, piles=tuple(piles), foundation=(event.start,))
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The piles whose top card fits, from the first on; none for another seat."""
    if seat != 0 or not state.foundation:
        return ()
    fitting = BESIDE[state.foundation[-1]]
    return tuple([_MOVES[place] for place, pile in enumerate(state.piles) if pile and pile[-1] in fitting])


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


def _without(start: Card, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card != start)
