"""The description is valid for programs of others: no error, and no warning that `node/*.yaml` does not explain."""

import json
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.openapi import node_programs
from tests.openapi.test_document import COMMITTED, DOCUMENT

FILE = COMMITTED / "openapi.json"


def spectral_findings(file: Path) -> list[str]:
    """What Spectral's rules for OpenAPI find."""
    told = node_programs.run("spectral", "lint", str(file), "--ruleset", "spectral.yaml", "--format", "json", "--quiet")
    return [f"{one['code']}: {one['message']} {one['path']}" for one in json.loads(told.stdout or "[]")]


def redocly_findings(file: Path) -> list[str]:
    """What Redocly's recommended rules find."""
    told = node_programs.run("redocly", "lint", str(file), "--config", "redocly.yaml", "--format", "json")
    found: Any = node_programs.first_json(told.stdout)
    return [f"{one['ruleId']}: {one['message']}" for one in found["problems"]]


def test_the_document_is_valid_openapi() -> None:
    OpenAPIV31SpecValidator(DOCUMENT).validate()


OF_EXAMPLES = {f"no-invalid-{kind}-examples" for kind in ("media-type", "parameter", "schema")}


@pytest.mark.parametrize(("findings", "rules"), [(spectral_findings, set()), (redocly_findings, OF_EXAMPLES)])
def test_the_linters_find_what_is_planted_and_nothing_else(findings: Any, rules: set[str], tmp_path: Path) -> None:
    """One run shows both: one that gave up would find nothing. Examples are held against their schemas by one alone."""
    wrong = json.loads(FILE.read_text())
    wrong["paths"]["/v1/games"]["get"]["operationId"] = "open_game"
    body = wrong["paths"]["/v1/games"]["post"]["requestBody"]["content"]["application/json"]
    body["examples"]["klondike"]["value"] = {"game_type": 7}
    wrong["paths"]["/v1/players/{player_id}"]["get"]["parameters"][0]["example"] = 7
    wrong["components"]["schemas"]["BlackHoleMoved"]["properties"]["card"]["examples"] = [7]
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    found = {one.partition(":")[0] for one in findings(tmp_path / "wrong.json")}
    assert found == {"operation-operationId-unique", *rules}


PLANTED = {
    "no such schema": (
        ("channels", "stream_game", "messages", "frame", "payload", "schema", "$ref"),
        "openapi.json#/components/schemas/Nothing",
    ),
    "no such channel": (("operations", "stream_game", "channel", "$ref"), "#/channels/nothing"),
    "no such member": (("channels", "stream_game", "adress"), "/v1"),
}
"""A place in the document of the streams, and what is wrong there."""


@pytest.fixture(scope="module")
def asyncapi_findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the AsyncAPI initiative's parser finds; but that there is a version 3.1, which few programs read yet."""
    right, folder = COMMITTED / "asyncapi.json", tmp_path_factory.mktemp("asyncapi")
    (folder / "openapi.json").write_text(FILE.read_text())
    for name, ((*way, member), value) in PLANTED.items():
        wrong = json.loads(right.read_text())
        reduce(getitem, way, wrong)[member] = value
        (folder / name).write_text(json.dumps(wrong))
    files = {"nothing": right} | {name: folder / name for name in PLANTED}
    told = json.loads(node_programs.run_script("asyncapi.mjs", *map(str, files.values())).stdout)
    return {
        name: [f"{one['code']}: {one['message']}" for one in found if one["code"] != "asyncapi-latest-version"]
        for name, found in zip(files, told, strict=True)
    }


def test_the_document_of_the_streams_is_valid_asyncapi(asyncapi_findings: dict[str, list[str]]) -> None:
    assert asyncapi_findings["nothing"] == []


@pytest.mark.parametrize("planted", PLANTED)
def test_the_parser_of_asyncapi_finds_what_is_planted(planted: str, asyncapi_findings: dict[str, list[str]]) -> None:
    assert asyncapi_findings[planted] != []
