"""An erased player is in no answer, no page, no row and no log line; what others have stays as it was."""

import json
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from service import web
from service.accounts.names import NAMES, names_of
from tests.openapi.described import DOCUMENT
from tests.service.sealing.dumps import dump

from . import boxes, holding, truth
from .playing import look, of, opened, play_on, seated
from .problems import told
from .recording import given_up
from .serving import Player, Service, done, registered, serving
from .streaming import ending, events
from .watching import until

NAME = "Zebulon Quagmire"
LABEL = "Zebulon's lantern"
RENAMED = "Zebulon the Second"
"""Long enough that no sealed bytes spell it by chance."""


def furnished(service: Service, gone: Player, bob: Player) -> dict[str, list[str]]:
    """Games alone and together, finished and not, a league, a contest, tokens, an import: the ids of all of it."""
    rng = Random(4)
    solo, table, live = opened(gone), seated(opened(bob, "spite_and_malice"), gone), opened(bob, "megiddo")
    list(play_on([bob, gone], seated(live, gone), rng, 8))
    for game, players in ((solo, [gone]), (table, [bob, gone])):
        list(play_on(players, game, rng, 8))
        given_up(players, game)
    rubber, own = opened(gone, "bridge_solitaire"), opened(bob)
    given_up([gone], rubber)
    league = boxes.running(bob, bob, gone)
    fixture = boxes.won(service, league, gone, bob)
    contest = holding.announced(service.conninfo, "klondike")
    attempt = holding.entered(gone, contest)
    holding.resign(gone, attempt)
    done(gone.post("/v1/tokens", {"label": LABEL}), 201)
    games = [solo, table, live, rubber, own, fixture]
    return {
        "game_id": [game["id"] for game in games], "player_id": [gone.id, bob.id], "league_id": [league["id"]],
        "contest_id": [contest], "season": ["1"], "step": ["0", "2"], "kind": ["csv", "text"],
        "key": ["klondike", "spite_and_malice", "bridge_solitaire", league["game_type"]],
        "fixture_id": [boxes.fixtures(bob, league)[0]["id"]] if boxes.fixtures(bob, league) else [],
    }  # fmt: skip


_ENDLESS = ("/events", "/v1/inbox/events", "/v1/docs", "/v1/openapi.json", "/static/")
_PASSING = ("log_position", "read_position", "position", "as_of", "request_id")


def answers_to(http: httpx.Client, ids: dict[str, list[str]]) -> dict[str, httpx.Response]:
    """By path the answer to every GET of the description and to every page, with all these ids by their names."""
    templates = [path for path, operations in DOCUMENT["paths"].items() if "get" in operations]
    templates += [path for handler in web.find_handlers() for path in handler.paths if "GET" in handler.http_methods]
    ending = [template for template in templates if not any(part in template for part in _ENDLESS)]
    return {path: http.get(path) for path in sorted({path for template in ending for path in filled(template, ids)})}


def filled(template: str, ids: dict[str, list[str]]) -> Iterator[str]:
    """The paths of this template: `{name}` or `{name:type}` stands for one of the ids."""
    choices = [
        ids.get(part.strip("{}").partition(":")[0], []) if "{" in part else [part] for part in template.split("/")
    ]
    return map("/".join, product(*choices))


def without(value: Any, name: str) -> Any:
    """A JSON value without this name and what passes: positions of the log."""
    if isinstance(value, dict):
        return {key: without(member, name) for key, member in value.items() if key not in (*_PASSING, "erased")}
    if isinstance(value, list):
        return [without(entry, name) for entry in value]
    return None if value == name else value


def content_without(answer: httpx.Response, name: str) -> Any:
    """The content of an answer without the name: JSON as its value, one by line, and other texts as they are."""
    if "json" not in answer.headers.get("content-type", ""):
        return answer.content
    return [without(json.loads(line), name) for line in answer.text.splitlines() if line]


@pytest.fixture
def service(database: str) -> Any:
    with serving(database, run_worker=True) as running:
        yield running


def test_nobody_is_told_of_an_erased_player_and_games_stay(service: Service) -> None:
    gone, bob = registered(service, "Zebulon Before"), registered(service, "Bob")
    assert gone.http.patch("/v1/players/me", json={"name": NAME}).status_code == 200
    ids = furnished(service, gone, bob)
    holding.settled(service)
    before = answers_to(bob.http, ids)
    named = {path for path, answer in before.items() if NAME in answer.text}
    assert len(named) > 20  # the search would find it
    assert len({answer.status_code for answer in before.values()} & {200}) == 1
    stream = events(gone, {"id": ids["game_id"][2]})
    assert next(stream).name == "frame"
    assert gone.http.delete("/v1/players/me").status_code == 204
    assert ending(list(stream)) == "access"
    holding.settled(service)
    after = answers_to(bob.http, ids)
    assert [path for path, answer in after.items() if "Zebulon" in answer.text] == []
    assert [path for path in before if not _same(path, before[path], after[path])] == []
    assert b"Zebulon" not in dump(service.conninfo)
    assert "Zebulon" not in service.log()
    told(gone.get("/v1/players/me"), 401, "unauthenticated")
    for game in ids["game_id"]:
        assert after[f"/v1/games/{game}/verification"].content == before[f"/v1/games/{game}/verification"].content
    table = {"id": ids["game_id"][1]}
    assert bob.get(of(table, "/verification")).json()["consistent"] is True
    assert look(bob, table)["seats"][1]["player"] == {"id": gone.id, "name": None}


