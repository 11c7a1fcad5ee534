"""The course of a turn."""

import pytest

from domain.chance import Chance
from domain.kit.cards import PACK
from domain.kit.turns import Course, shuffle_cards


def test_each_event_is_folded_before_the_next_and_the_course_before_stays_as_it_was() -> None:
    course = Course[str, int](lambda state, event: state + str(event), "0").then(1)
    assert course.then(2, 3)[1:] == ("0123", (1, 2, 3))
    assert course[1:] == ("01", (1,))
    assert course.then() == course


def test_cards_are_shuffled_with_the_chance_that_a_state_has() -> None:
    assert shuffle_cards(Chance(bytes(32)), PACK) == Chance(bytes(32)).shuffle(PACK)
    with pytest.raises(ValueError, match="without chance"):
        shuffle_cards(None, PACK)
