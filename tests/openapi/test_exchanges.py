"""Every operation has an example of a success and of a refusal, and the service answers as they say."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from service.http.openapi.parameters import event_text
from service.http.representation import DRAWING, SAME_ORIGIN
from service.postgres import Server
from tests.api.serving import database_of
from tests.openapi.exchanges import recorded, story
from tests.openapi.exchanges.recorded import differences
from tests.openapi.exchanges.schemas import faults
from tests.openapi.exchanges.stage import Exchange, Stage
from tests.openapi.test_document import DOCUMENT, OPERATIONS

RECORDED = recorded.read()
ANEW = "run `python -m tests.openapi.exchanges --record`, then `make openapi`"


@pytest.fixture(scope="module")
def stage(postgres: Server, template_database: str) -> Iterator[Stage]:
    """The story, played against a server of this run."""
    with database_of(postgres, template_database) as conninfo:
        yield story.play(conninfo)


@pytest.fixture(scope="module")
def played(stage: Stage) -> dict[str, dict[str, Exchange]]:
    return {case: getattr(stage, case) for case in recorded.CASES}


OF_HTTP = {"date", "content-type", "content-length", "transfer-encoding", "connection"}
"""What the description cannot have, or what it tells otherwise."""
OF_BROWSERS = {name.decode() for name, _ in SAME_ORIGIN} | {name.lower() for name in DRAWING}
"""What tells browsers what they may do with an answer."""


def unlike_described(answer: str, sent: set[str]) -> list[str]:
    """Headers that an answer has and its description has not, or that it should have."""
    name, status = answer.split()
    told = OPERATIONS[name][2]["responses"][status].get("headers", {})
    shared = DOCUMENT["components"]["headers"]
    headers = {key.lower(): shared.get(one.get("$ref", "").rpartition("/")[2], one) for key, one in told.items()}
    missing = {key for key, one in headers.items() if one["required"]} - sent
    return [f"{answer}: {key}" for key in sorted(sent - OF_HTTP - OF_BROWSERS - headers.keys() | missing)]


@pytest.mark.parametrize("case", recorded.CASES)
def test_the_service_answers_as_recorded(case: str, played: dict[str, dict[str, Exchange]]) -> None:
    now = played[case]
    assert set(now) == set(OPERATIONS)
    found = {name: differences(before, now[name]) for name, before in RECORDED[case].items() if name in now}
    assert {name: told for name, told in found.items() if told} == {}, ANEW


def test_nothing_of_this_run_is_shown() -> None:
    """No secret, and no address of the machine."""
    text = recorded.parameters.FILE.read_text("utf-8")
    assert set(re.findall(r"(?:kbz_|whsec_)\w*", text)) <= {"kbz_" + "example" * 6, "whsec_" + "example" * 6, "kbz_"}
    assert set(re.findall(r"127\.0\.0\.1:\d+", text)) <= {"127.0.0.1:8000"}  # where the service is by default


STALE = RECORDED["refusals"]["post_commands"]
GAME = RECORDED["successes"]["get_game"]


@pytest.mark.parametrize(("before", "changed"), [
    (STALE, {"status": 409}), (STALE, {"body": STALE.body | {"type": "/v1/problems/illegal"}}),
    (STALE, {"body": STALE.body | {"rule": "too_late"}}),
    (STALE, {"asked": msgspec.structs.replace(STALE.asked, headers={})}), (GAME, {"media_type": "text/plain"}),
    (GAME, {"body": {name: value for name, value in GAME.body.items() if name != "seats"}}),
    (GAME, {"body": GAME.body | {"view": GAME.body["view"] | {"colour": "red"}}}),
    (GAME, {"body": GAME.body | {"version": "3"}}),
])  # fmt: skip
def test_what_is_planted_is_found(before: Exchange, changed: dict[str, Any]) -> None:
    assert differences(before, before) == []
    assert differences(before, msgspec.structs.replace(before, **changed)) != []


def _shown(example: dict[str, Any]) -> Any:
    name = example.get("$ref", "").rpartition("/")[2]
    return DOCUMENT["components"]["examples"][name]["value"] if name else example["value"]


def test_every_header_that_is_sent_is_described_and_the_other_way_round(stage: Stage) -> None:
    assert [one for answer, sent in stage.headers.items() for one in unlike_described(answer, sent)] == []
    assert unlike_described("get_liveness 200", {"request-id", "vary", "etag", "x-colour"}) != []
    bare = {"request-id", "cache-control", "ratelimit", "ratelimit-policy"}
    assert unlike_described("get_me 401", bare) == ["get_me 401: www-authenticate"]


def test_what_is_recorded_and_answered_is_valid_under_its_schema(played: dict[str, dict[str, Exchange]]) -> None:
    assert faults(**RECORDED) == [], ANEW
    assert faults(**played) == []
    wrong = msgspec.structs.replace(GAME, body=GAME.body | {"status": "over"})
    assert len(faults({"get_game": wrong}, {})) == 1
    assert len(faults({"get_game": msgspec.structs.replace(GAME, status=299)}, {})) == 1


@pytest.mark.parametrize("case", recorded.CASES)
def test_every_operation_is_recorded_and_shown_in_the_description(case: str) -> None:
    assert set(RECORDED[case]) == set(OPERATIONS), ANEW
    for name, exchange in RECORDED[case].items():
        if exchange.media_type is not None:
            content = OPERATIONS[name][2]["responses"][str(exchange.status)]["content"][exchange.media_type]
            body = event_text(exchange.body) if exchange.media_type == "text/event-stream" else exchange.body
            assert body in [_shown(one) for one in content["examples"].values()], name
