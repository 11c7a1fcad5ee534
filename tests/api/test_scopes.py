"""Scopes: what each token may do, and what it is told when it may not."""

import httpx
import pytest

from .playing import of, opened
from .problems import told
from .serving import Player, Service


def with_scopes(service: Service, player: Player, *scopes: str) -> httpx.Client:
    """Someone who speaks with another token of this player."""
    made = player.post("/v1/tokens", {"label": "a part", "scopes": [*scopes]})
    assert made.status_code == 201, made.text
    return httpx.Client(base_url=service.url, timeout=60, headers={"authorization": f"Bearer {made.json()['secret']}"})


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/v1/inbox", "games:read"),
        ("POST", "/v1/games", "games:play"),
        ("POST", "/v1/contests/01890000-0000-7000-8000-000000000000/enter", "contests:enter"),
        ("POST", "/v1/leagues/01890000-0000-7000-8000-000000000000/join", "leagues:join"),
        ("POST", "/v1/leagues", "leagues:organise"),
        ("POST", "/v1/records", "records:write"),
        ("PATCH", "/v1/players/me", "account:write"),
        ("GET", "/v1/tokens", "tokens:write"),
        ("POST", "/v1/rulings", "moderate"),
    ],
)
def test_a_missing_scope_is_named(service: Service, ada: Player, method: str, path: str, scope: str) -> None:
    other = "contests:enter" if scope == "games:read" else "games:read"
    with with_scopes(service, ada, other) as part:
        answer = part.request(method, path)
    told(answer, 403, "scope_missing")
    assert answer.headers["www-authenticate"] == f'Bearer realm="kibitz", error="insufficient_scope", scope="{scope}"'


def test_the_scopes_of_before_hold_the_finer_ones(service: Service, ada: Player) -> None:
    with with_scopes(service, ada, "play") as part:
        assert part.post("/v1/games", json={"game_type": "golf"}).status_code == 201
        assert part.post("/v1/leagues", json={}).status_code == 400
        told(part.get("/v1/inbox"), 403, "scope_missing")
    with with_scopes(service, ada, "account") as part:
        assert part.get("/v1/tokens").status_code == 200
        assert part.post("/v1/tokens", json={"label": "less", "scopes": ["tokens:write"]}).status_code == 201
        told(part.post("/v1/tokens", json={"label": "more", "scopes": ["games:read"]}), 403, "scope_missing")


def test_a_part_does_only_its_part(service: Service, ada: Player) -> None:
    with with_scopes(service, ada, "games:play") as part:
        game = part.post("/v1/games", json={"game_type": "klondike"}).json()
        assert part.post(of(game, "/commands"), json={"type": "klondike/draw"}).status_code == 200
        assert part.get("/v1/players/me").json()["id"] == ada.id
        for path in ("/v1/leagues", "/v1/records"):
            told(part.post(path), 403, "scope_missing")


def test_what_needs_no_token_takes_any_and_shows_no_more(service: Service, ada: Player) -> None:
    public, private = opened(ada), opened(ada, visibility="private")
    with with_scopes(service, ada, "games:play") as part:
        assert part.get(of(public)).status_code == 200
        assert part.get(of(public)).json()["your_seats"] == []
        assert part.get("/v1/games").status_code == 200
        for path in ("", "/frames", "/record", "/events", "/replay"):
            assert part.get(of(private, path)).status_code == 404, path
        assert part.get(f"/games/{private['id']}").status_code == 404
    assert ada.get(of(private)).status_code == 200


def test_only_a_valid_token_is_any_token(service: Service) -> None:
    answer = service.http.get("/v1/games", headers={"authorization": "Bearer kbz_wrong"})
    told(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"] == 'Bearer realm="kibitz", error="invalid_token"'
    assert service.http.get("/v1/players/me").headers["www-authenticate"] == 'Bearer realm="kibitz"'
