"""What the house weighs, counted: `python -m tests.house.measures`.

Each measure has a goal and a limit: the goal where it was reached, else the best figure so far. Limits go down, never
up; `make check` and the tests fail when one is broken.
"""

import ast
import dataclasses
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import grimp

from domain.game_type import GameType
from tests.house.warm_calls import Trace, measure

ROOT = Path(__file__).parents[2]
SOURCES = ("domain", "projections", "service")
_BLOCK = 6  # lines
_FORM = 8  # files
_SHORT = 6  # lines
_OFTEN = 25  # times
_VAGUE = ("found", "one", "told", "said", "known", "kept", "shown", "asked", "wanted", "given", "beside", "whole")
_UNREAD = {".venv", "build", "dist", "node_modules", ".pytest_cache"}
LARGE_GAMES = {
    "bridge_solitaire", "deck_the_yard", "decs_building", "megiddo", "screaming_yoda", "spite_and_malice",
}  # fmt: skip
_THIN = re.compile(r"(?:[\s()\[\]{},:.]*|\w+=[\w.]+,)$")
"""Lone brackets, and a line that only hands a value on under a name, as those of game types do."""


def sources(*folders: str) -> list[Path]:
    """The Python files of these folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def rooms_in_a_cycle() -> int:
    """Packages of the service that import each other, for types too, directly or by way of others."""
    graph = grimp.build_graph("service", exclude_type_checking_imports=False)
    edges: dict[str, set[str]] = defaultdict(set)
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            here, there = _room(module), _room(imported)
            if here != there:
                edges[here].add(there)
    return sum(room in _reached(room, edges) for room in list(edges))


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _reached(room: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    ahead = list(edges[room])
    while ahead:
        if (one := ahead.pop()) not in found:
            found.add(one)
            ahead += edges[one]
    return found


def modules() -> int:
    """Modules outside the tests."""
    return len(sources(*SOURCES))


def lines() -> int:
    """Lines of Python outside the tests."""
    return sum(len(path.read_text().splitlines()) for path in sources(*SOURCES))


def lines_of_tests() -> int:
    """Lines of Python of the tests."""
    return sum(len(path.read_text().splitlines()) for path in sources("tests"))


def short_functions_with_one_caller() -> int:
    """Private functions of six lines or fewer that their module names once beside the definition."""
    count = 0
    for path in sources(*SOURCES):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        names += Counter(node.attr for node in nodes if isinstance(node, ast.Attribute))
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and re.match("_[^_]", node.name):
                count += names[node.name] == 1 and (node.end_lineno or 0) - node.lineno < _SHORT
    return count


def words_that_say_nothing() -> int:
    """Names of no meaning that are bound more than 25 times."""
    bound: Counter[str] = Counter()
    for path in sources(*SOURCES):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound[node.id] += 1
            elif isinstance(node, ast.arg):
                bound[node.arg] += 1
    return sum(bound[word] > _OFTEN for word in _VAGUE)


def patiences_in_a_folder() -> int:
    """Games for one player that are more than one module."""
    games = ROOT / "domain/games"
    folders = {path.relative_to(games).parts[0] for path in games.rglob("*/*.py")}
    return len(folders - LARGE_GAMES)


def words_of_prose() -> int:
    """Words of all Markdown."""
    texts = [path for path in ROOT.rglob("*.md") if not _UNREAD & set(path.relative_to(ROOT).parts)]
    return sum(len(path.read_text().split()) for path in texts)


def tables_of_any() -> int:
    """Tables of functions that take `Any`: nobody notices when one of their rows is missing."""
    table = re.compile(r"(?:dict|Mapping)\[[^=]*Callable\[\[[^\]]*\bAny\b")
    return sum(len(table.findall(path.read_text())) for path in sources(*SOURCES))


def repeated_blocks() -> int:
    """Pairs of files of the domain and the service that share six lines or more to the letter.

    Imports, blank lines, comments and thin lines do not count, nor a block that stands in more than eight files: that
    is a form.
    """
    places: dict[tuple[str, ...], set[Path]] = defaultdict(set)
    for path in sources("domain", "service"):
        kept = list(_counted_lines(path.read_text()))
        for first in range(len(kept) - _BLOCK + 1):
            places[tuple(kept[first : first + _BLOCK])].add(path)
    return len({pair for files in places.values() if len(files) <= _FORM for pair in _pairs(files)})


def _counted_lines(text: str) -> Iterator[str]:
    imports = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if number not in imports and not bare.startswith("#") and not _THIN.match(bare):
            yield bare


def _pairs(files: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    ordered = sorted(files)
    return ((one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :])


def functions_of_a_game_type() -> int:
    """Functions that every game type has to have."""
    required = [field for field in dataclasses.fields(GameType) if field.default is dataclasses.MISSING and field.init]
    return sum("Callable" in str(field.type) for field in required)


def lines_of_klondike() -> int:
    """Lines of Klondike without its rules in prose."""
    return len((ROOT / "domain/games/klondike.py").read_text().splitlines())


def words_of_the_service_readme() -> int:
    """Words of service/README.md."""
    return len((ROOT / "service" / "README.md").read_text().split())


def words_of_the_longest_readme() -> int:
    """Words of the longest README."""
    found = [path for path in ROOT.rglob("README.md") if not any(part.startswith(".") for part in path.parts[3:])]
    return max(len(path.read_text().split()) for path in found)


@cache
def _warm_command() -> Trace:
    return measure()["command"]


def modules_of_a_command() -> int:
    """Modules of ours that a warm command with If-Match passes."""
    return len(_warm_command().modules)


def calls_of_a_command() -> int:
    """Calls of functions of ours that it makes."""
    return sum(_warm_command().calls.values())


def garbage_of_a_command() -> int:
    """Objects that it leaves to the garbage collector: in cycles, so that nothing else frees them."""
    return _warm_command().garbage


@dataclass(frozen=True)
class Measure:
    """One line of the table: its figure before the house was rebuilt, its goal and its limit."""

    count: Callable[[], int]
    before: int
    goal: int
    limit: int


MEASURES = (
    Measure(rooms_in_a_cycle, 14, 0, 0),
    Measure(modules, 625, 360, 373),
    Measure(lines, 71_267, 57_000, 65_900),
    Measure(lines_of_tests, 90_650, 60_000, 80_110),
    Measure(short_functions_with_one_caller, 741, 150, 179),
    Measure(words_that_say_nothing, 12, 0, 0),
    Measure(patiences_in_a_folder, 10, 0, 0),
    Measure(words_of_prose, 64_779, 35_000, 35_000),
    Measure(modules_of_a_command, 73, 40, 40),
    Measure(calls_of_a_command, 357, 180, 180),
    Measure(garbage_of_a_command, 12, 0, 0),
    Measure(tables_of_any, 39, 0, 0),
    Measure(repeated_blocks, 35, 10, 10),
    Measure(functions_of_a_game_type, 16, 9, 9),
    Measure(lines_of_klondike, 790, 420, 420),
    Measure(words_of_the_service_readme, 3_169, 800, 800),
    Measure(words_of_the_longest_readme, 3_169, 800, 800),
)


def main() -> int:
    """Print the table; how many limits are broken."""
    broken = 0
    print(f"{'measure':42}{'before':>8}{'goal':>8}{'limit':>8}{'today':>8}")
    for one in MEASURES:
        today, name = one.count(), one.count.__name__.replace("_", " ")
        over = today > one.limit
        broken += over
        print(f"{name:42}{one.before:8}{one.goal:8}{one.limit:8}{today:8}{'  broken' * over}")
    return broken


if __name__ == "__main__":
    sys.exit(main())
