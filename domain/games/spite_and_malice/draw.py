"""Spite & Malice: filling a hand from the draw deck, the shuffles that go with it, and what follows where it fails."""

from collections.abc import Callable

from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.course import Course, shuffled
from domain.games.spite_and_malice.options import OnExhaustion
from domain.games.spite_and_malice.state import State
from domain.view import Seat


def fill_hand(course: Course, seat: Seat) -> Course:
    """The seat draws up to a full hand; where even the removed heap is too small, the chosen rule says what follows."""
    needed = wanting(course.state, seat)
    if needed <= within_reach(course.state):
        return _take(course, seat, needed)
    return _EXHAUSTION[course.state.settings.on_exhaustion](course, seat)


def wanting(state: State, seat: Seat) -> int:
    """How many cards a hand lacks."""
    return state.settings.hand - len(state.hands[seat])


def within_reach(state: State) -> int:
    """How many cards could be drawn: the draw deck, and the removed heap that becomes the next one."""
    return len(state.draw) + len(state.removed)


def _take(course: Course, seat: Seat, count: int) -> Course:
    """Takes what is left, recycles the removed heap, takes the rest."""
    course = _shuffle_before(course)
    first = min(count, len(course.state.draw))
    course = _drawn(course, seat, first)
    if first == count:
        return course
    return _drawn(_reshuffle(course, course.state.removed), seat, count - first)


def _shuffle_before(course: Course) -> Course:
    if course.state.settings.shuffle_type != "any_draw" or not course.state.draw:
        return course
    return _reshuffle(course, course.state.draw)


def _reshuffle(course: Course, cards: tuple[str, ...]) -> Course:
    order = shuffled(course.state, cards)
    return course.then(ev.Reshuffled(order.cards, order.chance))


def _drawn(course: Course, seat: Seat, count: int) -> Course:
    return course.then(ev.Drawn(seat, course.state.draw[:count])) if count else course


def _end(course: Course, seat: Seat) -> Course:
    return course.then(ev.Exhausted(seat))


def _take_what_there_is(course: Course, seat: Seat) -> Course:
    return _take(course, seat, within_reach(course.state))


def _redeal(course: Course, seat: Seat) -> Course:
    """House rule, ours: only stock cards bring the end nearer, so after three redeals without one the game is drawn."""
    if course.state.redeals == 3:
        return course.then(ev.Deadlocked("three_idle_redeals"))
    order = shuffled(course.state, _outside_stocks(course.state))
    course = course.then(ev.Redealt(order.cards, order.chance))
    return _drawn(course, seat, course.state.settings.hand)


def _outside_stocks(state: State) -> tuple[str, ...]:
    piles = (*state.play_decks, *state.discards[0], *state.discards[1], *state.hands)
    return state.draw + state.removed + tuple(card for pile in piles for card in pile)


_EXHAUSTION: dict[OnExhaustion, Callable[[Course, Seat], Course]] = {
    "drawn": _end,
    "fewest_stock_wins": _end,
    "partial_draw": _take_what_there_is,
    "redeal_hands_and_discards": _redeal,
}
