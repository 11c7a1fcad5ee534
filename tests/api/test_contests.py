"""Same-deal contests over HTTP: entered once, told of when they are closed, their witnesses, seasons over them."""

import csv
import json
import shutil
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from io import StringIO
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from domain.chance import commitment
from domain.games import GAME_TYPES
from domain.league.aggregate import league_record
from domain.league.events import SeasonClosed
from domain.league.rules import DAYS_BOARDS, DayRules
from domain.play.events import Opened
from domain.play.open_record import MEDIA_TYPE, read_record
from domain.play.verify_text import verify_text
from projections.contests.results import datum, imps
from projections.contests.seasons import SeasonDay, SeasonRow, published_season
from projections.engine.contract import Placed
from service.api.contests import day_seasons as shapes
from service.contests.certificates import ExaminedDeal, examine_deals
from service.event_store import unsealing
from service.event_store.connections import open_connection
from service.keys.sealing import make_sealing_key
from service.live.shapes import read_options, today
from tests.service.cli.programs import kibitz

from . import truth
from .boxes import at, running
from .furnished import WHEN
from .holding import announced, close_all, entered, move, resign, settled, text_of
from .playing import UNDO, Game, legal, look, of, say
from .problems import told
from .serving import KEYS, Player, Service, done, moderating, pages, registered, serving

RULES = DayRules(id="test-1", best=2, least=1)
COMMENT = {"version": 1, "text": "The ace is at the bottom."}
THREE_PLAYS = ExaminedDeal(seed=sha256(b"golf 7").digest())
"""A deal whose first three listed moves each play a card of the tableau: who has made more of them is ahead."""


class Held:
    """A day of Golf that Ada gave up, Bob left, Cyd took moves back in, and Deb only looked at.

    And a certified one of FreeCell.
    """

    def __init__(self, service: Service, looked: ExaminedDeal) -> None:
        self.service, self.conninfo = service, service.conninfo
        self.contest = announced(self.conninfo, "golf", RULES, looked=THREE_PLAYS, undo=True)
        self.certified = announced(self.conninfo, "freecell", looked=looked)
        self.ada, self.bob, self.cyd, self.deb, self.eve = (
            registered(service, name) for name in ("Ada", "Bob", "Cyd", "Deb", "Eve")
        )
        self.games = {player.id: entered(player, self.contest) for player in (self.ada, self.bob, self.cyd, self.deb)}
        for player, often in ((self.ada, 3), (self.bob, 1), (self.cyd, 2)):
            for _ in range(often):
                move(player, self.games[player.id])
        assert say(self.cyd, self.games[self.cyd.id], UNDO).status_code == 200
        resign(self.ada, self.games[self.ada.id])
        resign(self.cyd, self.games[self.cyd.id])

    @property
    def path(self) -> str:
        return f"/v1/contests/{self.contest}"


@pytest.fixture(scope="module")
def looked() -> ExaminedDeal:
    """A deal that the solver has won."""
    deal = examine_deals("freecell", GAME_TYPES["freecell"].options())
    assert deal.certificate == "winnable"
    return deal


@pytest.fixture(scope="module")
def open_(conninfo: str, looked: ExaminedDeal) -> Iterator[Held]:
    """While the days go on."""
    with serving(conninfo) as service:
        held = Held(service, looked)
        settled(service)
        yield held


@pytest.fixture(scope="module")
def over(conninfo: str, open_: Held) -> Iterator[Held]:
    """The same once they are closed, on the server that runs from then on."""
    entered(open_.ada, open_.certified)
    open_.service.end()
    close_all(conninfo)
    with serving(conninfo) as service:
        open_.service = service
        for name in ("ada", "bob", "cyd", "deb", "eve"):
            setattr(open_, name, getattr(open_, name).on(service))
        settled(service)
        yield open_


def shown(player: Player, contest: str) -> Game:
    """The contest as this player sees it."""
    return done(player.get(f"/v1/contests/{contest}"))


