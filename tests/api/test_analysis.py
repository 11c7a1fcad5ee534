"""Where a patience was lost, asked over HTTP: who may ask, the one answer, the queue, and workers that die."""

import signal
import time
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import httpx
import msgspec
import psutil
import psycopg

from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES
from domain.play.open_record import OpenRecord, read_record, record_lines
from service.analysis import queue
from service.analysis.foresight import Foresight
from service.analysis.kinds import Foreseen
from service.analysis.swings import moves_of
from service.contests.certificates import ExaminedDeal
from service.live.openings import fresh_secret
from tests.analysis.planted import planted, records
from tests.corpus.files import stored

from . import puzzled, truth
from .analysing import ask, await_analysis, imported, judge
from .holding import HOUR, announced, close_all, entered, resign
from .playing import Game, ended, legal, look, of, opened, say, seated
from .problems import told
from .recording import RECORD, brought, taken
from .serving import Player, Service, done, registered, server_fixture, serving
from .streaming import calm_events_at
from .watching import until

PLANTED = ("black_hole", "planted 3", 46)
lost = partial(puzzled.lost, planting=PLANTED)
idle = server_fixture(run_worker=False, analysis_queue=5, worker_patience=0)
"""A server that only queues, of which one account has two places; whoever wants them analysed starts a worker."""


def empty_queue(service: Service) -> None:
    truth.done(service, "DELETE FROM analyses WHERE report IS NULL")


def test_everybody_gets_one_answer_whose_line_wins(service: Service, ada: Player, eve: Player) -> None:
    game, step = lost(ada)
    nobody = told(ada.get(of(game, "/analysis")), 404, "no_such_thing")["detail"]
    assert nobody == "Nobody has asked for an analysis of this game."
    first = ask(ada, game)
    assert (first.status_code, first.json()["report"]) == (202, None)
    report = await_analysis(ada, game)
    assert (report["outcome"], report["lost_step"], report["last_winnable_step"]) == ("lost", step, step - 1)
    assert len(report["sentences"]) == 3
    again = [ask(eve, game), service.http.post(of(game, "/analysis")), service.http.get(of(game, "/analysis"))]
    assert [answer.status_code for answer in again] == [200, 200, 200]
    assert len({answer.content for answer in again}) == 1
    line = service.http.get(of(game, "/analysis/line")).json()
    assert (line["line_step"], len(line["views"])) == (step - 1, len(report["line"]))
    fork = eve.post(of(game, "/fork"), {"step": step - 1}).json()
    answer = say(eve, fork, [move["command"] for move in report["line"]])
    assert answer.json()["accepted"] == len(report["line"])
    assert look(eve, fork)["result"]["ending"] == "won"
    assert [view["zones"] for view in line["views"]] == [frame["view"]["zones"] for frame in answer.json()["frames"]]


