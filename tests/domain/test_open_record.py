"""The open record: what an incomplete one leaves out, and what is unreadable."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.deciding import Act
from domain.play.endings import abandon, void
from domain.play.frames import frames
from domain.play.open_record import (
    OpenRecord,
    Signature,
    Unreadable,
    read_record,
    record_lines,
    seen_lines,
)
from domain.play.verify_text import verify_text
from service.api.examples import RECORD
from service.http import openapi

from .played import act, duel, opened, player, solitaire

OPENAPI = Path(__file__).parents[2] / "openapi"
SCHEMA = OPENAPI / "record.schema.json"
SIGNATURE = Signature("00112233445566ff", bytes(range(63)) + b"\0")


def text(game: list[AnyRecord], signature: Signature | None = SIGNATURE) -> bytes:
    return b"".join(record_lines(OpenRecord(tuple(game), signature)))


def _seen(game: list[AnyRecord], viewer: int | None) -> list[bytes]:
    return list(seen_lines(fold(game), frames(game, viewer), viewer))


def test_a_game_that_goes_on_is_seen_without_cards_that_lie_face_down_or_are_others() -> None:
    game = duel()[:40]
    sealed, whole = game[1].event, b"".join(_seen(game, 0))
    assert b"#" in whole
    assert sealed.seed.hex().encode() not in whole
    assert _seen(game, 0)[1:] != _seen(game, 1)[1:]
    assert [json.loads(line)["command"] is not None for line in _seen(game, 0)[3:-1]] == [
        record.seat == 0 for record in game if record.command is not None and record.step > 1
    ]
    assert json.loads(_seen(game, 0)[0])["seen_by"] == 0


def test_a_byte_order_mark_before_a_record_says_nothing() -> None:
    assert read_record(b"\xef\xbb\xbf" + RECORD.encode()) == read_record(RECORD.encode())


def test_an_incomplete_record_is_no_complete_one() -> None:
    with pytest.raises(Unreadable, match="Line 1: The record is not complete"):
        read_record(b"".join(_seen(solitaire(), 0)))


@pytest.mark.parametrize(
    ("line", "change", "what"),
    [
        (0, lambda line: line.replace(b'"kibitz_record":1', b'"kibitz_record":4'), "Line 1: Invalid enum value 4"),
        (0, lambda line: line[:-1] + b',"more":1}', "Line 1: Object contains unknown field `more`"),
        (1, lambda line: line.replace(b'"digests":["', b'"digests":["g'), "Line 2: Expected `str` matching"),
        (1, lambda line: line.replace(b"Z", b"", 1), "Line 2: Expected `datetime` with a timezone"),
        (2, lambda line: line.replace(b"klondike/", b"klondyke/"), "Line 3: Invalid value 'klondyke/"),
        (2, lambda line: b"", "Line 3: "),
        (3, lambda line: line.replace(b'"step":2', b'"step":3'), "Line 4: Here should be step 2"),
        (-1, lambda line: line.replace(b'"version":', b'"version":1'), "The ending counts 1"),
        (-1, lambda line: line[:-1], "Input data was truncated"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_told_with_its_line(line: int, change: Any, what: str) -> None:
    lines = text(solitaire()).splitlines()
    lines[line] = change(lines[line])
    with pytest.raises(Unreadable, match=what):
        read_record(b"\n".join(lines))


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_a_text_of_fewer_than_three_lines_ends_too_soon(cut: int) -> None:
    with pytest.raises(Unreadable, match="ends too soon"):
        read_record(b"\n".join(text(solitaire()).splitlines()[:cut]))


def test_the_opening_and_the_secrets_stand_in_the_header_only() -> None:
    lines = text(solitaire()).splitlines()
    step = json.loads(lines[2])
    step["events"].append(json.loads(lines[0])["sealed"])
    lines[2] = json.dumps(step).encode()
    with pytest.raises(Unreadable, match="Line 3: Invalid value 'game/sealed'"):
        read_record(b"\n".join(lines))


def test_how_a_game_stands_is_told_by_its_ending() -> None:
    waiting = opened("spite_and_malice", 2)
    playing = solitaire()[:20]
    voided = [*playing, *void(fold(playing), "abuse", Act(player(9), None, playing[-1].time)).records]
    told = [_ending(list(waiting.records)), _ending(playing), _ending(voided), _ending(solitaire())]
    assert [end["status"] for end in told] == ["waiting", "playing", "voided", "finished"]
    assert [end["result"] is None for end in told] == [True, True, True, False]


def test_a_finished_game_that_is_void_keeps_its_result() -> None:
    finished = solitaire()
    end = _ending([*finished, *void(fold(finished), "abuse", Act(player(9), None, finished[-1].time)).records])
    assert (end["status"], end["result"]["reason"]) == ("voided", "resigned")


def _ending(game: list[AnyRecord]) -> Any:
    return json.loads(text(game).splitlines()[-1])


def test_an_abandoned_game_is_read_as_it_was_recorded() -> None:
    game = duel()[:40]
    for seat in (0, 1):
        game += abandon(fold(game), ev.Abandon(), act(seat, 100)).records
    assert list(read_record(text(game)).records) == game
    assert _ending(game)["result"] == {"ending": "abandoned", "reason": "agreed"}


def test_the_committed_schema_is_the_generated_one() -> None:
    assert SCHEMA.read_text() == openapi.text(openapi.record_schema()), "run `make openapi`"


def test_the_example_is_without_fault_and_the_same_as_in_the_description_of_the_format() -> None:
    found = verify_text(RECORD.encode())
    assert (found.faults, found.record.records[0].stream) == ((), UUID("0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11"))
    assert f"```\n{RECORD}```\n" in (OPENAPI / "record.md").read_text()
