"""One naming in the logs: an event is words with blanks, a logger one word; so whoever searches them knows how."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception"}
LOGGERS = {"get_logger", "getLogger", "Lean"}
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
