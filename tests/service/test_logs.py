"""What is written to the logs and what never is, one naming of events, and lines that are gathered."""

import ast
import io
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client import REGISTRY

from service.telemetry import logs
from service.telemetry.logs import Sink, route_fast_lines


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    route_fast_lines(None)
    structlog.reset_defaults()


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_a_line_in_json_has_time_level_logger_and_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    structlog.get_logger("worker").info("projection rebuilt", projection="wins", position=7)
    (line,) = written(capsys)
    assert str(line.pop("timestamp")).endswith("Z")
    assert line == {
        "event": "projection rebuilt", "projection": "wins", "position": 7, "level": "info", "logger": "worker",
    }  # fmt: skip


def test_lines_of_libraries_look_alike_and_levels_hold(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    logging.getLogger("uvicorn.error").warning("port %d", 8000)
    logging.getLogger("uvicorn.error").info("not told")
    structlog.get_logger().info("not told either")
    (line,) = written(capsys)
    assert (line["event"], line["level"], line["logger"]) == ("port 8000", "warning", "uvicorn.error")
    library = logging.getLogger("library")
    library.addHandler(logging.StreamHandler())
    library.propagate = False
    logs.configure("info", "json")
    library.warning("once, and in our form")
    assert [line["event"] for line in written(capsys)] == ["once, and in our form"]


def test_tokens_passwords_cards_seeds_and_bodies_are_withheld(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    structlog.get_logger().info(
        "refused kbz_abc-DEF_1", cards=("QH", "2S"), body="{}", error="no QH on *1", where="postgresql://me:pw@host/db",
        dsn="host=x password=hunter2 dbname=y", detail="f" * 64,
    )  # fmt: skip
    text = json.dumps(written(capsys))
    for secret in ("abc-DEF", "QH", "2S", "*1", "pw@", "hunter2", "ffff", "{}"):
        assert secret not in text
    assert "dbname=y" in text


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_shows_no_values(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", form)
    hand = "the queen is " + "Q" + "H"
    try:
        raise ValueError("cannot read " + hand)
    except ValueError:
        structlog.get_logger().exception("broken")
        logging.getLogger("uvicorn.error").exception("broken")
    text = capsys.readouterr().err
    assert text.count("ValueError: cannot read the queen is [withheld]") == 2
    assert "QH" not in text


def test_text_is_one_plain_line_and_auto_is_json_where_stderr_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("info", "text")
    structlog.get_logger("worker").info("started", lag=3)
    text = capsys.readouterr().err
    assert "started" in text
    assert "lag=3" in text
    assert "\x1b" not in text
    logs.configure("info", "auto")
    structlog.get_logger().info("started")
    assert written(capsys)[0]["event"] == "started"


def test_unknown_levels_and_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="levels debug, info"):
        logs.configure("loud", "json")


ROOT = Path(__file__).parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception"}
LOGGERS = {"get_logger", "getLogger", "FastLogger"}
EVENT, LOGGER = re.compile(r"[a-z]+( [a-z]+)*"), re.compile(r"[a-z]+")


def calls() -> Iterator[tuple[str, str, ast.expr]]:
    """Of every call with a first argument: whose attribute, its name, and the argument."""
    for package in ("service", "projections"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and (node.args or not node.keywords):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    whose = getattr(getattr(node.func, "value", None), "id", "")
                    yield whose.lower(), name, node.args[0] if node.args else ast.Constant(None)


def test_every_event_is_words_with_blanks() -> None:
    events = [one for whose, name, one in calls() if whose in ("_log", "_lines") and name in LEVELS]
    assert len(events) > 15
    for event in events:
        assert isinstance(event, ast.Constant), ast.unparse(event)
        assert EVENT.fullmatch(str(event.value)), event.value


def test_every_logger_of_ours_is_one_word() -> None:
    named = [one for _, name, one in calls() if name in LOGGERS]
    ours = [one for one in named if not isinstance(one, ast.Name)]  # a name: of a library, or given by the caller
    assert len(ours) > 15
    for logger in ours:
        assert LOGGER.fullmatch(str(getattr(logger, "value", None))), ast.unparse(logger)
    assert not [one.id for one in named if isinstance(one, ast.Name) and one.id == "__name__"]


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
        "structlog.get_logger('a').info('usual'); logs.FastLogger('b').info('fast', {'n': 1})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60
    )
    assert [json.loads(line)["event"] for line in ran.stderr.splitlines()] == ["usual", "fast"]


def test_a_fast_line_looks_like_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    logs.FastLogger("worker").info("projection rebuilt", {"projection": "wins", "position": 7})
    structlog.get_logger("worker").info("projection rebuilt", projection="wins", position=7)
    fast, usual = written(capsys)
    assert fast.keys() == usual.keys()
    moments = [str(line.pop("timestamp")) for line in (fast, usual)]
    assert fast == usual
    assert {(moment[10], moment[-1], len(moment)) for moment in moments} == {("T", "Z", 27)}


def test_fast_lines_keep_to_the_level_and_go_as_text_where_all_do(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    logs.FastLogger("commands").info("command", {"step": 1})
    assert written(capsys) == []
    logs.configure("info", "text")
    logs.FastLogger("commands").info("command", {"step": 1})
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
