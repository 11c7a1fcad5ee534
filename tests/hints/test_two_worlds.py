"""Law: a hint is the same bytes in every deal that looks the same from the seat; the law sees every planted peek."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import get_args
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord, Game
from domain.view import FACE_DOWN
from service import hints
from service.analysis.history import History, history_of
from service.hints import Knowledge, knowledge_of
from service.solving import SOLVERS
from tests.laws.secrecy import telling, twists
from tests.laws.twins import Telling, Twin
from tests.laws.walks import Plan, Style

HIDING = sorted(key for key in SOLVERS if key not in ("black_hole", "freecell", "seahaven_towers"))
OTHER_GAME = UUID(int=0xB0B)
MOMENTS = 3
STYLES: tuple[Style, ...] = get_args(Style)


class World(Twin):
    """A twin that keeps its records up to the moment, as a game of its own."""

    def __init__(self, key: str, story: Telling, moment: int, lots: Random) -> None:
        unseen = twists(story.present[moment], story.known[moment][0], lots)
        super().__init__(GAME_TYPES[key], story, 0, moment, unseen)
        self.records: list[AnyRecord] = []
        self.play(lots)

    def _same(self, before: Game | None, number: int) -> bool:
        if number <= self.moment:
            self.records += [replace(record, stream=OTHER_GAME, time=record.time + 7) for record in self.step.records]
        return super()._same(before, number)


@cache
def story_of(key: str, number: int) -> Telling:
    style: Style = STYLES[number % len(STYLES)]
    return telling(GAME_TYPES[key], Plan(GAME_TYPES[key].options(), 1, number, number, 40, style, False))


@cache
def both(key: str, number: int) -> list[tuple[list[AnyRecord], list[AnyRecord], bool]]:
    """A game at some moments, the same with its unseen cards in other places, and whether any has moved."""
    story, lots, pairs = story_of(key, number), Random(number), []
    steps = [step for step in range(len(story.path.steps)) if story.path.steps[step].game.status == "playing"]
    for moment in sorted(lots.sample(steps, min(MOMENTS, len(steps)))):
        other = World(key, story, moment, lots)
        here = [record for step in story.path.steps[: moment + 1] for record in step.records]
        assert len(other.records) == len(here)
        pairs.append((here, other.records, other.moved))
    return pairs


@pytest.fixture(autouse=True)
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_BOUND", 16_000)
    monkeypatch.setattr(hints, "_KNOWN_BOUND", 16_000)


def differs(key: str, know: Callable[[History], Knowledge]) -> bool:
    """Whether the hints of one of these pairs differ."""
    answers = ((hints.make_hint(here), hints.make_hint(there)) for here, there in pairs_of(key, know))
    return any(msgspec.json.encode(here) != msgspec.json.encode(there) for here, there in answers)


def pairs_of(key: str, know: Callable[[History], Knowledge]) -> list[tuple[Knowledge, Knowledge]]:
    """What is known in two worlds that look the same and are not."""
    pairs = [pair for number in range(3) for pair in both(key, number) if pair[2]]
    assert len(pairs) >= MOMENTS, "the unseen cards must have changed places"
    return [(know(history_of(here)), know(history_of(there))) for here, there, _ in pairs]


@pytest.mark.parametrize("key", HIDING)
def test_a_hint_does_not_change_when_unseen_cards_change_places(key: str) -> None:
    assert not differs(key, knowledge_of)


@pytest.mark.parametrize("key", HIDING)
def test_who_has_seen_the_same_knows_the_same(key: str) -> None:
    for here, there in pairs_of(key, knowledge_of):
        assert here == there
        assert here.digest() == there.digest()


@pytest.mark.parametrize("key", sorted(SOLVERS))
def test_what_is_taken_as_seen_is_what_was_shown(key: str) -> None:
    """Cards that the law of secrecy has seen lie face up are known, and no others."""
    for number in range(3):
        story = story_of(key, number)
        moment = max(at for at, step in enumerate(story.path.steps) if step.game.status == "playing")
        records = [record for step in story.path.steps[: moment + 1] for record in step.records]
        knowledge = knowledge_of(history_of(records))
        unseen = {mark.place for mark in story.present[moment] - story.known[moment][0]}
        cards = knowledge.deal[0].cards
        assert {place for place, card in enumerate(cards) if card == FACE_DOWN} == unseen
        assert len(knowledge.unseen) == len(unseen)


def in_the_order_of_the_deal(history: History) -> Knowledge:
    """Peeks: where each unseen card lies."""
    knowledge, (dealt, *_) = knowledge_of(history), history.positions[history.live[0]].events
    hidden = (card for card, face in zip(dealt.cards, knowledge.deal[0].cards, strict=True) if face == FACE_DOWN)
    return replace(knowledge, unseen=tuple(hidden))


def with_one_card_more(history: History) -> Knowledge:
    """Peeks: one card that was never shown."""
    knowledge, (dealt, *more) = knowledge_of(history), history.positions[history.live[0]].events
    cards = list(knowledge.deal[0].cards)
    if FACE_DOWN not in cards:
        return knowledge
    place = cards.index(FACE_DOWN)
    cards[place] = dealt.cards[place]
    unseen = list(knowledge.unseen)
    unseen.remove(cards[place])
    return replace(knowledge, deal=(replace(dealt, cards=tuple(cards)), *more), unseen=tuple(unseen))


def with_the_whole_deal(history: History) -> Knowledge:
    """Peeks: the true deal."""
    return replace(knowledge_of(history), deal=history.positions[history.live[0]].events, unseen=())


def by_the_game(history: History) -> Knowledge:
    """Peeks: lots that depend on which game it is."""
    knowledge = knowledge_of(history)
    return replace(
        knowledge, unseen=tuple(Random(history.game.id.bytes).sample(knowledge.unseen, len(knowledge.unseen)))
    )


@pytest.mark.parametrize("peek", [in_the_order_of_the_deal, with_one_card_more, with_the_whole_deal, by_the_game])
def test_the_law_sees_who_peeks(peek: Callable[[History], Knowledge]) -> None:
    assert any(differs(key, peek) for key in ("golf", "klondike"))
