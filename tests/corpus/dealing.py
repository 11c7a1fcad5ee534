"""Deals that are given: the cards of a table, and the deal of a golden game as cards in dealing order."""

from collections import Counter
from collections.abc import Sequence

from domain.chance import Chance, Shuffle
from domain.view import ALL_SEEING, Card

from .play import Plan


def pack(plan: Plan) -> list[Card]:
    """All cards that this game is played with."""
    state = plan.game_type.initial(plan.options, plan.seats)
    for event in plan.game_type.deal(plan.options, Chance(bytes(32)), plan.seats):
        state = plan.game_type.evolve(state, event)
    return sorted(card for zone in plan.game_type.look(state, ALL_SEEING).zones for card in zone.cards)


def dealt(plan: Plan, seed: bytes) -> tuple[Card, ...]:
    """The cards in the order in which the shuffles of this seed deal them, each card once, and the rest of the pack."""
    heard = _Heard(Chance(seed))
    plan.game_type.deal(plan.options, heard, plan.seats)  # type: ignore[arg-type]  # it shuffles, and is no struct
    rest, cards = Counter(pack(plan)), list[Card]()
    for card in heard.cards:
        if rest[card] > 0:
            rest[card] -= 1
            cards.append(card)
    return (*cards, *rest.elements())


class _Heard:
    """Shuffles as a chance does and remembers every card."""

    given = None

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.cards: tuple[Card, ...] = ()

    def shuffle(self, cards: Sequence[Card]) -> Shuffle:
        """As the chance shuffles."""
        outcome, self._chance = self._chance.shuffle(cards)
        self.cards = (*self.cards, *outcome)
        return Shuffle(outcome, self)  # type: ignore[arg-type]
