"""`kibitz openapi`: the API's description, generated from its operations."""

from argparse import ArgumentParser, Namespace
from typing import Any

from service import api
from service.cli.options import output_option, write_output
from service.http import openapi
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--async", dest="streams", action="store_true", help="the AsyncAPI document instead")
    other.add_argument("--record", action="store_true", help="the JSON Schema of an open record's lines instead")
    output_option(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """OpenAPI 3.1 as JSON, two blanks for each level; the same text for the same program."""
    write_output(openapi.text(_description(chosen)).encode(), chosen.output)
    return 0


def _description(chosen: Namespace) -> dict[str, Any]:
    if chosen.record:
        return openapi.record_schema()
    return openapi.documents(api.find_handlers())[chosen.streams]
