"""One trick: what the player may play, how the stock answers a lead, and who wins."""

from domain.games.bridge_solitaire.contract import Side, Strain
from domain.games.bridge_solitaire.evaluation import HIGH_TO_LOW
from domain.games.bridge_solitaire.events import CardTurned, Reason, TrickWon
from domain.kit.cards import is_joker, suit
from domain.view import Card

NO_TRUMP_TURNS = 4
"""At no trump the house turns at most four cards for one lead."""


def playable(hand: tuple[Card, ...], trick: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that may be played: any to lead or to a joker; else the suit led, or any where that is void."""
    if not trick or is_joker(trick[0]):
        return hand
    led = suit(trick[0])
    return tuple([card for card in hand if card[1] == led]) or hand


def answers(card: Card, lead: Card, strain: Strain) -> bool:
    """Whether a turned card is the house's to the player's lead: a joker, the suit led, a trump; any to a joker."""
    return is_joker(card) or is_joker(lead) or suit(card) in (suit(lead), strain)


def turned(stock: tuple[Card, ...], lead: Card, strain: Strain) -> tuple[CardTurned, ...]:
    """The stock cards turned for the player's lead, the answer last if there is one.

    The last card of the stock is the house's card, answer or not, also as the fourth at no trump (house rule, ours).
    """
    turns: list[CardTurned] = []
    for card in stock[:NO_TRUMP_TURNS] if strain == "NT" else stock:
        if answers(card, lead, strain):
            return (*turns, CardTurned(card, "answers"))
        turns.append(CardTurned(card, "skipped"))
    return (*turns[:-1], CardTurned(turns[-1].card, "last_card")) if len(turns) == len(stock) else tuple(turns)


def winner(leader: Side, trick: tuple[Card, ...], strain: Strain) -> TrickWon:
    """Who takes the trick of a lead and its answer; a lead without an answer is the player's."""
    if len(trick) == 1:
        return TrickWon("me", "no_answer")
    if any(map(is_joker, trick)):
        return TrickWon("me" if leader == "it" and all(map(is_joker, trick)) else "it", "joker")
    return _by_rank(leader, trick, strain)


def _by_rank(leader: Side, trick: tuple[Card, ...], strain: Strain) -> TrickWon:
    lead, answer = trick
    held = _height(answer, lead, strain) > _height(lead, lead, strain)
    best, follower = (answer, "it" if leader == "me" else "me") if held else (lead, leader)
    reason: Reason = "trump" if suit(best) == strain != suit(lead) else "high_card"
    return TrickWon("me" if follower == "me" else "it", reason)


def _height(card: Card, lead: Card, strain: Strain) -> int:
    """Trumps over the suit led over the rest, each by rank."""
    rank = len(HIGH_TO_LOW) - HIGH_TO_LOW.index(card[0])
    return 100 + rank if suit(card) == strain else rank if suit(card) == suit(lead) else 0
