"""Folds, decisions and sentences tell all events and commands apart: each ends in `assert_never`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAME_TYPES

ROOT = Path(__file__).parents[2]
FUNCTIONS = {"decide": "commands", "evolve": "events", "tell": "events"}
"""What has to tell all of a game's commands or events apart."""


def functions(key: str) -> list[str]:
    """Those of a game that have classes to tell apart; of two commands that do much the same `decide` makes one."""
    return [name for name, kinds in FUNCTIONS.items() if len(getattr(GAME_TYPES[key], kinds)) > 1 + (name == "decide")]


def matches(path: Path) -> Iterator[tuple[ast.FunctionDef, ast.Match]]:
    """Every `match` of a module, with the function that it stands in."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield from ((node, inner) for inner in node.body if isinstance(inner, ast.Match))


def modules(key: str, root: Path = ROOT) -> list[Path]:
    """A game type is one module or a folder of them."""
    games = root / "domain" / "games"
    return sorted([*games.glob(f"{key}.py"), *(games / key).rglob("*.py")])


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_every_game_decides_folds_and_tells_by_a_match_that_ends_in_assert_never(key: str) -> None:
    by_function = {function.name: match for path in modules(key) for function, match in matches(path)}
    for name in functions(key):
        last = by_function[name].cases[-1]
        assert isinstance(last.pattern, ast.MatchAs)
        assert last.pattern.pattern is None
        assert ast.unparse(last.body[0]).startswith("assert_never(")


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_no_table_of_handlers_is_typed_any(key: str) -> None:
    for path in modules(key):
        assert not re.search(r"Callable\[\[[^\]]*\bAny\b", path.read_text()), path
