"""`kibitz openapi`, the API's description; `kibitz settings`, the variables of the environment, from `Settings`."""

import ast
import shutil
from collections.abc import Iterator
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, NamedTuple

from cyclopts import Parameter
from msgspec import NODEFAULT, inspect

from service.cli.ending import Usage
from service.cli.options import read_settings, write_output
from service.settings import Settings

_TITLE = """# Settings

Written by `kibitz settings --markdown` from `service/settings.py`: do not edit it by hand.

A variable with `_FILE` behind its name (`DATABASE_URL_FILE`) names a file that holds the value: a mounted secret.
An empty variable counts as unset. A command's flags override the environment; `--data-folder` overrides `DATABASE_URL`
too. A value out of its bounds is refused with a sentence that names them. Defaults stand in parentheses.
"""


def openapi(
    *,
    asyncapi: Annotated[bool, Parameter(name="--async")] = False,
    record: bool = False,
    output: Path | None = None,
) -> None:
    """Write the API's description: OpenAPI 3.1 as JSON, the same text for the same program.

    Args:
        asyncapi: the AsyncAPI document instead
        record: the JSON Schema of an open record's lines instead
        output: write it to this file instead of to stdout
    """
    from service import api  # every operation: a second that `kibitz settings` need not wait
    from service.http import openapi as description

    read_settings()
    if asyncapi and record:
        raise Usage("--async and --record exclude each other.")
    document = description.record_schema() if record else description.documents(api.find_handlers())[asyncapi]
    write_output(description.text(document).encode(), output)


class Row(NamedTuple):
    """One setting, in an operator's words."""

    variable: str
    default: str
    description: str


def rows() -> list[Row]:
    """All settings, in the order of `Settings`; raises ValueError for one without a description."""
    kind, descriptions = inspect.type_info(Settings), dict(_descriptions())
    assert isinstance(kind, inspect.StructType)
    if missing := [field.name for field in kind.fields if field.name not in descriptions]:
        raise ValueError(f"the setting {missing[0]} does not say what it is")
    table = []
    for field in kind.fields:
        variable = "DATABASE_URL" if field.name == "database_url" else f"KIBITZ_{field.name.upper()}"
        default = "" if field.default is NODEFAULT else _text(field.default)  # words describe a computed one
        table.append(Row(variable, default, descriptions[field.name]))
    return table


def _descriptions() -> Iterator[tuple[str, str]]:
    """The name of each setting and the text below it, which only the source has."""
    (settings,) = ast.parse(getsource(Settings)).body
    assert isinstance(settings, ast.ClassDef)
    for pair in pairwise(settings.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


def _text(value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else f"{value}"


def settings(*, markdown: bool = False) -> None:
    """List what can be set, and by which variable of the environment; the values are not shown: some hold passwords.

    Args:
        markdown: as the page deploy/SETTINGS.md
    """
    read_settings()
    if markdown:
        print(_TITLE)
        for variable, default, description in rows():
            line = f"* `{variable}`{default and f' (`{default}`)'}: {description}"
            print(fill(line, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
        return
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    for variable, default, description in rows():
        print(f"{variable} = {default}" if default else variable)
        print(fill(description, width, initial_indent="    ", subsequent_indent="    "))
