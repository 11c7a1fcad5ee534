"""The rules of The Clock: the deal, what a command does, what may be done, and how a game ends."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.the_clock.events import Command, Dealt, Event, Exchange, Exchanged, Placed, RunToEnd, Step, Turned
from domain.games.the_clock.state import BELONGS, CENTRE, PILES, PLACE, Options, State, face_down, four_kings
from domain.kit.cards import PACK
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

_EMPTY: tuple[tuple[Card, ...], ...] = ((),) * len(PILES)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffle(PACK).cards),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=_EMPTY, shown=_EMPTY)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("The Clock")
    if _is_closed(state):
        raise Illegal("game_over", "There is nothing to be turned up.")
    match command:
        case Step():
            _check_no_exchange(state)
            return _show_card(state)
        case RunToEnd():
            _check_no_exchange(state)
            return _run_to_end(state)
        case Exchange():
            return _exchange_king(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Turned():
            place, piles = PLACE[event.source], list(state.piles)
            piles[place] = piles[place][:-1] if state.options.take_from == "top" else piles[place][1:]
            return replace(state, piles=tuple(piles), active=event.card)
        case Placed():
            place, shown = PLACE[event.target], list(state.shown)
            shown[place] += (event.card,)
            return replace(state, shown=tuple(shown), following=place, active=None)
        case Exchanged():
            place, piles = PLACE[event.target], list(state.piles)
            piles[place] = (*piles[place][:-1], event.king)
            return replace(state, piles=tuple(piles), active=event.card, king_at=place)
        case Dealt():
            return replace(state, piles=_piles_of_deal(event.cards, state.options.pile_by_pile))
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """A card or all of them, or the piles on which the king may be laid; nothing once the game is over."""
    if seat != 0 or _is_closed(state):
        return ()
    if state.active is None:
        return (Step(), RunToEnd())
    return tuple(Exchange(pile) for pile in PILES if state.piles[PLACE[pile]])


def result(state: State) -> Result | None:
    """Over with the fourth king face up in the middle: won if no card lies face down any more.

    The score is the number of other cards that were shown before, 48 of them at most.
    """
    if not four_kings(state):
        return None
    score = (sum(map(len, state.shown[:CENTRE])),)
    if face_down(state):
        return Result("lost", "fourth_king", (), score)
    return Result("won", "all_face_up", (0,), score)


def _is_closed(state: State) -> bool:
    """Whether no card can be turned up: before the deal, and once the four kings lie face up."""
    return four_kings(state) or not any(state.piles)


def _check_no_exchange(state: State) -> None:
    if state.active is not None:
        raise Illegal("exchange_first", "First the king is to be exchanged for a card that lies face down.")


def _show_card(state: State) -> tuple[Event, ...]:
    """The next card, and where it goes. The pile cannot be empty: its k-th card comes when 5 - k lie face down."""
    pile = state.piles[state.following]
    card = pile[-1] if state.options.take_from == "top" else pile[0]
    turned = Turned(PILES[state.following], card)
    return (turned,) if _to_exchange(state, card) else (turned, _place_card(card))


def _to_exchange(state: State, card: Card) -> bool:
    """Whether this is the fourth king, shown too early, and may be exchanged (the Watch variant of gamerules.com).

    Our rulings: the exchange is not optional, there is one in a game, and the king's next showing decides.
    """
    if not state.options.watch or state.king_at is not None:
        return False
    return BELONGS[card] == CENTRE and len(state.shown[CENTRE]) == 3 and face_down(state) > 1


def _place_card(card: Card) -> Placed:
    return Placed(card, PILES[BELONGS[card]])


def _run_to_end(state: State) -> tuple[Event, ...]:
    run: list[Event] = []
    while state.active is None and not four_kings(state):
        events = _show_card(state)
        for event in events:
            state = evolve(state, event)
        run += events
    return tuple(run)


def _exchange_king(state: State, command: Exchange) -> tuple[Event, ...]:
    """Our ruling: it is the top card of the pile that is taken, whichever card of a pile is turned up otherwise."""
    if state.active is None:
        raise Illegal("no_king_to_exchange", "There is no fourth king to be exchanged.")
    pile = state.piles[PLACE[command.target]]
    if not pile:
        raise Illegal("pile_face_up", "No card of that pile lies face down any more.")
    return Exchanged(state.active, command.target, pile[-1]), _place_card(pile[-1])


def _piles_of_deal(cards: tuple[Card, ...], pile_by_pile: bool) -> tuple[tuple[Card, ...], ...]:
    """The thirteen piles, each with the card dealt last on top; one at a time, from 1 o'clock, the middle last."""
    if pile_by_pile:
        return tuple(cards[4 * place : 4 * place + 4] for place in range(len(PILES)))
    return tuple(cards[place :: len(PILES)] for place in range(len(PILES)))
