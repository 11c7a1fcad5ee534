"""Drawing back to five: what cannot be kept is resolved at once, or waits for the player's word on a plug."""

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.course import Course, judged
from domain.games.deck_the_yard.deal import hand_from
from domain.games.deck_the_yard.pack import BROKEN, EVENT, PLUG
from domain.games.deck_the_yard.state import HAND_SIZE, State, lineup
from domain.view import Card


def refilled(course: Course) -> Course:
    """Draws until the hand is full, the stock is empty, a plug is asked for, or the game is over."""
    course = _shuffled_if_due(course) if _draws(course.state) else course
    while _draws(course.state):
        course = course.then(ev.Drawn(course.state.stock[-1]))
        if course.state.drawn is not None:
            return course if asks_for_plug(course.state) else resolved(course, course.state.drawn, None)
    return _turn_over(course)


def resolved(course: Course, card: Card, plug: Card | None) -> Course:
    """The card drawn, resolved with this plug or with none, and all that follows."""
    if card == EVENT:
        return _event_resolved(course, card, plug)
    return refilled(judged(course.then(_outcome(course.state, card, plug))))


def asks_for_plug(state: State) -> bool:
    """Whether the player may discard a plug for the card drawn.

    A broken bulb that meets an empty line-up does no harm, and no plug is asked for (our ruling). A bubble bulb alone
    is a line-up too.
    """
    if state.drawn is None or PLUG not in state.hand:
        return False
    return state.drawn != BROKEN or bool(lineup(state))


def _draws(state: State) -> bool:
    return state.over is None and len(state.hand) < HAND_SIZE and bool(state.stock)


def _outcome(state: State, card: Card, plug: Card | None) -> ev.Event:
    if card == BROKEN:
        return ev.BrokenBulbResolved(card, plug, () if plug else lineup(state))
    return ev.CharacterResolved(card, plug is not None, plug)


def _event_resolved(course: Course, card: Card, plug: Card | None) -> Course:
    """The event is spent either way. Our ruling: without a plug the whole hand goes, plugs not used included."""
    if plug is not None:
        return refilled(course.then(ev.EventCardResolved(card, False, plug)))
    return _redrawn(course.then(ev.EventCardResolved(card, True, None, course.state.hand)))


def _redrawn(course: Course) -> Course:
    """A new hand, without the cards that no hand may hold; they are shuffled back, and this turn's drawing ends.

    Our ruling: where the stock has too few, what came is kept; where nothing came at all, the game is over.
    """
    stock = course.state.stock
    drawn = len(stock) - len(hand_from(stock).left)
    if drawn:
        course = course.then(ev.HandRedrawn(stock[len(stock) - drawn :][::-1]))
    return _turn_over(_shuffled_if_due(course))


def _shuffled_if_due(course: Course) -> Course:
    """The stock shuffled if cards that were set aside have been put back.

    Our ruling: those of the opening hand lie under the stock until the first card is drawn, and are shuffled in then.
    """
    state = course.state
    if not state.unshuffled or state.chance is None:
        return course
    order = state.chance.shuffled(state.stock)
    return course.then(ev.StockShuffled(order.cards, order.chance))


def _turn_over(course: Course) -> Course:
    """The next turn, unless nothing is left in the hand: then the game is over."""
    if course.state.over is not None or course.state.hand:
        return course
    return course.then(ev.PlayEnded("hand_empty"))
