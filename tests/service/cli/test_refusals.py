"""What cannot be done is refused in one line on stderr: 2 is wrong usage, 1 what is not there."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.domain.whole_records import text

from .conftest import Played
from .programs import kibitz

NOBODY, NOWHERE = "01a1f81c-5ad7-7419-af41-349a86009bb0", "--server http://127.0.0.1:1"


@pytest.fixture(scope="module")
def places(played: Played, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What stands in braces in the words."""
    folder, served = tmp_path_factory.mktemp("refusals"), f"--server {played.service.address}"
    record = httpx.get(f"{played.service.address}/v1/games/{played.solo}/record", timeout=60).content
    files = {"record": record, "decs": text("decs_building"), "cut": text("golf").splitlines(keepends=True)[0]}
    files |= {"nothing": b"nothing\n", "empty": b""}
    lines = record.splitlines(keepends=True)
    files |= {"snap": record.replace(b'"klondike"', b'"snap"', 1), "gap": b"".join([*lines[:3], *lines[4:]])}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return {name: folder / name for name in files} | {
        "store": f"--data-folder {played.service.folder}", "http": f"{served} --token {played.token}",
        "spectator": served, "solo": played.solo, "duel": played.duel, "nobody": NOBODY, "folder": folder,
        "port": played.service.port, "data": played.service.folder, "process": played.service.process.pid,
    }  # fmt: skip


@pytest.mark.parametrize(("words", "code", "said"), [
    ("replay {nobody} {store}", 1, "There is no game {nobody}."),
    ("replay {nobody} {http}", 1, "There is no such game, or you may not see it."),
    ("replay {solo} --seat 3 {store}", 1, "The game has no seat 3."),
    ("replay {solo} --step 99 {store}", 1, "The game has no step 99."),
    (f"replay {{solo}} {NOWHERE}", 1, "http://127.0.0.1:1 does not answer:"),
    ("replay {duel} --known now {store}", 1, "A game is shown as known now once it is over."),
    ("replay {duel} --known now {http}", 1, "A game is shown as known now once it is over."),
    ("replay {duel} --seat 0 {spectator}", 1, "You may not look from that seat before the game is over."),
    ("replay {solo} --hint {http}", 1, "This game was opened without hints."),
    ("replay {empty}", 1, "{empty} is no record that can be shown. Line 1: The text ends too soon."),
    ("replay {nothing}", 1, "{nothing} is no record that can be shown. "),
    ("replay {snap}", 1, " of snap."),
    ("replay {gap}", 1, "{gap} is no record that can be shown. Line 4: "),
    ("replay {record} {http}", 2, "A file is read here"),
    ("replay {folder}/missing", 2, "is neither a game id nor a file"),
    ("picture {nobody} {store}", 1, "There is no game {nobody}."),
    ("picture {solo} --step 99 {store}", 1, "The game has no step 99."),
    ("picture {solo} --seat 1 {store}", 1, "The game has no seat 1."),
    ("picture {duel} --known now {store}", 1, "A game is shown as known now once it is over."),
    ("picture {nothing}", 1, "is no record that can be shown"),
    ("export {nobody} {store}", 1, "There is no game {nobody}."),
    ("export {solo} --notation pbn {store}", 1, "Klondike has no such notation; there is solver."),
    ("export {solo} --output {folder}/no/file {store}", 1, "cannot be written: No such file or directory."),
    ("import {folder}/none {store}", 1, "{folder}/none cannot be read: No such file or directory."),
    ("analyse {duel} {http}", 1, "A game is analysed once it is over."),
    ("analyse {decs}", 1, "There is no solver of Decs Building."),
    ("analyse {cut}", 1, "is no record that can be shown"),
    ("analyse {folder}/none", 2, "is neither a game id nor a file"),
    ("analyse {nobody}", 2, "named with --server"),
    (f"analyse {{decs}} {NOWHERE}", 2, "A file is analysed here"),
    ("analyse {decs} --bound 0", 2, "--bound is a number from 1 on."),
    ("rebuild nonsense", 2, "There is no projection nonsense; there are days, games"),
    ("verify --all --data-folder {folder}", 1, "There is no data in the folder {folder}: `kibitz serve` makes some."),
    ("rebuild --data-folder {folder}", 1, "There is no data in the folder {folder}: `kibitz serve` makes some."),
    ("worker --data-folder {folder}", 1, "There is no data in the folder {folder}: `kibitz serve` makes some."),
    ("moderator --name Mo --data-folder {folder}/none", 1, "There is no data in the folder"),
    ("keys list --data-folder {folder}", 1, "`kibitz serve` makes the first one"),
    ("openapi --output {folder}/none/openapi.json", 1, ""),
    ("serve --port 0 {store}", 1, "The data folder {data} is already served by process {process}."),
    ("serve --port {port} --data-folder {folder}/none", 1,
     "Port {port} of 127.0.0.1 is taken by another program: choose another one with --port."),
    # What no setting may be no flag may be; of a flag that is repeated the last counts.
    ("serve --port 1 --port eight", 2, "--port must be a whole number from 0 to 65535."),
    ("serve --port 70000 --data-folder {folder}/none", 2, "--port must be a whole number from 0 to 65535."),
    ("serve --port -1 --data-folder {folder}/none", 2, "--port must be a whole number from 0 to 65535."),
    ("serve --processes 0 --data-folder {folder}/none", 2, "--processes must be a whole number from 1 to 64."),
    ("serve --processes -3 --data-folder {folder}/none", 2, "--processes must be a whole number from 1 to 64."),
    ("serve --metrics-port -1 --data-folder {folder}/none", 2,
     "--metrics-port must be a whole number from 0 to 65535."),
    # Every process has a port for its metrics, or nothing starts.
    ("serve --processes 2 --metrics-port 0 --data-folder {folder}/none", 2, "must be a number from 1 to 65533"),
    ("serve --processes 2 --metrics-port 65534 --data-folder {folder}/none", 2, "must be a number from 1 to 65533"),
    # Wrong usage.
    *((words, 2, "") for words in (
        "", "nonsense", "backup", "backup a b", "verify --nix", "verify -q", "verify --all --sample 0",
        "serve --port eight", "serve --log-level loud", "replay none", "replay {nobody} --seat 1.7",
        "replay {nobody} --seat 0 --spectator", "replay {nobody} --speed nan", "export none",
        "picture {nobody} --seat 0 --known now", "import", "openapi --async --record", "keys retire",
        "keys retire xyz", "keys steal", "bot", f"bot {NOWHERE} --token a --name b", f"bot {NOWHERE} --games 0",
        f"bot {NOWHERE} --choice none",
    )),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line(words: str, code: int, said: str, places: dict[str, Any]) -> None:
    ran = kibitz(*words.format(**places).split())
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (code, "", 1), ran.stderr
    assert ran.stderr.startswith("kibitz: ")
    assert said.format(**places) in ran.stderr
    assert not Path(places["folder"], "none").exists()
