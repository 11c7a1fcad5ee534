"""A program's token at the forms of the pages: at each of them it may do no more than at the API."""

import re
from typing import Any
from uuid import uuid4

import pytest

from service.web import find_handlers

from . import truth
from .browsing import OWN, Browser
from .serving import Player, Service

FOR_ALL = {"/sign-in", "/sign-in/code", "/sign-in/passkey", "/sign-in/passkey/challenge", "/register", "/sign-out"}
"""Forms for which nobody has to be signed in."""
FORMS = {path for handler in find_handlers() if "POST" in handler.http_methods for path in handler.paths} - FOR_ALL
DEEDS = {
    "/account/{deed:str}": "rename", "/account/webhooks/{webhook_id:uuid}/{deed:str}": "disable",
    "/leagues/{league_id:uuid}/{deed:str}": "join", "/leagues/{league_id:uuid}/rulings/{deed:str}": "void",
    "/leagues/{league_id:uuid}/seasons/{season:int}/{deed:str}": "close",
    "/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}/{deed:str}": "play",
}  # fmt: skip
JSON: dict[str, Any] = {"/account/passkeys": {"label": "Mine", "credential": {}}, "/account/passkeys/challenge": {}}
ELSE = {"/device": 303, "/device/answer": 303, "/oauth/authorize": 400}
"""Who has no session is sent to sign in; no app asks here."""


@pytest.mark.parametrize("path", sorted(FORMS))
def test_a_token_that_may_only_read_changes_nothing(path: str, service: Service, ada: Player) -> None:
    secret = ada.post("/v1/tokens", {"label": "reader", "scopes": ["games:read"]}).json()["secret"]
    named = {"game_type": "klondike", "season": "1", "deed": DEEDS.get(path, "")}
    where = re.sub(r"\{(\w+):\w+\}", lambda part: named.get(part[1], str(uuid4())), path)
    body: dict[str, Any] = {"json": JSON[path]} if path in JSON else {"data": {"choice": "allow"}}
    with Browser(service) as program:
        program.http.headers["authorization"] = f"Bearer {secret}"
        before = truth.head(service)
        answer = program.http.post(where, headers=OWN, **body)
    assert answer.status_code == ELSE.get(path, 403), answer.text
    assert truth.head(service) == before
