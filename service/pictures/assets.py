"""Scripts and styles of the pages, for pictures that carry them along."""

from functools import cache
from pathlib import Path

_STATIC = Path(__file__).parent.parent / "web" / "static"


@cache
def text(name: str) -> str:
    """One file of `service/web/static`."""
    return (_STATIC / name).read_text(encoding="utf-8")
