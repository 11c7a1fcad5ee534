"""So many requests in a while for each player by good tokens, and for each address without one; of some kinds fewer."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from .browsing import signed_in
from .playing import of, opened, say
from .problems import told
from .serving import JSON, Service, registered, serving, speaking
from .sockets import connected, everything

DRAW = {"type": "klondike/draw"}
Limited = Callable[..., Service]


@pytest.fixture
def limited(database: str) -> Iterator[Limited]:
    """Makes a server with these limits."""
    with ExitStack() as stack:
        yield lambda **limits: stack.enter_context(serving(database, run_worker=False, **limits))


def refused(answer: httpx.Response, policy: str, seconds: int = 60) -> None:
    """The last of the policies is the one that is used up."""
    told(answer, 429, "too_many_requests")
    assert 0 < int(answer.headers["retry-after"]) <= seconds
    name = policy.partition(";")[0]
    assert answer.headers["ratelimit"].split(", ")[-1].startswith(f"{name};r=0;t=")
    assert answer.headers["ratelimit-policy"].split(", ")[-1] == policy


def test_beyond_the_limit_others_and_the_operator_are_served(limited: Limited) -> None:
    service = limited(rate_limit_per_minute=20, registrations_per_hour=9)
    ada, bob = registered(service, "Ada"), registered(service, "Bob")
    assert [player.get("/v1/players/me").status_code for player in (ada, bob)] == [200, 200]
    answers = [ada.get("/v1/players/me") for _ in range(20)]
    assert all(answer.status_code == 200 for answer in answers)
    refused(ada.get("/v1/players/me"), '"requests";q=20;w=60')
    assert bob.get("/v1/players/me").status_code == 200
    for number in range(17):
        made_up = service.http.get("/v1/game-types", headers={"authorization": f"Bearer kbz_{number}"})
    refused(made_up, '"requests";q=20;w=60')
    eve = service.http.post("/v1/players", json={"name": "Eve"}, headers={"authorization": "Bearer kbz_x"})
    refused(eve, '"requests";q=20;w=60')
    for probe in ("/livez", "/readyz"):
        answer = service.http.get(probe)
        assert (answer.status_code, "ratelimit" in answer.headers) == (200, False)


def test_whatever_is_asked_for_counts(limited: Limited) -> None:
    asked = [
        ("GET", "/nowhere", 404), ("GET", "/v1/nowhere", 404), ("PUT", "/v1/games", 405), ("GET", "/static/0/x", 404),
        ("OPTIONS", "/v1/games", 204), ("HEAD", "/v1/game-types", 200), ("GET", "/v1/games?limit=x", 400),
        ("POST", "/v1/games", 401), ("GET", "/sign-in", 200), ("DELETE", "/livez/", 405),
    ]  # fmt: skip
    service = limited(rate_limit_per_minute=len(asked), heavy_per_minute=99)
    for left, (method, path, status) in enumerate(asked):
        answer = service.http.request(method, path)
        assert answer.status_code == status, path
        assert answer.headers["ratelimit"].startswith(f'"requests";r={len(asked) - left - 1};t='), path
    for method, path, _ in asked:
        assert service.http.request(method, path).status_code == 429, path
    elsewhere = {"x-forwarded-for": "203.0.113.7"}
    long = service.http.post("/v1/players", content=b" " * 100_000 + b"[]", headers=JSON | elsewhere)
    told(long, 400, "malformed")
    rest = service.http.get("/v1/game-types", headers=elsewhere).headers["ratelimit"]
    assert rest.startswith('"requests";r=2;t='), "a long body counts as several requests"


def test_all_tokens_and_sessions_of_a_player_share_a_quota(limited: Limited) -> None:
    service = limited(rate_limit_per_minute=20, openings_per_minute=20)
    ada = registered(service, "Ada")
    minted = [ada.post("/v1/tokens", {"label": "more", "scopes": ["read"]}).json() for _ in range(3)]
    others: list[Any] = [speaking(service, ada.id, token["secret"], token["id"]) for token in minted]
    with signed_in(service, ada) as browser:
        for client in (*others, browser):  # from now on they are known
            assert client.get("/v1/players/me").status_code == 200
        assert {client.get("/v1/players/me").status_code for client in [*others, browser] * 5} == {200, 429}
        for client in (*others, browser, ada):
            refused(client.get("/v1/players/me"), '"requests";q=20;w=60')
    assert service.http.get("/v1/game-types").status_code == 200


def test_all_players_of_an_address_share_a_larger_quota(limited: Limited) -> None:
    service = limited(rate_limit_per_minute=20, players_per_address=2)
    there = {"headers": {"x-forwarded-for": "203.0.113.7"}}
    players = [registered(service, name) for name in ("Ada", "Bob", "Cid")]
    for player in players:
        assert player.get("/v1/players/me").status_code == 200  # from now on they are known
    for player in players[:2]:
        assert {player.get("/v1/players/me").status_code for _ in range(20)} == {200}
    refused(players[2].get("/v1/players/me"), '"requests";q=20;w=60')
    assert players[2].get("/v1/players/me", **there).status_code == 200


def test_an_address_registers_few_players_with_whatever_tokens(limited: Limited) -> None:
    service = limited(registrations_per_hour=3)
    ada = registered(service, "Ada")
    assert ada.get("/v1/players/me").status_code == 200  # from now on she is known by her token
    policy = '"registrations";q=3;w=3600'

    def registering(address: str, **headers: str) -> httpx.Response:
        headers["x-forwarded-for"] = address
        return service.http.post("/v1/players", json={"name": "Bob"}, headers=headers)

    for household in ("2001:db8::", "203.0.113.7"):
        addresses = [household + (str(number) if ":" in household else "") for number in range(4)]
        answers = [registering(address) for address in addresses]
        assert [answer.status_code for answer in answers] == [201] * 3 + [429]
        assert answers[0].headers["ratelimit-policy"] == f'"requests";q=1000000;w=60, {policy}'
        refused(answers[-1], policy, 3600)
        refused(registering(addresses[0], authorization=f"Bearer {ada.token}"), policy, 3600)
        page = {"x-forwarded-for": addresses[0], "sec-fetch-site": "same-origin", "accept": "text/html"}
        shown = service.http.post("/register", data={"name": "Eve"}, headers=page)
        assert (shown.status_code, shown.headers["content-type"]) == (429, "text/html; charset=utf-8")
        assert int(shown.headers["retry-after"]) <= 3600
    assert registering("2001:db8:0:1::1").status_code == 201


def test_a_token_plays_so_many_commands_alone_or_in_lists(limited: Limited) -> None:
    policy = '"commands";q=10;w=60'
    service = limited(commands_per_minute=10)
    ada, bob = registered(service, "Ada"), registered(service, "Bob")
    game, other = opened(ada), opened(bob)
    assert left(say(ada, game, DRAW)) == 9
    assert left(say(ada, game, {"type": "klondike/move", "source": "waste", "target": "stock"})) == 8
    assert left(say(ada, game, [DRAW] * 8)) == 0
    refused(say(ada, game, DRAW), policy)
    assert ada.get(of(game)).status_code == 200
    assert left(say(bob, other, [DRAW] * 12)) == 0
    refused(say(bob, other, DRAW), policy)


def left(answer: httpx.Response) -> int:
    """What is left of the operation's own quota."""
    return int(answer.headers["ratelimit"].split(", ")[1].split(";")[1].removeprefix("r="))


