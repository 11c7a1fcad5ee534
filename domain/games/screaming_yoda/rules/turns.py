"""Screaming Yoda: what a lay, a flip, a pick-up, a shout or a call leads to, whose turn is next, how the game ends."""

from collections import Counter

from domain.game_type import Illegal, Result
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules.plays import Lay, fits
from domain.games.screaming_yoda.state import ALIKE_CLEAR, CLEARING, FULL_HAND, Cards, State, playing, total
from domain.kit import turns
from domain.view import Seat

Course = turns.Course[State, ev.Event]

CAUGHT = 3
"""Cards that a caught player draws."""


def lay_down(course: Course, seat: Seat, lay: Lay, shout: bool) -> Course:
    """The cards to the pile and what follows."""
    return _finish_play(course.then(ev.Played(seat, lay.cards, lay.columns)), seat, shout)


def flip_card(course: Course, seat: Seat, column: int, shout: bool) -> Course:
    """The face-down card to the pile; where it does not fit, it goes to the hand with the whole pile."""
    card = course.state.face_down[seat][column]
    if card is None:
        raise ValueError("an empty column")
    flipped = course.then(ev.Flipped(seat, column, card))
    return _finish_play(flipped, seat, shout) if fits(course.state, card[0]) else pick_up(flipped, seat)


def pick_up(course: Course, seat: Seat) -> Course:
    """The pile to the hand, and the next seat leads."""
    return next_turn(course.then(ev.PickedUp(seat, course.state.pile)), seat)


def clearing(pile: Cards) -> ev.Clearing | None:
    """Why this pile clears: a ten on top, or four of one rank anywhere in it."""
    if pile and pile[-1][0] in CLEARING:
        return "ten"
    counts = Counter(card[0] for card in pile)
    return "four_of_a_kind" if ALIKE_CLEAR in counts.values() else None


def shout_yoda(course: Course, seat: Seat) -> Course:
    """The exposed seat is safe; raises Illegal."""
    if seat not in course.state.exposed:
        raise Illegal("nothing_to_shout", "Yoda is shouted with one card left, once.")
    return course.then(ev.Shouted(seat))


def call_seat(course: Course, seat: Seat, called: Seat) -> Course:
    """The called seat draws and loses a turn, or, for a false call, the caller draws; raises Illegal."""
    state = course.state
    if called == seat:
        raise Illegal("own_call", "One calls another player; for oneself one shouts.")
    if called not in playing(state):
        raise Illegal("not_in_play", "This seat is not in play.")
    if called in state.exposed:
        return _catch_seat(course.then(ev.Caught(called, seat)), called)
    if not state.options.false_call_penalty:
        raise Illegal("false_call", "Only a player with one card left who has not shouted can be called.")
    if not _hears_false_calls(state):
        raise Illegal("nothing_to_draw", "There is no card that a false call could cost.")
    return _draw_penalty(course.then(ev.FalselyCalled(called, seat)), seat, state.options.false_call_penalty)


def callable_seats(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Whom a seat may call."""
    called = playing(state) if _hears_false_calls(state) else state.exposed
    return tuple(other for other in sorted(called) if other != seat)


def next_turn(course: Course, seat: Seat) -> Course:
    """The next seat clockwise that is still playing; who has to lose a turn loses it."""
    following = next_seat(course.state, seat)
    if following in course.state.skips:
        return next_turn(course.then(ev.Skipped(following)), following)
    return course.then(ev.TurnStarted(following))


def next_seat(state: State, seat: Seat) -> Seat:
    """The next seat clockwise that is still playing."""
    seats, left = len(state.hands), playing(state)
    return next((other % seats for other in range(seat + 1, seat + seats + 1) if other % seats in left), seat)


def result(state: State) -> Result | None:
    """Won by the first to play the last card, or by the last seat left; for places when one is left."""
    left = playing(state)
    if state.out and not state.options.play_for_places:
        return Result("won", "last_card", state.out)
    if len(left) > 1:
        return None
    reason = "last_card" if state.out else "resigned"
    order = (*state.out, *left, *reversed(state.resigned))
    return Result("won", reason, order[:1], _count_places(state, order))


def _finish_play(course: Course, seat: Seat, shout: bool) -> Course:
    """In this order: the pile clears, the hand is filled, the last card wins, one card left is exposed, the turn."""
    cleared = clearing(course.state.pile)
    if cleared:
        course = course.then(ev.Cleared(cleared, course.state.pile))
    course = _fill_hand(course, seat)
    left = total(course.state, seat)
    if left == 0:
        course = course.then(ev.WentOut(seat))
    elif left == 1:
        course = course.then(ev.Shouted(seat) if shout else ev.OneLeft(seat))
    if result(course.state) is not None:
        return course
    return course.then(ev.TurnStarted(seat, True)) if cleared and left else next_turn(course, seat)


def _fill_hand(course: Course, seat: Seat) -> Course:
    """Up to three cards in hand, also before a bonus play, while the draw pile lasts."""
    wanting = max(0, FULL_HAND - len(course.state.hands[seat]))
    cards = course.state.draw[:wanting]
    return course.then(ev.Drawn(seat, cards)) if cards else course


def _count_places(state: State, order: tuple[Seat, ...]) -> tuple[int, ...]:
    """By seat how many others it leaves behind; who resigned earlier comes later (house rule, ours)."""
    if not state.options.play_for_places:
        return ()
    return tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))


def _hears_false_calls(state: State) -> bool:
    """Whether a call without cause is heard, for which its caller draws."""
    if state.swapping or not state.options.false_call_penalty:
        return False
    return len(state.pile) > 1 or bool(state.pile if state.options.yoda_penalty_source == "pile" else state.removed)


def _catch_seat(course: Course, seat: Seat) -> Course:
    """On turn the player loses this turn and it passes at once, else the next one (house rule, ours)."""
    course = _draw_penalty(course, seat, CAUGHT)
    return next_turn(course.then(ev.Skipped(seat)), seat) if course.state.turn == seat else course


def _draw_penalty(course: Course, seat: Seat, count: int) -> Course:
    if course.state.options.yoda_penalty_source == "pile":
        penalty = ev.Penalised(seat, from_pile=course.state.pile[-count:])
    else:
        penalty = _draw_removed(course.state, seat, count)
    return course.then(penalty) if penalty.drawn or penalty.from_pile else course


def _draw_removed(state: State, seat: Seat, count: int) -> ev.Penalised:
    """From the removed cards, shuffled; what is missing from the bottom of the pile, whose top stays."""
    missing = max(0, count - len(state.removed))
    from_pile = state.pile[:-1][:missing]
    if not state.removed:
        return ev.Penalised(seat, from_pile=from_pile)
    order = turns.shuffle_cards(state.chance, state.removed)
    return ev.Penalised(seat, order.cards[:count], from_pile, order.cards[count:], order.chance)
