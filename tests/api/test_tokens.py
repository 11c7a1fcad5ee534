"""Players and their tokens: shown once, scoped, made of each other, revoked as a tree; erased players' games stay."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from service.accounts.players import MOST_TOKENS

from . import truth
from .browsing import COOKIE, Browser, signed_in
from .playing import look, of, opened, say, seated
from .problems import told
from .serving import Player, Service, moderating, registered, serving, speaking
from .streaming import ending, events, events_at, frames

DRAW = {"type": "klondike/draw"}


def minted(player: Player, service: Service, **body: Any) -> Player:
    """The same player with another token, made of theirs."""
    answer = player.post("/v1/tokens", {"label": "another", **body})
    assert answer.status_code == 201, answer.text
    token = answer.json()
    return speaking(service, player.id, token["secret"], token["id"])


def test_a_registered_player_may_do_everything_and_be_renamed(service: Service) -> None:
    answer = service.http.post("/v1/players", json={"name": "Grace Hopper 🂡"})
    assert answer.status_code == 201
    player, token = answer.json()["player"], answer.json()["token"]
    assert answer.headers["location"] == f"/v1/players/{player['id']}"
    assert (player["name"], player["erased"]) == ("Grace Hopper 🂡", False)
    assert sorted(token["scopes"]) == ["account", "play", "read"]
    shown = service.http.get(answer.headers["location"]).json()
    mine = service.http.get("/v1/players/me", headers={"authorization": f"Bearer {token['secret']}"}).json()
    assert shown == player
    assert mine == player | {"findable": False}
    bearer = {"authorization": f"Bearer {token['secret']}"}
    renamed = service.http.patch("/v1/players/me", json={"name": "New"}, headers=bearer).json()
    assert renamed["name"] == service.http.get(answer.headers["location"]).json()["name"] == "New"


def test_names_of_all_the_world_can_be_had(service: Service) -> None:
    names = "Zoë/Zoe\u0308/Nguyễn/李　小龍/שָׁלוֹם/मीरा/สมชาย/محمد/O'Neill (2)/♠ Ace 🂡/김철수/Đạo"
    for name in names.split("/"):
        assert service.http.post("/v1/players", json={"name": name}).json()["player"]["name"] == name


def test_the_list_of_tokens_shows_no_secret(service: Service) -> None:
    player = registered(service, "Tess")
    other = minted(player, service, scopes=["read", "play", "read"], days=3)
    listed = player.get("/v1/tokens")
    tokens = listed.json()["tokens"]
    assert [token["id"] for token in tokens] == [player.token_id, other.token_id]
    assert all("secret" not in token for token in tokens)
    assert not [secret for secret in (player.token, other.token) if secret in listed.text]
    assert tokens[1]["scopes"] == ["read", "play"]
    assert other.get("/v1/players/me").json()["id"] == player.id


def test_a_token_that_only_reads_cannot_play(service: Service, ada: Player) -> None:
    game, reader = opened(ada), minted(ada, service, scopes=["read"])
    assert look(reader, game)["your_seats"] == [0]
    assert reader.get(of(game, "/legal-commands")).status_code == 200
    before = truth.head(service)
    for answer in (
        say(reader, game, DRAW),
        say(reader, game, DRAW, params={"dry_run": "true"}),
        reader.post("/v1/games", {"game_type": "klondike"}),
        reader.post(of(game, "/leave")),
        reader.get("/v1/tokens"),
        reader.post("/v1/tokens", {"label": "more"}),
        reader.http.delete(f"/v1/tokens/{reader.token_id}"),
        reader.http.patch("/v1/players/me", json={"name": "Mallory"}),
        reader.http.delete("/v1/players/me"),
    ):
        told(answer, 403, "scope_missing")
        assert "insufficient_scope" in answer.headers["www-authenticate"]
    assert truth.head(service) == before


def test_a_token_gives_away_no_scope_it_lacks(service: Service, ada: Player) -> None:
    keeper = minted(ada, service, scopes=["account"])
    told(keeper.post("/v1/tokens", {"label": "more", "scopes": ["account", "play"]}), 403, "scope_missing")
    told(keeper.get("/v1/inbox"), 403, "scope_missing")
    assert keeper.post("/v1/tokens", {"label": "as much", "scopes": ["account"]}).status_code == 201


def test_expired_tokens_are_no_good_and_impossible_ones_not_minted(service: Service, ada: Player) -> None:
    other = minted(ada, service, days=1)
    assert truth.done(service, "UPDATE tokens SET expires_at = created_at WHERE token = %s", other.token_id) == 1
    for path in ("/v1/players/me", "/v1/games"):
        told(other.get(path), 401, "unauthenticated")
    wrong: list[dict[str, Any]] = [{"days": days} for days in (0, 367, 1e9)]
    wrong += [{"scopes": []}, {"scopes": ["admin"]}, {"scopes": "read"}, {"x": 1}]
    for more in wrong:
        told(ada.post("/v1/tokens", {"label": "odd", **more}), 400, "malformed")


def test_an_erased_player_is_gone_and_the_games_stay(service: Service, bob: Player) -> None:
    gone = registered(service, "Rosalind Unforgotten")
    other, games = minted(gone, service), [opened(gone), seated(opened(gone, "spite_and_malice"), bob)]
    say(gone, games[0], [DRAW, DRAW])
    for game in games:
        say(gone, game, {"type": "game/resign"})
    before = [[look(bob, game), frames(list(events(bob, game)))] for game in games]
    running = opened(gone)
    assert gone.http.delete("/v1/players/me").status_code == 204
    for token in (gone, other):
        told(token.get("/v1/players/me"), 401, "unauthenticated")
        told(say(token, running, DRAW), 401, "unauthenticated")
    shown = service.http.get(f"/v1/players/{gone.id}").json()
    assert (shown["name"], shown["erased"]) == (None, True)
    unnamed = json.loads(json.dumps(before).replace('"Rosalind Unforgotten"', "null"))
    assert [[look(bob, game), frames(list(events(bob, game)))] for game in games] == unnamed != before
    assert all(b"Rosalind" not in value for _, value in truth.everything(service))
    assert service.http.get(f"/v1/players/{gone.id}/scores").status_code == 200


def test_a_tokens_text_is_in_neither_database_nor_log(service: Service) -> None:
    player = registered(service, "Sekret")
    other = minted(player, service)
    for token in (player, other):
        opened(token)
        told(say(token, {"id": "00000000-0000-7000-8000-000000000000"}, DRAW), 404, "no_such_thing")
    for secret in (player.token, other.token):
        bare = secret.removeprefix("kbz_").encode()
        assert all(bare not in value for _, value in truth.everything(service))
        assert bare.decode() not in service.log()


def with_scopes(service: Service, player: Player, *scopes: str) -> httpx.Client:
    """Someone who speaks with another token of this player."""
    made = player.post("/v1/tokens", {"label": "a part", "scopes": [*scopes]})
    assert made.status_code == 201, made.text
    return httpx.Client(base_url=service.url, timeout=60, headers={"authorization": f"Bearer {made.json()['secret']}"})


NEEDED = {
    "GET /v1/inbox": "games:read", "POST /v1/games": "games:play",
    "POST /v1/contests/01890000-0000-7000-8000-000000000000/enter": "contests:enter",
    "POST /v1/leagues/01890000-0000-7000-8000-000000000000/join": "leagues:join",
    "POST /v1/leagues": "leagues:organise", "POST /v1/records": "records:write",
    "PATCH /v1/players/me": "account:write", "GET /v1/tokens": "tokens:write", "POST /v1/rulings": "moderate",
}  # fmt: skip


def test_a_missing_scope_is_named(service: Service, ada: Player) -> None:
    for request, scope in NEEDED.items():
        with with_scopes(service, ada, "contests:enter" if scope == "games:read" else "games:read") as part:
            answer = part.request(*request.split())
        told(answer, 403, "scope_missing")
        named = f'Bearer realm="kibitz", error="insufficient_scope", scope="{scope}"'
        assert answer.headers["www-authenticate"] == named


def test_the_scopes_of_before_hold_the_finer_ones(service: Service, ada: Player) -> None:
    with with_scopes(service, ada, "play") as part:
        assert part.post("/v1/games", json={"game_type": "golf"}).status_code == 201
        assert part.post("/v1/leagues", json={}).status_code == 400
        told(part.get("/v1/inbox"), 403, "scope_missing")
    with with_scopes(service, ada, "account") as part:
        assert part.get("/v1/tokens").status_code == 200
        assert part.post("/v1/tokens", json={"label": "less", "scopes": ["tokens:write"]}).status_code == 201
        told(part.post("/v1/tokens", json={"label": "more", "scopes": ["games:read"]}), 403, "scope_missing")


def test_a_part_does_only_its_part_and_sees_no_more(service: Service, ada: Player) -> None:
    public, private = opened(ada), opened(ada, visibility="private")
    with with_scopes(service, ada, "games:play") as part:
        game = part.post("/v1/games", json={"game_type": "klondike"}).json()
        assert part.post(of(game, "/commands"), json=DRAW).status_code == 200
        assert part.get("/v1/players/me").json()["id"] == ada.id
        for path in ("/v1/leagues", "/v1/records"):
            told(part.post(path), 403, "scope_missing")
        assert part.get(of(public)).json()["your_seats"] == []
        assert part.get("/v1/games").status_code == 200
        for path in ("", "/frames", "/record", "/events", "/replay"):
            assert part.get(of(private, path)).status_code == 404, path
        assert part.get(f"/games/{private['id']}").status_code == 404
    assert ada.get(of(private)).status_code == 200


def known(player: Player, service: Service) -> bool:
    """Whether this token is good."""
    status = service.http.get("/v1/players/me", headers={"authorization": f"Bearer {player.token}"}).status_code
    assert status in (200, 401)
    return status == 200


def by_cookie(service: Service, browser: Browser) -> httpx.Response:
    """What is told to who has only the cookie of this session."""
    return service.http.get("/v1/players/me", headers={"cookie": f"{COOKIE}={browser.secret}"})


def test_a_token_ends_no_later_than_its_parent(service: Service) -> None:
    ada = registered(service, "Ada")
    short = minted(ada, service, days=1)
    child = minted(short, service, days=366)
    grandchild = minted(child, service, days=2)
    listed = {token["id"]: token for token in ada.get("/v1/tokens").json()["tokens"]}
    assert len({listed[one.token_id]["expires_at"] for one in (short, child, grandchild)}) == 1
    made_of = [listed[one.token_id].get("made_of_token_id") for one in (ada, short, grandchild)]
    assert made_of == [None, ada.token_id, child.token_id]


def test_a_moderators_token_mints_none_that_moderates_or_lasts_longer(service: Service) -> None:
    moderator = moderating(service)
    told(moderator.post("/v1/tokens", {"label": "more", "scopes": ["play"]}), 403, "scope_missing")
    child = minted(moderator, service, scopes=["read", "account"], days=366)
    tokens = child.get("/v1/tokens").json()["tokens"]
    assert tokens[0]["expires_at"] == tokens[1]["expires_at"]
    assert tokens[1]["scopes"] == ["read", "account"]


def test_revoking_takes_the_whole_tree_and_nothing_else(service: Service, bob: Player) -> None:
    ada = registered(service, "Ada")
    child, other = minted(ada, service), minted(ada, service)
    grandchild = minted(child, service)
    great = minted(grandchild, service)
    with signed_in(service, great) as browser:
        assert browser.get("/v1/players/me").status_code == 200
        assert ada.http.delete(f"/v1/tokens/{child.token_id}").status_code == 204
        assert [known(token, service) for token in (child, grandchild, great)] == [False] * 3
        told(by_cookie(service, browser), 401, "unauthenticated")
    assert [known(token, service) for token in (ada, other)] == [True] * 2
    told(ada.http.delete(f"/v1/tokens/{great.token_id}"), 404, "no_such_thing")
    told(bob.http.delete(f"/v1/tokens/{other.token_id}"), 404, "no_such_thing")
    assert len(ada.get("/v1/tokens").json()["tokens"]) == 2


def test_one_call_ends_every_token_and_session(service: Service) -> None:
    ada, bob = registered(service, "Ada"), registered(service, "Bob")
    child = minted(ada, service)
    with signed_in(service, ada) as browser:
        told(browser.http.delete("/v1/tokens", headers={"sec-fetch-site": "same-origin"}), 403, "scope_missing")
        assert child.http.delete("/v1/tokens").status_code == 204
        told(by_cookie(service, browser), 401, "unauthenticated")
    assert [known(token, service) for token in (ada, child, bob)] == [False, False, True]
    assert truth.done(service, "SELECT FROM tokens WHERE player = %s", ada.id) == 0


def test_whoever_asks_may_keep_their_own_token(service: Service) -> None:
    ada = registered(service, "Ada")
    child, other = minted(ada, service), minted(ada, service)
    grandchild = minted(child, service)
    assert child.http.delete("/v1/tokens", params={"keep": "asking"}).status_code == 204
    assert [known(token, service) for token in (ada, child, other, grandchild)] == [True, True, False, False]
    told(child.http.delete("/v1/tokens", params={"keep": "all"}), 400, "malformed")


def test_streams_of_a_revoked_tree_end_at_once_everywhere(database: str) -> None:
    with serving(database, heartbeat=3600) as service, serving(database, heartbeat=3600) as elsewhere:
        ada = registered(service, "Ada")
        game = opened(ada, visibility="private")
        child = minted(ada, service)
        grandchild = minted(child, service)
        players = grandchild, grandchild.on(elsewhere)
        streams = [events(player, game) for player in players]
        streams += [events_at(player, "/v1/inbox/events") for player in players]
        assert [next(stream).name for stream in streams] == ["frame"] * 2 + ["snapshot"] * 2
        assert ada.http.delete(f"/v1/tokens/{child.token_id}").status_code == 204
        assert [ending(list(stream)) for stream in streams] == ["access"] * 4


def test_what_a_revoked_token_mints_meanwhile_is_gone(service: Service) -> None:
    ada = registered(service, "Ada")
    for _ in range(5):
        child = minted(ada, service)
        with ThreadPoolExecutor(4) as pool:
            minting = [pool.submit(child.post, "/v1/tokens", {"label": "late"}) for _ in range(6)]
            revoking = pool.submit(ada.http.delete, f"/v1/tokens/{child.token_id}")
            answers = [one.result() for one in minting]
            assert revoking.result().status_code == 204
        assert {answer.status_code for answer in answers} <= {201, 401}
        late = [answer.json()["secret"] for answer in answers if answer.status_code == 201]
        assert not any(known(speaking(service, ada.id, secret, ""), service) for secret in late)
    assert truth.done(service, "SELECT FROM tokens WHERE player = %s", ada.id) == 1


def test_two_hundred_tokens_are_the_most_but_one_signs_in(service: Service) -> None:
    ada = registered(service, "Ada")
    with ThreadPoolExecutor(8) as pool:
        children = list(pool.map(lambda _: minted(ada, service), range(MOST_TOKENS - 1)))
    told(ada.post("/v1/tokens", {"label": "one more"}), 409, "illegal", "too_many_tokens")
    with signed_in(service, ada) as browser:
        assert browser.get("/account").status_code == 200
    for child in children[:2]:
        assert ada.http.delete(f"/v1/tokens/{child.token_id}").status_code == 204
    assert minted(ada, service).token
    with signed_in(service, ada) as browser:
        truth.done(service, "UPDATE tokens SET minted = DEFAULT WHERE player = %s", ada.id)
        assert browser.get("/v1/players/me").status_code == 200, "as before parents were told"