def test_a_contest_is_listed_by_day_and_game_type(open_: Held) -> None:
    for query, both in (({}, True), ({"day": today()}, True), ({"game_type": "golf"}, False)):
        listed = {row["id"]: row for row in open_.eve.get("/v1/contests", params=query).json()["contests"]}
        assert set(listed) == {open_.contest} | ({open_.certified} if both else set())
        row = listed[open_.contest]
        assert (row["closed"], row["seed"], row["your_game_id"]) == (False, None, None)
        assert (row["entries"], row["certificate"]) == (4, "not_tried")
    assert open_.eve.get("/v1/contests", params={"game_type": "klondike"}).json()["contests"] == []
    assert shown(open_.ada, open_.contest)["your_game_id"] == open_.games[open_.ada.id]["id"]


def test_one_has_one_attempt_and_all_have_the_same_cards(open_: Held) -> None:
    answer = open_.bob.post(open_.path + "/enter")
    assert (answer.status_code, answer.json()["id"]) == (200, open_.games[open_.bob.id]["id"])
    assert answer.headers["location"] == of(open_.games[open_.bob.id])
    first, *others = (open_.games[player.id]["view"] for player in (open_.ada, open_.bob, open_.cyd, open_.deb))
    assert others == [first] * 3


def test_results_are_for_those_who_have_finished_and_of_them(open_: Held) -> None:
    for caller in (open_.bob, open_.deb, open_.eve, open_.service.http):
        told(caller.get(open_.path + "/results"), 409, "illegal", "contest_open")
    provisional = open_.ada.get(open_.path + "/results").json()
    assert provisional["provisional"]
    rows = [(row["player"]["name"], row["kind"], row["game_id"]) for row in provisional["results"]]
    assert rows == [("Ada", "ranked", None), ("Cyd", "not_clean", None)]
    paged = [page["results"] for page in pages(open_.ada, open_.path + "/results", limit=1)]
    assert [row["player"]["name"] for (row,) in paged] == ["Ada", "Cyd"]


def test_the_own_finished_game_stays_closed_before_the_closing(open_: Held) -> None:
    game = open_.games[open_.ada.id]
    assert look(open_.ada, game)["status"] == "finished"
    assert open_.ada.get(of(game, "/proof")).json()["server_seed"] is None
    told(open_.ada.get(of(game, "/frames"), params={"known": "now"}), 409, "illegal", "game_not_finished")
    told(open_.ada.post(of(game, "/comments"), COMMENT), 409, "illegal", "game_not_revealed")
    told(open_.ada.get(open_.path + "/foreknowledge"), 403, "forbidden", "organisers_only")
    told(moderating(open_.service).get(open_.path + "/foreknowledge"), 409, "illegal", "contest_open")


def test_there_is_no_such_contest_and_no_such_season(open_: Held) -> None:
    missing = "/v1/contests/01890000-0000-7000-8000-000000000000"
    another = f"/v1/contests/{open_.games[open_.ada.id]['id']}"
    for path in (missing, missing + "/results", another, "/v1/day-seasons/the_clock", f"/v1/games/{open_.contest}"):
        assert open_.ada.get(path).status_code == 404
    assert open_.ada.post(missing + "/enter").status_code == 404


def test_while_the_contest_is_open_nothing_tells_the_line(open_: Held, looked: ExaminedDeal) -> None:
    commands = [json.dumps(command, separators=(",", ":")) for command in looked.line]
    assert len(commands) > 20
    refusals = [open_.ada.get(f"/v1/contests/{contest}/witness") for contest in (open_.certified, open_.contest)]
    assert len({told(refused, 409, "illegal", "contest_open")["detail"] for refused in refusals}) == 1
    contest = shown(open_.ada, open_.certified)
    assert (contest["witness"], contest["certificate"]) == (None, "winnable")
    published = [open_.ada.get(path).text for path in (f"/v1/contests/{open_.certified}", "/v1/contests", "/days")]
    stored = "".join(map(str, truth.everything(open_.service)))
    for text in (*published, *(answer.text for answer in refusals), stored, open_.service.log()):
        assert not [command for command in commands if command in text]


