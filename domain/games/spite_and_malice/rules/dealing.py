"""Spite & Malice: which tables can be dealt, the stocks and who begins; how hands are filled from the draw deck.

The shuffles go with it, and what follows where too few cards are left.
"""

from typing import assert_never

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import VALUE, Cards, Settings, State, pack
from domain.kit import turns
from domain.view import Card, Seat

Course = turns.Course[State, ev.Event]


def check_table(settings: Settings) -> None:
    """Raises Illegal where no game can be dealt with these settings, or none would ever begin."""
    cards, stocked = pack(settings), 2 * settings.stock
    if stocked + settings.hand > len(cards):
        raise Illegal("too_many_cards", f"Two stocks and a hand need more than the {len(cards)} cards there are.")
    if settings.wilds_in_stock:
        return
    plain = sum(not settings.is_wild(card) for card in cards)
    if stocked > plain:
        raise Illegal("stocks_without_wilds", f"Two stocks without wilds need more than the {plain} cards there are.")
    if settings.finish == 1:
        raise Illegal("first_cards_equal", "With nothing but aces in the stocks no first card is ever the higher one.")


def deal_stocks(settings: Settings, chance: Chance) -> ev.Dealt:
    """Both stocks and the draw deck; raises Illegal for a given deal that cannot be."""
    order = _order_cards(settings, chance)
    stocked = 2 * settings.stock
    stocks = (order.cards[0:stocked:2], order.cards[1:stocked:2])
    return ev.Dealt(stocks, order.cards[stocked:], order.chance)


def first_player(settings: Settings, dealt: ev.Dealt) -> Seat | None:
    """Who turned up the higher stock card; None where the two are equal."""
    ours, theirs = (_rate_card(settings, stock[-1]) for stock in dealt.stocks)
    return None if ours == theirs else int(theirs > ours)


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


def _order_cards(settings: Settings, chance: Chance) -> Shuffle:
    """The cards in dealing order: both stocks, seat 0 first and alternately, then the draw deck.

    Stocks without wilds come from the plain cards; the wilds are then shuffled into what is left.
    """
    cards, stocked = pack(settings), 2 * settings.stock
    if settings.wilds_in_stock:
        return chance.shuffle(cards)
    if chance.given is not None:
        return _check_stocks(settings, chance.shuffle(cards))
    plain = chance.shuffle([card for card in cards if not settings.is_wild(card)])
    wilds = tuple(card for card in cards if settings.is_wild(card))
    rest = plain.chance.shuffle(plain.cards[stocked:] + wilds)
    return Shuffle(plain.cards[:stocked] + rest.cards, rest.chance)


def _check_stocks(settings: Settings, given: Shuffle) -> Shuffle:
    """The given deal; raises Illegal where it puts wilds into the stocks."""
    wilds = [card for card in given.cards[: 2 * settings.stock] if settings.is_wild(card)]
    if wilds:
        said = f"The given deal puts wild cards into the stocks: {' '.join(wilds)}."
        raise Illegal("given_deal", said, "/deal")
    return given


def _rate_card(settings: Settings, card: Card) -> int:
    """The plain value, king 13 and joker 14; with `wild_lowest` every wild is equally low."""
    return 0 if settings.wild_lowest and settings.is_wild(card) else VALUE[card]


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
