"""Spite & Malice: the deal, again while the first stock cards are equal, the first player and his hand."""

from collections.abc import Sequence

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.course import Course
from domain.games.spite_and_malice.draw import fill_hand
from domain.games.spite_and_malice.options import VALUE, Options, Settings, pack
from domain.games.spite_and_malice.state import initial
from domain.view import Card, Seat


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """One or more `dealt`, then the first turn with its draw; raises Illegal for a given deal that cannot be."""
    course = Course((), initial(options, seats))
    settings, dealt = course.state.settings, _dealt(course.state.settings, chance)
    while first_player(settings, dealt) is None:
        course = course.then(dealt)
        dealt = _dealt(settings, dealt.chance or chance)
    return _begun(course.then(dealt), first_player(settings, dealt) or 0).events


def first_player(settings: Settings, dealt: ev.Dealt) -> Seat | None:
    """Who turned up the higher stock card; None where the two are equal."""
    ours, theirs = (_rating(settings, stock[-1]) for stock in dealt.stocks)
    return None if ours == theirs else int(theirs > ours)


def _rating(settings: Settings, card: Card) -> int:
    """The plain value, king 13 and joker 14; with `wild_lowest` every wild is equally low."""
    return 0 if settings.wild_lowest and settings.is_wild(card) else VALUE[card]


def _begun(course: Course, seat: Seat) -> Course:
    return fill_hand(course.then(ev.TurnStarted(seat)), seat)


def _dealt(settings: Settings, chance: Chance) -> ev.Dealt:
    order = _order(settings, chance)
    stocked = 2 * settings.stock
    stocks = (order.cards[0:stocked:2], order.cards[1:stocked:2])
    return ev.Dealt(stocks, order.cards[stocked:], order.chance)


def _order(settings: Settings, chance: Chance) -> Shuffle:
    """The cards in dealing order: both stocks, seat 0 first and alternately, then the draw deck."""
    cards = pack(settings)
    if settings.wilds_in_stock:
        return chance.shuffled(cards)
    if chance.given is not None:
        return _without_wilds_in_stock(settings, chance.shuffled(cards))
    return _wilds_held_back(settings, chance)


def _wilds_held_back(settings: Settings, chance: Chance) -> Shuffle:
    """The stocks come from the plain cards; the wilds are then shuffled into what is left."""
    cards, stocked = pack(settings), 2 * settings.stock
    plain = chance.shuffled([card for card in cards if not settings.is_wild(card)])
    wilds = tuple(card for card in cards if settings.is_wild(card))
    rest = plain.chance.shuffled(plain.cards[stocked:] + wilds)
    return Shuffle(plain.cards[:stocked] + rest.cards, rest.chance)


def _without_wilds_in_stock(settings: Settings, given: Shuffle) -> Shuffle:
    wilds = [card for card in given.cards[: 2 * settings.stock] if settings.is_wild(card)]
    if wilds:
        raise Illegal("given_deal", f"The given deal puts wild cards into the stocks: {' '.join(wilds)}.")
    return given
