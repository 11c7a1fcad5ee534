"""The rules that the code names when it refuses: every slug of an `Illegal`, with where it can come up.

`python -m tests.openapi.raised_rules` writes the places of `service/problems/rules.toml` anew.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from domain.games import GAME_TYPES

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "service" / "problems" / "rules.toml"
_RAISED = ("Illegal", "Forbidden", "Missing")
_SLUG = re.compile(r"[a-z0-9_{}.]+")
_AREAS = {
    "domain/play": "every game", "service/live": "every game", "service/api/games": "every game",
    "service/api/replays": "every game", "service/records": "every game", "domain/chance.py": "every game",
    "domain/league": "leagues", "service/leagues": "leagues", "service/api/leagues": "leagues",
    "domain/contest": "contests", "service/contests": "contests", "service/api/contests": "contests",
    "domain/rulings.py": "rulings", "service/outbox/webhooks.py": "webhooks",
    "service/oauth": "apps", "service/house": "every game", "service/web/again.py": "every game",
    "service/accounts": "accounts", "service/winnable_deals.py": "every game", "service/puzzles": "puzzles",
    "service/api/play": "every game", "service/analysis": "every game",
}  # fmt: skip
_WORDS = {"freecell": "cell", "seahaven_towers": "tower"}
"""What `{game.word}` of `domain/kit/cells.py` is."""
_RAISED_AGAIN = {"illegal.rule"}
Node = tuple[str, str]


def _text(node: ast.AST, constants: dict[str, str]) -> str | None:
    """The slug that an expression gives, with the names of its parts in braces."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(one.value) if isinstance(one, ast.Constant) else f"{{{ast.unparse(getattr(one, 'value', one))}}}"
            for one in node.values
        )
    return constants.get(node.id) if isinstance(node, ast.Name) else None


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


_CONSTANTS = {"TOO_LONG": "too_long"}


def slugs_in(tree: ast.AST) -> Iterator[str]:
    """The slugs raised below this node: those of calls, and those of pairs of a slug and its sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _RAISED:
            first = node.args[0]
            found = _text(first, _CONSTANTS)
            if found is not None:
                yield found
            elif not isinstance(first, ast.Starred) and ast.unparse(first) not in _RAISED_AGAIN:
                raise ValueError(f"what slug is {ast.unparse(first)}?")
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
            slug, sentence = (_text(one, {}) for one in node.elts)
            if slug and sentence and _SLUG.fullmatch(slug) and re.fullmatch(r"[A-Z{].* .*\.", sentence):
                yield slug


def _module(name: str) -> Path | None:
    path = ROOT.joinpath(*name.split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.exists()), None)


def _imports(tree: ast.Module) -> dict[str, Node]:
    """Name, or module and name (`talon.draw`) -> the module of the kit, and the name there, that it stands for."""
    names = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("domain.kit", "domain.chance"))
        for alias in node.names
    }
    modules = {name: f"{module}.{own}" for name, (module, own) in names.items() if module == "domain.kit"}
    return names | {
        f"{node.value.id}.{node.attr}": (modules[node.value.id], node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    }


def _definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in tree.body:
        names = [getattr(statement, "name", None)] if not isinstance(statement, ast.Assign | ast.AnnAssign) else [
            getattr(one, "id", None) for one in getattr(statement, "targets", [getattr(statement, "target", None)])
        ]  # fmt: skip
        for name in names:
            if name:
                found[name].append(statement)
    return found


def _reached(starts: list[Node]) -> Iterator[str]:
    """The slugs of these functions of the kit, and of all that they use."""
    seen, ahead = set[Node](), list(starts)
    while ahead:
        module, name = ahead.pop()
        if (module, name) in seen or (path := _module(module)) is None:
            continue
        seen.add((module, name))
        tree = _tree(path)
        own, imported = _definitions(tree), _imports(tree)
        for statement in own.get(name, []):
            yield from slugs_in(statement)
            for node in ast.walk(statement):
                used = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else None
                if used in own or used in imported:
                    ahead.append(imported.get(used, (module, used)))


def raised() -> dict[str, set[str]]:
    """Game type or area -> the slugs that can come up there."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in GAME_TYPES:
        games = ROOT / "domain" / "games"
        for path in (*games.glob(f"{key}.py"), *(games / key).rglob("*.py")):
            slugs = [*slugs_in(_tree(path)), *_reached(list(_imports(_tree(path)).values()))]
            found[key] |= {slug.replace("{game.word}", _WORDS.get(key, "?")) for slug in slugs}
    for start, area in _AREAS.items():
        place = ROOT / start
        for path in [place] if place.is_file() else place.rglob("*.py"):
            found[area] |= set(slugs_in(_tree(path)))
    return found


def unplaced() -> set[str]:
    """Files that raise a rule in no game type, kit or area."""
    known = ("domain/games", "domain/kit", *_AREAS)
    paths = (path for folder in ("domain", "projections", "service") for path in (ROOT / folder).rglob("*.py"))
    return {
        name for path in paths
        if not (name := str(path.relative_to(ROOT))).startswith(known) and "Illegal(" in path.read_text()
        and any(slugs_in(_tree(path)))
    }  # fmt: skip


def main() -> None:
    """Write the places anew; the sentences stay."""
    kept = TABLE.read_text().partition("[places]")[0] if TABLE.exists() else "[sentences]\n\n"
    lines = []
    for place, slugs in sorted(raised().items()):
        listed = "".join(f'    "{slug}",\n' for slug in sorted(slugs))
        lines.append(f'"{place}" = [\n{listed}]')
    TABLE.write_text(kept + "[places]\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
