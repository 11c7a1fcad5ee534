"""Screaming Yoda: the table and its deal, what a command leads to, what each event changes, and what may be said."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda import plays
from domain.games.screaming_yoda import state as yoda
from domain.games.screaming_yoda.plays import Course
from domain.games.screaming_yoda.state import Cards, Columns, Options, State, State2, columns
from domain.kit import turns
from domain.kit.cards import PACK
from domain.kit.patience import with_value_at
from domain.view import Card, Seat, player_name


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


def initial_2(options: yoda.Options2, seats: int) -> State2:
    """The same for revision 2."""
    none: tuple[Columns, ...] = ((None,) * columns(seats),) * seats
    return State2(options=options, hands=((),) * seats, face_up=none, face_down=none)


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """The cards, the one turned up and, unless cards may be exchanged first, the first turn.

    Seat 0 is dealt to first where the deal is given; without the option `first_seat` lots are drawn (house rule, ours).
    """
    order = chance.shuffle(PACK)
    first, after = options.first_seat or 0, order.chance
    if options.first_seat is None and chance.given is None:
        lots = after.shuffle([f"seat {seat}" for seat in range(seats)])
        first, after = int(lots.cards[0][-1]), lots.chance
    cards, rounds = iter(order.cards), columns(seats)
    face_down, face_up, hands = (_deal_round(cards, count, first, seats) for count in (rounds, rounds, yoda.FULL_HAND))
    dealt = ev.Dealt(first, face_down, face_up, hands, tuple(cards), after)
    course = turns.Course(evolve, initial(options, seats)).then(dealt)
    course = course.then(ev.TurnedUp(course.state.draw[0]))
    if plays.clearing(course.state.pile):
        course = course.then(ev.Cleared("ten", course.state.pile))
    return (course if options.swap_phase else course.then(ev.TurnStarted(first))).events


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if plays.result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat not in yoda.playing(state):
        raise Illegal("out_of_game", "This seat is out of the game.")
    course = turns.Course(evolve, state)
    match command:
        case ev.Play():
            _check_turn(state, seat)
            lay = plays.find_lay(state, seat, command)
            course = plays.finish_play(course.then(ev.Played(seat, lay.cards, lay.columns)), seat, command.shout)
        case ev.Flip():
            _check_turn(state, seat)
            flip = plays.find_flip(state, seat, command)
            course = course.then(flip)  # a card that does not fit goes to the hand with the whole pile
            course = (
                plays.finish_play(course, seat, command.shout)
                if plays.fits(state, flip.card[0])
                else plays.pick_up(course, seat)
            )
        case ev.PickUp():  # allowed at any turn, also before a flip (house rule, ours)
            _check_turn(state, seat)
            if not state.pile:
                raise Illegal("empty_pile", "There is no pile to pick up.")
            course = plays.pick_up(course, seat)
        case ev.Shout():
            if seat not in state.exposed:
                raise Illegal("nothing_to_shout", "Yoda is shouted with one card left, once.")
            course = course.then(ev.Shouted(seat))
        case ev.Call():
            _check_begun(state)
            course = plays.call_seat(course, seat, command.seat)
        case ev.Swap():
            _check_swapping(state, seat)
            owner, column = yoda.COLUMN_PLACE.get(command.target, (-1, 0))
            if owner != seat or column >= len(state.face_up[seat]):
                raise Illegal("own_column", "Cards are exchanged with one's own columns.")
            if command.card not in state.hands[seat] or command.source not in (None, yoda.HAND[seat]):
                raise Illegal("not_in_hand", "This card is not in your hand.")
            taken = state.face_up[seat][column] or command.card
            course = course.then(ev.Swapped(seat, command.card, column, taken))
        case ev.Ready():
            _check_swapping(state, seat)
            course = _begin_play(course.then(ev.BecameReady(seat)))
        case _:
            assert_never(command)
    return course.events


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event: refuses nothing, draws no lots. The most frequent events stand first."""
    match event:
        case ev.TurnStarted():
            return replace(state, turn=event.seat)
        case ev.Played():
            seat, face_up = event.seat, state.face_up
            if event.columns:
                face_up = with_value_at(face_up, seat, _empty_columns(face_up[seat], event.columns))
            hand = tuple([card for card in state.hands[seat] if card not in event.cards])
            hands, pile = with_value_at(state.hands, seat, hand), state.pile + event.cards
            return replace(state, hands=hands, face_up=face_up, pile=pile, exposed=_without(state.exposed, seat))
        case ev.PickedUp():
            hands, exposed = _add_to_hand(state, event.seat, event.cards), _without(state.exposed, event.seat)
            return replace(state, hands=hands, pile=(), exposed=exposed)
        case ev.Drawn():
            hands = _add_to_hand(state, event.seat, event.cards)
            return replace(state, draw=state.draw[len(event.cards) :], hands=hands)
        case ev.Penalised():
            return replace(
                state,
                hands=_add_to_hand(state, event.seat, event.drawn + event.from_pile),
                pile=tuple([card for card in state.pile if card not in event.from_pile]),
                removed=state.removed if event.removed is None else event.removed,
                exposed=_without(state.exposed, event.seat),
                chance=event.chance or state.chance,
            )
        case ev.FalselyCalled():
            return state
        case ev.Cleared():
            return replace(state, pile=(), removed=state.removed + event.cards)
        case ev.Flipped():
            seat, pile = event.seat, (*state.pile, event.card)
            face_down = with_value_at(state.face_down, seat, _empty_columns(state.face_down[seat], (event.column,)))
            return replace(state, face_down=face_down, pile=pile, exposed=_without(state.exposed, seat))
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
            seat = event.seat
            hand = tuple(event.taken if card == event.card else card for card in state.hands[seat])
            row = with_value_at(state.face_up[seat], event.column, event.card)
            hands, face_up = with_value_at(state.hands, seat, hand), with_value_at(state.face_up, seat, row)
            return replace(state, hands=hands, face_up=face_up)
        case ev.BecameReady():
            return replace(state, swapping=_without(state.swapping, event.seat))
        case ev.WentOut():
            return replace(state, out=(*state.out, event.seat))
        case ev.Withdrawn():
            return replace(
                state,
                resigned=(*state.resigned, event.seat),
                swapping=_without(state.swapping, event.seat),
                exposed=_without(state.exposed, event.seat),
                skips=_without(state.skips, event.seat),
            )
        case ev.TurnedUp():
            return replace(state, draw=state.draw[1:], pile=(event.card,))
        case ev.Dealt():
            return replace(
                state, first=event.first, hands=event.hands, face_up=event.face_up, face_down=event.face_down,
                draw=event.draw, swapping=tuple(range(len(event.hands))) if state.options.swap_phase else (),
                chance=event.chance,
            )  # fmt: skip
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """Plays, flips and the pick-up of the seat on turn; then its shout and its calls, on turn or not."""
    if plays.result(state) is not None or seat not in yoda.playing(state):
        return ()
    if state.swapping:
        zones, hand = yoda.COLUMN[seat][: len(state.face_up[seat])], state.hands[seat]
        swaps = [ev.Swap(card, zone, yoda.HAND[seat]) for card in hand for zone in zones]
        return (*swaps, ev.Ready()) if seat in state.swapping else ()
    calls = [ev.Call(other) for other in plays.callable_seats(state, seat)]
    return (*_list_turn(state, seat), *([ev.Shout()] if seat in state.exposed else ()), *calls)


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """Cards in the order in which they lie, both zones named, a shout only where it has an effect."""
    match command:
        case ev.Play():
            try:
                lay = plays.find_lay(state, seat, command)
            except Illegal:
                return command
            return _spell_play(seat, lay, command.shout and plays.count_left(state, seat, lay) == 1)
        case ev.Flip():
            return ev.Flip(command.source, command.target or yoda.PILE, command.shout and yoda.total(state, seat) == 2)
        case ev.Swap():
            return ev.Swap(command.card, command.target, command.source or yoda.HAND[seat])
        case _:
            return command


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out with all it holds; if it was on turn the next seat plays on the pile as it lies.

    Nothing follows where the seat was out already.
    """
    if seat not in yoda.playing(state) or plays.result(state) is not None:
        return ()
    course = turns.Course(evolve, state).then(ev.Withdrawn(seat))
    if plays.result(course.state) is not None:
        return course.events
    if state.swapping:
        return _begin_play(course).events
    return plays.next_turn(course, seat).events if state.turn == seat else course.events


def _deal_round(cards: Iterator[Card], count: int, first: Seat, seats: int) -> tuple[Cards, ...]:
    """By seat so many cards, dealt one to each in turn from the first seat on."""
    taken = tuple(islice(cards, count * seats))
    return tuple(taken[(seat - first) % seats :: seats] for seat in range(seats))


def _check_turn(state: State, seat: Seat) -> None:
    _check_begun(state)
    if seat != state.turn:
        raise Illegal("not_your_turn", "Another seat is on turn.")


def _check_begun(state: State) -> None:
    if state.swapping:
        raise Illegal("swapping_first", "Play begins when every seat is ready.")


def _check_swapping(state: State, seat: Seat) -> None:
    if seat not in state.swapping:
        raise Illegal("no_swapping_now", "Cards are exchanged only before play, until one is ready.")


def _begin_play(course: Course) -> Course:
    """The first turn, once every seat is ready."""
    state = course.state
    if state.swapping:
        return course
    first = state.first if state.first in yoda.playing(state) else plays.next_seat(state, state.first)
    return course.then(ev.TurnStarted(first))


def _empty_columns(cards: Columns, columns: tuple[int, ...]) -> Columns:
    return tuple([None if column in columns else card for column, card in enumerate(cards)])


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple([other for other in seats if other != seat]) if seat in seats else seats


def _add_to_hand(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    return with_value_at(state.hands, seat, state.hands[seat] + cards)


def _list_turn(state: State, seat: Seat) -> Iterator[ev.Command]:
    """Plays and flips without the shout and, where that makes a difference, with it; then the pick-up."""
    if seat != state.turn:
        return
    for lay in plays.list_lays(state, seat):
        yield _spell_play(seat, lay, False)
        if plays.count_left(state, seat, lay) == 1:
            yield _spell_play(seat, lay, True)
    if not state.hands[seat] and all(card is None for card in state.face_up[seat]):
        for column, card in enumerate(state.face_down[seat]):
            if card is not None:
                yield ev.Flip(yoda.COLUMN[seat][column], yoda.PILE)
                if yoda.total(state, seat) == 2:
                    yield ev.Flip(yoda.COLUMN[seat][column], yoda.PILE, True)
    if state.pile:
        yield ev.PickUp()


def _spell_play(seat: Seat, lay: plays.Lay, shout: bool) -> ev.Play:
    return ev.Play(lay.cards, lay.sources(seat)[0], yoda.PILE, shout)
