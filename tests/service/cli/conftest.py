"""One service for the tests of the command line, with two games in it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from .programs import Serving, folder, serving


class Played(NamedTuple):
    """A Klondike that was given up after some moves, and a Spite & Malice that goes on; `token` is their player's."""

    service: Serving
    token: str
    solo: str
    duel: str


@pytest.fixture(scope="package")
def played() -> Iterator[Played]:
    with folder() as data, serving(data) as service, httpx.Client(base_url=service.address, timeout=60) as client:
        token = _said(client.post("/v1/players", json={"name": "Ada"}))["token"]["secret"]
        client.headers["Authorization"] = f"Bearer {token}"
        solo = _opened(client, game_type="klondike")
        _said(client.post(f"/v1/games/{solo}/commands/batch", json={"commands": [{"type": "klondike/draw"}] * 12}))
        _said(client.post(f"/v1/games/{solo}/commands", json={"type": "game/resign"}))
        yield Played(service, token, solo, _opened(client, game_type="spite_and_malice", hot_seat=True))


def _opened(client: httpx.Client, **body: Any) -> str:
    return str(_said(client.post("/v1/games", json=body))["id"])


def _said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()
