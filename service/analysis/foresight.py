"""Whether the player could have known that a step loses, without the hindsight that knows all cards.

The same moves are played in deals that look the same from the seat: the cards never seen until then lie in another
order; where there are none left, there is one such deal. What the player saw on branches that were taken back counts as
seen. Which orders are tried depends on the game and the step alone, so the answer is the same for everybody.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.game_type import Illegal, show_everything
from domain.games import AnyGameType
from domain.view import FACE_DOWN, Card
from service.analysis.history import History
from service.solving import Verdict, state_after, verdict

_WORLDS = 8
_BOUND = 100_000
"""Positions for one verdict in one of them."""


class Foresight(Struct, frozen=True):
    """What the lost step does in `worlds` deals that look the same: in `decided` of them the solver could tell.

    `lost`: after it these are lost; `avoidable`: of those, as many could be won before it.
    """

    worlds: int
    decided: int
    lost: int
    avoidable: int

    @property
    def is_knowable(self) -> bool:
        """Whether it loses wherever the solver could tell, in most of them, and another move wins in some."""
        return 2 * self.decided > self.worlds and self.lost == self.decided and self.avoidable > 0


def shows_all(history: History) -> bool:
    """Whether the player of this game type sees every card from the deal on."""
    return history.game.type.redact is show_everything


def foresee(history: History, step: int | None) -> Foresight | None:
    """What the player could have known of the lost step; None: every card lay open, or the seen cards are unknown.

    A player who had seen every card could have known it: the verdicts of that step are there.
    """
    if step is None or shows_all(history) or (hidden := _unseen_places(history, step)) is None:
        return None
    if not hidden:
        return Foresight(1, 1, 1, 1)
    kind, options = history.game.type, history.game.options
    decided, lost, avoidable, worlds = 0, 0, 0, 0
    for before in worlds_alike(history, step):
        try:
            after = state_after(kind, before, history.positions[step].command)
        except Illegal:
            continue
        worlds += 1
        verdict_after = _verdict(kind.key, options, after)
        decided += verdict_after != "open"
        if verdict_after == "impossible":
            lost += 1
            avoidable += _verdict(kind.key, options, before) == "won"
    return Foresight(worlds, decided, lost, avoidable) if worlds else None


def _verdict(key: str, options: Struct, state: Any) -> Verdict:
    try:
        return verdict(key, options, state, _BOUND).verdict
    except MemoryError:
        return "open"


def worlds_alike(history: History, step: int) -> Iterator[Any]:
    """The position before the step as it would be in other deals, as far as the player could not tell them apart."""
    kind, line = history.game.type, history.line_to(history.positions[step].before)
    dealt, *more = history.positions[line[0]].events
    hidden = _unseen_places(history, step) or ()
    views = [kind.look(history.positions[at].state, 0) for at in line]
    for number in range(_WORLDS if hidden else 0):
        lots = Random(sha256(b"%s/%d/%d" % (history.game.id.bytes, step, number)).digest())
        state = dealt_state(kind, history.game.options, (_shuffle(dealt, hidden, lots), *more))
        is_same = kind.look(state, 0) == views[0]
        for at, view in zip(line[1:], views[1:], strict=True):
            for event in history.positions[at].events:
                state = kind.evolve(state, event)
            is_same = is_same and kind.look(state, 0) == view
        if is_same:
            yield state


def _unseen_places(history: History, step: int) -> list[int] | None:
    """The places in the deal of the cards that the player had not seen before this step; None: they are unknown."""
    try:
        seen = seen_places(history, step)
    except ValueError:
        return None
    return [place for place in range(len(history.positions[history.live[0]].events[0].cards)) if place not in seen]


class _Placed(str):
    """A card that knows its place in the deal: of two packs shuffled together a face does not tell it."""

    place: int


def seen_places(history: History, step: int | None = None) -> set[int]:
    """The places in the deal of the cards that were shown, at the deal or at any position since, before this step.

    Raises ValueError where a shown card has no place.
    """
    kind, (dealt, *more) = history.game.type, history.positions[history.live[0]].events
    shown = kind.redact(kind.initial(history.game.options, 1), dealt, 0).cards
    seen = {place for place, card in enumerate(shown) if card != FACE_DOWN}
    if len(seen) == len(shown):
        return seen
    once = len(set(dealt.cards)) == len(dealt.cards)
    by_face = {card: place for place, card in enumerate(dealt.cards) if once}
    states = dict[int, Any]()
    for at, position in history.positions.items():  # each stands after the one it comes from
        if step is not None and at >= step:
            continue
        if position.before is None:
            placed = with_cards(dealt, tuple(map(place_card, range(len(dealt.cards)), dealt.cards)))
            states[at] = dealt_state(kind, history.game.options, (placed, *more))
        else:
            state = states[position.before]
            for event in kind.decide(state, 0, position.command):
                moved = getattr(kind.redact(state, event, 0), "cards", ())
                seen |= {card.place for card in moved if isinstance(card, _Placed)}
                state = kind.evolve(state, event)
            states[at] = state
        in_view = [card for zone in kind.look(states[at], 0).zones for card in zone.cards if card != FACE_DOWN]
        places = (card.place if isinstance(card, _Placed) else by_face.get(card) for card in in_view)
        seen |= {place for place in places if place is not None}
        if Counter(in_view) - Counter(dealt.cards[place] for place in seen):
            raise ValueError("nothing tells where a card that was shown was dealt")
    return seen


def place_card(place: int, card: Card) -> Card:
    """This card, which knows that it was dealt there."""
    placed = _Placed(card)
    placed.place = place
    return placed


def dealt_state(kind: AnyGameType, options: Any, events: Sequence[Any]) -> Any:
    """The position after these events of a deal."""
    return reduce(kind.evolve, events, kind.initial(options, 1))


def with_cards(dealt: Any, cards: tuple[Card, ...]) -> Any:
    """The event of a deal with other cards."""
    return msgspec.structs.replace(dealt, cards=cards)


def _shuffle(dealt: Any, places: Sequence[int], lots: Random) -> Any:
    """The deal with the cards of these places in another order."""
    cards = list(dealt.cards)
    moved = sorted(cards[place] for place in places)  # sorted: what is drawn depends on the unseen cards as a set
    lots.shuffle(moved)
    for place, card in zip(places, moved, strict=True):
        cards[place] = card
    return with_cards(dealt, tuple(cards))
