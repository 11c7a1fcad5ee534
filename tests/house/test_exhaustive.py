"""The type checker names a handler that is taken out: folds, decisions and sentences end in `assert_never`."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAME_TYPES

ROOT = Path(__file__).parents[2]
FUNCTIONS = {"decide": "commands", "evolve": "events", "tell": "events"}
"""What has to tell all of a game's commands or events apart."""


def functions(key: str) -> list[str]:
    """Those of a game that have classes to tell apart; of two commands that do much the same `decide` makes one."""
    return [name for name, told in FUNCTIONS.items() if len(getattr(GAME_TYPES[key], told)) > 1 + (name == "decide")]


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
    found = {function.name: match for path in modules(key) for function, match in matches(path)}
    for name in functions(key):
        last = found[name].cases[-1]
        assert isinstance(last.pattern, ast.MatchAs)
        assert last.pattern.pattern is None
        assert ast.unparse(last.body[0]).startswith("assert_never(")


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_no_table_of_handlers_is_typed_any(key: str) -> None:
    for path in modules(key):
        assert not re.search(r"Callable\[\[[^\]]*\bAny\b", path.read_text()), path


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the domain that may be spoilt."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(ROOT / "domain", folder / "domain", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def without_case(source: str, function: str) -> tuple[str, str]:
    """The module without the first case of that function's match, and the class that the case was for."""
    (match,) = [
        inner
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == function
        for inner in node.body
        if isinstance(inner, ast.Match)
    ]
    first, second = match.cases[:2]
    assert isinstance(first.pattern, ast.MatchClass)
    lines = source.splitlines(keepends=True)
    del lines[first.pattern.lineno - 1 : second.pattern.lineno - 1]
    return "".join(lines), ast.unparse(first.pattern.cls).rpartition(".")[2]


def test_mypy_names_what_is_no_longer_handled(copied: Path) -> None:
    planted: dict[str, str] = {}
    for key in sorted(GAME_TYPES):
        for path in modules(key, copied):
            for function, _ in [pair for pair in matches(path) if pair[0].name in FUNCTIONS]:
                spoilt, left_out = without_case(path.read_text(), function.name)
                path.write_text(spoilt)
                planted[f"{path.relative_to(copied)} {function.name}"] = left_out
    assert len(planted) >= sum(len(functions(key)) for key in GAME_TYPES)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "-p", "domain.games", "--cache-dir", str(copied / "cache")],
        cwd=copied, env={**os.environ, "MYPYPATH": str(copied)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    named = re.findall(
        r'^(\S+?):\d+: error: Argument 1 to "assert_never" has incompatible type "(\w+)"', checked.stdout, re.M
    )
    expected = sorted((where.split()[0], left_out) for where, left_out in planted.items())
    assert sorted(named) == expected, checked.stdout
