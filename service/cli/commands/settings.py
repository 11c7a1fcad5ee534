"""`kibitz settings`: what can be set, by which variable of the environment; taken from `Settings` itself."""

import ast
import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from msgspec import NODEFAULT, inspect

from service.settings import Settings, wanted

_INDENTED: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "    "}
_TITLE = """# Settings

Written by `kibitz settings --markdown` from `service/settings.py`: do not edit it by hand.

With `_FILE` behind its name (`DATABASE_URL_FILE`) a variable names a file that holds the value, as secrets are mounted.
An empty variable counts as unset. Flags of a command go over the environment. A data folder that is named on the
command line also goes over `DATABASE_URL`.

| variable | default | what it is |
|---|---|---|
"""


class Row(NamedTuple):
    """One setting, in the words of whoever runs the service."""

    variable: str
    default: str
    says: str


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "DATABASE_URL" if name == "database_url" else f"KIBITZ_{name.upper()}"


def rows() -> list[Row]:
    """All settings, in the order of `Settings`; raises ValueError for one that does not say what it is."""
    told, descriptions = inspect.type_info(Settings), dict(_descriptions())
    assert isinstance(told, inspect.StructType)
    if unsaid := [field.name for field in told.fields if field.name not in descriptions]:
        raise ValueError(f"the setting {unsaid[0]} does not say what it is")
    return [Row(variable(field.name), _default(field), _says(field, descriptions[field.name])) for field in told.fields]


def _descriptions() -> Iterator[tuple[str, str]]:
    """The name of each setting and the text below it, which only the source has."""
    (settings,) = ast.parse(getsource(Settings)).body
    assert isinstance(settings, ast.ClassDef)
    for pair in pairwise(settings.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


def _says(field: inspect.Field, description: str) -> str:
    told = wanted(field.type)
    return f"{description} {told[0].upper()}{told[1:]}." if " number " in told else description


def _default(field: inspect.Field) -> str:
    return "" if field.default is NODEFAULT else _text(field.default)  # one that is computed is told in words


def _text(value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Path | str):
        return str(value)
    return f"{value:g}" if isinstance(value, float) else f"{value}"


def markdown() -> str:
    """The page of all settings."""
    lines = [f"| `{row.variable}` | {f'`{row.default}`' if row.default else ''} | {row.says} |\n" for row in rows()]
    return _TITLE + "".join(lines)


def text(width: int) -> str:
    """The same for a terminal: the variable and its default, under them what it is."""
    return "".join(f"{_head(row)}\n{fill(row.says, width, **_INDENTED)}\n" for row in rows())


def _head(row: Row) -> str:
    return f"{row.variable} = {row.default}" if row.default else row.variable


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help="as the page deploy/SETTINGS.md")


def run(chosen: Namespace, settings: Settings) -> int:
    """Print every setting; what they are set to is not told, for some hold passwords."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(markdown() if chosen.markdown else text(width), end="")
    return 0
