"""The committed description is the one the code gives; its examples run; its parts are whole."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import jsonschema_rs
import msgspec
import pytest

from domain.games import GAME_TYPES, REVISIONS
from service import api
from service.api.games.game_types import IN_FULL
from service.http import openapi
from service.problems import KINDS
from tests.api.serving import Player
from tests.openapi.prepared import PreparedLeague

DOCUMENT = openapi.document(api.find_handlers())
COMMITTED = Path(__file__).parents[2] / "openapi"
OPERATIONS = {
    told["operationId"]: (method, path, told)
    for path, item in DOCUMENT["paths"].items()
    for method, told in item.items()
}


def test_the_committed_document_is_the_generated_one() -> None:
    assert (COMMITTED / "openapi.json").read_text() == openapi.text(DOCUMENT), "run `make openapi`"


def test_the_committed_table_of_problems_is_the_generated_one() -> None:
    assert (COMMITTED / "problems.md").read_text() == openapi.problems_page(), "run `make openapi`"


def test_every_operation_says_what_it_is_and_how_it_fails() -> None:
    for name, (_, _, told) in OPERATIONS.items():
        assert told["summary"].endswith("."), name
        assert any(status.startswith("2") for status in told["responses"]), name
        assert any(status.startswith("4") for status in told["responses"]), name
        assert all(parameter["description"] for parameter in told["parameters"]), name


def test_every_body_has_an_example() -> None:
    for name, (_, _, told) in OPERATIONS.items():
        if "requestBody" in told:
            assert all(content.get("examples") for content in told["requestBody"]["content"].values()), name


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(DOCUMENT)
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.partition('"')[0] in DOCUMENT["components"]["schemas"]


def test_there_is_a_body_to_open_every_game_type_found() -> None:
    opening = OPERATIONS["open_game"][2]["requestBody"]["content"]["application/json"]["schema"]
    assert set(opening["discriminator"]["mapping"]) == set(GAME_TYPES)


@pytest.mark.parametrize(("key", "revision"), REVISIONS)
def test_every_revision_of_a_game_type_is_told_as_described(key: str, revision: int) -> None:
    told = json.loads(msgspec.json.encode(IN_FULL[key, revision]))
    schema = {"$ref": "#/components/schemas/GameTypeInFull", "components": DOCUMENT["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(told)
    material = told["material"]
    named = {"$ref": f"#/components/schemas/{''.join(map(str.capitalize, key.split('_')))}Material"}
    jsonschema_rs.Draft202012Validator({**named, "components": DOCUMENT["components"]}).validate(material)
    assert material["places"]


@pytest.fixture(scope="module")
def client(address: str) -> httpx.Client:
    token = httpx.post(f"{address}/v1/players", json={"name": "Example"}, timeout=60).json()["token"]["secret"]
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60)


def _examples(name: str) -> list[Any]:
    content = OPERATIONS[name][2].get("requestBody", {}).get("content", {}).get("application/json", {})
    return [example["value"] for example in content.get("examples", {}).values()]


def test_the_examples_of_opening_open_games(client: httpx.Client) -> None:
    for body in _examples("open_game"):
        answer = client.post("/v1/games", json=body)
        assert answer.status_code == 201, answer.text
        assert answer.json()["game_type"] == body["game_type"]


def test_the_examples_of_playing_are_accepted_in_their_order(client: httpx.Client) -> None:
    game = client.post("/v1/games", json={"game_type": "klondike"}).json()["id"]
    for body in _examples("play"):
        answer = client.post(f"/v1/games/{game}/commands", json=body)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - {"open_game", "play"}))
def test_the_examples_of_every_other_body_are_accepted(client: httpx.Client, moderator: Player, name: str) -> None:
    method, path, _ = OPERATIONS[name]
    for body in _examples(name):
        said = body | {"player": _somebody(client)} if name == "invite_player" else body
        who = moderator.http if name in ("void_game", "rule") else client
        where = {"game_id": _waiting(client, name)}
        if "/leagues/" in path or name == "rule":
            league = PreparedLeague(client, name)
            said, where = league.body(body), dict(league.parameters)
        answer = who.request(method, path.format(**where) if "{" in path else path, json=said)
        assert answer.is_success, f"{name}: {answer.text}"


@pytest.mark.parametrize("name", ["import_record", "verify_record"])
def test_the_examples_of_texts_are_accepted(client: httpx.Client, name: str) -> None:
    _, path, told = OPERATIONS[name]
    for media_type, content in told["requestBody"]["content"].items():
        for example in content["examples"].values():
            answer = client.post(path, content=example["value"], headers={"content-type": media_type})
            assert answer.is_success, f"{media_type}: {answer.text}"


def _somebody(client: httpx.Client) -> str:
    """A player who may be invited: the example names one who is nobody."""
    return str(client.post("/v1/players", json={"name": "Guest"}).json()["player"]["id"])


def _waiting(client: httpx.Client, name: str) -> str:
    """A game that this operation can be said of: to join another player's, to invite to one with a free seat, ..."""
    if name == "fork_game":
        game = str(client.post("/v1/games", json={"game_type": "klondike"}).json()["id"])
        client.post(f"/v1/games/{game}/commands", json={"type": "game/resign"})
        return game
    if name == "invite_player":
        return str(client.post("/v1/games", json={"game_type": "spite_and_malice"}).json()["id"])
    if name == "join_game":
        other = client.post("/v1/players", json={"name": "Other"}).json()["token"]["secret"]
        headers = {"Authorization": f"Bearer {other}"}
        return str(client.post("/v1/games", json={"game_type": "spite_and_malice"}, headers=headers).json()["id"])
    return str(client.post("/v1/games", json={"game_type": "klondike", "await_seeds": True}).json()["id"])


def test_every_type_of_problem_can_be_looked_up(client: httpx.Client) -> None:
    for kind in client.get("/v1/problems").json()["kinds"]:
        assert client.get(kind["type"]).json() == kind
    assert len(client.get("/v1/problems").json()["kinds"]) == len(KINDS)


def test_the_served_document_is_the_committed_one(client: httpx.Client) -> None:
    assert client.get("/v1/openapi.json").json() == DOCUMENT


def test_the_page_names_every_operation(client: httpx.Client) -> None:
    page = client.get("/v1/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert all(f'id="{name}"' in page.text for name in OPERATIONS)


def test_ids_are_uuids_of_version_seven(client: httpx.Client) -> None:
    assert UUID(client.post("/v1/games", json={"game_type": "klondike"}).json()["id"]).version == 7
