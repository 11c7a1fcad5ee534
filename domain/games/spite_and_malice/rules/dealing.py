"""Spite & Malice: which tables can be dealt, the stocks and the draw deck, and who begins."""

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import VALUE, Settings, pack
from domain.view import Card, Seat


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


def _order_cards(settings: Settings, chance: Chance) -> Shuffle:
    """The cards in dealing order: both stocks, seat 0 first and alternately, then the draw deck.

    Stocks without wilds come from the plain cards; the wilds are then shuffled into what is left.
    """
    cards, stocked = pack(settings), 2 * settings.stock
    if settings.wilds_in_stock:
        return chance.shuffled(cards)
    if chance.given is not None:
        return _check_stocks(settings, chance.shuffled(cards))
    plain = chance.shuffled([card for card in cards if not settings.is_wild(card)])
    wilds = tuple(card for card in cards if settings.is_wild(card))
    rest = plain.chance.shuffled(plain.cards[stocked:] + wilds)
    return Shuffle(plain.cards[:stocked] + rest.cards, rest.chance)


def _check_stocks(settings: Settings, given: Shuffle) -> Shuffle:
    """The given deal; raises Illegal where it puts wilds into the stocks."""
    wilds = [card for card in given.cards[: 2 * settings.stock] if settings.is_wild(card)]
    if wilds:
        raise Illegal("given_deal", f"The given deal puts wild cards into the stocks: {' '.join(wilds)}.")
    return given


def _rate_card(settings: Settings, card: Card) -> int:
    """The plain value, king 13 and joker 14; with `wild_lowest` every wild is equally low."""
    return 0 if settings.wild_lowest and settings.is_wild(card) else VALUE[card]