def test_openings_and_what_is_costly_have_quotas_of_their_own(limited: Limited) -> None:
    service = limited(openings_per_minute=2, heavy_per_minute=3)
    ada = registered(service, "Ada")
    assert ada.get("/v1/players/me").status_code == 200  # from now on she is known by her token
    games = [opened(ada) for _ in range(2)]
    refused(ada.post("/v1/games", {"game_type": "klondike"}), '"openings";q=2;w=60')
    refused(ada.post("/v1/tokens", {"label": "more", "scopes": ["read"]}), '"openings";q=2;w=60')
    for path in ("/frames", "/verification", "/replay"):
        assert ada.get(of(games[0], path)).status_code in (200, 409)
    refused(ada.get(of(games[0], "/record")), '"heavy";q=3;w=60')
    assert ada.get(of(games[0], "/frames/0")).status_code == 200
    assert say(ada, games[1], DRAW).status_code == 200


def test_bytes_that_are_no_request_count_for_their_own_address(limited: Limited) -> None:
    service = limited(environment={"FORWARDED_ALLOW_IPS": "127.0.0.2"}, rate_limit_per_minute=5)
    for number in range(2):  # who only claims to be a proxy is itself
        headers = {"x-forwarded-for": f"203.0.113.{number}"}
        assert service.http.get("/v1/game-types", headers=headers).status_code == 200
    heard = []
    for _ in range(5):
        with connected(service) as (one,):
            one.sendall(b"hello\r\n\r\n")
            heard.append(everything(one))
    assert [bool(answer) for answer in heard] == [True] * 3 + [False] * 2
    assert service.http.get("/v1/game-types", headers={"x-forwarded-for": "203.0.113.9"}).status_code == 429
    assert "hello" not in service.log()
    assert not [line for line in service.log().splitlines() if '"warning"' in line]


def test_a_proxy_cannot_be_made_to_hide_the_last_hop(limited: Limited) -> None:
    """What the client itself wrote into X-Forwarded-For stands before what the proxy has added."""
    service = limited(rate_limit_per_minute=2)
    hops = [f"198.51.100.{number}, 203.0.113.7" for number in range(3)]
    answers = [service.http.get("/v1/game-types", headers={"x-forwarded-for": hop}) for hop in hops]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
