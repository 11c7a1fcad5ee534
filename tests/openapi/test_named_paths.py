"""Every path that a description or a README names is one of the API's, with the method that stands before it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.openapi.described import DOCUMENT, STREAMS

ROOT = Path(__file__).parents[2]
TEMPLATES = {
    re.compile(re.sub(r"\{[^}]+\}", r"[^/]+", path)): {method.upper() for method in item}
    for path, item in DOCUMENT["paths"].items()
} | {re.compile(re.escape(STREAMS["channels"]["play"]["address"])): {"GET"}}
NAMED = re.compile(r"(?:\b(GET|POST|PUT|PATCH|DELETE)\s+)?(/(?:v1/|livez|readyz)[^\s`\"'),;?#<>|*\\]*)")
VARIABLE = re.compile(r"\$?\{[^}]*\}|\$\w+|\b[A-Z_]{3,}\b")
_ROOMS = (room for room in ROOT.iterdir() if room.name not in (".venv", "CHANGELOG.md"))
FILES = [file for room in _ROOMS for file in (room.rglob("*.md") if room.is_dir() else [room]) if file.suffix == ".md"]


def unknown_paths(text: str) -> list[str]:
    """The paths in this text that no operation has, or none with this method."""
    named = ((method, VARIABLE.sub("x", path).rstrip(".:/")) for method, path in NAMED.findall(text))
    return [f"{method} {path}".strip() for method, path in named if not _is_known(method, path)]


def _is_known(method: str, path: str) -> bool:
    methods = [methods for template, methods in TEMPLATES.items() if template.fullmatch(path)]
    return any(not method or method in found for found in methods)


def _descriptions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (value[name] for name in ("description", "summary") if isinstance(value.get(name), str))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _descriptions(inner)


def test_every_path_in_a_description_is_there() -> None:
    assert [path for text in _descriptions(DOCUMENT) for path in unknown_paths(text)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_path_in_a_document_is_there(file: Path) -> None:
    assert unknown_paths(file.read_text()) == []


def test_a_path_that_is_not_there_is_noticed() -> None:
    planted = "`GET /v1/games/{id}/befehle`, DELETE /v1/games, $KIBITZ/v1/games/$GAME/frames/1, `POST /v1/games`."
    assert unknown_paths(planted) == ["GET /v1/games/x/befehle", "DELETE /v1/games"]
    assert unknown_paths("curl $KIBITZ/v1/gamess/$GAME") == ["/v1/gamess/x"]
