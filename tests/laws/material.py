"""Law: the material of a game type names all that views, commands and events speak of."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.games import AnyGameType
from domain.kit.boards import CardPlace
from domain.play import events as ev
from domain.view import ALL_SEEING, FACE_DOWN

from .broken import hold
from .walks import Walk

MATERIAL = "material"
NAMING = frozenset({
    "alternative", "bulbs", "card", "column", "feature", "pattern", "pawns", "pile", "place", "places", "points",
    "source", "space", "stack", "target", "to_place", "zone",
})  # fmt: skip
"""Fields of events and facts whose text is the id of a thing."""


def check(game_type: AnyGameType, path: Walk) -> None:
    """Every zone, every card, every word of a command, and what events and facts name stand in the material."""
    known, places = set(_texts(msgspec.to_builtins(game_type.material))), _places(game_type.material)
    for frame in (one for viewer in (0, None, ALL_SEEING) for one in path.frames(viewer)):
        if frame.view is None:
            continue
        for zone in frame.view.zones:
            place = CardPlace(zone.id, zone.label, zone.owner)
            hold(place in places, MATERIAL, f"{place} is a zone and not in the material")
            _known(zone.cards, known, f"on {zone.id}")
        _known(_named(msgspec.to_builtins((frame.events, frame.view.facts))), known, f"in step {frame.step}")
    for number in range(len(path.steps)):
        for seat in range(path.plan.seats):
            listed = [one for one in path.listed(number, seat) if not isinstance(one, ev.Undo | ev.Resign)]
            _known(_texts(msgspec.to_builtins(listed)), known, "in a command")


def _places(material: Any) -> set[CardPlace]:
    return {CardPlace(place.id, place.name, place.seat) for place in material.places}


def _texts(told: Any) -> Iterator[str]:
    """Every text in it, but for the tags."""
    if isinstance(told, dict):
        yield from (text for name, part in told.items() if name != "type" for text in _texts(part))
    elif isinstance(told, list | tuple):
        yield from (text for part in told for text in _texts(part))
    elif isinstance(told, str):
        yield told


def _named(told: Any) -> Iterator[str]:
    """Every text that names a thing."""
    if isinstance(told, dict):
        for name, part in told.items():
            yield from _texts(part) if name in NAMING else _named(part)
    elif isinstance(told, list | tuple):
        yield from (text for part in told for text in _named(part))


def _known(texts: Any, known: set[str], where: str) -> None:
    unknown = set(texts) - known - {FACE_DOWN}
    hold(not unknown, MATERIAL, f"{sorted(unknown)} {where}: not in the material")
