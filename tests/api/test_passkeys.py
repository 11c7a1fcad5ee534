"""Passkeys by the API: listed, renamed and removed by their own player alone, with a token that may."""

from uuid import UUID

import pytest

from .browsing import signed_in
from .passkey_rows import passkey_of
from .problems import told
from .serving import Player, Service, registered, speaking

UNKNOWN = UUID(int=7)


@pytest.fixture
def gus(service: Service) -> Player:
    return registered(service, "Gus")


def labels(player: Player) -> list[str]:
    return [one["label"] for one in player.get("/v1/passkeys").json()["passkeys"]]


def test_passkeys_are_listed_renamed_and_removed(service: Service, gus: Player) -> None:
    assert gus.get("/v1/passkeys").json() == {"passkeys": []}
    first, second = passkey_of(service, gus.id, "laptop"), passkey_of(service, gus.id, "phone")
    found = {one["id"]: one for one in gus.get("/v1/passkeys").json()["passkeys"]}
    assert found[str(first)] == {"id": str(first), "label": "laptop", "created_at": "2023-11-14T22:13:20Z"}
    renamed = gus.http.patch(f"/v1/passkeys/{first}", json={"label": "kitchen"})
    assert (renamed.status_code, renamed.json()) == (200, found[str(first)] | {"label": "kitchen"})
    assert set(labels(gus)) == {"kitchen", "phone"}
    for headers, status in (({"idempotency-key": "once"}, 204), ({"idempotency-key": "once"}, 204), ({}, 404)):
        assert gus.http.delete(f"/v1/passkeys/{second}", headers=headers).status_code == status
    assert labels(gus) == ["kitchen"]


def test_nobody_touches_the_passkey_of_another(service: Service, gus: Player, bob: Player) -> None:
    passkey = passkey_of(service, gus.id)
    path = f"/v1/passkeys/{passkey}"
    told(bob.http.patch(path, json={"label": "mine"}), 404, "no_such_thing")
    told(bob.http.delete(path), 404, "no_such_thing")
    with signed_in(service, bob) as browser:
        for deed, more in (("remove-passkey", {"sure": "on"}), ("relabel-passkey", {"label": "mine"})):
            assert browser.post(f"/account/{deed}", {"passkey": str(passkey), **more}).status_code == 404
    assert labels(gus) == ["laptop"]


def test_only_a_token_that_may_make_tokens_sees_or_changes_them(service: Service, gus: Player) -> None:
    passkey = passkey_of(service, gus.id)
    small = gus.post("/v1/tokens", {"label": "small", "scopes": ["read", "play", "account:write"]}).json()
    reader = speaking(service, gus.id, small["secret"], small["id"])
    told(reader.get("/v1/passkeys"), 403, "scope_missing")
    told(reader.http.patch(f"/v1/passkeys/{passkey}", json={"label": "x"}), 403, "scope_missing")
    told(reader.http.delete(f"/v1/passkeys/{passkey}"), 403, "scope_missing")
    told(service.http.get("/v1/passkeys"), 401, "unauthenticated")
    with signed_in(service, gus) as browser:
        own = {"sec-fetch-site": "same-origin", "accept": "application/json"}
        told(browser.http.delete(f"/v1/passkeys/{passkey}", headers=own), 403, "scope_missing")
    assert labels(gus) == ["laptop"]


@pytest.mark.parametrize("body", [{}, {"label": ""}, {"label": "x" * 41}, {"label": 7}, {"label": "a", "more": 1}, []])
def test_a_bad_body_is_told_so(service: Service, gus: Player, body: object) -> None:
    passkey = passkey_of(service, gus.id)
    refused = told(gus.http.patch(f"/v1/passkeys/{passkey}", json=body), 400, "malformed")
    assert refused["errors"]
    assert labels(gus) == ["laptop"]


def test_an_unknown_one_and_an_unknown_filter_are_told_so(gus: Player) -> None:
    told(gus.http.patch(f"/v1/passkeys/{UNKNOWN}", json={"label": "x"}), 404, "no_such_thing")
    told(gus.http.delete(f"/v1/passkeys/{UNKNOWN}"), 404, "no_such_thing")
    told(gus.http.delete("/v1/passkeys/nothing"), 404, "no_such_thing")
    assert told(gus.get("/v1/passkeys?label=x"), 400, "malformed")["errors"][0]["parameter"] == "label"
