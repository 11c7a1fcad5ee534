"""Lines that are gathered: nobody waits for a slow stderr, and none is lost that could be written."""

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client import REGISTRY
from test_logs import restored, written

from service.telemetry import logs
from service.telemetry.logs import Sink

__all__ = ["restored"]
ROOT = Path(__file__).parents[2]


class Stuck(io.StringIO):
    """A stream that takes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let_go = threading.Event(), threading.Event()

    def write(self, text: str) -> int:
        self.begun.set()
        assert self.let_go.wait(60)
        return super().write(text)


def test_who_logs_does_not_wait_for_a_stream_that_is_stuck() -> None:
    stuck = Stuck()
    lines = Sink(stuck, 0.001)
    lines.write("first\n")
    assert stuck.begun.wait(60)
    for number in range(100):
        lines.write(f"{number}\n")
    assert stuck.getvalue() == ""
    stuck.let_go.set()
    lines.drain()
    assert stuck.getvalue() == "first\n" + "".join(f"{number}\n" for number in range(100))


def dropped() -> float:
    """Lines dropped so far."""
    return REGISTRY.get_sample_value("kibitz_log_lines_dropped_total") or 0.0


def test_what_a_stuck_stream_cannot_take_in_the_end_is_dropped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LONGEST", 10)
    before, stuck = dropped(), Stuck()
    lines = Sink(stuck, 0.001)
    lines.write("first\n")
    assert stuck.begun.wait(60)
    for _ in range(15):
        lines.write("more\n")
    assert dropped() == before + 5
    stuck.let_go.set()
    lines.drain()
    assert stuck.getvalue().count("more") == 10


def test_many_threads_lose_no_line() -> None:
    stream = io.StringIO()
    lines = Sink(stream, 0.001)
    threads = [threading.Thread(target=lambda: [lines.write("x\n") for _ in range(5000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines.drain()
    assert stream.getvalue() == "x\n" * 20_000


def test_a_stream_that_is_closed_hurts_nobody() -> None:
    stream, before = io.StringIO(), dropped()
    lines = Sink(stream, 60.0)
    stream.close()
    lines.write("nobody reads this\n")
    lines.drain()
    assert dropped() == before + 1


def test_what_was_gathered_is_written_when_the_process_ends() -> None:
    program = (
        "import structlog; from service.telemetry import logs; logs.configure('info', 'json', 60.0)\n"
        "structlog.get_logger('a').info('usual'); logs.Lean('b').info('lean', {'n': 1})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60
    )
    assert [json.loads(line)["event"] for line in ran.stderr.splitlines()] == ["usual", "lean"]


def test_a_lean_line_looks_like_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    logs.Lean("worker").info("projection rebuilt", {"projection": "wins", "position": 7})
    structlog.get_logger("worker").info("projection rebuilt", projection="wins", position=7)
    lean, usual = written(capsys)
    assert lean.keys() == usual.keys()
    moments = [str(line.pop("timestamp")) for line in (lean, usual)]
    assert lean == usual
    assert {(moment[10], moment[-1], len(moment)) for moment in moments} == {("T", "Z", 27)}


def test_lean_lines_keep_to_the_level_and_go_as_text_where_all_do(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    logs.Lean("commands").info("command", {"step": 1})
    assert written(capsys) == []
    logs.configure("info", "text")
    logs.Lean("commands").info("command", {"step": 1})
    text = capsys.readouterr().err
    assert "command" in text
    assert "step=1" in text


class Counted(io.FileIO):
    """A file that knows how often it was written to."""

    writes = 0

    def write(self, text: Any) -> int:
        self.writes += 1
        return super().write(text)


@pytest.mark.parametrize(("kind", "writes"), [("file", 1), ("pipe", 5)])
def test_a_file_takes_all_lines_at_once_and_a_pipe_as_many_as_stay_whole(
    kind: str, writes: int, tmp_path: Path
) -> None:
    reader, writer = os.pipe() if kind == "pipe" else (None, os.open(tmp_path / "log", os.O_CREAT | os.O_WRONLY))
    raw = Counted(writer, "w")
    with io.TextIOWrapper(io.BufferedWriter(raw), write_through=True) as stream:
        sink = Sink(stream, 60.0)
        for _ in range(200):
            sink.write("x" * 99 + "\n")
        sink.drain()
        assert raw.writes == writes
    if reader is not None:
        assert len(os.read(reader, 1 << 20)) == 20_000
        os.close(reader)
