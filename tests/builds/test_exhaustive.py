"""The type checker names a handler of a game that is taken out: a whole run of mypy over a spoilt copy."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from domain.games import GAME_TYPES
from tests.house.test_exhaustive import FUNCTIONS, ROOT, functions, matches, modules


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
