"""Same-deal contests over HTTP: entered once, told of when they are closed, seasons over them."""

import csv
import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest

from domain.chance import commitment
from domain.games import GAME_TYPES
from domain.league.aggregate import league_record
from domain.league.events import SeasonClosed
from domain.league.rules import DayRules
from projections.contests.seasons import SeasonDay, SeasonRow, published_season
from projections.engine.contract import Placed
from service.api.contests import day_seasons as shapes
from service.contests.certificates import ExaminedDeal
from service.event_store import unsealing
from service.event_store.connections import open_connection
from service.keys.sealing import make_sealing_key
from service.live.shapes import read_options, today
from service.postgres import Server

from .holding import announced, close_all, entered, move, resign, settled, text_of
from .playing import Game, legal, look, of, say
from .serving import KEYS, Player, Service, database_of, moderating, registered, serving

RULES = DayRules(id="test-1", best=2, least=1)
THREE_PLAYS = ExaminedDeal(seed=sha256(b"golf 7").digest())
"""A deal whose first three listed moves each play a card of the tableau: who has made more of them is ahead."""


class Held:
    """A day of Golf that Ada gave up, Bob left, Cyd took moves back in, and Deb only looked at."""

    def __init__(self, service: Service) -> None:
        self.service, self.conninfo = service, service.conninfo
        self.contest = announced(self.conninfo, "golf", RULES, looked=THREE_PLAYS, undo=True)
        self.ada, self.bob, self.cyd, self.deb, self.eve = (
            registered(service, name) for name in ("Ada", "Bob", "Cyd", "Deb", "Eve")
        )
        self.games = {one.id: entered(one, self.contest) for one in (self.ada, self.bob, self.cyd, self.deb)}
        for player, often in ((self.ada, 3), (self.bob, 1), (self.cyd, 2)):
            for _ in range(often):
                move(player, self.games[player.id])
        assert say(self.cyd, self.games[self.cyd.id], {"type": "game/undo"}).status_code == 200
        resign(self.ada, self.games[self.ada.id])
        resign(self.cyd, self.games[self.cyd.id])

    @property
    def path(self) -> str:
        return f"/v1/contests/{self.contest}"


@pytest.fixture(scope="module")
def conninfo(postgres: Server, template_database: str) -> Iterator[str]:
    with database_of(postgres, template_database) as made:
        yield made


@pytest.fixture(scope="module")
def open_(conninfo: str) -> Iterator[Held]:
    """While the day goes on."""
    with serving(conninfo) as service:
        held = Held(service)
        settled(service)
        yield held


@pytest.fixture(scope="module")
def over(conninfo: str, open_: Held) -> Iterator[Held]:
    """The same once it is closed, on the server that runs from then on."""
    open_.service.end()
    close_all(conninfo)
    with serving(conninfo) as service:
        open_.service = service
        for name in ("ada", "bob", "cyd", "deb", "eve"):
            setattr(open_, name, getattr(open_, name).on(service))
        settled(service)
        yield open_


def test_the_contest_is_in_the_lists_of_its_day_and_its_game_type(open_: Held) -> None:
    for query in ({}, {"day": today()}, {"game_type": "golf"}):
        (found,) = open_.eve.get("/v1/contests", params=query).json()["contests"]
        assert (found["id"], found["closed"], found["seed"], found["your_game_id"]) == (
            open_.contest,
            False,
            None,
            None,
        )
        assert (found["entries"], found["certificate"]) == (4, "not_tried")
    assert open_.eve.get("/v1/contests", params={"game_type": "klondike"}).json()["contests"] == []
    assert open_.ada.get(open_.path).json()["your_game_id"] == open_.games[open_.ada.id]["id"]


def test_whoever_enters_again_gets_the_same_attempt(open_: Held) -> None:
    answer = open_.bob.post(open_.path + "/enter")
    assert (answer.status_code, answer.json()["id"]) == (200, open_.games[open_.bob.id]["id"])
    assert answer.headers["location"] == of(open_.games[open_.bob.id])


def test_everybody_has_the_same_cards(open_: Held) -> None:
    views = [open_.games[one.id]["view"] for one in (open_.ada, open_.bob, open_.cyd, open_.deb)]
    assert views[0] == views[1] == views[2] == views[3]


