"""Whether the tests notice a changed line: `python -m tests.house.mutations [PLACES [SEED [PATH ...]]]`.

At each of so many places, drawn by the seed, one comparison, number, sign or connective is changed in a copy of the
project, and the tests of its room run until the first fails. Prints what survived; each needs a test, or is equal.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from .measures import ROOT, sources

TESTS = {
    "domain/games": (
        "tests/games/{stem}", "tests/corpus", "tests/domain/test_golden_games.py", "tests/laws/test_golden_views.py",
    ),
    "domain/kit": ("tests/kit", "tests/games", "tests/domain/test_golden_games.py", "tests/laws/test_golden_views.py"),
    "domain/league": ("tests/domain", "tests/projections", "tests/api/test_leagues.py"),
    "domain": ("tests/domain", "tests/kit", "tests/corpus", "tests/forking"),
    "projections/rubbers": ("tests/projections", "tests/games/bridge_solitaire"),
    "projections": ("tests/projections", "tests/api/test_ladders.py"),
    "service/http": (
        "tests/service/test_limits.py", "tests/service/test_faults.py", "tests/openapi/test_document.py",
        "tests/openapi/test_streams_document.py", "tests/api/test_bad_requests.py", "tests/api/test_bodies.py",
        "tests/api/test_http_semantics.py", "tests/api/test_statuses.py", "tests/api/test_words_of_refusals.py",
        "tests/api/test_whole_answers.py", "tests/api/test_connections.py", "tests/api/test_limits.py",
        "tests/api/test_play_line.py", "tests/api/test_cross_origin.py",
    ),
    "service/outbox": (
        "tests/api/test_webhooks.py", "tests/api/test_webhook_owners.py", "tests/api/test_account_events.py",
        "tests/api/test_webhook_receivers.py", "tests/api/test_webhook_shares.py",
    ),
    "service/solving": ("tests/solving", "tests/games/{stem}"),
}  # fmt: skip
_SWAPS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is", ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.And: "or",
    ast.Or: "and",
}  # fmt: skip
_PATIENCE = 900.0  # seconds


def mutations(path: Path) -> Iterator[tuple[int, str, str]]:
    """Every mutation of a module: the line, what it becomes, the module's new text."""
    text = path.read_text()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))

    def place(node: ast.expr, *, end: bool = False) -> int:
        if end:
            return starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return starts[node.lineno - 1] + node.col_offset

    def mutate(first: int, last: int, new: str, line: int) -> tuple[int, str, str]:
        changed = text.encode()[:first] + f" {new} ".encode() + text.encode()[last:]
        return line, changed.decode().splitlines()[line - 1].strip(), changed.decode()

    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for statement in function.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Compare) and len(node.ops) == 1:
                    pair, operator = (node.left, node.comparators[0]), type(node.ops[0])
                elif isinstance(node, ast.BinOp) and type(node.op) in _SWAPS:
                    pair, operator = (node.left, node.right), type(node.op)
                elif isinstance(node, ast.BoolOp):
                    pair, operator = (node.values[0], node.values[1]), type(node.op)
                elif isinstance(node, ast.Constant) and type(node.value) is int:
                    yield mutate(place(node), place(node, end=True), str(node.value + 1), node.lineno)
                    continue
                else:
                    continue
                between = text.encode()[place(pair[0], end=True) : place(pair[1])].decode()
                if operator in _SWAPS and not {"(", ")", "\n"} & set(between):
                    yield mutate(place(pair[0], end=True), place(pair[1]), _SWAPS[operator], pair[0].end_lineno or 0)


def _tests_of(path: Path) -> list[str]:
    """The tests of the module's room; raises FileNotFoundError where one of them was moved."""
    name = str(path.relative_to(ROOT))
    room = max((room for room in TESTS if name.startswith(room)), key=len)
    stems = [part for part in (path.stem, path.parent.name) if (ROOT / "tests/games" / part).is_dir()]
    tests = [test.format(stem=stems[0] if stems else "") for test in TESTS[room]]
    if moved := [test for test in tests if not (ROOT / test).exists()]:
        raise FileNotFoundError(*moved)
    return tests


def _try_tests(folder: Path, tests: list[str]) -> tuple[str, str]:
    """Whether a test of the copy in this folder fails, and the last line that pytest writes."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return "noticed", "the tests hang"
    last = ran.stdout.strip().rpartition("\n")[2]
    return "SURVIVED" if ran.returncode == 0 else "noticed" if "failed" in last or "error" in last else "broken", last


def main(places: int = 60, seed: int = 1, *paths: str) -> int:
    """Try so many mutations; how many survived."""
    chance, survived = random.Random(seed), 0
    modules = [path for path in sorted({*sources(*(paths or TESTS))}) if any(mutations(path))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "kibitz"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__"))
        for path in chance.sample(modules, min(places, len(modules))):
            line, change, text = chance.choice(list(mutations(path)))
            mutant, began = folder / path.relative_to(ROOT), monotonic()
            original = mutant.read_text()
            mutant.write_text(text)
            verdict, last = _try_tests(folder, _tests_of(path))
            mutant.write_text(original)
            survived += verdict == "SURVIVED"
            place = f"{path.relative_to(ROOT)}:{line}"
            print(f"{verdict:9} {monotonic() - began:4.0f} s  {place}: {change}  [{last}]", flush=True)
    print(f"{survived} survived")
    return survived


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3]), *sys.argv[3:])
