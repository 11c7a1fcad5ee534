"""Every single change of an open record is noticed, and told with its step or its line: all of them, one by one."""

from typing import Any

import msgspec
import pytest

from domain.games import GAME_TYPES
from domain.play.open_record import Unreadable, read_record, record_lines
from domain.play.verify_text import verify_text

from .whole_records import changes, lines, text, with_line

KEYS = sorted(GAME_TYPES)


def noticed(record: bytes) -> tuple[int | None, int | None]:
    """The first step that a fault names, or the line that cannot be read; (None, None) if nothing is said."""
    try:
        faults = verify_text(record).faults
    except Unreadable as unreadable:
        return None, unreadable.line
    return (faults[0].step, None) if faults else (None, None)


def expected(number: int, steps: int) -> tuple[tuple[int | None, int | None], ...]:
    """What may be said of a change to this line, counted from 0: its step, or its line."""
    step = 0 if number == 0 else min(number, steps) - 1
    return (step, None), (None, number + 1)


@pytest.mark.parametrize("form", [1, 3])
@pytest.mark.parametrize("key", KEYS)
def test_a_complete_record_is_without_fault_and_its_deal_is_fair(key: str, form: int) -> None:
    verified = verify_text(text(key, form))
    assert verified.faults == ()
    assert verified.fair
    assert read_record(text(key, form)) == verified.record
    assert b"".join(record_lines(verified.record)) == text(key, form)


@pytest.mark.parametrize("form", [1, 3])
@pytest.mark.parametrize("key", KEYS)
def test_every_single_change_of_a_line_is_told_with_its_step_or_its_line(key: str, form: int) -> None:
    """Of five moves, the fourth an undo where there is one."""
    record, steps = text(key, form, moves=5), len(lines(text(key, moves=5))) - 2
    missed: list[Any] = []
    for number, line in enumerate(lines(record)):
        for change, changed in changes(msgspec.json.decode(line)):
            place = noticed(with_line(record, number, changed))
            missed += [] if place in expected(number, steps) else [(number, change, place)]
    assert missed == []


@pytest.mark.parametrize("key", KEYS)
def test_a_line_that_is_dropped_doubled_or_exchanged_is_told_with_its_line(key: str) -> None:
    parts = lines(text(key))
    for at in range(len(parts) - 1):
        dropped = b"".join(parts[:at] + parts[at + 1 :])
        doubled = b"".join(parts[: at + 1] + parts[at:])
        exchanged = b"".join([*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]])
        assert noticed(dropped)[1] == at + 1
        assert noticed(doubled)[1] == at + 2
        assert noticed(exchanged)[1] in (at + 1, at + 2)
    assert noticed(b"".join(parts[:-1]))[1] == len(parts) - 1


@pytest.mark.parametrize("extra", [b" ", b"\r", b"\t"])
def test_blanks_that_say_nothing_are_told(extra: bytes) -> None:
    parts = lines(text("klondike"))
    for number, line in enumerate(parts):
        spaced = b"".join([*parts[:number], line[:-1] + extra + b"\n", *parts[number + 1 :]])
        assert noticed(spaced) in expected(number, len(parts) - 2)


def test_a_text_without_its_last_line_feed_is_told() -> None:
    assert verify_text(text("klondike")[:-1]).faults[0].what.startswith("Line ")


def test_the_same_time_in_another_zone_is_told() -> None:
    parts = lines(text("klondike"))
    shifted = parts[3].replace(b'Z"', b'+00:00"', 1)
    assert noticed(b"".join([*parts[:3], shifted, *parts[4:]])) == (2, None)


def test_a_time_without_a_zone_is_refused_with_its_line() -> None:
    parts = lines(text("klondike"))
    assert noticed(b"".join([*parts[:3], parts[3].replace(b'Z"', b'"', 1), *parts[4:]])) == (None, 4)


def test_an_ending_that_tells_another_result_is_told_at_the_last_step() -> None:
    parts = lines(text("klondike"))
    ending = msgspec.json.decode(parts[-1])
    ending["result"]["ending"] = "won"
    (fault,) = verify_text(with_line(text("klondike"), len(parts) - 1, ending)).faults
    assert fault.step == len(parts) - 3
    assert "the ending" in fault.what


def test_a_later_time_is_told_at_the_step_that_was_changed() -> None:
    """Although the time of the next step is then the one that seems to run backwards."""
    parts = lines(text("klondike"))
    step = msgspec.json.decode(parts[4])
    step["time"] = step["time"].replace("2023", "2024")
    faults = verify_text(with_line(text("klondike"), 4, step)).faults
    assert [fault.step for fault in faults] == [3, 4]


def test_a_table_of_countless_seats_is_refused_before_anything_is_counted_out() -> None:
    header = msgspec.json.decode(lines(text("klondike"))[0])
    header["opened"]["seats"] = 10**12
    (fault,) = verify_text(with_line(text("klondike"), 0, header)).faults
    assert fault == (0, "The opening has 1000000000000 seats and places for 1 players.")


def test_a_text_that_is_nested_without_end_is_refused_with_its_line() -> None:
    deep = b'{"options":' + b"[" * 100_000 + b"\n"
    assert noticed(deep + text("klondike")) == (None, 1)