def test_results_are_for_those_who_have_finished_and_of_them(open_: Held) -> None:
    for caller in (open_.bob, open_.deb, open_.eve):
        refused = caller.get(open_.path + "/results")
        assert (refused.status_code, refused.json()["rule"]) == (409, "contest_open")
    assert open_.service.http.get(open_.path + "/results").json()["rule"] == "contest_open"
    told = open_.ada.get(open_.path + "/results").json()
    assert told["provisional"]
    assert [(one["player"]["name"], one["kind"], one["game_id"]) for one in told["results"]] == [
        ("Ada", "ranked", None), ("Cyd", "not_clean", None),
    ]  # fmt: skip


def test_provisional_results_page_like_others(open_: Held) -> None:
    first = open_.ada.get(open_.path + "/results", params={"limit": 1}).json()
    second = open_.ada.get(open_.path + "/results", params={"limit": 1, "cursor": first["next"]}).json()
    assert [one["results"][0]["player"]["name"] for one in (first, second)] == ["Ada", "Cyd"]
    assert second["next"] is None


def test_the_own_game_tells_no_seed_before_the_closing_though_it_is_finished(open_: Held) -> None:
    game = open_.games[open_.ada.id]
    assert look(open_.ada, game)["status"] == "finished"
    assert open_.ada.get(of(game, "/proof")).json()["server_seed"] is None
    refused = open_.ada.get(of(game, "/frames"), params={"known": "now"})
    assert (refused.status_code, refused.json()["rule"]) == (409, "game_not_finished")


def test_what_tells_of_foreknowledge_is_told_to_nobody_while_the_contest_is_open(open_: Held) -> None:
    mod = moderating(open_.service)
    for caller, status, rule in ((open_.ada, 403, "organisers_only"), (mod, 409, "contest_open")):
        refused = caller.get(open_.path + "/foreknowledge")
        assert (refused.status_code, refused.json()["rule"]) == (status, rule)


def test_what_tells_of_foreknowledge_is_told_to_organisers_and_moderators_alone(over: Held) -> None:
    assert over.service.http.get(over.path + "/foreknowledge").status_code == 401
    assert over.ada.get(over.path + "/foreknowledge").json()["rule"] == "organisers_only"
    told = moderating(over.service).get(over.path + "/foreknowledge").json()
    assert [(one["place"], one["player"]["name"], one["days"]) for one in told["results"]] == [
        (1, "Ada", 1), (2, "Bob", 1),
    ]  # fmt: skip
    assert not any(one["worth_a_look"] or one["earlier"] for one in told["results"])


def test_there_is_no_such_contest_and_no_such_season(open_: Held) -> None:
    missing = "01890000-0000-7000-8000-000000000000"
    for path in ("", "/results"):
        assert open_.ada.get(f"/v1/contests/{missing}{path}").status_code == 404
    assert open_.ada.post(f"/v1/contests/{missing}/enter").status_code == 404
    assert open_.ada.get("/v1/day-seasons/the_clock").status_code == 404
    assert open_.ada.get(f"/v1/contests/{open_.games[open_.ada.id]['id']}").status_code == 404
    assert open_.ada.get(f"/v1/games/{open_.contest}").status_code == 404


# Once it is closed


def test_the_seed_proves_what_was_announced(over: Held) -> None:
    told = over.eve.get(over.path).json()
    kind = GAME_TYPES["golf"]
    options = read_options(told["options"], kind.options)
    proven = commitment(UUID(over.contest), "golf", options, bytes.fromhex(told["seed"]))
    assert (told["closed"], told["commitment"]) == (True, proven)
    for game in over.games.values():
        assert over.eve.get(of(game, "/proof")).json()["server_seed"] == told["seed"]


def test_everything_is_told_to_everybody(over: Held) -> None:
    game = over.games[over.bob.id]
    assert over.eve.get(of(game, "/frames"), params={"known": "now"}).status_code == 200
    assert look(over.eve, game)["result"]["reason"] == "contest_over"
    listed = over.eve.get("/v1/games", params={"game_type": "golf", "status": "finished"}).json()["games"]
    assert {one["id"] for one in listed} == {one["id"] for one in over.games.values()}


