"""The committed description is the one the code gives; its examples run; its parts, rules and version hold together."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import jsonschema_rs
import msgspec
import pytest

from domain.games import GAME_TYPES, REVISIONS
from service import VERSION
from service.api.games.game_types import IN_FULL
from service.http import openapi
from service.http.openapi.document import _FIRST, TAGS
from service.problems import KINDS, PLACES, SENTENCES, WORDS
from tests.api.passkey_rows import passkey_of
from tests.api.puzzled import lost_with_puzzle
from tests.api.serving import Player, Service, registered
from tests.openapi.described import DOCUMENT, STREAMS
from tests.openapi.prepared import PreparedLeague

from .raised_rules import raised, slugs_in, unplaced

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "openapi"
OPERATIONS = {
    told["operationId"]: (method, path, told)
    for path, item in DOCUMENT["paths"].items()
    for method, told in item.items()
}


def test_the_committed_document_is_the_generated_one() -> None:
    assert (COMMITTED / "openapi.json").read_text() == openapi.text(DOCUMENT), "run `make openapi`"
    assert (COMMITTED / "asyncapi.json").read_text() == openapi.text(STREAMS), "run `make openapi`"


PROBLEMS_HEAD = """# Problems

Every error is an RFC 9457 problem document (`application/problem+json`) with one of these types, `/v1/problems/NAME`.
An `illegal` one names in `rule` the rule that was broken, a `forbidden` one the rule that says who may; the slugs are
stable and their sentences are not. `/v1/problems/illegal` lists every rule with a sentence,
`/v1/game-types/{game_type}` those of one game type (`refusals`).