def _same(path: str, before: Any, after: Any) -> bool:
    """Games are the same bytes; lists and tables the same but for the name; pages are there, and are searched."""
    if before.status_code != after.status_code:
        return False
    if path == "/v1/feed":
        return _without_names(before.text) == _without_names(after.text)
    if path.startswith("/v1/games/") and NAME not in before.text:
        return bool(before.content == after.content)
    if not path.startswith("/v1/"):
        return True
    if before.headers["content-type"].startswith("text/"):
        lines = zip(before.text.splitlines(), after.text.splitlines(), strict=True)
        return all(one == other or NAME in one for one, other in lines)
    return bool(content_without(before, NAME) == content_without(after, NAME))


def _without_names(feed: str) -> list[Any]:
    """The lines of the feed without names and sentences; its last line says how far it was read."""
    games = [json.loads(line)["game"] | {"summary": None} for line in feed.splitlines()[:-1]]
    return [game | {"seats": [one["player"] and one["player"]["id"] for one in game["seats"]]} for game in games]


def test_names_are_nowhere_in_the_clear_and_backups_have_none(service: Service) -> None:
    gone = registered(service, NAME)
    done(gone.post("/v1/tokens", {"label": LABEL}), 201)
    assert gone.get("/v1/players/me").json()["name"] == NAME
    assert LABEL in [token["label"] for token in gone.get("/v1/tokens").json()["tokens"]]
    assert b"Zebulon" not in dump(service.conninfo)
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        (row,) = truth.rows(service, "SELECT player, name, sealed_name FROM persons WHERE player = %s", gone.id)
        assert names_of(connection.execute(NAMES.encode(), [[gone.id]]).fetchall())
        assert gone.http.delete("/v1/players/me").status_code == 204
        connection.execute("INSERT INTO persons (player, name, sealed_name) VALUES (%s, %s, %s)", row)
        assert names_of(connection.execute(NAMES.encode(), [[gone.id]]).fetchall()) == {}
    assert service.http.get(f"/v1/players/{gone.id}").json()["name"] is None
    one, other = registered(service, NAME), registered(service, "Bob")
    change = "UPDATE persons SET sealed_name = (SELECT sealed_name FROM persons WHERE player = %s) WHERE player = %s"
    assert truth.done(service, change, one.id, other.id) == 1
    assert service.http.get(f"/v1/players/{other.id}").json()["name"] is None


def of_before(service: Service, *players: Player) -> None:
    """These players as a program of before has left them."""
    for player in players:
        name = service.http.get(f"/v1/players/{player.id}").json()["name"]
        truth.done(service, "UPDATE persons SET name = %s, sealed_name = NULL WHERE player = %s", name, player.id)
        truth.done(service, "UPDATE tokens SET label = %s, sealed_label = NULL WHERE player = %s", LABEL, player.id)
        truth.done(service, "DELETE FROM player_keys WHERE player = %s", player.id)


def test_names_in_the_clear_are_sealed_at_the_next_start(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        # A key of nobody is what the next server forgets last of all.
        connection.execute("INSERT INTO player_keys (player, key) VALUES (%s, %s)", [uuid4(), b"key"])
    with serving(database) as service:
        until(lambda: truth.done(service, "SELECT FROM player_keys") == 0)
        ada, bob = registered(service, NAME), registered(service, "Zebulon's cousin")
        of_before(service, ada, bob)
        assert ada.get("/v1/players/me").json()["name"] == NAME
        assert ada.get("/v1/tokens").json()["tokens"][0]["label"] == LABEL
        assert bob.http.patch("/v1/players/me", json={"name": "Bob"}).status_code == 200
        assert bob.get("/v1/players/me").json()["name"] == "Bob"
    assert b"Zebulon" in dump(database)
    with serving(database) as service:
        while b"Zebulon" in dump(database):
            assert service.process.poll() is None
        assert ada.on(service).get("/v1/players/me").json()["name"] == NAME
        assert ada.on(service).get("/v1/tokens").json()["tokens"][0]["label"] == LABEL
        assert ada.on(service).http.delete("/v1/players/me").status_code == 204


def test_programs_of_before_read_and_write_names_meanwhile(database: str) -> None:
    """Also of tokens: what cannot be sealed, no key keeps."""
    with psycopg.connect(database) as connection:  # it was made long before it learned to seal names, a moment ago
        connection.execute("UPDATE schema_migrations SET applied_at = applied_at - interval '30 days' WHERE number = 1")
    with serving(database, rollout_seconds=3600) as service:
        ada = registered(service, NAME)
        minted = [ada.post("/v1/tokens", {"label": "other"}, headers={"idempotency-key": "k"}) for _ in range(2)]
        assert minted[0].status_code == 201
        told(minted[1], 409, "key_in_use")
        assert len(ada.get("/v1/tokens").json()["tokens"]) == 2
        read = "SELECT FROM persons WHERE player = %s AND name = %s"
        assert truth.done(service, read, ada.id, NAME) == 1
        truth.done(service, "UPDATE persons SET name = %s WHERE player = %s", RENAMED, ada.id)
        assert ada.get("/v1/players/me").json()["name"] == RENAMED
        assert RENAMED.encode() in dump(database)
    with serving(database, rollout_seconds=0) as service:
        while RENAMED.encode() in dump(database):
            assert service.process.poll() is None
        assert ada.on(service).get("/v1/players/me").json()["name"] == RENAMED