def test_a_game_of_several_is_told_by_moves_that_mattered(ada: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice", rated=False), eve)
    moves = 0
    while moves < 12 and (turn := look(ada, game)["view"]["to_act"]):
        moves += say((ada, eve)[turn[0]], game, legal((ada, eve)[turn[0]], game, turn[0])[0]).status_code == 200
    resign(ada, game)
    assert ask(eve, game).status_code == 202
    report = await_analysis(eve, game)
    assert report["kind"] == "several"
    assert len(report["sentences"]) == 3
    steps = [frame["step"] for frame in eve.get(of(game, "/frames"), params={"limit": 200}).json()["frames"]]
    judged = [swing["step"] for swing in report["swings"]]
    assert len(judged) == moves
    assert judged == sorted(judged)
    assert set(judged) <= set(steps)
    assert all(0 <= swing["before"] <= 1 and 0 <= swing["after"] <= 1 for swing in report["swings"])
    assert {swing["step"] for swing in report["moments"]} <= set(judged)


def test_a_hand_of_bridge_is_told_with_its_stock_open(ada: Player) -> None:
    game = opened(ada, "bridge_solitaire", options={"length": "hand"}, seed="open stock")
    while look(ada, game)["status"] == "playing":
        say(ada, game, legal(ada, game)[0])
    assert ask(ada, game).status_code == 202
    report = await_analysis(ada, game)
    assert (report["kind"], len(report["hands"])) == ("bridge", 1)
    hand = report["hands"][0]
    assert hand["points"] == look(ada, game)["result"]["scores"][0]
    assert hand["called"]["tricks"] - sum(card["tricks"] for card in hand["cards"]) == hand["tricks"]
    assert hand["par"]["points"] >= hand["called"]["points"] >= hand["points"]


def test_what_may_not_be_asked_is_refused_as_everywhere(ada: Player, eve: Player, service: Service) -> None:
    live, other = opened(ada, "golf"), ended(ada, "deck_the_yard")
    private = ended(ada, "the_clock", visibility="private")
    told(ask(ada, live), 409, "illegal", "game_not_finished")
    told(ask(ada, other), 409, "illegal", "no_solver")
    for http in (eve.http, service.http):
        for method in ("GET", "POST"):
            told(http.request(method, of(private, "/analysis")), 404, "no_such_thing")
    assert ask(ada, private).status_code == 202
    assert {eve.get(of(private, path)).status_code for path in ("/analysis", "/analysis/line")} == {404}
    for bound in (999, 50_000_001, "all"):
        assert told(ask(ada, private, bound=bound), 400, "malformed")["errors"][0]["pointer"] == "/bound"
    assert ada.post(of(private, "/analysis"), {}, headers={"idempotency-key": "once"}).headers["log-position"]


def test_an_imported_game_is_analysed_until_it_goes(ada: Player) -> None:
    plan = planted(*PLANTED)
    made = OpenRecord(tuple(records(plan.key, plan.seed, plan.commands)), None)
    text = b"".join(record_lines(made))
    game = brought(ada, text).json()
    told(ada.get(of(game, "/record?annotated=true")), 409, "illegal", "not_analysed")
    assert ask(ada, game).status_code == 202
    assert await_analysis(ada, game)["lost_step"] == plan.lost_step
    annotated = taken(ada, game, annotated=True)
    assert read_record(annotated) == made._replace(annotations=read_record(annotated).annotations)
    assert {note.annotates: note.verdict for note in read_record(annotated).annotations}[plan.lost_step] == "impossible"
    assert ada.http.post("/v1/records/verify", content=annotated, headers=RECORD).json()["consistent"]
    assert done(brought(ada, annotated))["id"] == game["id"]
    told(ada.get(of(game, "/record?annotated=true&notation=pbn")), 400, "malformed")
    assert ada.http.delete(f"/v1/records/{game['id']}").status_code == 204
    assert brought(ada, text).json()["id"] == game["id"]
    assert ada.get(of(game, "/analysis")).status_code == 404


def test_a_deal_is_judged_with_a_record_that_wins(service: Service, ada: Player, eve: Player) -> None:
    plan = planted(*PLANTED)
    game = {"id": done(judge(ada, game_type=plan.key, seed=plan.seed), 202)["game_id"]}
    report = await_analysis(ada, game)
    assert (report["outcome"], report["line_step"]) == ("given_up", 0)
    other = judge(eve, game_type=plan.key, seed=plan.seed, options={})
    assert (other.status_code, other.json()) == (200, ada.get(of(game, "/analysis")).json())
    annotated = taken(eve, game, annotated=True)
    assert [(note.annotates, note.verdict) for note in read_record(annotated).annotations] == [(0, "won")]
    verified = eve.http.post("/v1/records/verify", content=annotated, headers=RECORD).json()
    assert (verified["consistent"], verified["faults"]) == (True, [])
    never = judge(ada, game_type="the_clock", seed="never 0").raise_for_status().json()
    assert await_analysis(ada, {"id": never["game_id"]})["outcome"] == "unwinnable"
    small = ada.post("/v1/deals?bound=1000", {"game_type": "black_hole", "seed": "planted 28"}).json()
    assert await_analysis(ada, {"id": small["game_id"]})["outcome"] == "open"
    assert service.http.get(of(game, "/analysis")).json()["report"] == report
    page = service.http.get(f"/games/{game['id']}").raise_for_status().text
    assert "somebody asked whether this deal can be won" in page.partition('id="about"')[2]


def test_what_is_no_deal_or_has_no_solver_is_refused(service: Service) -> None:
    ada = registered(service, "Ada")
    for deal, rule in (({}, "no_deal"), ({"deal": {"winnable": True}}, "no_deal"), ({"deal": ["AS"]}, "given_deal")):
        told(judge(ada, game_type="golf", **deal), 409, "illegal", rule)
    told(judge(ada, game_type="golf", seed="one", deal=["AS"]), 409, "illegal", "one_deal")
    told(judge(ada, game_type="deck_the_yard", seed="one"), 409, "illegal", "no_solver")
    told(ada.post("/v1/deals?bound=999", {"game_type": "golf", "seed": "one"}), 400, "malformed")
    assert ada.get("/v1/records").json()["games"] == []


def test_a_contest_tells_nothing_before_it_is_revealed(database: str) -> None:
    with serving(database, run_worker=False) as service:
        contest = announced(database, "freecell")
        ada, eve = registered(service, "Ada"), registered(service, "Eve")
        attempt = entered(ada, contest)
        cards = [*truth.records(service, attempt)[2].event.cards]
        resign(ada, attempt)
        told(ask(ada, attempt), 409, "illegal", "game_not_revealed")
        assert ask(eve, attempt).status_code == 404
        typed = ended(eve, "freecell", deal=cards)
        told(ask(eve, typed), 409, "illegal", "deal_withheld")
        changed = [*cards[-2:], *cards[2:-2], *cards[:2]]
        named = [card[0] + {"S": "C", "C": "S"}.get(card[1], card[1]) for card in changed]
        for alike in (cards, changed, named):
            told(judge(eve, game_type="freecell", deal=alike), 409, "illegal", "deal_withheld")
        for alike in (changed, named):
            told(ask(eve, ended(eve, "freecell", deal=alike)), 409, "illegal", "deal_withheld")
        assert ask(eve, ended(eve, "freecell", deal=sorted(cards))).status_code == 202
        empty_queue(service)
    close_all(database)
    with serving(database) as service:
        for player, game in ((eve.on(service), attempt), (ada.on(service), typed)):
            assert ask(player, game).status_code == 202
            assert await_analysis(player, game)["outcome"] in ("unwinnable", "given_up")
        judged = {"id": judge(eve.on(service), game_type="freecell", deal=cards).json()["game_id"]}
        assert await_analysis(eve.on(service), judged)["line"] == await_analysis(ada.on(service), typed)["line"]


def test_a_contest_tells_nothing_of_cards_that_nobody_has_seen(idle: Service) -> None:
    database, ada, eve = idle.conninfo, registered(idle, "Ada"), registered(idle, "Eve")
    cards = [*truth.records(idle, entered(ada, announced(database, "golf")))[2].event.cards]
    hidden = cards[36:]
    some = [*cards[:20], *Random(1).sample(cards[20:36], 16)]
    others = Random(2).sample(cards[:36], 36)
    for open_cards, status in ((some, 409), (others, 202)):
        for guess in (hidden, [*hidden[1:], hidden[0]]):
            assert judge(ada, game_type="golf", deal=[*open_cards, *guess]).status_code == status
    cards = [*truth.records(idle, entered(ada, announced(database, "pyramid")))[2].event.cards]
    for top in (False, True):  # which shows a card more
        answer = judge(ada, game_type="pyramid", deal=cards, options={"stock_top": top})
        told(answer, 409, "illegal", "deal_withheld")
    kind, seed = GAME_TYPES["golf"], fresh_secret().seed
    cards = kind.deal(kind.options(), Chance(deal_seed(seed, (None,))), 1)[0].cards
    announced(database, "golf", looked=ExaminedDeal(seed=seed), opens_in=12 * HOUR)
    assert judge(eve, game_type="golf", deal=[*cards]).status_code == 202
    announced(database, "golf", looked=ExaminedDeal(seed=seed), day="2020-01-01")
    told(judge(eve, game_type="golf", deal=[*cards]), 409, "illegal", "deal_withheld")
    empty_queue(idle)


def follow(player: Player, game: Game, **query: Any) -> Iterator[tuple[str, Any]]:
    """The events of the analysis' stream, one by one, to its end."""
    return ((event.name, event.data) for event in calm_events_at(player, of(game, "/analysis"), **query))


def test_how_far_it_has_come_is_followed_to_the_report(idle: Service) -> None:
    ada = registered(idle, "Ada")
    game, step = lost(ada)
    told(ada.get(of(game, "/analysis"), headers={"accept": "text/event-stream"}), 404, "no_such_thing")
    assert ask(ada, game).status_code == 202
    (name, data), end = follow(ada, game, max_seconds=0.2)
    assert (name, data["status"], end) == ("analysis", "queued", ("end", {"reason": "limit"}))
    stream = follow(ada, game)
    name, first = next(stream)
    assert (name, first["status"], first["verdicts"]) == ("analysis", "queued", 0)
    with serving(idle.conninfo):
        *rest, (last, report), end = stream
    assert (last, end) == ("analysis", ("end", {"reason": "finished"}))
    assert (report["status"], report["report"]["lost_step"]) == ("done", step)
    assert {(name, data["report"]) for name, data in rest} <= {("analysis", None)}
    assert [*follow(ada, game)] == [("analysis", report), end]  # who comes late has the report at once


def test_nobody_fills_the_queue_alone_and_everybody_has_a_turn(idle: Service) -> None:
    ada, eve = registered(idle, "Ada"), registered(idle, "Eve")
    games = [ended(ada, "the_clock", seed="never 0") for _ in range(6)]

    def ask_as_nobody(game: Game) -> httpx.Response:
        return idle.http.post(of(game, "/analysis"), json={})

    def refuse(answer: httpx.Response) -> None:
        told(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) > 0

    assert [ask(ada, game).status_code for game in games[:2] * 2] == [202] * 4, "what waits is no news"
    refuse(ask(ada, games[2]))
    refuse(judge(ada, game_type="the_clock", seed="never 0"))
    assert ada.get(of(games[2], "/analysis")).status_code == 404
    assert ada.get("/v1/records").json()["games"] == [], "what is refused is not kept"
    assert [ask_as_nobody(game).status_code for game in games[3:5]] == [202, 202]
    refuse(ask_as_nobody(games[5]))
    assert ask(eve, games[2]).status_code == 202
    refuse(ask(eve, games[5]))  # the queue is full now
    with psycopg.connect(idle.conninfo, autocommit=True) as connection:
        leases = [queue.lease(connection) for _ in range(5)]
        assert [str(lease.ref.game) for lease in leases if lease] == [games[place]["id"] for place in (0, 3, 2, 1, 4)]
        for lease in filter(None, leases):
            lease.give_back(connection, tried=False)
    with serving(idle.conninfo, analysis_queue=5) as working:
        assert {await_analysis(ada, game)["outcome"] for game in games[:5]} == {"unwinnable"}
        assert ask(eve.on(working), games[5]).status_code == 202
        await_analysis(ada, games[5])


def await_child(service: Service) -> psutil.Process:
    """The process that searches, once it is there."""
    until(lambda: len(service.children("analyses")) == 1)
    return service.children("analyses")[0]


def await_verdicts(player: Player, game: Game, count: int) -> dict[str, Any]:
    """The analysis while it runs, once so many verdicts are there."""
    while True:
        state: dict[str, Any] = player.get(of(game, "/analysis")).json()
        assert state["status"] != "done"
        if state["verdicts"] >= count and state["status"] == "running":
            return state
        time.sleep(0.05)


def test_a_search_and_a_worker_that_are_killed_lose_nothing(database: str) -> None:
    played = next(game for game in stored(GAME_TYPES["spite_and_malice"]) if len(game) > 200)  # judged for many seconds
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = imported(ada, played)
        ask(ada, game)
        await_verdicts(ada, game, 1)
        searching = await_child(service)
        searching.kill()
        with psycopg.connect(database, autocommit=True) as connection:
            until(lambda: connection.execute("SELECT attempts FROM analyses").fetchone() == (2,))
            await_verdicts(ada, game, 1)
            searching = await_child(service)
            service.end(signal.SIGKILL)
            searching.wait(60)  # its worker has died
            noted, due = connection.execute("SELECT findings, due IS NOT NULL FROM analyses").fetchone() or (b"", None)
            assert due
            connection.execute("UPDATE analyses SET due = 1")  # the lease ends
    with serving(database, analysis_seconds=1) as service:
        report = await_analysis(ada.on(service), game)
        swings = [note["swing"] for note in msgspec.json.decode(noted)]
        assert report["swings"][: len(swings)] == swings, "what was found before the death"
        assert len(swings) <= len(report["swings"]) < len(moves_of(played)), "the time is up"
        until(lambda: service.children("analyses") == [])
        assert truth.rows(service, "SELECT attempts, due FROM analyses") == [(3, None)]
        ada = ada.on(service)
        game = ended(ada, "spider", seed="one", options={"suits": 4})
        ask(ada, game, bound=50_000_000)
        assert await_analysis(ada, game)["asked"] == [{"step": 0, "verdict": "open", "positions": 0}]
        assert ask(ada, game, bound=50_000_000).status_code == 200


def test_a_report_stays_until_another_takes_its_place(idle: Service) -> None:
    ada, eve, bob = (registered(idle, name) for name in ("Ada", "Eve", "Bob"))
    game = ended(ada, "black_hole", seed="planted 28")
    with serving(idle.conninfo):
        assert ask(ada, game, bound=1_000).status_code == 202
        report = await_analysis(ada, game)
        assert (report["outcome"], report["complete"]) == ("open", True)
    until(lambda: ask(eve, game, bound=1_999).status_code != 503)  # the process that ended had a share of the games
    told(ask(eve, game, bound=1_999), 409, "illegal", "bound_not_doubled")
    for player in (eve, bob, registered(idle, "Cyd")):
        for _ in range(2):
            ask(player, ended(eve, "the_clock", seed="never 0"))
    for body in ({"bound": 2_000}, {}):
        told(ask(ada, game, **body), 503, "busy")
    empty_queue(idle)
    with psycopg.connect(idle.conninfo, autocommit=True) as connection:
        noted, this = msgspec.json.encode([Foreseen(1, Foresight(8, 8, 8, 8))]), (game["id"],)
        connection.execute("UPDATE analyses SET findings = %s WHERE game = %s", (noted, *this))
        assert ask(eve, game, bound=2_000).status_code == 202
        told(ask(ada, game, bound=3_000), 409, "illegal", "bound_not_doubled")
        assert (again := ask(ada, game)).status_code == 202, "it waits: the bound is raised to what is usual"
        assert eve.http.delete("/v1/players/me").status_code == 204
        assert ada.get(of(game, "/analysis")).json() == again.json()
        assert (again.json()["status"], again.json()["bound"], again.json()["report"]) == ("queued", 0, report)
        assert ada.get(of(game, "/record?annotated=true")).status_code == 200
        findings = connection.execute("SELECT findings FROM analyses WHERE game = %s", this).fetchone()
        assert findings == (noted,), "no bound changes foresight"
        lease = queue.lease(connection)
        assert lease is not None
        told(ask(ada, game, bound=4_000_000), 503, "busy")
        lease.give_back(connection, tried=False)
    stream = follow(ada, game)
    assert next(stream)[1]["report"] == report
    with serving(idle.conninfo):
        *_, (_, last), end = stream
        assert (last["status"], last["report"]["outcome"], end[1]) == ("done", "given_up", {"reason": "finished"})
        assert ask(ada, game, bound=1_000).json() == last
        assert ask(ada, game, bound=4_000_000).json() == last, "nothing was open"


def test_what_three_deaths_left_unfinished_is_asked_for_again(idle: Service) -> None:
    rubber = min((game for game in stored(GAME_TYPES["bridge_solitaire"]) if len(game) > 100), key=len)  # of two hands
    ada, eve = registered(idle, "Ada"), registered(idle, "Eve")
    games = [lost(ada)[0], imported(ada, rubber)]
    assert [ask(ada, game).status_code for game in games] == [202, 202]
    truth.done(idle, "UPDATE analyses SET attempts = 3 WHERE report IS NULL")
    with serving(idle.conninfo) as working:
        for game, player in zip(games, (eve.on(working), ada.on(working)), strict=True):
            report = await_analysis(player, game)
            assert (report["complete"], report.get("hands", ())) == (False, [] if game is games[1] else ())
            assert report["sentences"][2].endswith("asked for again, it goes on.")
            assert ask(player, game).status_code == 202
            assert await_analysis(player, game)["complete"]
            assert ask(player, game).status_code == 200
        ((noted,),) = truth.rows(idle, "SELECT findings FROM analyses WHERE game = %s", games[1]["id"])
        hands = [note["hand"] for note in msgspec.json.decode(noted)]
        assert hands == ada.get(of(games[1], "/analysis")).json()["report"]["hands"], "noted one by one"
        assert len(hands) > 1


def test_one_is_told_in_private_where_one_lost(service: Service, eve: Player) -> None:
    player = registered(service, "Grace")
    game, step = lost(player)
    ended(player, "golf")
    for _ in range(2):
        ask(eve, game)
        await_analysis(eve, game)
    until(lambda: player.get("/v1/account/losses").json()["games"] == 2)
    losses = player.get("/v1/account/losses").json()
    assert (losses["analysed"], [row["lost"] for row in losses["types"]]) == (1, [1])
    assert [(row["game_id"], row["lost_step"]) for row in losses["lost"]] == [(game["id"], step)]
    empty = registered(service, "Joan").get("/v1/account/losses").json()
    assert (empty["games"], empty["analysed"], empty["types"], empty["lost"]) == (0, 0, [], [])
