"""The rest of what the Python client offers, against a real server: lists, refusals, streams, leagues, sign-in."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from kibitz_client import (
    Malformed,
    NotAllowed,
    NotFound,
    NotTaken,
    RateLimited,
    Retries,
    RuleRefused,
    ScopeMissing,
    StreamClosed,
    Unauthenticated,
    Unreachable,
    VersionConflict,
    sync,
    types,
)
from kibitz_client.decoding import decode
from kibitz_client.oauth import SignInFailed
from kibitz_client.operations import OPERATIONS

from service.postgres import Server
from tests.api.browsing import signed_in
from tests.api.serving import Service, database_of, serving, speaking
from tests.api.test_oauth import answered

BACK = "https://scores.example.org/back"
DRAW = types.KlondikeDraw()


@pytest.fixture
def ada(address: str) -> sync.Kibitz:
    client = sync.Kibitz(address)
    client.register("Ada")
    return client


@pytest.fixture
def bob(address: str) -> sync.Kibitz:
    client = sync.Kibitz(address)
    client.register("Bob")
    return client


def test_a_list_is_asked_for_page_by_page_as_it_is_read(ada: sync.Kibitz) -> None:
    opened = [ada.games.create("golf").id for _ in range(7)]
    me = ada.account.me().id
    asked: list[str] = []
    ada._http.event_hooks = {"request": [lambda request: asked.append(request.url.path)]}
    listing = ada.games.list(player_id=me, limit=3)
    assert next(listing).id == opened[-1]
    assert len(asked) == 1
    assert [entry.id for entry in listing] == opened[-2::-1]
    assert asked == ["/v1/games"] * 3


def test_what_one_has_just_done_is_in_the_lists(ada: sync.Kibitz) -> None:
    me = ada.account.me().id
    for _ in range(10):
        game = ada.games.create("golf")
        assert next(ada.games.list(player_id=me)).id == game.id
    assert ada.log_position > 0
    heads: list[httpx.Headers] = []
    ada._http.event_hooks = {"request": [lambda request: heads.append(request.headers)]}
    next(ada.games.list())
    ada.read_own_writes = False
    next(ada.games.list())
    assert [head.get("min-log-position") for head in heads] == [str(ada.log_position), None]


def test_what_one_asks_for_wrongly_is_refused_by_rule_version_and_place(ada: sync.Kibitz) -> None:
    game = ada.games.create("klondike")
    with pytest.raises(RuleRefused) as refused:
        game.play(types.KlondikeRecycle())
    rules = ada.request("get_game_type", into=types.GameTypeInFull, game_type="klondike").refusals
    assert refused.value.rule in rules
    assert (refused.value.status, refused.value.kind) == (409, "illegal")
    assert str(refused.value) == refused.value.detail
    game = ada.games.create("klondike")
    other = ada.games.get(game.id)
    other.play(DRAW)
    with pytest.raises(VersionConflict) as conflict:
        game.play(DRAW)
    assert conflict.value.version == other.version > game.version
    assert game.play(DRAW, version=None).version == game.version
    assert game.play(DRAW).version > conflict.value.version
    with pytest.raises(Malformed) as malformed:
        ada.request("open_game", {"game_type": "klondike", "options": {"draw": 2}, "rated": "yes"})
    assert {fault.pointer for fault in malformed.value.errors} == {"/options/draw", "/rated"}
    with pytest.raises(Malformed) as malformed:
        list(ada.pages("list_games", "games", limit=0))
    assert [fault.parameter for fault in malformed.value.errors] == ["limit"]


def test_other_refusals_have_a_type_each(address: str, ada: sync.Kibitz, bob: sync.Kibitz) -> None:
    game = ada.games.create("klondike")
    with pytest.raises(NotFound):
        bob.games.get("00000000-0000-7000-8000-000000000000")
    with pytest.raises(NotAllowed) as barred:
        bob.games.get(game.id).play(DRAW)
    assert barred.value.kind == "not_your_seat"
    with pytest.raises(Unauthenticated):
        sync.Kibitz(address, "kbz_nonsense").account.me()
    reader = sync.Kibitz(address, ada.account.mint(types.MintBody(label="reader", scopes=["games:read"])).secret)
    with pytest.raises(ScopeMissing) as missing:
        reader.games.create("klondike")
    assert missing.value.request_id
    with pytest.raises(Malformed):
        ada.records.verify(b"{}\n")
    game.resign()
    with pytest.raises(NotTaken) as unverified:
        ada.records.add(game.record().replace(b'"resigned"', b'"stuck"'))
    assert unverified.value.kind == "not_verified"
    with pytest.raises(TypeError, match="no operation"):
        ada.request("get_nothing")
    with pytest.raises(TypeError, match="colour"):
        ada.request("get_game", game_id=game.id, colour="red")


def test_who_asks_too_much_is_told_when_to_come_back(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo, rate_limit_per_minute=3) as service:
        client = sync.Kibitz(service.url, retries=Retries(patience=0))
        with pytest.raises(RateLimited) as limited:
            _ask_often(client)
        assert limited.value.retry_after is not None
        assert limited.value.retry_after >= 1


def _ask_often(client: sync.Kibitz) -> None:
    for _ in range(10):
        client.games.game_types()


def test_what_is_newer_than_the_client_has_the_same_members() -> None:
    told = b'{"id":"7","game_type":"canasta","status":"adjourned","version":3,"seats":[{"seat":0}]}'
    game = decode(told, types.Game)
    assert (game.game_type, game.status, game.seats[0].seat) == ("canasta", "adjourned", 0)
    assert not isinstance(game, types.KlondikeGame)


def test_ones_account_tells_what_happens_and_goes_on_where_one_was(ada: sync.Kibitz, bob: sync.Kibitz) -> None:
    game = ada.games.create("spite_and_malice", visibility="private", player_ids=[bob.account.me().id])
    first = next(bob.account.past_events())
    assert (first.type, first.game_id) == ("invitation", game.id)
    bob.games.join(game.id)
    game.resign()
    ada.account.rename("Ada L.")
    types_seen = [event.type for event in bob.account.events(after=first.id, max_seconds=0)]
    assert types_seen[-1] == "finished"
    assert "invitation" not in types_seen


def test_a_stream_says_when_one_may_not_look_any_more(address: str, ada: sync.Kibitz) -> None:
    spare = ada.account.mint(types.MintBody(label="spare", scopes=["games:read"]))
    game = ada.games.create("golf", visibility="private")
    following = sync.Kibitz(address, spare.secret).games.get(game.id).follow()
    assert next(following).step == 0
    ada.request("revoke_token", token_id=spare.id)
    with pytest.raises(StreamClosed) as closed:
        next(following)
    assert closed.value.reason == "access"


def test_an_address_that_is_none_is_said_to_be_so() -> None:
    with pytest.raises(Unreachable, match="localhost:8000 is no address"):
        sync.Kibitz("localhost:8000")
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9 does not answer"):
        sync.Kibitz("http://127.0.0.1:9", retries=Retries(patience=0)).account.me()


def test_inbox_and_feed_are_read_and_followed(ada: sync.Kibitz, bob: sync.Kibitz) -> None:
    game = ada.games.create("spite_and_malice")
    bob.games.join(game.id)
    game.refresh()
    turn = ada if 0 in game.view.to_act else bob
    assert [waiting.game_id for waiting in turn.inbox.list()] == [game.id]
    assert [waiting.game_id for waiting in turn.inbox.follow(max_seconds=0)] == [game.id]
    for _ in range(3):
        ada.games.create("golf").resign()
    me = ada.account.me().id
    lines = list(ada.feed(player_id=me, limit=2)) + list(ada.feed(player_id=me))[2:]
    assert [line.cursor for line in lines] == [line.cursor for line in ada.feed(player_id=me)]
    assert [line.game.id for line in ada.feed(player_id=me, cursor=lines[0].cursor)] == [
        line.game.id for line in lines[1:]
    ]


def test_a_league_is_founded_joined_and_played(ada: sync.Kibitz, bob: sync.Kibitz) -> None:
    league = ada.leagues.found("Thursdays", "spite_and_malice", "box-units-3")
    for member in (ada, bob):
        member.leagues.join(league.id)
    now = datetime.now(UTC)
    ada.leagues.open_season(league.id, now - timedelta(minutes=1), now + timedelta(weeks=4))
    fixture = ada.leagues.fixtures(league.id, 1)[0]
    game = ada.leagues.open_fixture(league.id, fixture.id)
    bob.games.join(game.id)
    game.resign()
    played = ada.leagues.fixtures(league.id, 1)[0]
    assert (played.game_id, played.state) == (game.id, "void")  # nobody had made a move
    rows = ada.leagues.tables(league.id, 1).divisions[0].rows
    assert {row.player.name for row in rows} == {"Ada", "Bob"}
    assert league.id in {entry.id for entry in ada.leagues.list(player_id=ada.account.me().id)}
    assert len(ada.leagues.get(league.id).members) == 2


def test_a_contest_of_a_league_is_entered(ada: sync.Kibitz, bob: sync.Kibitz) -> None:
    league = ada.leagues.found("Golfers", "golf", "same-deal-evening-1")
    for member in (ada, bob):
        member.leagues.join(league.id)
    now = datetime.now(UTC)
    ada.leagues.open_season(league.id, now, now + timedelta(weeks=4))
    body = {"opens": now - timedelta(minutes=1), "closes": now + timedelta(hours=1)}
    contest = ada.request("announce_league_contest", body, into=types.Contest, league_id=league.id)
    assert [found.id for found in ada.contests.list(league_id=league.id)] == [contest.id]
    game = ada.contests.enter(contest.id)
    game.resign()
    assert ada.contests.get(contest.id).id == contest.id
    assert len(list(ada.contests.results(contest.id))) == 1


def test_somebody_signs_in_to_an_app_and_its_tokens_are_renewed(
    running: Service, address: str, ada: sync.Kibitz, bob: sync.Kibitz
) -> None:
    body = {"name": "Score Club", "redirect_uris": [BACK], "confidential": False}
    app = bob.request("register_app", body, into=types.App)
    client = sync.Kibitz(address)
    begun = client.begin_sign_in(app.client_id, BACK, "games:read", "games:play")
    assert ada.token is not None
    with signed_in(running, speaking(running, ada.account.me().id, ada.token, ada.account.tokens()[0].id)) as browser:
        back = answered(browser, begun.address)
    with pytest.raises(SignInFailed, match="another sign-in"):
        client.finish_sign_in(begun, back.replace(begun.state, "another"))
    issued = client.finish_sign_in(begun, back)
    assert client.account.me() == ada.account.me()
    assert client.games.create("golf").status == "playing"
    assert client.renew_tokens(app.client_id, issued.refresh_token).access_token == client.token
    assert client.account.me() == ada.account.me()
    with pytest.raises(SignInFailed, match="access_denied"):
        client.finish_sign_in(begun, f"{BACK}?state={begun.state}&error=access_denied")


def test_every_operation_of_the_description_can_be_asked_for(address: str) -> None:
    description: Any = httpx.get(f"{address}/v1/openapi.json").json()
    told = {
        operation["operationId"]: (method.upper(), path)
        for path, item in description["paths"].items()
        for method, operation in item.items()
    }
    assert {name: (one.method, one.path) for name, one in OPERATIONS.items()} == told


def test_both_twins_are_closed_by_their_blocks(address: str) -> None:
    async def asked() -> str:
        from kibitz_client import Kibitz

        async with Kibitz(address) as client:
            alive = await client.request("get_liveness", into=types.Alive)
        assert client._http.is_closed
        return str(alive.status)

    with sync.Kibitz(address) as client:
        assert client.request("get_liveness", into=types.Alive).status == asyncio.run(asked())
    assert client._http.is_closed
    shared = httpx.Client()
    with sync.Kibitz(address, http=shared) as client:
        client.request("get_liveness")
    assert not shared.is_closed
