"""The JSON Schema of an open record's lines, made from the types that write and read them."""

import json
from typing import Any

from domain.play.open_record import Ending, Header, StepLine
from service.http.openapi.schemas import Schemas

_REFERENCE, _DEFINITION = "#/components/schemas/", "#/$defs/"
_LINES = (Header, StepLine, Ending)


def schema() -> dict[str, Any]:
    """The schema of one line: the first is a `Header`, the last an `Ending`, all others a `StepLine`."""
    schemas = Schemas(_LINES)
    told = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a Kibitz open record, format 1",
        "oneOf": [schemas.of(line) for line in _LINES],
        "$defs": schemas.referenced(),
    }
    found: dict[str, Any] = json.loads(json.dumps(told).replace(_REFERENCE, _DEFINITION))
    return found


def text() -> str:
    """The schema as it is committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
