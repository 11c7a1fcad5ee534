"""Whether the player could have known that a step loses: told apart from hindsight, which knows all cards.

The same moves are played in deals that look the same from the seat: the cards never seen until then lie in another
order. What the player saw on branches that were taken back counts as seen. Which orders are tried depends on the game
and the step alone, so the answer is the same for everybody.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.game_type import Illegal, show_everything
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
    """What the player could have known of the lost step; None: nothing was hidden, or no other deal can be tried."""
    if step is None or shows_all(history):
        return None
    kind, options = history.game.type, history.game.options
    decided, lost, avoidable, worlds = 0, 0, 0, 0
    for before in worlds_alike(history, step):
        try:
            after = state_after(kind, before, history.positions[step].command)
        except Illegal:
            continue
        worlds += 1
        said = _verdict(kind.key, options, after)
        decided += said != "open"
        if said == "impossible":
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
    hidden = [] if more else _unseen_places(history, step, dealt)
    if not hidden:
        return
    looks = [kind.look(history.positions[one].state, 0) for one in line]
    for number in range(_WORLDS):
        lots = Random(sha256(b"%s/%d/%d" % (history.game.id.bytes, step, number)).digest())
        state = kind.evolve(kind.initial(history.game.options, 1), _shuffle(dealt, hidden, lots))
        same = kind.look(state, 0) == looks[0]
        for one, look in zip(line[1:], looks[1:], strict=True):
            for event in history.positions[one].events:
                state = kind.evolve(state, event)
            same = same and kind.look(state, 0) == look
        if same:
            yield state


def _unseen_places(history: History, step: int, dealt: Any) -> list[int]:
    """The places in the deal of the cards that the player had not seen before this step; none with two of a card."""
    kind, cards = history.game.type, dealt.cards
    shown = kind.redact(kind.initial(history.game.options, 1), dealt, 0).cards
    if len(set(cards)) < len(cards) or len(shown) != len(cards):
        return []
    looks = [kind.look(position.state, 0) for at, position in history.positions.items() if at < step]
    seen: set[Card] = {card for look in looks for zone in look.zones for card in zone.cards}
    return [place for place, card in enumerate(cards) if shown[place] == FACE_DOWN and card not in seen]


def _shuffle(dealt: Any, places: Sequence[int], lots: Random) -> Any:
    """The deal with the cards of these places in another order."""
    cards = list(dealt.cards)
    moved = sorted(cards[place] for place in places)  # sorted: what is drawn depends on the unseen cards as a set
    lots.shuffle(moved)
    for place, card in zip(places, moved, strict=True):
        cards[place] = card
    return msgspec.structs.replace(dealt, cards=tuple(cards))
