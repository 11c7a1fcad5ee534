"""All faults of a body or query: the walk finds one exactly where the decoder refuses, and says nothing back that is
secret."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from service import api
from service.http.bodies import decode_body
from service.http.operation import Operation
from service.http.refusals import body_faults, query_faults
from service.problems import InputFault, Refused

BODIES: dict[str, Operation] = {
    found.id: found
    for handler in api.find_handlers()
    if (found := handler.opt.get("operation")) is not None and found.body is not None
}
OTHERS: list[Any] = [
    None, True, 0, 1, -1, 7, 10**9, 2.5, "", "x", "x" * 300, "2026-13-45", "QH", [], {}, [None], ["x"], {"x": 1},
    " \u202e",     "0190a000-0000-7000-8000-000000000000", "2026-11-20T18:00:00Z",
]  # fmt: skip


def changed(value: Any) -> Iterator[Any]:
    """The value with one place changed: another value, a member less, a member more."""
    yield from OTHERS
    if isinstance(value, dict):
        yield {**value, "surplus": 1}
        for name, member in value.items():
            yield {other: one for other, one in value.items() if other != name}
            yield from ({**value, name: one} for one in changed(member))
    elif isinstance(value, list):
        yield [*value, value]
        for place, item in enumerate(value):
            yield from ([*value[:place], one, *value[place + 1 :]] for one in changed(item))


def accepts(kind: Any, value: Any) -> bool:
    try:
        decode_body(msgspec.json.Decoder(kind), json.dumps(value).encode())
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", BODIES)
def test_the_walk_finds_faults_exactly_where_the_decoder_refuses(name: str) -> None:
    described = BODIES[name]
    examples = list(described.examples.values()) or [{}]
    for example in examples[:12]:
        assert body_faults(example, described.body) == ()
        for value in changed(deepcopy(example)):
            found = body_faults(value, described.body)
            assert (found == ()) == accepts(described.body, value), (value, found)


def faults_of(name: str, value: Any) -> dict[str | None, InputFault]:
    return {fault.pointer: fault for fault in body_faults(value, BODIES[name].body)}


def test_all_faults_are_told_at_once_each_with_its_place() -> None:
    body = {"game_type": "spite_and_malice", "seats": 99, "rate": True, "visibility": "secret", "player_ids": ["x", 7]}
    found = faults_of("open_game", body)
    assert set(found) == {"/seats", "/rate", "/visibility", "/player_ids/0", "/player_ids/1"}
    assert found["/seats"].given == "99"
    assert found["/seats"].allowed[0].startswith("an integer from 2 to ")
    assert found["/visibility"].allowed == ("private", "public", "unlisted")
    assert "`rated`" in found["/rate"].detail
    assert {"rated", "seats", "options"} <= set(found["/rate"].allowed)


def test_an_unknown_game_type_or_command_names_those_there_are() -> None:
    fault = faults_of("open_game", {"game_type": "klondyke"})["/game_type"]
    assert {"klondike", "golf", "spite_and_malice"} <= set(fault.allowed)
    assert "`klondike`" in fault.detail
    fault = faults_of("post_command", {"type": "klondike/drw"})["/type"]
    assert set(fault.allowed) == {"klondike/draw", "klondike/move", "klondike/recycle", "game/undo", "game/resign"}
    assert "`klondike/draw`" in fault.detail


def test_pointers_are_escaped_faults_bounded_and_no_long_or_unprintable_text_said_back() -> None:
    assert "/a~1b~0c" in faults_of("register_player", {"name": "Ada", "a/b~c": 1})
    assert len(body_faults({"commands": [{}] * 500}, BODIES["post_commands"].body)) == 20
    for text in ("x" * 61, "a\u202eb", "a\nb"):
        assert faults_of("open_game", {"game_type": "klondike", "visibility": text})["/visibility"].given is None


@pytest.mark.parametrize("seed", [7, "\u00e9-my-seed", "s" * 65, {"secret": 1}, ["kbz_secret"]])
def test_neither_seeds_nor_tokens_are_said_back(seed: Any) -> None:
    for body in (
        {"game_type": "klondike", "seed": seed},
        {"game_type": "klondike", "rated": "kbz_secret", "deal": seed},
    ):
        said = str(body_faults(body, BODIES["open_game"].body))
        assert not any(text in said for text in ("my-seed", "kbz_", "ssss", "'7'"))


def test_parameters_are_told_by_name() -> None:
    operation = next(
        handler.opt["operation"] for handler in api.find_handlers()
        if getattr(handler.opt.get("operation"), "id", "") == "list_legal_commands"
    )  # fmt: skip
    found = {
        fault.parameter: fault for fault in query_faults({"limit": 0, "crusor": "1", "seat": "x"}, operation.query)
    }
    assert set(found) == {"limit", "crusor", "seat"}
    assert found["limit"].allowed == ("an integer from 1 to 10000",)
    assert found["seat"].allowed == ("an integer from 0 to 15",)
    assert "`cursor`" in found["crusor"].detail
    assert found["crusor"].given is None
