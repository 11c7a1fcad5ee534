"""Every setting as a row: its variable, its default, and what it is; taken from `Settings` itself."""

from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from msgspec import NODEFAULT, inspect

from service.setting_values import wanted
from service.settings import Settings

_INDENTED: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "    "}
_TITLE = """# Settings

Written by `kibitz settings --markdown` from `service/settings.py`: do not edit it by hand.

With `_FILE` behind its name (`DATABASE_URL_FILE`) a variable names a file that holds the value, as secrets are mounted.
Flags of a command go over the environment. A data folder that is named on the command line also goes over
`DATABASE_URL`.

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
    told = inspect.type_info(Settings)
    assert isinstance(told, inspect.StructType)
    return [Row(variable(field.name), _default(field), _description(field)) for field in told.fields]


def _description(field: inspect.Field) -> str:
    kind = field.type
    says = (kind.extra_json_schema or {}).get("description", "") if isinstance(kind, inspect.Metadata) else ""
    if not says:
        raise ValueError(f"the setting {field.name} does not say what it is")
    told = wanted(kind)
    return f"{says} {told[0].upper()}{told[1:]}." if " number " in told else str(says)


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
