"""`kibitz keys`, beside a service that signs by them, and `kibitz verify` of what it signed."""

from pathlib import Path

import httpx

from .conftest import Played
from .programs import kibitz


def ended(played: Played) -> str:
    """Another game of the service that was given up."""
    with httpx.Client(
        base_url=played.service.address, headers={"Authorization": f"Bearer {played.token}"}, timeout=60
    ) as client:
        game = str(client.post("/v1/games", json={"game_type": "golf"}).json()["id"])
        assert client.post(f"/v1/games/{game}/commands", json={"type": "game/resign"}).is_success
    return game


def test_a_service_makes_its_first_key_and_its_games_are_signed_by_it(played: Played) -> None:
    listed = kibitz("keys", "list", "--data-folder", played.service.folder)
    key = listed.stdout.split()[0]
    ran = kibitz("verify", played.solo, "--signed", "--data-folder", played.service.folder)
    assert listed.stdout.endswith(" until now\n")
    assert ran.stdout == f"OK    {played.solo} klondike, 13 steps; consistent, signed by the key {key}\n"
    assert ran.returncode == 0


def test_a_game_that_goes_on_is_sound_and_not_signed(played: Played) -> None:
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
    game = ended(played)
    ran = kibitz("verify", game, played.solo, "--signed", "--data-folder", played.service.folder)
    assert rotated.stdout == f"{new} signs from now on.\n"
    assert ran.returncode == 0
    assert [new in line for line in ran.stdout.splitlines()] == [True, False]
    published = httpx.get(f"{played.service.address}/v1/keys", timeout=60).json()["keys"]
    assert (len(published), published[-1]["kid"], published[0]["until"]) == (2, new, published[1]["from"])


def test_keys_of_a_folder_without_any_are_none(tmp_path: Path) -> None:
    ran = kibitz("keys", "list", "--data-folder", tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "`kibitz serve` makes the first one" in ran.stderr


def test_another_folder_of_keys_is_named_by_a_setting(tmp_path: Path) -> None:
    made = kibitz("keys", "rotate", KIBITZ_SIGNING_KEYS=str(tmp_path / "own"))
    listed = kibitz("keys", "list", KIBITZ_SIGNING_KEYS=str(tmp_path / "own"))
    assert listed.stdout.split()[0] == made.stdout.split()[0]
