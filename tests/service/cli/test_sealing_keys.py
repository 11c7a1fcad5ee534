"""`kibitz keys` and the keys that seal: rotated under a running service, told who needs them, retired, given up."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from .programs import Serving, folder, kibitz, serving


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with folder() as data, serving(data) as running:
        yield running


def client_of(service: Serving) -> httpx.Client:
    client = httpx.Client(base_url=service.address, timeout=60)
    token = client.post("/v1/players", json={"name": "Ada"}).json()["token"]["secret"]
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def opened(client: httpx.Client) -> str:
    answer = client.post("/v1/games", json={"game_type": "golf"})
    assert answer.is_success, answer.text
    return str(answer.json()["id"])


def keys(service: Serving, *words: str) -> "tuple[int, list[str], str]":
    ran = kibitz("keys", *words, "--data-folder", service.folder)
    return ran.returncode, ran.stdout.splitlines(), ran.stderr


def test_a_key_is_rotated_needed_retired_and_missed(service: Serving, tmp_path: Path) -> None:
    with closing(client_of(service)) as client:
        live = opened(client)
        _, (line,), _ = keys(service, "list", "--sealing")
        old = line.split()[0]
        new = keys(service, "rotate", "--sealing")[1][0].split()[0]
        opened_under(client, service, told({old: 1, new: 1}))
        assert keys(service, "retire", old)[2].startswith("kibitz: 1 live games and contests need the key")
        shutil.move(service.folder / "keys" / f"{old}.seal", tmp_path)
        assert keys(service, "needed")[1] == sorted([f"{old}  MISSING, needed by 1 live games and contests",
                                                     told({new: 1})[0]])  # fmt: skip
        verified = kibitz("verify", live, "--data-folder", service.folder)
        assert (verified.returncode, old in verified.stdout) == (1, True)
        assert f"Sealing keys: missing: {old}." in kibitz("doctor", "--data-folder", service.folder).stdout
        assert keys(service, "give-up", old)[1] == [f"{old} is given up, and 1 live games and contests with it."]
        shutil.move(tmp_path / f"{old}.seal", service.folder / "keys")
        assert client.post(f"/v1/games/{live}/commands", json={"type": "game/resign"}).is_success
        assert keys(service, "retire", old) == (0, [f"{old} is gone."], "")
        assert kibitz("verify", live, "--data-folder", service.folder).returncode == 0


def told(needed: dict[str, int]) -> list[str]:
    return sorted(f"{key}  in the folder, needed by {count} live games and contests" for key, count in needed.items())


def opened_under(client: httpx.Client, service: Serving, needed: list[str]) -> str:
    """A game after which so many are needed by each key: the service looks for a new key once a second."""
    while keys(service, "needed")[1] != needed:
        game = opened(client)
        if keys(service, "needed")[1] == needed:
            return game
        assert client.post(f"/v1/games/{game}/commands", json={"type": "game/resign"}).is_success
    raise AssertionError("they were needed before")


def test_commands_that_make_no_sense_are_refused(service: Serving) -> None:
    assert keys(service, "retire")[0] == 2
    assert "is not in" in keys(service, "retire", "00000000")[2]
