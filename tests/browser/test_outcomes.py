"""How a game ended, as a person says it: the server's words and the script's are the same."""

import json
from typing import Any
from uuid import UUID, uuid5

import msgspec
import pytest

from domain.game_type import Ending, Result
from service.web.listing import outcome
from service.web.page import Person

from .client import ask_modules

_SCRIPT = """({ resultLine }, games) => games.map(([result, players, own]) => (
    resultLine({ result }, { seats: players.length, players, your_seats: own, status: "finished", result })))"""
_HOUSE, _NOBODY = "House (greedy)", None
_CASES: list[tuple[str, Ending, str, tuple[int, ...], tuple[int, ...], tuple[str | None, ...], str | None]] = [
    ("You lost to the House, 0 : 10", "won", "stock_out", (0,), (10, 0), (_HOUSE, "Ada"), "Ada"),
    ("You won against the House, 10 : 0", "won", "stock_out", (0,), (10, 0), ("Ada", _HOUSE), "Ada"),
    ("The House won against Ada, 10 : 0", "won", "stock_out", (0,), (10, 0), (_HOUSE, "Ada"), None),
    ("ada won against Bob (given up)", "won", "resigned", (0,), (), ("ada", "Bob"), None),
    ("You lost to Bob and Cyd (time ran out)", "won", "timed_out", (1, 2), (), ("Ada", "Bob", "Cyd"), "Ada"),
    ("A draw with Bob, 3 : 3", "drawn", "stock_out", (), (3, 3), ("Ada", "Bob"), "Ada"),
    ("A draw, 3 : 3", "drawn", "stock_out", (), (3, 3), ("Ada", "Bob"), None),
    ("Left unfinished (by agreement)", "abandoned", "agreed", (), (), ("Ada", "Bob"), "Ada"),
    ("You won!", "won", "all_home", (0,), (52,), ("Ada",), "Ada"),
    ("You won, score 745", "won", "rubber", (0,), (745,), ("Ada",), "Ada"),
    ("You lost (given up), score 12", "lost", "resigned", (), (12,), ("Ada",), "Ada"),
    ("Lost (no move is left)", "lost", "no_moves", (), (), ("Ada",), None),
    ("Player 1 won against Bob", "won", "stock_out", (0,), (), (_NOBODY, "Bob"), None),
]


@pytest.mark.parametrize("case", _CASES, ids=[case[0] for case in _CASES])
def test_an_ending_is_said_to_whoever_looks(case: Any) -> None:
    words, *_ = case
    result, people, visitor = _sides(case)
    assert outcome(result, people, visitor) == words


def test_the_script_says_what_the_server_says() -> None:
    games = []
    for case in _CASES:
        result, people, visitor = _sides(case)
        own = [seat for seat, person in enumerate(people) if person and person.id == visitor]
        games.append((msgspec.to_builtins(result), [person and person.name for person in people], own))
    assert ask_modules(_SCRIPT, json.dumps(games)) == [case[0] for case in _CASES]


def _sides(case: Any) -> tuple[Result, tuple[Person | None, ...], UUID | None]:
    _, ending, reason, winners, scores, names, visitor = case
    people = tuple(name and Person(_id_of(name), name, name == _HOUSE) for name in names)
    return Result(ending, reason, winners, scores), people, None if visitor is None else _id_of(visitor)


def _id_of(name: str) -> UUID:
    return uuid5(UUID(int=0), name)
