"""`kibitz picture`: pages and drawings of games in the store and of records in files."""

import re
import xml.etree.ElementTree as Xml
from pathlib import Path

import httpx

from .conftest import Played
from .programs import kibitz


def keys(page: str) -> list[str]:
    return re.findall(r'"key":"(all|spectator|seat-\d)"', page)


def test_a_game_that_is_over_is_a_page_with_every_viewer(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    ran = kibitz("picture", played.solo, "--output", path, "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>Klondike - Ada</title>" in page
    assert keys(page) == ["spectator", "seat-0", "all"]


def test_a_game_that_goes_on_is_a_page_through_the_eyes_that_are_named(played: Played) -> None:
    ran = kibitz("picture", played.duel, "--seat", "1", "--data-folder", played.service.folder)
    assert ran.returncode == 0
    assert keys(ran.stdout) == ["seat-1"]
    assert "Not over yet: the game up to step 0. Seen by: Player 2 (Ada)." in ran.stdout


def test_one_step_is_a_drawing(played: Played) -> None:
    ran = kibitz("picture", played.solo, "--step", "3", "--data-folder", played.service.folder)
    assert ran.returncode == 0
    title = Xml.fromstring(ran.stdout).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "Klondike, step 3"


def test_a_record_in_a_file_needs_no_store(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "record.ndjson"
    path.write_bytes(httpx.get(f"{played.service.address}/v1/games/{played.solo}/record", timeout=60).content)
    ran = kibitz("picture", path)
    assert (ran.returncode, keys(ran.stdout)) == (0, ["spectator", "seat-0", "all"])
