"""Modules as one script: in the order of their imports, which are dropped with the word `export`."""

import re
from functools import cache

from service.pictures import assets

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z0-9_]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function |const |class |let )", re.MULTILINE)


@cache
def script(entry: str) -> str:
    """The text of this module of `service/web/static` with all that it imports before it."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", assets.text(name))).strip() for name in in_order(entry)) + "\n"


def in_order(entry: str) -> list[str]:
    """The names of the modules, each after those that it imports."""
    found: list[str] = []
    _collect(entry, found)
    return found


def _collect(name: str, found: list[str]) -> None:
    for imported in _IMPORT.findall(assets.text(name)):
        if imported not in found:
            _collect(imported, found)
    found.append(name)
