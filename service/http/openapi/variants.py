"""What differs by game type, as one schema for each: `KlondikeFrame`, whose events are `KlondikeEvent`.

The service writes one struct, whose fields hold any game type's values. A client that reads `game_type` first knows
which: so the published schema is `oneOf` a schema for each game type, told apart by `game_type`.
"""

from typing import Any, Union

from domain.games import GAME_TYPES, REVISIONS
from domain.league.rules import BoxRules, DayRules
from domain.play import events as ev
from service.analysis.kinds import Report
from service.http.openapi.schemas import camel, reference
from service.live import openings, shapes

Component = dict[str, Any]
VARIED = ("Frame", "Game", "LegalCommands", "CommandAnswer", "AnalysisLine", "PuzzlePosition", "View")
"""Components that differ by game type. A view stands only within the others."""


def _unions() -> dict[str, Any]:
    """Name -> union: those of all game types, and those of each."""
    unions: dict[str, Any] = {
        "Command": shapes.AnyPlayCommand, "FrameCommand": shapes.AnyCommand, "Event": shapes.AnyEvent,
        "Facts": shapes.AnyFacts, "Opening": openings.AnyOpening, "Material": shapes.AnyMaterial,
        "LeagueRules": BoxRules | DayRules, "AnalysisReport": Report, "DealWanted": openings.CardsOrWish,
    }  # fmt: skip
    for key in GAME_TYPES:
        found = [one for (kind, _), one in REVISIONS.items() if kind == key]
        commands = tuple(command for one in found for command in one.commands) + ev.PLAY_COMMANDS
        unions[camel(key) + "Command"] = Union[commands]  # noqa: UP007
        unions[camel(key) + "FrameCommand"] = Union[commands + ev.TABLE_COMMANDS]  # noqa: UP007
        unions[camel(key) + "Event"] = Union[tuple(event for one in found for event in one.events) + shapes.SHOWN]  # noqa: UP007
    return unions


UNIONS = _unions()
_NARROWED = ("Command", "FrameCommand", "Event", "Facts", *VARIED)


def split_by_game_type(components: dict[str, Component]) -> None:
    """Replace each of the components that differ by one for each game type and their union."""
    for name in VARIED:
        component = components.pop(name)
        for key in GAME_TYPES:
            if camel(key) + name in components:
                raise ValueError(f"two schemas of one name: {camel(key) + name}")
            components[camel(key) + name] = _narrow(component, key) | {"title": camel(key) + name}
        if "game_type" in component["properties"]:
            components[name] = _union(name, component)
    del components["FrameCommand"]  # of any game type: nothing refers to it any more


def _union(name: str, component: Component) -> Component:
    mapping = {key: reference(camel(key) + name)["$ref"] for key in GAME_TYPES}
    return {
        "title": name,
        "description": component["description"],
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "game_type", "mapping": mapping},
    }


def _narrow(schema: Any, key: str) -> Any:
    """The schema for one game type."""
    if isinstance(schema, list):
        return [_narrow(one, key) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and (name := schema["$ref"].rpartition("/")[2]) in _NARROWED:
        return schema | reference(camel(key) + name)
    told = {name: _narrow(value, key) for name, value in schema.items()}
    if "game_type" in told.get("properties", {}):
        told["properties"] = told["properties"] | {"game_type": {"type": "string", "enum": [key]}}
    return told
