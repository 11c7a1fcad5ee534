"""Stored games mean for ever what they meant: the golden games come out as they are written."""

import pytest

from .broken import LawBroken
from .goldens import changes, found, read, replay
from .registry import FOUND, KEYS

GOLDENS = [(key, path.name, read(path)) for key in KEYS for path in found(key)]
NAMES = [f"{key}-{name}" for key, name, _ in GOLDENS]


@pytest.mark.parametrize("key", KEYS)
def test_every_game_type_has_golden_games(key: str) -> None:
    assert found(key)


@pytest.mark.parametrize(("key", "name", "lines"), GOLDENS, ids=NAMES)
def test_a_golden_game_is_played_again_line_by_line(key: str, name: str, lines: list[dict[str, object]]) -> None:
    replay(FOUND[key], lines)


@pytest.mark.parametrize(("key", "name", "lines"), GOLDENS, ids=NAMES)
def test_a_changed_golden_game_is_noticed(key: str, name: str, lines: list[dict[str, object]]) -> None:
    for _, changed in changes(lines):
        with pytest.raises(LawBroken):
            replay(FOUND[key], changed)