# Once it is closed


def test_organisers_and_moderators_alone_are_told_of_foreknowledge(over: Held) -> None:
    told(over.ada.get(over.path + "/foreknowledge"), 403, "forbidden", "organisers_only")
    rows = moderating(over.service).get(over.path + "/foreknowledge").json()["results"]
    assert [(row["place"], row["player"]["name"], row["days"]) for row in rows] == [(1, "Ada", 1), (2, "Bob", 1)]
    assert not any(row["worth_a_look"] or row["earlier"] for row in rows)


def test_the_seed_proves_what_was_announced(over: Held) -> None:
    contest, kind = shown(over.eve, over.contest), GAME_TYPES["golf"]
    options = read_options(contest["options"], kind.options)
    proven = commitment(UUID(over.contest), "golf", options, bytes.fromhex(contest["seed"]))
    assert (contest["closed"], contest["commitment"]) == (True, proven)
    for game in over.games.values():
        assert over.eve.get(of(game, "/proof")).json()["server_seed"] == contest["seed"]


def test_everything_is_told_to_everybody_and_nothing_can_be_played(over: Held) -> None:
    game = over.games[over.bob.id]
    assert over.eve.get(of(game, "/frames"), params={"known": "now"}).status_code == 200
    assert look(over.eve, game)["result"]["reason"] == "contest_over"
    listed = over.eve.get("/v1/games", params={"game_type": "golf", "status": "finished"}).json()["games"]
    assert {row["id"] for row in listed} == {game["id"] for game in over.games.values()}
    for caller in (over.eve, over.bob):
        told(caller.post(over.path + "/enter"), 409, "illegal", "contest_not_open")
    assert legal(over.bob, game) == []
    done(over.ada.post(of(over.games[over.ada.id], "/comments"), COMMENT), 201)


def test_the_results_rank_the_clean_and_show_the_others_apart(over: Held) -> None:
    results = over.eve.get(over.path + "/results").json()
    rows = {row["player"]["name"]: row for row in results["results"]}
    assert not results["provisional"]
    assert {name: (row["kind"], row["completed"]) for name, row in rows.items()} == {
        "Ada": ("ranked", False), "Bob": ("ranked", False), "Cyd": ("not_clean", False), "Deb": ("no_attempt", False),
    }  # fmt: skip
    assert sum(row["points"] for row in rows.values()) == 2
    for name, player in (("Ada", over.ada), ("Bob", over.bob)):
        assert rows[name]["game_id"] == over.games[player.id]["id"]
    assert rows["Ada"]["score"] not in (0, None)


def test_the_season_and_each_players_row_explain_themselves(over: Held) -> None:
    month, results = {"month": today()[:7]}, over.eve.get(over.path + "/results").json()["results"]
    season = over.eve.get("/v1/day-seasons/golf", params=month).json()
    ranked = sorted(row["percent"] for row in results if row["kind"] == "ranked")
    assert sorted(row["mean"] for row in season["rows"]) == ranked
    standing = over.eve.get(f"/v1/day-seasons/golf/players/{over.cyd.id}", params=month).json()["row"]
    assert standing["rank"] is None
    (day,) = standing["days"]
    assert (day["contest_id"], day["kind"], day["value"], day["counted"]) == (over.contest, "not_clean", None, False)
    assert over.eve.get(f"/v1/day-seasons/golf/players/{over.eve.id}").status_code == 404


def test_results_and_seasons_are_tables_too(over: Held) -> None:
    http, path, seasons = over.eve.http, over.path + "/results", "/v1/day-seasons/golf"
    results, rows = http.get(path).json(), table(http, path)
    assert [row["name"] for row in rows] == [row["player"]["name"] for row in results["results"]]
    assert {row["log_position"] for row in rows} == {results["log_position"]}
    assert {row["name"] for row in table(http, seasons)} == {"Ada", "Bob"}
    text = text_of(http, path, "text/plain")
    for words in (f"Golf, {results['day']}: results.", "no attempt", f"As of event {results['log_position']}."):
        assert words in text
    assert "mean percent" in text_of(http, seasons, "text/plain")
    assert http.get(path, headers={"accept": "image/png"}).status_code == 406


