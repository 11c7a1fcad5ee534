"""What the player of a patience knows: everything that a hint may depend on, and nothing else.

Two games that look the same from the seat have equal knowledge. Whoever holds it cannot tell where a hidden card lies.
"""

from hashlib import sha256
from itertools import permutations
from math import factorial
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.capabilities import Undoing
from domain.games import GAME_TYPES, AnyGameType
from domain.view import FACE_DOWN, Card
from service.analysis.foresight import dealt_state, seen_places, with_cards
from service.analysis.history import History
from service.solving import state_after

_WORLDS = 8
"""So many deals that look the same are tried, where there are more."""


class Knowledge(Struct, frozen=True):
    """A position as its player knows it.

    `deal`: its events, with FACE_DOWN for each card that has never been seen, on no branch that was taken back either;
    `unseen`: these cards in the order of their names; `commands`: what led from the deal to the position.
    """

    game_type: str
    options: Any
    deal: tuple[Any, ...]
    unseen: tuple[Card, ...]
    commands: tuple[Any, ...]

    @property
    def kind(self) -> AnyGameType:
        return GAME_TYPES[self.game_type]

    @property
    def may_undo(self) -> bool:
        return bool(self.kind.get(Undoing).allowed(self.options))

    def digest(self) -> bytes:
        """32 bytes that are the same for whoever knows the same."""
        return sha256(msgspec.json.encode(self, order="sorted")).digest()


def knowledge_of(history: History) -> Knowledge:
    """What the player knows at the position that stands now; raises ValueError where a seen card has no place."""
    kind, options = history.game.type, history.game.options
    dealt, *more = history.positions[history.live[0]].events
    seen = seen_places(history)
    cards = tuple(card if place in seen else FACE_DOWN for place, card in enumerate(dealt.cards))
    unseen = sorted(card for place, card in enumerate(dealt.cards) if place not in seen)
    commands = tuple(history.positions[step].command for step in history.live[1:])
    return Knowledge(kind.key, options, (with_cards(dealt, cards), *more), tuple(unseen), commands)


def worlds_of(known: Knowledge) -> tuple[list[list[Any]], bool]:
    """The positions from the deal to this one in deals that look the same; and whether there are no others.

    Which deals these are depends on the knowledge alone.
    """
    orders, all_of_them = _orders(known)
    return [_positions(known, order) for order in orders], all_of_them


def _orders(known: Knowledge) -> tuple[list[tuple[Card, ...]], bool]:
    """In which orders the unseen cards may lie in the unseen places."""
    if factorial(len(known.unseen)) <= _WORLDS:
        return sorted(set(permutations(known.unseen))), True
    lots = Random(known.digest())
    return [tuple(lots.sample(known.unseen, len(known.unseen))) for _ in range(_WORLDS)], False


def _positions(known: Knowledge, order: tuple[Card, ...]) -> list[Any]:
    """The positions from the deal on, where the unseen cards lie in this order."""
    dealt, *more = known.deal
    hidden = iter(order)
    cards = tuple(next(hidden) if card == FACE_DOWN else card for card in dealt.cards)
    positions = [dealt_state(known.kind, known.options, (with_cards(dealt, cards), *more))]
    for command in known.commands:
        positions.append(state_after(known.kind, positions[-1], command))
    return positions
