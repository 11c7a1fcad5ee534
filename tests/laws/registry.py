"""The game types under test: all that are found, and the toy."""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.games import GAME_TYPES, REVISIONS, AnyGameType

from .toy import TOY

FOUND: dict[str, AnyGameType] = {TOY.key: TOY, **GAME_TYPES}
"""By key; the laws run over each of them."""

KEYS = sorted(FOUND)


@contextmanager
def registered(game_type: AnyGameType) -> Iterator[None]:
    """Within, games of this key and revision are folded by this value: the toy, or a type with a planted fault."""
    kind = (game_type.key, game_type.revision)
    before = REVISIONS.get(kind)
    REVISIONS[kind] = game_type
    try:
        yield
    finally:
        if before is None:
            del REVISIONS[kind]
        else:
            REVISIONS[kind] = before