def table(http: httpx.Client, path: str) -> list[dict[str, str]]:
    """The rows of the table at this path."""
    return list(csv.DictReader(StringIO(text_of(http, path, "text/csv"))))


def test_the_witness_is_a_record_that_verifies_to_a_win(over: Held, looked: ExaminedDeal, tmp_path: Path) -> None:
    path, get = shown(over.ada, over.certified)["witness"], over.service.http.get
    assert path == f"/v1/contests/{over.certified}/witness"
    answer = get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, MEDIA_TYPE)
    keys, saved = tmp_path / "keys.json", tmp_path / "witness.kibitz"
    keys.write_bytes(get("/v1/keys").content)
    saved.write_bytes(answer.content)
    nowhere = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    ran = kibitz("verify", saved, "--signed", "--keys", keys, **nowhere)
    assert (ran.returncode, ran.stdout[:6]) == (0, "OK    "), ran.stdout
    ending = json.loads(answer.content.splitlines()[-2])
    assert (ending["status"], ending["result"]["ending"]) == ("finished", "won")
    assert len(answer.content.splitlines()) == 3 + 1 + len(looked.line)
    assert get(path).content == answer.content
    assert f'href="{path}"' in text_of(over.service.http, f"/contests/{over.certified}", "text/html")


def test_the_witness_has_everybodys_deal_and_names_nobody(over: Held) -> None:
    text = over.service.http.get(f"/v1/contests/{over.certified}/witness").content
    records, verified = read_record(text).records, verify_text(text)
    attempt = {"id": shown(over.ada, over.certified)["your_game_id"]}
    assert records[2].event == read_record(over.ada.get(of(attempt, "/record")).content).records[2].event
    opened = records[0].event
    assert isinstance(opened, Opened)
    assert (opened.rated, opened.origin, opened.contest) == (False, "given_seed", None)
    assert (verified.faults, verified.fair) == ((), False)
    assert {record.actor.int for record in records if record.actor is not None} == {0}
    told(over.ada.get(f"/v1/games/{records[0].stream}"), 404, "no_such_thing")
    assert shown(over.ada, over.contest)["witness"] is None, "nobody has looked at the other deal"
    assert "No line is kept" in told(over.ada.get(over.path + "/witness"), 404, "no_such_thing")["detail"]
    assert "/witness" not in text_of(over.service.http, f"/contests/{over.contest}", "text/html")


# Boards


def test_a_day_of_bridge_is_a_board_compared_in_imps(service: Service) -> None:
    contest = announced(service.conninfo, "bridge_solitaire", DAYS_BOARDS)
    settled(service)
    ada, bob, cyd = (registered(service, name) for name in ("Ada", "Bob", "Cyd"))
    board = shown(ada, contest)
    day = (date.fromisoformat(board["opens"][:10]) - date(1970, 1, 1)).days
    assert board["rules"]["id"] == "same-deal-imps-2"
    assert (board["options"]["length"], board["options"]["board"]) == ("hand", 1 + day % 4)
    games = {player.id: entered(player, contest) for player in (ada, bob, cyd)}
    facts = games[ada.id]["view"]["facts"]
    vulnerable = [[], ["me"], ["it"], ["me", "it"]][board["options"]["board"] - 1]
    assert (facts["board"], facts["vulnerable"]) == (board["options"]["board"], vulnerable)
    for player in (ada, bob):
        while look(player, games[player.id])["status"] == "playing":
            move(player, games[player.id])
    ended = [look(player, games[player.id])["result"] for player in (ada, bob)]
    move(cyd, games[cyd.id])
    resign(cyd, games[cyd.id])
    words, points = ended[0]["outcome"], ended[0]["scores"][0]
    settled(service)
    path = f"/v1/contests/{contest}/results"
    rows = {row["player"]["id"]: row for row in ada.get(path).json()["results"]}
    assert [row["outcome"] for row in (*ended, rows[ada.id], rows[bob.id])] == [words] * 4
    average = datum([points, points, min(points, rows[cyd.id]["score"])])
    assert {row["imps"] for row in rows.values() if row["completed"]} == {imps(points - average)}
    assert words in text_of(ada.http, path, "text/plain")
    assert words in {row["outcome"] for row in table(ada.http, path)}
    assert f"<td>{words}</td>" in text_of(ada.http, f"/contests/{contest}", "text/html")
    sheet = service.http.get(f"/v1/rubbers/{games[ada.id]['id']}")
    assert sheet.status_code == 404, "a contest's game is withheld from others"


