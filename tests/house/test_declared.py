"""What is imported is declared: whoever installs Kibitz gets it by name, not because another package happens to."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "openapi" / "clients" / "python"
OWN = {"domain", "projections", "service", "kibitz_client"}
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,]+)\])?")


def imported(folder: Path) -> set[str]:
    """The top-level names of what the modules below this folder import."""
    return {
        name.partition(".")[0]
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        for name in imported_by(node)
    }


def imported_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []


def declared(project: dict[str, Any]) -> Iterator[str]:
    """The distributions that the project requires, and those that its extras are named after: `psycopg-pool`."""
    optional = project.get("optional-dependencies", {}).values()
    for requirement in [*project["dependencies"], *(entry for extra in optional for entry in extra)]:
        name, extras = REQUIREMENT.match(requirement).groups("")
        yield from (normalised(name), *(normalised(f"{name}-{extra}") for extra in extras.split(",")))


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("settings", "folders"),
    [(ROOT, ("domain", "projections", "service")), (CLIENT, ("kibitz_client",))],
    ids=["the service", "the Python client"],
)
def test_every_package_that_is_imported_is_declared(settings: Path, folders: tuple[str, ...]) -> None:
    project = tomllib.loads((settings / "pyproject.toml").read_text("utf-8"))["project"]
    names = set().union(*(imported(settings / folder) for folder in folders)) - OWN - sys.stdlib_module_names
    names -= {"compression", "backports"}  # zstd, by Python's version: one of the two is not there
    installed, allowed = packages_distributions(), set(declared(project))
    undeclared = {name for name in names if allowed.isdisjoint(map(normalised, installed.get(name, ())))}
    assert undeclared == set()
