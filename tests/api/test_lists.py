"""Lists: read page by page, by every filter that is described, by partial commands; nothing is missed or doubled."""

import json
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import httpx
import pytest

from tests.openapi.described import DOCUMENT

from .boxes import League, at, done, running
from .furnished import WHEN
from .holding import announced, entered, move, resign, settled
from .playing import moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, moderating, registered, serving
from .test_feed import ended


def followed(http: httpx.Client, path: str, **query: Any) -> list[httpx.Response]:
    """The pages, each found by the `Link` of the one before."""
    pages = [http.get(path, params={"limit": 2, **query})]
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


def test_games_are_read_whole_by_pages_and_between_two_moments(service: Service, eva: Player) -> None:
    query = {"player_id": eva.id, "status": "voided"}
    whole = eva.get("/v1/games", params=query).json()["games"]
    pages = followed(eva.http, "/v1/games", **query)
    assert [len(page.json()["games"]) for page in pages] == [2, 2, 1]
    assert all(page.json()["next"] in page.headers["link"] for page in pages[:-1])
    assert "link" not in pages[-1].headers
    for first, end in ((0, 5), (1, 4), (2, 2), (3, 1)):
        moments = {"until": whole[first - 1]["opened_at"]} if first else {}
        moments |= {"since": whole[end - 1]["opened_at"]}
        pages = followed(eva.http, "/v1/games", **query, **moments)
        assert [game for page in pages for game in page.json()["games"]] == whole[first:end]
    told(eva.get("/v1/games", params={"since": "2026-11-28T12:00:00"}), 400, "malformed")


def test_rulings_are_paged_as_every_list(service: Service, eva: Player) -> None:
    whole = service.http.get("/v1/rulings", params={"limit": 200}).json()["rulings"]
    paged = [ruling for page in followed(service.http, "/v1/rulings") for ruling in page.json()["rulings"]]
    assert paged == whole
    assert len(whole) >= 5
    for wrong in ({"cursor": "AAAw"}, {"cursor": "!"}, {"after": "1"}):
        told(service.http.get("/v1/rulings", params=wrong), 400, "malformed")


def test_frames_are_paged_as_json_and_as_lines(eva: Player) -> None:
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


Row = dict[str, Any]
Filters = dict[str, Callable[[Row], set[Any]]]
NO_FILTERS = {
    "cursor", "limit", "first", "last", "after", "max_frames", "max_seconds", "wait", "include", "seat", "spectator",
    "known", "revision", "only", "annotated", "notation", "url", "format", "maxwidth", "maxheight", "month",
    "since", "until",
}  # fmt: skip
"""Parameters that say which page, month or time (tried above), seen by whom, or in which form."""
TESTED_ALONE = {"get_next_puzzle", "list_legal_commands", "get_feed", "list_players"}
"""One puzzle is chosen, commands are matched by their members, the feed is lines, a list gives names alone: they have
tests of their own."""
NOTHING = "01890000-0000-7000-8000-000000000000"
ABSENT = {"status": "voided", "day": "2020-02-29", "game_type": "freecell"}
"""A value of a filter that no row has; of an id one of nothing. There is no division without rows."""


