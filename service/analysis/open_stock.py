"""Bridge Solitaire with the stock open: how many tricks the player could have taken, and what each choice has cost.

With the stock known nobody chooses but the player, so the most tricks from a position are found by looking at every
card, each position once: the cards in the hand, the next card of the stock, who leads.
"""

from domain.games.bridge_solitaire.rules import playable, turn_cards, win_trick
from domain.games.bridge_solitaire.state import Side, Strain
from domain.view import Card

Trick = tuple[bool, int]
"""Whether the player wins it, and the place of the next card of the stock."""


class OpenStock:
    """A hand and its stock under one strain; the cards of the hand are the bits of a number."""

    def __init__(self, hand: tuple[Card, ...], stock: tuple[Card, ...], strain: Strain) -> None:
        self._hand, self._stock, self._strain = hand, stock, strain
        self._most: dict[tuple[int, int, bool], int] = {}
        self._answers = [[self._lead(card, at) for at in range(len(stock))] for card in hand]
        self._follows = [[self._follow(led, card) for card in hand] for led in stock]

    def most_tricks(self, hand: tuple[Card, ...], stock: tuple[Card, ...], trick: tuple[Card, ...], leads: Side) -> int:
        """The most tricks from here: `trick` holds the house's lead, or nothing where `leads` leads."""
        left, at = self._bits(hand), len(self._stock) - len(stock)
        return self._best(left, at - 1, False) if trick else self._best(left, at, leads == "me")

    def _bits(self, cards: tuple[Card, ...]) -> int:
        return sum(1 << place for place, card in enumerate(self._hand) if card in cards)

    def _best(self, left: int, at: int, leads: bool) -> int:
        if at >= len(self._stock) or not left:
            return left.bit_count()
        key = (left, at, leads)
        if (known := self._most.get(key)) is None:
            known = self._most[key] = self._look(left, at, leads)
        return known

    def _look(self, left: int, at: int, leads: bool) -> int:
        best, all_of_them = -1, left.bit_count()
        for place in range(len(self._hand)) if leads else self._playable(left, at):
            if left >> place & 1:
                won, after = self._answers[place][at] if leads else (self._follows[at][place], at + 1)
                best = max(best, won + self._best(left & ~(1 << place), after, won))
                if best == all_of_them:
                    break
        return best

    def _playable(self, left: int, at: int) -> range | list[int]:
        cards = tuple([card for place, card in enumerate(self._hand) if left >> place & 1])
        may = playable(cards, (self._stock[at],))
        return [place for place, card in enumerate(self._hand) if card in may]

    def _lead(self, card: Card, at: int) -> Trick:
        turned = turn_cards(self._stock[at:], card, self._strain)
        answer = tuple(turn.card for turn in turned if turn.turn != "skipped")
        return win_trick("me", (card, *answer), self._strain).side == "me", at + len(turned)

    def _follow(self, led: Card, card: Card) -> bool:
        return win_trick("it", (led, card), self._strain).side == "me"
