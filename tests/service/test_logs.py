"""What is written to the logs, and what never is."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from service.telemetry import logs
from service.telemetry.logs import route_lean_lines


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    route_lean_lines(None)
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


def test_lines_of_the_standard_library_look_alike_and_levels_hold(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    logging.getLogger("uvicorn.error").warning("port %d", 8000)
    logging.getLogger("uvicorn.error").info("not told")
    structlog.get_logger().info("not told either")
    (line,) = written(capsys)
    assert (line["event"], line["level"], line["logger"]) == ("port 8000", "warning", "uvicorn.error")


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


def test_text_is_one_plain_line_without_colours_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "text")
    structlog.get_logger("worker").info("started", lag=3)
    text = capsys.readouterr().err
    assert "started" in text
    assert "lag=3" in text
    assert "\x1b" not in text


def test_auto_is_json_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "auto")
    structlog.get_logger().info("started")
    assert written(capsys)[0]["event"] == "started"


def test_a_library_that_brought_a_handler_of_its_own_is_routed_here_too(capsys: pytest.CaptureFixture[str]) -> None:
    library = logging.getLogger("library")
    library.addHandler(logging.StreamHandler())
    library.propagate = False
    logs.configure("info", "json")
    library.warning("once, and in our form")
    assert [line["event"] for line in written(capsys)] == ["once, and in our form"]


def test_unknown_levels_and_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="levels debug, info"):
        logs.configure("loud", "json")
