"""Lists are read page by page by following `Link`, as by `cursor`; nothing is missed and nothing comes twice."""

from typing import Any

import httpx
import pytest

from tests.openapi.described import DOCUMENT

from .holding import announced, entered, move, resign, settled
from .playing import opened, say
from .problems import told
from .serving import Player, Service, moderating, registered


def followed(http: httpx.Client, path: str, **query: Any) -> list[httpx.Response]:
    """The pages, each found by the `Link` of the one before."""
    pages = [http.get(path, params={**query, "limit": 2})]
    while (following := pages[-1].links.get("next")) is not None:
        pages.append(http.get(following["url"]))
    assert all(page.status_code == 200 for page in pages), pages[-1].text
    return pages


@pytest.fixture(scope="module")
def eva(service: Service) -> Player:
    """A player with five games, all of them given up, voided and known to the lists."""
    eva, mo = registered(service, "Eva"), moderating(service)
    for _ in range(5):
        game = opened(eva)
        say(eva, game, {"type": "game/resign"})
        ruling = {"type": "void_games", "game_ids": [game["id"]], "reason": "A & B = one person?"}
        assert mo.post("/v1/rulings", ruling).status_code == 201
    settled(service)
    return eva


def test_a_list_is_read_whole_and_keeps_what_else_was_asked(service: Service, eva: Player) -> None:
    query = {"player_id": eva.id, "status": "voided"}
    whole = eva.get("/v1/games", params=query).json()["games"]
    pages = followed(eva.http, "/v1/games", **query)
    assert [len(page.json()["games"]) for page in pages] == [2, 2, 1]
    assert [game for page in pages for game in page.json()["games"]] == whole
    assert all(page.json()["next"] in page.headers["link"] for page in pages[:-1])
    assert "link" not in pages[-1].headers


def test_rulings_are_paged_as_every_list(service: Service, eva: Player) -> None:
    whole = service.http.get("/v1/rulings", params={"limit": 200}).json()["rulings"]
    paged = [ruling for page in followed(service.http, "/v1/rulings") for ruling in page.json()["rulings"]]
    assert paged == whole
    assert len(whole) >= 5
    told(service.http.get("/v1/rulings", params={"cursor": "AAAw"}), 400, "malformed")
    told(service.http.get("/v1/rulings", params={"cursor": "!"}), 400, "malformed")
    told(service.http.get("/v1/rulings", params={"after": 1}), 400, "malformed")


def test_pages_of_commands_say_where_the_next_begins(eva: Player) -> None:
    game = opened(eva, "freecell")
    path = f"/v1/games/{game['id']}/legal-commands"
    whole = eva.get(path).json()["commands"]
    assert [one for page in followed(eva.http, path) for one in page.json()["commands"]] == whole


def test_frames_are_paged_as_every_list_as_json_and_as_lines(eva: Player) -> None:
    game = opened(eva)
    for _ in range(4):
        say(eva, game, {"type": "klondike/draw"})
    path = f"/v1/games/{game['id']}/frames"
    whole = eva.get(path).json()["frames"]
    pages = followed(eva.http, path, last=3)
    assert [frame for page in pages for frame in page.json()["frames"]] == whole[:4]
    lines = eva.get(path, params={"limit": 2}, headers={"accept": "application/x-ndjson"})
    assert lines.links["next"]["url"] == followed(eva.http, path)[0].links["next"]["url"]
    told(eva.get(path, params={"cursor": "!"}), 400, "malformed")
    told(eva.get(f"/v1/games/{game['id']}/legal-commands", params={"first": 1}), 400, "malformed")


def test_tables_say_it_in_every_format(service: Service) -> None:
    contest = announced(service.conninfo, "golf")
    players = [registered(service, name) for name in ("Ada", "Bob", "Cyd")]
    for player in players:
        game = entered(player, contest)
        move(player, game)
        resign(player, game)
    settled(service)
    path = f"/v1/contests/{contest}/results"
    links = {
        players[0].get(path, params={"limit": 2}, headers={"accept": media_type}).headers["link"]
        for media_type in ("application/json", "text/csv", "text/plain")
    }
    assert len(links) == 1
    assert [len(page.json()["results"]) for page in followed(players[0].http, path)] == [2, 1]


def test_games_are_listed_from_one_moment_until_another(eva: Player) -> None:
    query = {"player_id": eva.id, "status": "voided"}
    whole = eva.get("/v1/games", params=query).json()["games"]
    for first, end in ((0, 5), (1, 4), (2, 2), (3, 1)):
        moments = {"until": whole[first - 1]["opened_at"]} if first else {}
        moments |= {"since": whole[end - 1]["opened_at"]}
        pages = followed(eva.http, "/v1/games", **query, **moments)
        assert [game for page in pages for game in page.json()["games"]] == whole[first:end]
    told(eva.get("/v1/games", params={"since": "2026-11-28T12:00:00"}), 400, "malformed")


def test_every_list_has_pages_or_says_that_it_is_whole() -> None:
    for path, item in DOCUMENT["paths"].items():
        answers = item.get("get", {"responses": {}})["responses"].get("200", {}).get("content", {})
        schema = answers.get("application/json", {}).get("schema", {})
        if not item.get("get", {}).get("operationId", "").startswith("list_") or "$ref" not in schema:
            continue
        parameters = {one.get("name") for one in item["get"]["parameters"]}
        listed = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        pages = {"cursor", "limit"} <= parameters
        assert pages != ("no pages" in listed["description"]), path
