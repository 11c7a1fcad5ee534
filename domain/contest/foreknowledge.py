"""Whether a player chose at a deal as if the hidden cards were known: numbers for organisers, no verdict.

A choice: several commands of one kind that turn up different unseen cards. A command pays if a card that it
turns up can be moved on at once. A player who does not know the cards picks a paying command as often as chance does; a
player who knows them picks one more often. One choice tells little, many tell much. Luck looks the same in one attempt
of a thousand: the numbers are a reason to look at two games, and nothing else.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from math import sqrt
from typing import Any

from msgspec import Struct

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, evolve
from domain.view import FACE_DOWN, Card

Turned = tuple[Card, ...]
"""Cards that a command turns up."""

LEAST, SURPRISE = 6, 3.0
"""The least number of choices, and of standard deviations above luck, that make a game worth a look."""


class Choices(Struct, frozen=True):
    """What was chosen, up to the first undo: how many choices, how many paid, how many luck would have found.

    `variance` is that of luck; `shown` counts the cards that were turned up.
    """

    choices: int = 0
    paid: int = 0
    expected: float = 0.0
    variance: float = 0.0
    shown: int = 0

    @property
    def surprise(self) -> float:
        """How many standard deviations more paid than luck would have found."""
        return (self.paid - self.expected) / sqrt(self.variance) if self.variance else 0.0

    @property
    def is_worth_a_look(self) -> bool:
        """Whether they are worth a look."""
        return self.choices >= LEAST and self.surprise >= SURPRISE


def sum_choices(choices: Iterable[Choices]) -> Choices:
    """Several attempts added up, because a single one has few choices."""
    total = Choices()
    for choice in choices:
        total = Choices(
            total.choices + choice.choices, total.paid + choice.paid, total.expected + choice.expected,
            total.variance + choice.variance, total.shown + choice.shown,
        )  # fmt: skip
    return total


def choices(records: Iterable[AnyRecord]) -> Choices:
    """The choices of a solo game, from its records."""
    total, game = Choices(), None
    for record in records:
        if isinstance(record.event, ev.Undone):
            break
        if game is not None and type(record.command) in game.type.commands:
            total = sum_choices((total, _judge_choice(*_turnable_groups(game, record.command))))
        game = evolve(game, record)
    return total


def _judge_choice(choices: dict[Turned, bool], own: Turned) -> Choices:
    if len(choices) < 2:
        return Choices(shown=len(own))
    share = sum(choices.values()) / len(choices)
    return Choices(1, int(choices[own]), share, share * (1 - share), len(own))


def _turnable_groups(game: Game, command: Any) -> tuple[dict[Turned, bool], Turned]:
    """Every set of cards that could be turned up with whether it pays, and the set that was; equal sets are one."""
    kind, state, choices = game.type, game.state, dict[Turned, bool]()
    before = _visible_cards(kind, state)
    for other in kind.legal_commands(state, 0):
        if type(other) is type(command):
            after = _state_after(kind, state, other)
            if turned := tuple(sorted((_visible_cards(kind, after) - before).elements())):
                choices[turned] = choices.get(turned, False) or _pays(kind, after, turned)
    own = tuple(sorted((_visible_cards(kind, _state_after(kind, state, command)) - before).elements()))
    return (choices, own) if own in choices else ({}, own)


def _pays(kind: AnyGameType, state: Any, turned: Iterable[Card]) -> bool:
    """Whether one of these cards can be moved to another place at once."""
    places = _card_places(kind, state)
    for command in kind.legal_commands(state, 0):
        after = _card_places(kind, _state_after(kind, state, command))
        if any(after.get(card, places[card]) != places[card] for card in turned):
            return True
    return False


def _state_after(kind: AnyGameType, state: Any, command: Any) -> Any:
    return reduce(kind.evolve, kind.decide(state, 0, command), state)


def _visible_cards(kind: AnyGameType, state: Any) -> Counter[Card]:
    return Counter(card for _, card in _face_up_cards(kind, state))


def _card_places(kind: AnyGameType, state: Any) -> dict[Card, tuple[str, ...]]:
    """Where each card lies, by zone; in a game of several packs in several."""
    choices: dict[Card, tuple[str, ...]] = {}
    for zone, card in _face_up_cards(kind, state):
        choices[card] = (*choices.get(card, ()), zone)
    return choices


def _face_up_cards(kind: AnyGameType, state: Any) -> Iterator[tuple[str, Card]]:
    return ((zone.id, card) for zone in kind.look(state, 0).zones for card in zone.cards if card != FACE_DOWN)


def count_same_moves(records: Iterable[AnyRecord], others: Iterable[AnyRecord]) -> int:
    """With how many of the same moves two games begin."""
    same = 0
    for move, other in zip(_moves(records), _moves(others), strict=False):
        if move != other:
            break
        same += 1
    return same


def _moves(records: Iterable[AnyRecord]) -> list[Any]:
    return [
        record.command for record in records if record.command is not None and not isinstance(record.command, ev.Resign)
    ]
