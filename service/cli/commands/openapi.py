"""`kibitz openapi`: the API's description, generated from its operations."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

import msgspec

from service import api
from service.cli.errors import Refusal
from service.http import openapi
from service.http.openapi import record_schema
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--record", action="store_true", help="the JSON Schema of an open record's lines instead")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it there instead of to stdout")


def run(chosen: Namespace, settings: Settings) -> int:
    """OpenAPI 3.1 as JSON, two blanks for each level; the same text for the same program."""
    text = record_schema.text() if chosen.record else _document()
    if chosen.output is None:
        print(text, end="")
        return 0
    try:
        chosen.output.write_text(text, "utf-8")
    except OSError as error:
        raise Refusal(f"{chosen.output} cannot be written: {error.strerror}.") from error
    return 0


def _document() -> str:
    return msgspec.json.format(msgspec.json.encode(openapi.document(api.find_handlers())), indent=2).decode() + "\n"
