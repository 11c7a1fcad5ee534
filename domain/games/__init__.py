"""Every game type there is: found by looking into this folder, never listed by hand."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from domain.game_type import GameType

AnyGameType = GameType[Any, Any, Any, Any, Any]
Revisions = dict[tuple[str, int], AnyGameType]


class UnknownRevision(LookupError):
    """A game was played under rules that this program does not have."""

    def __init__(self, key: str, revision: int) -> None:
        super().__init__(f"Nobody knows revision {revision} of {key}.")


def by_revision(game_types: Iterable[AnyGameType]) -> Revisions:
    """These by key and revision, in that order; raises TypeError where two say that they are the same revision."""
    revisions: Revisions = {}
    for kind in sorted(game_types, key=lambda kind: (kind.key, kind.revision)):
        if revisions.setdefault((kind.key, kind.revision), kind) is not kind:
            raise TypeError(f"Two game types are revision {kind.revision} of {kind.key}.")
    return revisions


def newest(revisions: Mapping[tuple[str, int], AnyGameType]) -> dict[str, AnyGameType]:
    """The highest revision of every game type, by key."""
    return {key: revisions[key, number] for key, number in sorted(revisions)}


_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
REVISIONS = by_revision(value for module in _MODULES for value in vars(module).values() if isinstance(value, GameType))
"""Every revision of every game type, by key and revision: stored games are played under their own."""

GAME_TYPES = newest(REVISIONS)
"""The newest revision of every game type, by key: what can be opened."""


def revision_of(key: str, number: int) -> AnyGameType:
    """The rules of this revision; raises UnknownRevision."""
    try:
        return REVISIONS[key, number]
    except KeyError:
        raise UnknownRevision(key, number) from None
