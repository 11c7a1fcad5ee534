"""A token that was made of another ends no later, may do no more, and goes with it; one call ends all of them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from service.accounts.players import MOST_TOKENS

from . import truth
from .browsing import COOKIE, signed_in
from .playing import opened
from .problems import told
from .serving import Player, Service, moderating, registered, serving, speaking
from .streaming import Told, ending, events, events_at

SLOW = {"heartbeat": 3600}
"""Nobody looks because of the time."""


def minted(player: Player, service: Service, **body: Any) -> Player:
    """The same player with a token made of theirs."""
    answer = player.post("/v1/tokens", {"label": "child", **body})
    assert answer.status_code == 201, answer.text
    return speaking(service, player.id, answer.json()["secret"], answer.json()["id"])


def known(player: Player, service: Service) -> bool:
    """Whether this token is good."""
    status = service.http.get("/v1/players/me", headers={"authorization": f"Bearer {player.token}"}).status_code
    assert status in (200, 401)
    return status == 200


def test_a_minted_token_ends_no_later_than_the_one_that_minted_it(service: Service) -> None:
    ada = registered(service, "Ada")
    short = minted(ada, service, days=1)
    child = minted(short, service, days=366)
    grandchild = minted(child, service, days=2)
    listed = {token["id"]: token for token in ada.get("/v1/tokens").json()["tokens"]}
    assert listed[child.token_id]["expires_at"] == listed[short.token_id]["expires_at"]
    assert listed[grandchild.token_id]["expires_at"] == listed[short.token_id]["expires_at"]
    assert "made_of_token_id" not in listed[ada.token_id]
    assert listed[short.token_id]["made_of_token_id"] == ada.token_id
    assert listed[grandchild.token_id]["made_of_token_id"] == child.token_id


def test_a_moderators_token_mints_none_that_moderates_or_lasts_longer(service: Service) -> None:
    moderator = moderating(service)
    told(moderator.post("/v1/tokens", {"label": "more", "scopes": ["play"]}), 403, "scope_missing")
    child = minted(moderator, service, scopes=["read", "account"], days=366)
    tokens = child.get("/v1/tokens").json()["tokens"]
    assert tokens[0]["expires_at"] == tokens[1]["expires_at"]
    assert tokens[1]["scopes"] == ["read", "account"]


def test_revoking_takes_the_whole_tree_and_nothing_else(service: Service) -> None:
    ada = registered(service, "Ada")
    child, other = minted(ada, service), minted(ada, service)
    grandchild = minted(child, service)
    great = minted(grandchild, service)
    with signed_in(service, great) as browser:
        assert browser.get("/v1/players/me").status_code == 200
        assert ada.http.delete(f"/v1/tokens/{child.token_id}").status_code == 204
        assert [known(token, service) for token in (child, grandchild, great)] == [False] * 3
        cookie = {"cookie": f"{COOKIE}={browser.secret}"}
        told(service.http.get("/v1/players/me", headers=cookie), 401, "unauthenticated")
    assert [known(token, service) for token in (ada, other)] == [True] * 2
    told(ada.http.delete(f"/v1/tokens/{great.token_id}"), 404, "no_such_thing")
    assert len(ada.get("/v1/tokens").json()["tokens"]) == 2


def test_one_call_ends_every_token_and_session(service: Service) -> None:
    ada, bob = registered(service, "Ada"), registered(service, "Bob")
    child = minted(ada, service)
    with signed_in(service, ada) as browser:
        told(browser.http.delete("/v1/tokens", headers={"sec-fetch-site": "same-origin"}), 403, "scope_missing")
        assert child.http.delete("/v1/tokens").status_code == 204
        cookie = {"cookie": f"{COOKIE}={browser.secret}"}
        told(service.http.get("/v1/players/me", headers=cookie), 401, "unauthenticated")
    assert [known(token, service) for token in (ada, child, bob)] == [False, False, True]
    assert truth.done(service, "SELECT FROM tokens WHERE player = %s", ada.id) == 0


def test_whoever_asks_may_keep_their_own_token(service: Service) -> None:
    ada = registered(service, "Ada")
    child, other = minted(ada, service), minted(ada, service)
    grandchild = minted(child, service)
    assert child.http.delete("/v1/tokens", params={"keep": "asking"}).status_code == 204
    assert [known(token, service) for token in (ada, child, other, grandchild)] == [True, True, False, False]
    told(child.http.delete("/v1/tokens", params={"keep": "all"}), 400, "malformed")


@contextmanager
def following(player: Player, game: Any) -> Iterator[tuple[Iterator[Told], Iterator[Told]]]:
    """This token's streams of the game and of the inbox, both begun."""
    streams = events(player, game), events_at(player, "/v1/inbox/events")
    assert [next(stream).name for stream in streams] == ["frame", "snapshot"]
    yield streams


def test_open_streams_of_a_revoked_tree_end_at_once_here_and_elsewhere(database: str) -> None:
    with serving(database, **SLOW) as service, serving(database, **SLOW) as elsewhere:
        ada = registered(service, "Ada")
        game = opened(ada, visibility="private")
        child = minted(ada, service)
        grandchild = minted(child, service)
        with following(grandchild, game) as here, following(grandchild.on(elsewhere), game) as there:
            assert ada.http.delete(f"/v1/tokens/{child.token_id}").status_code == 204
            assert [ending(list(stream)) for stream in (*here, *there)] == ["access"] * 4


def test_what_is_minted_while_its_parent_is_revoked_is_gone_as_well(service: Service) -> None:
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


def test_a_player_with_two_hundred_tokens_makes_no_more_but_signs_in(service: Service) -> None:
    ada = registered(service, "Ada")
    with ThreadPoolExecutor(8) as pool:
        children = list(pool.map(lambda _: minted(ada, service), range(MOST_TOKENS - 1)))
    told(ada.post("/v1/tokens", {"label": "one more"}), 409, "illegal", "too_many_tokens")
    with signed_in(service, ada) as browser:
        assert browser.get("/account").status_code == 200
    assert ada.http.delete(f"/v1/tokens/{children[0].token_id}").status_code == 204
    assert ada.http.delete(f"/v1/tokens/{children[1].token_id}").status_code == 204
    assert minted(ada, service).token


def test_tokens_minted_before_parents_were_told_stand_by_themselves(service: Service) -> None:
    ada = registered(service, "Ada")
    with signed_in(service, ada) as browser:
        truth.done(service, "UPDATE tokens SET minted = DEFAULT WHERE player = %s", ada.id)
        assert browser.get("/v1/players/me").status_code == 200
