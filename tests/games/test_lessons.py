"""Every game type's first lesson, played by its rules: commands are legal, steps are reached, sentences short."""

import re
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

import msgspec
import pytest

from domain.capabilities import OptionRules, Undoing
from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES, AnyGameType
from service.web import form
from service.web.lessons import Lesson, lesson_of, opening_of_lesson

_LONGEST = 190


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_lesson_is_played_to_its_last_step(key: str) -> None:
    kind, lesson = GAME_TYPES[key], lesson_of(key)
    state, spell = _dealt(kind, lesson), msgspec.json.Decoder(reduce(or_, kind.commands))
    for number, step in enumerate(lesson.steps, 1):
        assert set(step.look) <= {zone.id for zone in kind.look(state, 0).zones}, number
        for entry in step.commands:
            command = {name: value for name, value in entry.items() if name != "by"}
            seat = {"opponent": 1}.get(entry.get("by", ""), 0)
            decoded: Any = spell.decode(msgspec.json.encode(command))
            assert msgspec.json.decode(msgspec.json.encode(decoded)) == command, "as frames tell it"
            assert decoded in kind.legal_commands(state, seat), (number, command)
            for event in kind.decide(state, seat, decoded):
                state = kind.evolve(state, event)
        assert kind.result(state) is None, "who has learned the game plays on"
    if not kind.get(Undoing).allowed(opening_of_lesson(key).options):
        assert kind.look(state, 0).to_act == (0,), "the learner may go on"


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_lesson_is_short(key: str) -> None:
    lesson = lesson_of(key)
    assert 5 <= len(lesson.steps) <= 10
    assert 3 <= len(lesson.brief) <= 5
    assert all(step.commands and len(step.say) <= _LONGEST for step in lesson.steps)
    assert all(len(re.findall(r"[.!?](?= |$)", step.say)) <= 3 for step in lesson.steps)
    assert all(len(line) <= _LONGEST for line in lesson.brief)
    assert any(entry.get("by") != "opponent" for entry in lesson.steps[0].commands)
    assert lesson.onward
    assert set(lesson.onward) <= set(GAME_TYPES) - {key}


@pytest.mark.parametrize("key", GAME_TYPES)
def test_every_option_is_a_sentence(key: str) -> None:
    sentences = lesson_of(key).options
    names = [field.name for field in form.fields(key, {})]
    assert [f"options.{name}" for name in sentences] == [name for name in names if name.startswith("options.")]
    for sentence in sentences.values():
        assert re.fullmatch(r"[A-Z][^`_]*\.", sentence), sentence


def _dealt(kind: AnyGameType, lesson: Lesson) -> Any:
    """The position after the deal of the game that the service opens for the lesson."""
    body = opening_of_lesson(kind.key)
    seats = getattr(body, "seats", 1)
    options = kind.get(OptionRules).settle(body.options, seats)
    assert seats == 1 or body.hot_seat
    seed = deal_seed(sha256(lesson.opening["seed"].encode()).digest(), (None,) * seats)
    state = kind.initial(options, seats)
    for event in kind.deal(options, Chance(seed, given=body.deal if isinstance(body.deal, tuple) else None), seats):
        state = kind.evolve(state, event)
    return state