class Furnished:
    """Games, contests and leagues that differ in every filter, seen by whoever is not signed in."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.ada, self.bob = registered(service, "Ada"), registered(service, "Bob")
        for player, game_type in product((self.ada, self.bob), ("golf", "klondike")):
            opened(player, game_type)
            ended(player, game_type)
        opened(self.ada, "spite_and_malice")
        seated(opened(self.ada, "spite_and_malice"), self.bob)
        for day, game_type in product((None, "2020-01-31"), ("golf", "klondike", "pyramid")):
            announced(service.conninfo, game_type, day=day)
        self.clubs = {self._club(self.ada, "golf")["id"], self._club(self.bob, "klondike")["id"]}
        self.box = running(self.ada, self.ada, self.bob, *(registered(service, name) for name in ("Cyd", "Dot")),
                           division_size=2)  # fmt: skip
        settled(service)

    def _club(self, organiser: Player, game_type: str) -> League:
        guest = registered(self.service, "Guest")
        club = running(organiser, organiser, guest, name=f"{game_type} club", game_type=game_type, rules="same-deal-1")
        done(organiser.post(at(club, "/contests"), WHEN), 201)
        return club

    def rows(self, path: str, **query: Any) -> list[Row]:
        """All rows of a list, whichever member has them, read by pages of two where it has pages."""
        read, cursor = list[Row](), None
        while True:
            page = {"limit": 2} if path in PAGED else {}
            answer = self.service.http.get(path, params=query | page | ({"cursor": cursor} if cursor else {}))
            assert answer.status_code == 200, answer.text
            body = answer.json()
            read += next(rows for rows in body.values() if isinstance(rows, list))
            if (cursor := body.get("next")) is None:
                return read


PAGED = {"/v1/games", "/v1/contests", "/v1/leagues"}


@pytest.fixture(scope="module")
def furnished(conninfo: str) -> Iterator[Furnished]:
    with serving(conninfo) as service:
        yield Furnished(service)


def lists(furnished: Furnished) -> dict[str, tuple[str, Filters]]:
    """Every list with filters, by its operation: its path, and the values of a filter that a row fits."""
    ada, bob, box = furnished.ada, furnished.bob, furnished.box
    members = {box["id"]: {ada.id, bob.id}}
    return {
        "list_games": ("/v1/games", {
            "game_type": lambda row: {row["game_type"]}, "status": lambda row: {row["status"]}, 
            "player_id": lambda row: {seat["player"]["id"] for seat in row["seats"] if seat["player"] is not None},
        }),
        "list_contests": ("/v1/contests", {
            "day": lambda row: {row["day"]}, "game_type": lambda row: {row["game_type"]},
            "league_id": lambda row: {row["league_id"]},
        }),
        "list_leagues": ("/v1/leagues", {
            "player_id": lambda row: members.get(row["id"], {ada.id if "golf" in row["name"] else bob.id}),
        }),
        "list_fixtures": (at(box, "/seasons/1/fixtures"), {"division": lambda row: {row["division"]}}),
        "get_tables": (at(box, "/seasons/1/tables"), {"division": lambda row: {row["division"]}}),
    }  # fmt: skip


def test_no_filter_is_described_that_is_not_tested(furnished: Furnished) -> None:
    described = {
        operation["operationId"]: {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
        for operation in (path["get"] for path in DOCUMENT["paths"].values() if "get" in path)
        if operation["operationId"] not in TESTED_ALONE
    }
    filters = {name: rest for name, names in described.items() if (rest := names - NO_FILTERS)}
    assert filters == {name: set(fits) for name, (_, fits) in lists(furnished).items()}


@pytest.mark.parametrize("name", ["list_games", "list_contests", "list_leagues", "list_fixtures", "get_tables"])
def test_a_list_has_the_rows_that_fit_every_filter(furnished: Furnished, name: str) -> None:
    path, fits = lists(furnished)[name]
    values: dict[str, set[Any]] = {each: set() for each in fits}
    values |= {"league_id": furnished.clubs} if "league_id" in fits else {}
    unnamed = {"league_id": None} if "league_id" in fits else {}  # without a league the public contests are listed
    rows = furnished.rows(path)
    for _ in fits:  # what one filter brings to light has values for the others
        for each in fits:
            values[each] |= {value for row in rows for value in fits[each](row)} - {None}
        alone = ((each, value) for each in fits for value in values[each])
        rows += [row for each, value in alone for row in furnished.rows(path, **{each: value})]
    everything = {str(row.get("id", row.get("division"))): row for row in rows}
    for count in range(1, len(fits) + 1):
        for names in combinations(fits, count):
            choices = [[*values[each], *([] if each == "division" else [ABSENT.get(each, NOTHING)])] for each in names]
            for chosen in product(*choices):
                query = dict(zip(names, chosen, strict=True))
                wanted = (unnamed | query).items()
                expected = {
                    key for key, row in everything.items() if all(one in fits[each](row) for each, one in wanted)
                }
                found = [str(row.get("id", row.get("division"))) for row in furnished.rows(path, **query)]
                assert (set(found), len(found)) == (expected, len(expected)), query
    assert all(len(values[each]) > 1 for each in fits), "no filter tells rows apart"


def test_legal_commands_come_in_pages_and_by_partial_command(eva: Player) -> None:
    game = opened(eva, "bridge_solitaire")
    path, whole = of(game, "/legal-commands"), moves(eva, game)
    pages = followed(eva.http, path, limit=500)
    assert [one for page in pages for one in page.json()["commands"]] == whole
    assert {page.json()["total"] for page in pages} == {len(whole)}
    begin = whole[0]["cards"][:3]  # two may be jokers, which every selection has
    like: list[Any] = [
        {"type": "bridge_solitaire/select", "cards": begin}, {"type": "game/resign"}, {"type": "no/such"}
    ]  # fmt: skip
    some, resigning, none = (eva.get(path, params={"like": json.dumps(one)}).json() for one in like)
    assert some["commands"] == [said for said in whole if said.get("cards", [])[:3] == begin]
    assert 0 < some["total"] < len(whole)
    assert (resigning["commands"], resigning["other_commands"]) == ([], [{"type": "game/resign"}])
    assert none["commands"] == []
    for wrong in ("[]", "{", "null", "7", "[" * 400):
        told(eva.get(path, params={"like": wrong}), 400, "malformed")
