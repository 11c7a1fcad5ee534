"""Players: registered, renamed, with tokens that are shown once, scoped and revoked; erased, their games stay."""

import json
from typing import Any

import pytest

from . import truth
from .playing import Game, look, of, opened, say, seated
from .problems import told
from .serving import Player, Service, registered, speaking
from .streaming import events, frames

DRAW = {"type": "klondike/draw"}


def minted(player: Player, service: Service, **body: Any) -> Player:
    """The same player with another token."""
    answer = player.post("/v1/tokens", {"label": "another", **body})
    assert answer.status_code == 201, answer.text
    token = answer.json()
    return speaking(service, player.id, token["secret"], token["id"])


def test_a_registered_player_has_a_token_that_may_do_everything(service: Service) -> None:
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


def test_a_new_name_is_the_name_everywhere(service: Service) -> None:
    player = registered(service, "Old")
    assert player.http.patch("/v1/players/me", json={"name": "New"}).json()["name"] == "New"
    assert service.http.get(f"/v1/players/{player.id}").json()["name"] == "New"


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "Zoe\u0308",
        "Nguyễn",
        "李　小龍",
        "שָׁלוֹם",
        "मीरा",
        "สมชาย",
        "محمد",
        "O'Neill (2)",
        "♠ Ace 🂡",
        "김철수",
        "Đạo",
    ],
)
def test_names_of_all_the_world_can_be_had(name: str, service: Service) -> None:
    assert service.http.post("/v1/players", json={"name": name}).json()["player"]["name"] == name


def test_the_list_of_tokens_shows_no_secret(service: Service) -> None:
    player = registered(service, "Tess")
    other = minted(player, service, scopes=["read", "play", "read"], days=3)
    listed = player.get("/v1/tokens")
    tokens = listed.json()["tokens"]
    assert [token["id"] for token in tokens] == [player.token_id, other.token_id]
    assert all("secret" not in token for token in tokens)
    assert player.token not in listed.text
    assert other.token not in listed.text
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


def test_a_token_gives_no_scope_away_that_it_does_not_carry(service: Service, ada: Player) -> None:
    keeper = minted(ada, service, scopes=["account"])
    told(keeper.post("/v1/tokens", {"label": "more", "scopes": ["account", "play"]}), 403, "scope_missing")
    told(keeper.get("/v1/inbox"), 403, "scope_missing")
    assert keeper.post("/v1/tokens", {"label": "as much", "scopes": ["account"]}).status_code == 201


def test_a_revoked_token_is_good_for_nothing(service: Service, ada: Player) -> None:
    other = minted(ada, service)
    assert other.get("/v1/players/me").status_code == 200
    assert ada.http.delete(f"/v1/tokens/{other.token_id}").status_code == 204
    told(other.get("/v1/players/me"), 401, "unauthenticated")
    told(ada.http.delete(f"/v1/tokens/{other.token_id}"), 404, "no_such_thing")


def test_nobody_revokes_another_ones_token(service: Service, ada: Player, bob: Player) -> None:
    told(bob.http.delete(f"/v1/tokens/{ada.token_id}"), 404, "no_such_thing")
    assert ada.get("/v1/players/me").status_code == 200


def test_an_expired_token_is_good_for_nothing(service: Service, ada: Player) -> None:
    other = minted(ada, service, days=1)
    assert truth.done(service, "UPDATE tokens SET expires_at = created_at WHERE token = %s", other.token_id) == 1
    told(other.get("/v1/players/me"), 401, "unauthenticated")
    told(other.get("/v1/games"), 401, "unauthenticated")


@pytest.mark.parametrize(
    "more",
    [{"days": 0}, {"days": 367}, {"days": 1e9}, {"scopes": []}, {"scopes": ["admin"]}, {"scopes": "read"}, {"x": 1}],
)
def test_a_token_that_cannot_be_is_not_minted(more: dict[str, Any], ada: Player) -> None:
    told(ada.post("/v1/tokens", {"label": "odd", **more}), 400, "malformed")


def played_by(player: Player, other: Player) -> list[Game]:
    """A finished solo game and a finished table."""
    solo, table = opened(player), seated(opened(player, "spite_and_malice"), other)
    say(player, solo, [DRAW, DRAW, {"type": "game/resign"}])
    say(player, table, {"type": "game/resign"})
    return [solo, table]


def test_an_erased_player_is_gone_by_name_and_token_and_the_games_stay(service: Service, bob: Player) -> None:
    gone = registered(service, "Rosalind Unforgotten")
    other, games = minted(gone, service), played_by(gone, bob)
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


def test_the_text_of_a_token_is_nowhere_in_the_database_nor_in_the_log(service: Service) -> None:
    player = registered(service, "Sekret")
    other = minted(player, service)
    for token in (player, other):
        opened(token)
        told(say(token, {"id": "00000000-0000-7000-8000-000000000000"}, DRAW), 404, "no_such_thing")
    for secret in (player.token, other.token):
        bare = secret.removeprefix("kbz_").encode()
        assert all(bare not in value for _, value in truth.everything(service))
        assert bare.decode() not in service.log()
