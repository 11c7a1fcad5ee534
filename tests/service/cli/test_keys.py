"""`kibitz keys` beside a service, `kibitz verify` of the games that it signed, and `kibitz moderator`."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from .conftest import Played
from .programs import folder, kibitz, serving


def client_of(address: str, token: str) -> httpx.Client:
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=60)


def test_games_of_a_service_are_signed_by_the_key_it_made(played: Played) -> None:
    listed = kibitz("keys", "list", "--data-folder", played.service.folder)
    key = listed.stdout.split()[0]
    ran = kibitz("verify", played.solo, "--signed", "--data-folder", played.service.folder)
    assert listed.stdout.endswith(" until now\n")
    assert ran.stdout == f"OK    {played.solo} klondike, 13 steps; consistent, signed by the key {key}\n"
    assert ran.returncode == 0
    ran = kibitz("verify", played.duel, "--signed", "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stdout.endswith("; consistent, not signed\n")) == (3, True)


def test_a_record_saved_from_the_service_is_verified_by_its_address(played: Played, tmp_path: Path) -> None:
    saved = tmp_path / "saved.kibitz"
    saved.write_bytes(httpx.get(f"{played.service.address}/v1/games/{played.solo}/record", timeout=60).content)
    for keys in (played.service.address, f"{played.service.address}/v1/keys"):
        assert kibitz("verify", saved, "--signed", "--keys", keys).returncode == 0


def test_a_key_is_rotated_under_a_running_service(played: Played) -> None:
    rotated = kibitz("keys", "rotate", "--data-folder", played.service.folder)
    new = rotated.stdout.split()[0]
    with client_of(played.service.address, played.token) as client:
        game = str(client.post("/v1/games", json={"game_type": "golf"}).json()["id"])
        assert client.post(f"/v1/games/{game}/commands", json={"type": "game/resign"}).is_success
    ran = kibitz("verify", game, played.solo, "--signed", "--data-folder", played.service.folder)
    assert rotated.stdout == f"{new} signs from now on.\n"
    assert ran.returncode == 0
    assert [new in line for line in ran.stdout.splitlines()] == [True, False]
    published = httpx.get(f"{played.service.address}/v1/keys", timeout=60).json()["keys"]
    assert (len(published), published[-1]["kid"], published[0]["until"]) == (2, new, published[1]["from"])


def test_another_folder_of_keys_is_named_by_a_setting(tmp_path: Path) -> None:
    made = kibitz("keys", "rotate", KIBITZ_SIGNING_KEYS=str(tmp_path / "own"))
    listed = kibitz("keys", "list", KIBITZ_SIGNING_KEYS=str(tmp_path / "own"))
    assert listed.stdout.split()[0] == made.stdout.split()[0]


def test_a_moderator_is_made_while_the_service_runs_and_voids_a_game(played: Played) -> None:
    ran = kibitz("moderator", "--name", "Mo", "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    with (
        client_of(played.service.address, played.token) as ada,
        client_of(played.service.address, ran.stdout.strip()) as mo,
    ):
        game = said(ada.post("/v1/games", json={"game_type": "klondike"}))["id"]
        assert said(mo.post(f"/v1/games/{game}/void", json={"reason": "a fault"}))["status"] == "voided"
        assert said(mo.get("/v1/players/me"))["name"] == "Mo"
        assert said(ada.get(f"/v1/games/{game}"))["status"] == "voided"
        assert ada.get("/readyz").status_code == 200
    verified = kibitz("verify", game, "--data-folder", played.service.folder)
    assert (verified.returncode, verified.stdout) == (0, f"OK    {game} klondike, 1 steps\n")


def said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def test_a_moderator_is_made_while_nothing_runs() -> None:
    with folder() as data:
        with serving(data):
            pass
        token = kibitz("moderator", "--name", "Mo", "--days", 7, "--data-folder", data).stdout.strip()
        with serving(data) as service, client_of(service.address, token) as mo:
            assert [kept["scopes"] for kept in said(mo.get("/v1/tokens"))["tokens"]] == [
                ["read", "account", "moderate"]
            ]


@pytest.mark.parametrize(
    "wrong", [(), ("--name", ""), ("--name", "a\nb"), ("--name", "x" * 41), ("--name", "Mo", "--days", "0")]
)
def test_a_moderator_needs_a_name_and_a_length_of_days(wrong: tuple[str, ...], played: Played) -> None:
    ran = kibitz("moderator", *wrong, "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stdout) == (2, "")
