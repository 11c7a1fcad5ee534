"""A partial command: some fields of a command as JSON, to select the legal commands that have these values."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from service.problems import Refused

_OBJECT: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


def decode_partial(text: str) -> dict[str, Any]:
    """The fields of the text; raises Refused if the text is no JSON object."""
    try:
        return _OBJECT.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Refused("malformed", f"like: {error}.") from error


def matching_commands(commands: Iterable[Struct], like: dict[str, Any]) -> list[Struct]:
    """The commands that have every given field's value; a list matches if it begins with the given list."""
    return [command for command in commands if _agrees(msgspec.to_builtins(command), like)]


def _agrees(command: dict[str, Any], like: dict[str, Any]) -> bool:
    return all(_fits(command.get(name), value) for name, value in like.items())


def _fits(said: Any, wanted: Any) -> bool:
    if isinstance(said, list | tuple) and isinstance(wanted, list):
        return list(said[: len(wanted)]) == wanted
    return bool(said == wanted)
