"""Every filter that the description names filters, alone and together with the others.

A list with filters is its rows that fit every one of them. A parameter that is described and not listed here fails.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest

from service.postgres import Server
from tests.openapi.described import DOCUMENT

from .boxes import League, at, done, running
from .furnished import WHEN
from .holding import announced, settled
from .playing import opened, seated
from .serving import Player, Service, database_of, registered, serving
from .test_feed import ended

Row = dict[str, Any]
Filters = dict[str, Callable[[Row], set[Any]]]
NO_FILTERS = {
    "cursor", "limit", "first", "last", "after", "max_frames", "max_seconds", "wait", "include", "seat", "spectator",
    "known", "revision", "only", "annotated", "notation", "url", "format", "maxwidth", "maxheight", "month",
    "since", "until",
}  # fmt: skip
"""Parameters that say which page, month or time (`test_next_pages` tries these), seen by whom, or in which form."""
TESTED_ALONE = {"get_next_puzzle", "list_legal_commands", "get_feed", "list_players"}
"""One puzzle is chosen, commands are matched by their members, the feed is lines, a list gives names alone: they have
tests of their own."""
ABSENT = {"status": "voided", "day": "2020-02-29", "game_type": "freecell"}
"""A value of a filter that no row has; of an id one of nothing. There is no division without rows."""


def _players(row: Row) -> set[Any]:
    return {seat["player"]["id"] for seat in row["seats"] if seat["player"] is not None}


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
def furnished(postgres: Server, template_database: str) -> Iterator[Furnished]:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as service:
        yield Furnished(service)


def lists(furnished: Furnished) -> dict[str, tuple[str, Filters]]:
    """Every list with filters, by its operation: its path, and the values of a filter that a row fits."""
    ada, bob, box = furnished.ada, furnished.bob, furnished.box
    members = {box["id"]: {ada.id, bob.id}}
    return {
        "list_games": ("/v1/games", {
            "game_type": lambda row: {row["game_type"]}, "status": lambda row: {row["status"]}, "player_id": _players,
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
def test_a_list_has_the_rows_that_fit_every_filter_and_no_others(furnished: Furnished, name: str) -> None:
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
    everything = {_key(row): row for row in rows}
    for count in range(1, len(fits) + 1):
        for names in combinations(fits, count):
            choices = [[*values[each], *([] if each == "division" else [ABSENT.get(each, NOTHING)])] for each in names]
            for chosen in product(*choices):
                query = dict(zip(names, chosen, strict=True))
                expected = {key for key, row in everything.items() if _fits(row, unnamed | query, fits)}
                found = [_key(row) for row in furnished.rows(path, **query)]
                assert (set(found), len(found)) == (expected, len(expected)), query
    assert all(len(values[each]) > 1 for each in fits), "no filter tells rows apart"


NOTHING = "01890000-0000-7000-8000-000000000000"


def _key(row: Row) -> str:
    return str(row.get("id", row.get("division")))


def _fits(row: Row, query: Row, fits: Filters) -> bool:
    return all(value in fits[name](row) for name, value in query.items())
