"""Spite & Malice: filling a hand from the draw deck, the shuffles that go with it, and what follows where it fails."""

from typing import assert_never

from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import Cards, State
from domain.kit import turns
from domain.view import Seat

Course = turns.Course[State, ev.Event]


def fill_hand(course: Course, seat: Seat) -> Course:
    """The seat draws up to a full hand; where even the removed heap is too small, the chosen rule says what follows."""
    state = course.state
    needed = state.settings.hand - len(state.hands[seat])
    within_reach = len(state.draw) + len(state.removed)
    if needed <= within_reach:
        return _take_cards(course, seat, needed)
    match state.settings.on_exhaustion:
        case "drawn" | "fewest_stock_wins":
            return course.then(ev.Exhausted(seat))
        case "partial_draw":
            return _take_cards(course, seat, within_reach)
        case "redeal_hands_and_discards":
            return _redeal(course, seat)
        case _:
            assert_never(state.settings.on_exhaustion)


def _take_cards(course: Course, seat: Seat, count: int) -> Course:
    """Takes what is left, recycles the removed heap, takes the rest."""
    if course.state.settings.shuffle_type == "any_draw" and course.state.draw:
        course = _reshuffle(course, course.state.draw)
    first = min(count, len(course.state.draw))
    course = _draw(course, seat, first)
    return course if first == count else _draw(_reshuffle(course, course.state.removed), seat, count - first)


def _reshuffle(course: Course, cards: Cards) -> Course:
    order = turns.shuffle_cards(course.state.chance, cards)
    return course.then(ev.Reshuffled(order.cards, order.chance))


def _draw(course: Course, seat: Seat, count: int) -> Course:
    return course.then(ev.Drawn(seat, course.state.draw[:count])) if count else course


def _redeal(course: Course, seat: Seat) -> Course:
    """House rule, ours: only stock cards bring the end nearer, so after three redeals without one the game is drawn."""
    state = course.state
    if state.redeals == 3:
        return course.then(ev.Deadlocked("three_idle_redeals"))
    piles = (*state.play_decks, *state.discards[0], *state.discards[1], *state.hands)
    order = turns.shuffle_cards(
        state.chance, state.draw + state.removed + tuple(card for pile in piles for card in pile)
    )
    return _draw(course.then(ev.Redealt(order.cards, order.chance)), seat, state.settings.hand)
