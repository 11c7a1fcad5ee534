"""`kibitz moderator`, on a service that runs and on one that does not."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from .conftest import Played
from .programs import folder, kibitz, serving


def test_a_moderator_is_made_while_the_service_runs_and_voids_a_game(played: Played) -> None:
    ran = kibitz("moderator", "--name", "Mo", "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    with client(played.service.address, played.token) as ada, client(played.service.address, ran.stdout.strip()) as mo:
        game = said(ada.post("/v1/games", json={"game_type": "klondike"}))["id"]
        assert said(mo.post(f"/v1/games/{game}/void", json={"reason": "a fault"}))["status"] == "voided"
        assert said(mo.get("/v1/players/me"))["name"] == "Mo"
        assert said(ada.get(f"/v1/games/{game}"))["status"] == "voided"
        assert ada.get("/readyz").status_code == 200
    verified = kibitz("verify", game, "--data-folder", played.service.folder)
    assert (verified.returncode, verified.stdout) == (0, f"OK    {game} klondike, 1 steps\n")


def client(address: str, token: str) -> httpx.Client:
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60)


def said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def test_a_moderator_is_made_while_nothing_runs() -> None:
    with folder() as data:
        with serving(data):
            pass
        token = kibitz("moderator", "--name", "Mo", "--days", 7, "--data-folder", data).stdout.strip()
        with serving(data) as service, client(service.address, token) as mo:
            assert [kept["scopes"] for kept in said(mo.get("/v1/tokens"))["tokens"]] == [
                ["read", "account", "moderate"]
            ]


@pytest.mark.parametrize(
    "wrong", [(), ("--name", ""), ("--name", "a\nb"), ("--name", "x" * 41), ("--name", "Mo", "--days", "0")]
)
def test_a_moderator_needs_a_name_and_a_length_of_days(wrong: tuple[str, ...], played: Played) -> None:
    ran = kibitz("moderator", *wrong, "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stdout) == (2, "")


def test_there_is_no_moderator_without_data(tmp_path: Path) -> None:
    ran = kibitz("moderator", "--name", "Mo", "--data-folder", tmp_path / "none")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "There is no data in the folder" in ran.stderr
