"""Screaming Yoda: the table, what a command leads to, what each event changes, and what may be said."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules.opening import begin_play, deal_cards, get_ready, list_swaps, swap_cards
from domain.games.screaming_yoda.rules.plays import Lay, find_column, find_lay, flippable, lays, left_after
from domain.games.screaming_yoda.rules.turns import (
    call_seat,
    callable_seats,
    clearing,
    flip_card,
    lay_down,
    next_turn,
    pick_up,
    result,
    shout_yoda,
)
from domain.games.screaming_yoda.state import (
    COLUMN,
    HAND,
    PILE,
    Cards,
    Columns,
    Options,
    Options2,
    State,
    State2,
    columns,
    playing,
    total,
)
from domain.kit.patience import with_value_at
from domain.kit.turns import Course
from domain.view import Seat, player_name

__all__ = ["canonical", "deal", "decide", "evolve", "initial", "legal_commands", "resign", "result", "settle"]


def settle(options: Options, seats: int) -> Options:
    """The options as they are; raises Illegal for two seats not allowed, or a first seat that the table has not."""
    if seats == 2 and not options.allow_two:
        raise Illegal("two_seats", "Three to five play; two may where the option allow_two is chosen.")
    if options.first_seat is not None and options.first_seat >= seats:
        raise Illegal("first_seat", f"There is no {player_name(options.first_seat)} at a table of {seats}.")
    return options


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    none: tuple[Columns, ...] = ((None,) * columns(seats),) * seats
    return State(options=options, hands=((),) * seats, face_up=none, face_down=none)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    none: tuple[Columns, ...] = ((None,) * columns(seats),) * seats
    return State2(options=options, hands=((),) * seats, face_up=none, face_down=none)


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """The cards, the one turned up and, unless cards may be exchanged first, the first turn."""
    course = Course(evolve, initial(options, seats)).then(deal_cards(options, chance, seats))
    course = course.then(ev.TurnedUp(course.state.draw[0]))
    if clearing(course.state.pile):
        course = course.then(ev.Cleared("ten", course.state.pile))
    if not options.swap_phase:
        course = course.then(ev.TurnStarted(course.state.first))
    return course.events


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat not in playing(state):
        raise Illegal("out_of_game", "This seat is out of the game.")
    course = Course(evolve, state)
    match command:
        case ev.Play():
            _check_turn(state, seat)
            return lay_down(course, seat, find_lay(state, seat, command), command.shout).events
        case ev.Flip():
            _check_turn(state, seat)
            return flip_card(course, seat, find_column(state, seat, command), command.shout).events
        case ev.PickUp():  # allowed at any turn, also before a flip (house rule, ours)
            _check_turn(state, seat)
            if not state.pile:
                raise Illegal("empty_pile", "There is no pile to pick up.")
            return pick_up(course, seat).events
        case ev.Shout():
            return shout_yoda(course, seat).events
        case ev.Call():
            _check_begun(state)
            return call_seat(course, seat, command.seat).events
        case ev.Swap():
            return swap_cards(course, seat, command).events
        case ev.Ready():
            return get_ready(course, seat).events
        case _:
            assert_never(command)


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event: refuses nothing, draws no lots. What happens most often stands first."""
    match event:
        case ev.TurnStarted():
            return replace(state, turn=event.seat)
        case ev.Played():
            return _play_cards(state, event)
        case ev.PickedUp():
            hands, exposed = _add_to_hand(state, event.seat, event.cards), _without(state.exposed, event.seat)
            return replace(state, hands=hands, pile=(), exposed=exposed)
        case ev.Drawn():
            hands = _add_to_hand(state, event.seat, event.cards)
            return replace(state, draw=state.draw[len(event.cards) :], hands=hands)
        case ev.Penalised():
            return _penalise_seat(state, event)
        case ev.FalselyCalled():
            return state
        case ev.Cleared():
            return replace(state, pile=(), removed=state.removed + event.cards)
        case ev.Flipped():
            return _flip_card(state, event)
        case ev.OneLeft():
            return replace(state, exposed=(*state.exposed, event.seat))
        case ev.Shouted():
            return replace(state, exposed=_without(state.exposed, event.seat))
        case ev.Caught():
            exposed = _without(state.exposed, event.seat)
            return replace(state, exposed=exposed, skips=(*state.skips, event.seat))
        case ev.Skipped():
            return replace(state, skips=_without(state.skips, event.seat))
        case ev.Swapped():
            return _swap_cards(state, event)
        case ev.BecameReady():
            return replace(state, swapping=_without(state.swapping, event.seat))
        case ev.WentOut():
            return replace(state, out=(*state.out, event.seat))
        case ev.Withdrawn():
            return _withdraw_seat(state, event.seat)
        case ev.TurnedUp():
            return replace(state, draw=state.draw[1:], pile=(event.card,))
        case ev.Dealt():
            return _lay_out(state, event)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """Plays, flips and the pick-up of the seat on turn; then its shout and its calls, on turn or not."""
    if result(state) is not None or seat not in playing(state):
        return ()
    if state.swapping:
        return list_swaps(state, seat) if seat in state.swapping else ()
    calls = [ev.Call(other) for other in callable_seats(state, seat)]
    return (*_list_turn(state, seat), *([ev.Shout()] if seat in state.exposed else ()), *calls)


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """Cards in the order in which they lie, both zones named, a shout only where it has an effect."""
    match command:
        case ev.Play():
            try:
                lay = find_lay(state, seat, command)
            except Illegal:
                return command
            return _spell_play(seat, lay, command.shout and left_after(state, seat, lay) == 1)
        case ev.Flip():
            return ev.Flip(command.source, command.target or PILE, command.shout and total(state, seat) == 2)
        case ev.Swap():
            return ev.Swap(command.card, command.target, command.source or HAND[seat])
        case _:
            return command


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out with all it holds; if it was on turn the next seat plays on the pile as it lies.

    Nothing follows where the seat was out already.
    """
    if seat not in playing(state) or result(state) is not None:
        return ()
    course = Course(evolve, state).then(ev.Withdrawn(seat))
    if result(course.state) is not None:
        return course.events
    if state.swapping:
        return begin_play(course).events
    return next_turn(course, seat).events if state.turn == seat else course.events


def _check_turn(state: State, seat: Seat) -> None:
    _check_begun(state)
    if seat != state.turn:
        raise Illegal("not_your_turn", "Another seat is on turn.")


def _check_begun(state: State) -> None:
    if state.swapping:
        raise Illegal("swapping_first", "Play begins when every seat is ready.")


def _play_cards(state: State, event: ev.Played) -> State:
    seat, face_up = event.seat, state.face_up
    if event.columns:
        face_up = with_value_at(face_up, seat, _empty(face_up[seat], event.columns))
    hand = tuple([card for card in state.hands[seat] if card not in event.cards])
    exposed = _without(state.exposed, seat)
    hands, pile = with_value_at(state.hands, seat, hand), state.pile + event.cards
    return replace(state, hands=hands, face_up=face_up, pile=pile, exposed=exposed)


def _empty(cards: Columns, columns: tuple[int, ...]) -> Columns:
    return tuple([None if column in columns else card for column, card in enumerate(cards)])


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple([other for other in seats if other != seat]) if seat in seats else seats


def _add_to_hand(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """All hands, with these cards more in one of them."""
    return with_value_at(state.hands, seat, state.hands[seat] + cards)


def _flip_card(state: State, event: ev.Flipped) -> State:
    face_down = with_value_at(state.face_down, event.seat, _empty(state.face_down[event.seat], (event.column,)))
    exposed = _without(state.exposed, event.seat)
    return replace(state, face_down=face_down, pile=(*state.pile, event.card), exposed=exposed)


def _penalise_seat(state: State, event: ev.Penalised) -> State:
    return replace(
        state,
        hands=_add_to_hand(state, event.seat, event.drawn + event.from_pile),
        pile=tuple([card for card in state.pile if card not in event.from_pile]),
        removed=state.removed if event.removed is None else event.removed,
        exposed=_without(state.exposed, event.seat),
        chance=event.chance or state.chance,
    )


def _swap_cards(state: State, event: ev.Swapped) -> State:
    hand = tuple(event.taken if card == event.card else card for card in state.hands[event.seat])
    face_up = with_value_at(state.face_up[event.seat], event.column, event.card)
    hands = with_value_at(state.hands, event.seat, hand)
    return replace(state, hands=hands, face_up=with_value_at(state.face_up, event.seat, face_up))


def _withdraw_seat(state: State, seat: Seat) -> State:
    return replace(
        state,
        resigned=(*state.resigned, seat),
        swapping=_without(state.swapping, seat),
        exposed=_without(state.exposed, seat),
        skips=_without(state.skips, seat),
    )


def _lay_out(state: State, event: ev.Dealt) -> State:
    return replace(
        state,
        first=event.first,
        hands=event.hands,
        face_up=event.face_up,
        face_down=event.face_down,
        draw=event.draw,
        swapping=tuple(range(len(event.hands))) if state.options.swap_phase else (),
        chance=event.chance,
    )


def _list_turn(state: State, seat: Seat) -> Iterator[ev.Command]:
    """Plays and flips without the shout and, where that makes a difference, with it; then the pick-up."""
    if seat != state.turn:
        return
    for lay in lays(state, seat):
        yield _spell_play(seat, lay, False)
        if left_after(state, seat, lay) == 1:
            yield _spell_play(seat, lay, True)
    for column in flippable(state, seat):
        yield ev.Flip(COLUMN[seat][column], PILE)
        if total(state, seat) == 2:
            yield ev.Flip(COLUMN[seat][column], PILE, True)
    if state.pile:
        yield ev.PickUp()


def _spell_play(seat: Seat, lay: Lay, shout: bool) -> ev.Play:
    return ev.Play(lay.cards, lay.sources(seat)[0], PILE, shout)
