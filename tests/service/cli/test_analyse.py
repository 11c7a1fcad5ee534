"""`kibitz analyse`: three sentences on the record of a game, and on none that a solver could not judge."""

import re
from pathlib import Path

import httpx
import pytest

from domain.play.events import Resign
from domain.play.open_record import MEDIA_TYPE, OpenRecord, record_lines
from tests.analysis.planted import Planted, planted, records

from .conftest import Played
from .programs import kibitz
from .pseudo import terminal

Lost = tuple[Planted, Path]


@pytest.fixture
def lost(tmp_path: Path) -> Lost:
    """A game that was lost, and its record in a file."""
    game, path = planted("black_hole", "planted 3", 46), tmp_path / "game.kibitz"
    path.write_bytes(b"".join(record_lines(OpenRecord(tuple(records(game.key, game.seed, game.commands)), None))))
    return game, path


def test_the_record_of_a_lost_game_tells_where_and_how_it_could_be_won(lost: Lost) -> None:
    game, path = lost
    ran = kibitz("analyse", path, "--line")
    assert (ran.returncode, ran.stderr) == (0, "")
    could, when, onward, hard, known, *line = ran.stdout.splitlines()
    assert could == "The deal could be won."
    assert when.startswith(f"The game was lost at step {game.lost_step}: The player moves the ")
    assert onward == f"From step {game.lost_step - 1} on it can be won in {len(line)} more moves."
    assert hard.startswith("The deal is ")
    assert known == "Every card lay open, so that could be known at that step."
    assert kibitz("analyse", path, "--bound", "1").stdout.splitlines()[0] == "Whether the deal could be won is open."


def test_a_record_is_annotated_and_its_annotations_verified(lost: Lost, tmp_path: Path) -> None:
    (game, path), out = lost, tmp_path / "said.kibitz"
    assert kibitz("analyse", path, "--annotate", out).returncode == 0
    ran = kibitz("verify", out)
    assert (ran.returncode, ran.stdout.count(" annotated with a line that wins, ")) == (5, 1)
    out.write_bytes(out.read_bytes().replace(b'"impossible"', b'"won"', 1))
    ran = kibitz("verify", out)
    assert (ran.returncode, ran.stdout.count("The line that is annotated does not win.")) == (1, 1)
    early = records(game.key, game.seed, (game.commands[0], Resign()))
    path.write_bytes(b"".join(record_lines(OpenRecord(tuple(early), None))))
    ran = kibitz("analyse", path, "--bound", "1", "--annotate", out)
    assert (ran.returncode, ran.stderr.count("Nothing was decided")) == (1, 1)


def test_a_service_is_asked_for_the_same_and_for_hints_while_one_plays(played: Played, lost: Lost) -> None:
    _, path = lost
    headers = {"Authorization": f"Bearer {played.token}"}
    with httpx.Client(base_url=played.service.address, headers=headers, timeout=60) as client:
        brought = (
            client.post("/v1/records", content=path.read_bytes(), headers={"Content-Type": MEDIA_TYPE})
            .raise_for_status()
            .json()["id"]
        )
        hinted = client.post("/v1/games", json={"game_type": "black_hole", "rated": False, "hints": True}).json()["id"]
    asked = ("--server", played.service.address, "--token", played.token)
    ran, here = kibitz("analyse", brought, "--line", *asked), kibitz("analyse", path, "--line")
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", here.stdout)
    ran = kibitz("replay", hinted, "--hint", *asked)
    assert ran.returncode == 0, ran.stderr
    assert re.fullmatch(r"This can be won\. Move: source \w+, target \w+\.\n|(This|Whether) [^.]+\.\n", ran.stdout)


def test_at_a_terminal_a_key_jumps_to_the_loss(lost: Lost) -> None:
    game, path = lost
    with terminal("replay", path, columns=80, lines=24) as screen:
        screen.shows("step 0 of ")
        screen.type("L")
        screen.shows(f"step {game.lost_step} of ", f"The game was lost at step {game.lost_step}:", "at that step.")
        screen.type("h")
        assert "was lost" not in screen.shows(f"step {game.lost_step - 1} of ")
        screen.type("H")
        screen.shows("A service gives hints: name it with --server.")
        screen.type("q")
        assert screen.ends() == 0
