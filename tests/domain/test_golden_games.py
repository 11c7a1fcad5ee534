"""Golden games mean for ever what they meant: line by line, as moments, as records, and to a spectator."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec.structs import replace

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.frames import Frame, frames, moments
from domain.play.open_record import OpenRecord, Signature, read_record, record_lines, sealed_record, seen_lines
from domain.view import ALL_SEEING
from service.http import openapi
from tests.laws.broken import LawBroken
from tests.laws.goldens import changes, found, read, replay
from tests.laws.registry import FOUND, KEYS, registered

from .golden_games import NAMES, PATHS, records

SIGNATURE = Signature("00112233445566ff", bytes(range(63)) + b"\0")
_VALIDATORS = {
    name: jsonschema_rs.validator_for(openapi.record_schema() | {"oneOf": [{"$ref": f"#/$defs/{name}"}]})
    for name in ("Header", "StepLine", "Ending", "Seal")
}


@pytest.mark.parametrize(("key", "path"), PATHS, ids=NAMES)
def test_a_golden_game_comes_out_as_it_was(key: str, path: Path) -> None:
    played = records(key, path)
    shown = {viewer: tuple(frames(played, viewer)) for viewer in (0, None, ALL_SEEING)}
    _moments(played, shown)
    seen = list(seen_lines(fold(played), shown[None], None))
    _record([replace(played[0], digest=bytes(32)), *played[1:]], seen)
    _spectator(shown[None], seen)


def _moments(played: tuple[AnyRecord, ...], shown: dict[int | None, tuple[Frame, ...]]) -> None:
    """The deal first and the ending last, few, in the words that were told; made of one viewer's frames alone."""
    told = moments(shown[None])
    assert (told[0].step, told[0].kind) == (0, "deal")
    assert (told[-1].step, told[-1].kind) == (played[-1].step, "ending")
    assert [moment.step for moment in told] == sorted({moment.step for moment in told})
    for seen in shown.values():
        assert moments(seen) == moments(iter(seen))
        assert all(moment.sentence in seen[moment.step].sentences for moment in moments(seen))
        assert len(moments(seen)) <= 4 + len(seen) // 2


def _record(game: list[AnyRecord], seen: list[bytes]) -> None:
    """Read as it was recorded, written again to the byte, every line by the schema of its kind."""
    text = b"".join(record_lines(OpenRecord(tuple(game), SIGNATURE)))
    back = read_record(text)
    assert (list(back.records), back.signature) == (game, SIGNATURE)
    assert b"".join(record_lines(back)) == text
    sealed = b"".join(record_lines(sealed_record(OpenRecord(tuple(game), SIGNATURE), lambda message: SIGNATURE)))
    for lines in (text.splitlines(), sealed.splitlines(), seen):
        ends = ["Ending", "Seal"] if lines[-1].startswith(b'{"seal"') else ["Ending"]
        kinds = ["Header", *["StepLine"] * (len(lines) - 1 - len(ends)), *ends]
        for kind, line in zip(kinds, lines, strict=True):
            assert list(_VALIDATORS[kind].iter_errors(json.loads(line))) == []


def _spectator(shown: tuple[Frame, ...], seen: list[bytes]) -> None:
    """What a spectator has are the frames and no secret."""
    head, *steps, ending = map(json.loads, seen)
    assert (head["complete"], head["sealed"], ending["signature"]) == (False, None, None)
    for frame, step in zip(shown, steps, strict=True):
        assert (step["step"], step["actor"], step["command"], step["digests"]) == (frame.step, None, None, [])
        told: list[Any] = [event for event in frame.events if not isinstance(event, ev.Opened)]
        assert step["events"] == json.loads(msgspec.json.encode(told))


@pytest.mark.parametrize("key", KEYS)
def test_a_golden_game_with_one_thing_changed_is_noticed(key: str) -> None:
    path = min(found(key), key=lambda path: path.stat().st_size)
    with registered(FOUND[key]):
        assert replay(FOUND[key], read(path))
        for changed in changes(read(path)):
            with pytest.raises(LawBroken):
                replay(FOUND[key], changed)