def test_after_the_closing_nobody_is_let_in_and_nothing_can_be_played(over: Held) -> None:
    for caller in (over.eve, over.bob):
        refused = caller.post(over.path + "/enter")
        assert (refused.status_code, refused.json()["rule"]) == (409, "contest_not_open")
    assert [one["type"] for one in legal(over.bob, over.games[over.bob.id])] == []


def test_the_results_rank_the_clean_and_show_the_others_apart(over: Held) -> None:
    told = over.eve.get(over.path + "/results").json()
    rows = {one["player"]["name"]: one for one in told["results"]}
    assert not told["provisional"]
    assert {name: (one["kind"], one["completed"]) for name, one in rows.items()} == {
        "Ada": ("ranked", False), "Bob": ("ranked", False), "Cyd": ("not_clean", False), "Deb": ("no_attempt", False),
    }  # fmt: skip
    assert sum(one["points"] for one in rows.values()) == 2
    assert {rows["Ada"]["game_id"], rows["Bob"]["game_id"]} == {
        over.games[one.id]["id"] for one in (over.ada, over.bob)
    }
    assert rows["Ada"]["score"] not in (0, None)


def test_the_season_and_each_players_row_explain_themselves(over: Held) -> None:
    season = over.eve.get("/v1/day-seasons/golf", params={"month": today()[:7]}).json()
    assert sorted(row["mean"] for row in season["rows"]) == sorted(
        [row["percent"] for row in over.eve.get(over.path + "/results").json()["results"] if row["kind"] == "ranked"]
    )
    standing = over.eve.get(f"/v1/day-seasons/golf/players/{over.cyd.id}", params={"month": today()[:7]}).json()["row"]
    assert standing["rank"] is None
    (day,) = standing["days"]
    assert (day["contest_id"], day["kind"], day["value"], day["counted"]) == (over.contest, "not_clean", None, False)
    assert over.eve.get(f"/v1/day-seasons/golf/players/{over.eve.id}").status_code == 404


def test_results_and_seasons_are_tables_too(over: Held) -> None:
    rows = list(csv.DictReader(StringIO(text_of(over.eve.http, over.path + "/results", "text/csv"))))
    told = over.eve.get(over.path + "/results").json()
    assert [row["name"] for row in rows] == [one["player"]["name"] for one in told["results"]]
    assert {row["log_position"] for row in rows} == {told["log_position"]}
    season = list(csv.DictReader(StringIO(text_of(over.eve.http, "/v1/day-seasons/golf", "text/csv"))))
    assert {row["name"] for row in season} == {"Ada", "Bob"}
    text = text_of(over.eve.http, over.path + "/results", "text/plain")
    assert f"Golf, {told['day']}: results." in text
    assert "no attempt" in text
    assert f"As of event {told['log_position']}." in text
    assert "mean percent" in text_of(over.eve.http, "/v1/day-seasons/golf", "text/plain")
    assert over.eve.get(over.path + "/results", headers={"accept": "image/png"}).status_code == 406


# Leagues


def test_what_a_closed_season_is_published_with_can_be_checked_from_the_answer() -> None:
    players = [UUID(int=number) for number in (1, 2)]
    days = [SeasonDay(UUID(int=9), 0, "ranked", (value, 1), True) for value in (1, 0)]
    rows = [
        SeasonRow(player=player, rules="r", days=(day,), mean=day.value or (0, 1), listed=True, compared=1, solved=0)
        for player, day in zip(players, days, strict=True)
    ]
    event = Placed(7, league_record(UUID(int=3), 1, SeasonClosed(1), None, 0))
    told = shapes.publish_standings(published_season(0, rows, event), RULES, {players[0]: "Ada"})
    said = [
        [one.player.id, one.place, one.exact, one.compared, one.solved,
         [[day.contest_id, day.kind, day.value, day.counted] for day in one.days]]
        for one in told.rows
    ]  # fmt: skip
    assert told.hash == sha256(json.dumps(said, separators=(",", ":"), default=str).encode()).hexdigest()
    assert [one.place for one in told.rows] == [1, 2]


@pytest.fixture(scope="module")
def club(service: Service, ada: Player, bob: Player) -> str:
    """A same-deal league of Ada's with Bob in it, in its first season."""
    founded = ada.post("/v1/leagues", {"name": "Patience club", "game_type": "golf", "rules": "same-deal-1"}).json()
    path = f"/v1/leagues/{founded['id']}"
    for member in (ada, bob):
        assert member.post(path + "/join").status_code == 200
    opened = {"starts": "2026-01-01T00:00:00Z", "ends": "2099-01-01T00:00:00Z"}
    assert ada.post(path + "/seasons", opened).status_code in (200, 201)
    return path


