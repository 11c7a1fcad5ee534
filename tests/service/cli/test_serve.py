"""Serving: what it says, what it refuses, and how it ends."""

import json
import signal
import subprocess

import httpx
import pytest

from service.cli import COMMANDS
from service.postgres import PostgresUnavailable, join
from tests.waiting import until

from .conftest import Played
from .programs import folder, kibitz, serving, started


def test_it_tells_where_it_is_and_how_to_begin_a_game(played: Played) -> None:
    lines = played.service.lines
    assert lines[1] == f"Data folder {played.service.folder}"
    assert f"curl -s {played.service.address}/v1/games " in lines[3]
    assert f"curl -s {played.service.address}/v1/games/$GAME/commands " in lines[5]
    first, again = played.service.lines[3], played.service.lines[5]
    ran = subprocess.run(["sh", "-c", f"{first}\n{again}\n{again}"], capture_output=True, text=True, check=True)
    legal, *answers = map(json.loads, ran.stdout.splitlines())
    assert {"type": "klondike/draw"} in legal["commands"]
    assert [answer["frames"][-1]["step"] for answer in answers] == [1, 2]
    assert answers[1]["version"] > answers[0]["version"] > legal["version"]


def test_sigterm_and_ctrl_c_end_it_in_good_order_and_nothing_is_lost() -> None:
    with folder(empty=True) as data:
        with started(data) as service:
            answer = httpx.post(f"{service.address}/v1/players", json={"name": "Ada"}, timeout=60)
            player = answer.raise_for_status().json()["player"]["id"]
            service.process.send_signal(signal.SIGTERM)
            assert service.end(signal.SIGTERM) == 0
        with pytest.raises(PostgresUnavailable):
            join(data)
        assert (data / "postgresql.log").read_text().rstrip().endswith("database system is shut down")
        with serving(data) as service:
            assert httpx.get(f"{service.address}/v1/players/{player}", timeout=60).json()["name"] == "Ada"
            assert service.end(signal.SIGINT) == 0


def test_its_log_is_json_off_the_terminal_and_holds_no_token(played: Played) -> None:
    log = played.service.folder / "stderr"
    until(lambda: "Application startup complete." in log.read_text())
    lines = log.read_text().splitlines()
    assert {"Application startup complete."} <= {json.loads(line)["event"] for line in lines}
    assert played.token not in "".join(lines)


def test_without_a_command_the_commands_are_told() -> None:
    told = kibitz("--help").stdout
    assert all(name in told for name in COMMANDS)
    assert kibitz().returncode == 2