A `malformed` one lists in `errors` every fault of the body or of the query (the first 20), each with its place: a
`pointer` into the body ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), the `parameter` or the `header`. `detail`
describes the fault, `allowed` the values (or words for them) that are accepted, `given` the value sent, unless it is
long or may be secret.
"""


def test_the_committed_list_of_problems_has_every_kind() -> None:
    rows = [f"* `{name}` ({kind.status}, {kind.title}): {kind.when}" for name, kind in KINDS.items()]
    assert (COMMITTED / "problems.md").read_text() == "\n".join([PROBLEMS_HEAD, *rows]) + "\n"


def test_every_operation_says_what_it_is_and_how_it_fails() -> None:
    for name, (_, _, told) in OPERATIONS.items():
        assert told["summary"].endswith("."), name
        assert any(status.startswith("2") for status in told["responses"]), name
        assert any(status.startswith("4") for status in told["responses"]), name
        assert all(parameter["description"] for parameter in told["parameters"]), name
        bodies = told.get("requestBody", {}).get("content", {}).values()
        assert all(content.get("examples") for content in bodies), name


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
    """Those that are written by hand: `success` is recorded, and played by `test_exchanges`."""
    return [one["value"] for name, one in content.get("examples", {}).items() if name != "success"]


def test_the_examples_of_opening_open_games(client: httpx.Client) -> None:
    for body in _examples("open_game"):
        answer = client.post("/v1/games", json=body)
        assert answer.status_code == 201, answer.text
        assert answer.json()["game_type"] == body["game_type"]


def test_the_examples_of_playing_are_accepted_in_their_order(client: httpx.Client) -> None:
    game = client.post("/v1/games", json={"game_type": "klondike"}).json()["id"]
    for body in _examples("post_command"):
        answer = client.post(f"/v1/games/{game}/commands", json=body)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - {"open_game", "post_command", "post_commands"}))
def test_the_examples_of_every_other_body_are_accepted(
    client: httpx.Client, running: Service, moderator: Player, name: str
) -> None:
    method, path, _ = OPERATIONS[name]
    for body in _examples(name):
        said = body | {"player_id": _somebody(client)} if name == "invite_to_game" else body
        who = moderator.http if name in ("void_game", "make_ruling") else client
        where = {"game_id": _waiting(client, name)}
        if name == "change_webhook":
            where["webhook_id"] = client.post("/v1/webhooks", json={"url": "https://example.org/"}).json()["id"]
        if "{token_id}" in path:
            where["token_id"] = client.get("/v1/tokens").json()["tokens"][0]["id"]
        if "{passkey_id}" in path:
            where["passkey_id"] = str(passkey_of(running, client.get("/v1/players/me").json()["id"]))
        if "{puzzle_id}" in path:
            lost_with_puzzle(registered(running, "Ada"), running.conninfo)
            where["puzzle_id"] = client.get("/v1/puzzles/daily").json()["id"]
        if "/leagues/" in path or name == "make_ruling":
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
    if name in ("fork_game", "analyse_game", "add_comment"):
        game = str(client.post("/v1/games", json={"game_type": "klondike"}).json()["id"])
        client.post(f"/v1/games/{game}/commands", json={"type": "game/resign"})
        return game
    if name in ("invite_to_game", "seat_bot"):
        table = {"game_type": "spite_and_malice", "rated": False}
        return str(client.post("/v1/games", json=table).json()["id"])
    if name == "join_game":
        other = client.post("/v1/players", json={"name": "Other"}).json()["token"]["secret"]
        headers = {"Authorization": f"Bearer {other}"}
        return str(client.post("/v1/games", json={"game_type": "spite_and_malice"}, headers=headers).json()["id"])
    return str(client.post("/v1/games", json={"game_type": "klondike", "await_seeds": True}).json()["id"])


def test_every_type_of_problem_can_be_looked_up(client: httpx.Client) -> None:
    for kind in client.get("/v1/problems").json()["kinds"]:
        assert client.get(kind["type"]).json().items() >= kind.items()
    assert len(client.get("/v1/problems").json()["kinds"]) == len(KINDS)


def test_the_served_document_is_the_committed_one(client: httpx.Client) -> None:
    served = client.get("/v1/openapi.json").text
    assert json.loads(served.replace(str(client.base_url), "https://kibitz.example")) == DOCUMENT
    (flow,) = json.loads(served)["components"]["securitySchemes"]["app"]["flows"].values()
    assert {urlsplit(flow[name]).netloc for name in ("authorizationUrl", "tokenUrl", "refreshUrl")} == {
        client.base_url.netloc.decode()
    }
    assert client.get("/v1/asyncapi.json").json() == STREAMS
    assert "/v1/asyncapi.json" in DOCUMENT["info"]["description"]


def test_ids_are_uuids_of_version_seven(client: httpx.Client) -> None:
    assert UUID(client.post("/v1/games", json={"game_type": "klondike"}).json()["id"]).version == 7


def test_every_integer_says_how_many_bits_hold_it() -> None:
    def integers(node: Any) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            if node.get("type") == "integer" and "enum" not in node:
                yield node
            for key, inner in node.items():
                yield from integers(inner) if key not in ("example", "examples") else ()
        elif isinstance(node, list):
            for inner in node:
                yield from integers(inner)

    formats = [one.get("format") for one in integers(DOCUMENT)]
    assert len(formats) > 700
    assert set(formats) == {"int32", "int64"}
    account_event = DOCUMENT["components"]["schemas"]["AccountEvent"]["properties"]
    assert account_event["log_position"]["format"] == "int64"


def test_every_component_is_referred_to_and_every_reference_leads_somewhere() -> None:
    written = json.dumps(DOCUMENT)
    for kind in ("examples", "headers", "schemas"):
        assert [name for name in DOCUMENT["components"][kind] if f'/{kind}/{name}"' not in written] == []
    assert set(re.findall(r'"#/components/schemas/([^"]*)"', written)) <= set(DOCUMENT["components"]["schemas"])


def test_there_is_a_body_to_open_every_game_type_found() -> None:
    opening = OPERATIONS["open_game"][2]["requestBody"]["content"]["application/json"]["schema"]
    assert opening == {"$ref": "#/components/schemas/Opening"}
    assert set(DOCUMENT["components"]["schemas"]["Opening"]["discriminator"]["mapping"]) == set(GAME_TYPES)


def test_what_a_newcomer_needs_comes_first_and_in_its_order() -> None:
    order = list(OPERATIONS)
    needed = [
        "register_player", "list_game_types", "open_game", "get_game", "join_game", "list_legal_commands",
        "post_command",
    ]  # fmt: skip
    assert needed == sorted(needed, key=order.index)
    for later in ("invite_to_game", "void_game", "found_league", "get_liveness"):
        assert order.index("open_game") < order.index(later)
    assert order[0] == "register_player"
    assert set(_FIRST) <= set(order)
    assert len(set(_FIRST)) == len(_FIRST)


def test_every_tag_and_pattern_of_a_query_has_words() -> None:
    assert [tag["name"] for tag in DOCUMENT["tags"]] == list(TAGS)
    assert all(tag["description"].endswith(".") for tag in DOCUMENT["tags"])
    asked = (one for _, _, told in OPERATIONS.values() for one in told["parameters"] if one["in"] == "query")
    patterns = {one["schema"]["pattern"] for one in asked if "pattern" in one["schema"]}
    assert patterns
    assert patterns <= set(WORDS)


def test_every_rule_that_is_raised_is_listed_where_it_is_raised() -> None:
    found = {place: sorted(slugs) for place, slugs in sorted(raised().items())}
    assert found == PLACES, "write a sentence into rules.toml, then `python -m tests.openapi.raised_rules`"
    assert not unplaced(), "say in raised_rules.py to which area these files belong"


def test_every_rule_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert set(SENTENCES) == set().union(*PLACES.values())
    assert list(SENTENCES) == sorted(SENTENCES)
    for sentence in SENTENCES.values():
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_a_slug_that_cannot_be_read_from_the_code_is_told() -> None:
    assert list(slugs_in(ast.parse("raise Illegal('new_rule', 'A new rule says so.')"))) == ["new_rule"]
    with pytest.raises(ValueError, match="what slug"):
        list(slugs_in(ast.parse("raise Illegal(chosen(), 'No.')")))


def test_the_api_lists_them(address: str) -> None:
    client = httpx.Client(base_url=address, timeout=60)
    rules = {one["slug"]: one for one in client.get("/v1/problems/illegal").json()["rules"]}
    assert set(rules) == set(SENTENCES)
    assert rules["whole_run_only"]["places"] == ["klondike"]
    assert "every game" in rules["undo_not_offered"]["places"]
    own = client.get("/v1/game-types/klondike").json()["refusals"]
    assert own["king_on_empty_column"] == SENTENCES["king_on_empty_column"]
    assert set(own) == set(PLACES["klondike"])
    assert "rules" not in client.get("/v1/problems/malformed").json()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_program_the_description_and_the_changelog_have_one_version() -> None:
    newest, day = re.findall(r"^## (\S+)(?: - (\S+))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert {VERSION, DOCUMENT["info"]["version"], newest} == {PROJECT["version"]}, "make .venv/.ready"
    assert date.fromisoformat(day) <= date.today()
    ran = subprocess.run([Path(sys.executable).with_name("kibitz"), "--version"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"kibitz {VERSION}\n", "")


def test_the_licence_that_is_declared_is_there() -> None:
    assert PROJECT["license"] == DOCUMENT["info"]["license"]["identifier"] == "MIT"
    for name in PROJECT["license-files"]:
        assert (ROOT / name).read_text().startswith("MIT License\n\nCopyright (c) 2026 the Kibitz authors\n")


def test_what_a_version_promises_stands_in_the_description() -> None:
    told = DOCUMENT["info"]["description"]
    promised = (COMMITTED / "VERSIONS.md").read_text()
    for named in ("`Deprecation`", "`Sunset`", "RFC 9745", "RFC 8594", "without notice", "six months ahead at least"):
        assert named in told
        assert named.strip("`") in " ".join(promised.split())
