"""Pictures of a frame, drawn from its zones alone: a game type that is added tomorrow draws itself."""

from functools import cache
from pathlib import Path

_STATIC = Path(__file__).parent.parent / "web" / "static"


@cache
def static_text(name: str) -> str:
    """A script or a style of the pages (`service/web/static`), for pictures that carry it along."""
    return (_STATIC / name).read_text(encoding="utf-8")