WHEN = {"opens": "2026-01-01T00:00:00Z", "closes": "2099-01-01T00:00:00Z"}


def made(organiser: Player, club: str, **headers: str) -> Game:
    answer = organiser.post(club + "/contests", WHEN, headers=headers)
    assert answer.status_code == 201, answer.text
    contest: Game = answer.json()
    return contest


def test_a_leagues_contest_is_for_its_members(
    service: Service, club: str, ada: Player, bob: Player, eve: Player
) -> None:
    contest = made(ada, club)
    refused = eve.post(f"/v1/contests/{contest['id']}/enter")
    assert (refused.status_code, refused.json()["rule"]) == (403, "members_only")
    assert entered(bob, contest["id"])["game_type"] == "golf"
    settled(service)
    listed = eve.get("/v1/contests", params={"league_id": club.rpartition("/")[2]}).json()["contests"]
    assert contest["id"] in [one["id"] for one in listed]
    assert contest["id"] in eve.get(club).json()["seasons"][0]["contest_ids"]


def test_only_an_organiser_announces_and_a_repeat_announces_nothing_new(club: str, ada: Player, bob: Player) -> None:
    assert bob.post(club + "/contests", WHEN).json()["rule"] == "organisers_only"
    one, again = (made(ada, club, **{"idempotency-key": "friday"}) for _ in range(2))
    assert one["id"] == again["id"]
    other = ada.post(
        club + "/contests", {**WHEN, "opens": "2026-02-01T00:00:00Z"}, headers={"idempotency-key": "friday"}
    )
    assert other.status_code == 422


def test_a_contest_that_ends_before_it_begins_or_is_over_is_refused(club: str, ada: Player) -> None:
    for when in ({"opens": WHEN["closes"], "closes": WHEN["opens"]}, {**WHEN, "closes": "2026-01-02T00:00:00Z"}):
        refused = ada.post(club + "/contests", when)
        assert (refused.status_code, refused.json()["rule"]) == (409, "contest_ends")


def test_a_leagues_season_is_there_before_anything_counts_in_it(club: str, ada: Player, bob: Player) -> None:
    told = ada.get(club + "/seasons/1/standings").json()
    assert (told["period"], told["listed"], told["rows"], told["published"]) == ("1", 0, [], [])
    assert ada.get(f"{club}/seasons/1/standings/{bob.id}").status_code == 404
    assert ada.get(club + "/seasons/2/standings").status_code == 404


# Without a key


def test_an_attempt_whose_key_was_given_up_is_told_as_unreadable_beside_the_others(
    database: str, tmp_path: Path
) -> None:
    """Ada plays under the key of all; Bob entered at a process that had one of its own, which is lost."""
    contest = announced(database, "golf", RULES)
    shutil.copytree(KEYS, both := tmp_path / "both")
    lost = make_sealing_key(both)
    with serving(database) as service:
        ada, bob = registered(service, "Ada"), registered(service, "Bob")
        move(ada, entered(ada, contest))
    with serving(database, sealing_keys=str(both)) as service:
        move(bob.on(service), entered(bob.on(service), contest))
    with open_connection(database, "test") as connection:
        unsealing.give_up(connection, lost.id)
    close_all(database)
    with serving(database, run_worker=True) as service:
        settled(service)
        ada, path = ada.on(service), f"/v1/contests/{contest}"
        assert ada.get(path).json()["closed"]
        told = ada.get(path + "/results").json()["results"]
        assert [(one["player"]["name"], one["kind"], one["place"]) for one in told] == [
            ("Ada", "ranked", 1), ("Bob", "unreadable", None),
        ]  # fmt: skip
        (line,) = [line for line in text_of(ada.http, path + "/results", "text/plain").splitlines() if "Bob" in line]
        assert line.split() == ["-", "Bob", "-", "-", "-", "unreadable"]
        page = text_of(ada.http, f"/contests/{contest}", "text/html")
        assert "unreadable" in page
        assert f"/games/{told[0]['game_id']}" in page
        assert f"/games/{told[1]['game_id']}" not in page
