"""Every stored game is still read, folded, decided and shown as it was, and together they show all there is."""

import gzip
from pathlib import Path

import pytest

from domain.games import REVISIONS, AnyGameType

from . import files, marks, pins
from .__main__ import main
from .checking import faults, missing
from .unreachable import UNREACHABLE

EACH = pytest.mark.parametrize("game_type", REVISIONS.values(), ids=files.name)
HINT = "A changed rule is a new revision: see tests/corpus/README.md."
ADD = "`python -m tests.corpus add` makes stored games for what is missing."


@EACH
def test_every_stored_game_comes_out_as_it_was(game_type: AnyGameType) -> None:
    found = faults(game_type)
    assert found == [], "\n".join([HINT, *found])


@EACH
def test_the_stored_games_show_every_option_command_event_and_circumstance(game_type: AnyGameType) -> None:
    found = missing(game_type)
    assert found == [], "\n".join([ADD, *found])


@EACH
def test_every_stored_game_is_there_once_and_is_pinned(game_type: AnyGameType) -> None:
    games = [str(records[0].stream) for records in files.stored(game_type)]
    assert len(set(games)) == len(games)
    assert list(pins.kept(game_type).games) == games


def test_no_stored_game_and_no_explanation_belongs_to_a_revision_that_is_gone() -> None:
    known = {files.name(game_type) for game_type in REVISIONS.values()}
    stored = {path.name.partition(".")[0] for path in files.FOLDER.iterdir() if path.suffix in (".gz", ".json")}
    assert stored | set(UNREACHABLE) <= known, "an old revision is never deleted"


def test_the_texts_are_the_whole_file() -> None:
    for game_type in REVISIONS.values():
        assert b"".join(files.texts(game_type)) == gzip.decompress(files.path(game_type).read_bytes())


def test_what_is_added_leaves_every_byte_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golf, stored = REVISIONS["golf", 1], files.stored(REVISIONS["golf", 1])
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert files.stored(golf) == []
    files.append(golf, stored[:3])
    before = files.path(golf).read_bytes()
    files.append(golf, stored[3:])
    assert files.path(golf).read_bytes().startswith(before)
    assert files.stored(golf) == stored


def test_games_that_are_missing_are_made_and_nothing_else_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golf, stored = REVISIONS["golf", 1], files.stored(REVISIONS["golf", 1])
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(pins, "FOLDER", tmp_path)
    files.append(golf, stored[:3])
    made = {str(game[0].stream): pins.pinned(game) for game in stored[:3]}
    pins.keep(golf, pins.Pins(marks.defaults(golf), made, marks.printed(golf)))
    before = files.path(golf).read_bytes()
    main(["add", "golf"])
    assert files.path(golf).read_bytes().startswith(before)
    assert faults(golf) == missing(golf) == []
    after = files.path(golf).read_bytes()
    main(["add", "golf"])
    assert files.path(golf).read_bytes() == after