# Leagues


def test_a_closed_season_can_be_checked_from_its_answer() -> None:
    players = [UUID(int=number) for number in (1, 2)]
    days = [SeasonDay(UUID(int=9), 0, "ranked", (value, 1), True) for value in (1, 0)]
    rows = [
        SeasonRow(player=player, rules="r", days=(day,), mean=day.value or (0, 1), listed=True, compared=1, solved=0)
        for player, day in zip(players, days, strict=True)
    ]
    event = Placed(7, league_record(UUID(int=3), 1, SeasonClosed(1), None, 0))
    season = shapes.publish_standings(published_season(0, rows, event), RULES, {players[0]: "Ada"})
    said = [
        [one.player.id, one.place, one.exact, one.compared, one.solved,
         [[day.contest_id, day.kind, day.value, day.counted] for day in one.days]]
        for one in season.rows
    ]  # fmt: skip
    assert season.hash == sha256(json.dumps(said, separators=(",", ":"), default=str).encode()).hexdigest()
    assert [one.place for one in season.rows] == [1, 2]


def test_a_contest_of_a_league_is_its_members(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    club = at(running(ada, ada, bob, name="Patience club", game_type="golf", rules="same-deal-1"))
    season = ada.get(club + "/seasons/1/standings").json()
    assert (season["period"], season["listed"], season["rows"], season["published"]) == ("1", 0, [], [])
    assert ada.get(f"{club}/seasons/1/standings/{bob.id}").status_code == 404
    assert ada.get(club + "/seasons/2/standings").status_code == 404
    told(bob.post(club + "/contests", WHEN), 403, "forbidden", "organisers_only")
    for when in ({"opens": WHEN["closes"], "closes": WHEN["opens"]}, {**WHEN, "closes": "2026-01-02T00:00:00Z"}):
        told(ada.post(club + "/contests", when), 409, "illegal", "contest_ends")
    contest = done(ada.post(club + "/contests", WHEN), 201)["id"]
    told(eve.post(f"/v1/contests/{contest}/enter"), 403, "forbidden", "members_only")
    assert entered(bob, contest)["game_type"] == "golf"
    settled(service)
    listed = eve.get("/v1/contests", params={"league_id": club.rpartition("/")[2]}).json()["contests"]
    assert [row["id"] for row in listed] == [contest]
    assert eve.get(club).json()["seasons"][0]["contest_ids"] == [contest]


# Without a key


def test_an_attempt_whose_key_was_given_up_is_unreadable(database: str, tmp_path: Path) -> None:
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
        assert shown(ada, contest)["closed"]
        results = ada.get(path + "/results").json()["results"]
        rows = [(row["player"]["name"], row["kind"], row["place"]) for row in results]
        assert rows == [("Ada", "ranked", 1), ("Bob", "unreadable", None)]
        (line,) = [line for line in text_of(ada.http, path + "/results", "text/plain").splitlines() if "Bob" in line]
        assert line.split() == ["-", "Bob", "-", "-", "-", "unreadable"]
        page = text_of(ada.http, f"/contests/{contest}", "text/html")
        assert "unreadable" in page
        assert f"/games/{results[0]['game_id']}" in page
        assert f"/games/{results[1]['game_id']}" not in page
