"""Pages of leagues, ladders and days: what they show, what their forms do, and what they never tell."""

import json
import re
from collections.abc import Iterator
from html import escape

import pytest

from domain.league.rules import EARLIER_RULES, LEAGUE_RULES
from service.event_store.ids import uuid7
from service.live.shapes import today

from .boxes import at, done, fixture, fixtures, founded, running, won
from .browsing import Browser, caught_up, said, signed_in
from .furnished import TRICKY, Furnished
from .holding import close_all, settled
from .playing import look
from .serving import registered, serving
from .test_pages import LINK, POLICY, Inline


@pytest.fixture(scope="module")
def room(conninfo: str) -> Iterator[Furnished]:
    with serving(conninfo) as service:
        yield Furnished(service)


@pytest.fixture
def stranger(room: Furnished) -> Browser:
    return Browser(room.service)


@pytest.fixture
def olgas(room: Furnished) -> Browser:
    return signed_in(room.service, room.olga)


@pytest.fixture
def adas(room: Furnished) -> Browser:
    return signed_in(room.service, room.ada)


def path(room: Furnished, rest: str = "") -> str:
    return f"/leagues/{room.box['id']}{rest}"


def pages(room: Furnished) -> list[str]:
    """One page of each kind, and each in several states."""
    key, box, club = room.box["game_type"], path(room), f"/leagues/{room.club['id']}"
    played, open_ = (fixtures(room.olga, room.box, season)[0]["id"] for season in (1, 2))
    leagues = ["/leagues", "/leagues/new", "/leagues/new/golf", f"/leagues/new/{key}", box, f"{box}/rulings", club]
    seasons = [f"{box}/seasons/1", f"{box}/seasons/2", f"{club}/seasons/1"]
    one = [f"{box}/fixtures/{played}", f"{box}/fixtures/{open_}", f"{box}/rulings?game_id={room.game['id']}"]
    tables = ["/ladders", f"/ladders/{key}", f"/ladders/{key}/players/{room.ada.id}", "/ladders/megiddo"]
    boards = ["/scoreboards/golf", f"/scoreboards/{key}/players/{room.ada.id}"]
    days = ["/days", f"/contests/{room.contest}", f"/contests/{room.club_contest}", "/day-seasons/golf"]
    return [*leagues, *seasons, *one, *tables, *boards, *days, f"/players/{room.ada.id}", f"/players/{room.olga.id}"]


def test_pages_are_strict_and_linked(room: Furnished, stranger: Browser, adas: Browser, olgas: Browser) -> None:
    links = set[str]()
    for address in pages(room):
        for browser in (stranger, adas, olgas):
            answer = browser.get(address)
            assert answer.status_code == 200, (address, answer.text)
            assert answer.headers["content-security-policy"] == POLICY, address
            parser = Inline()
            parser.feed(answer.text)
            assert parser.found == [], address
            assert (answer.text.count("<h1"), TRICKY in answer.text) == (1, False), address
        links.update(link.partition("#")[0].replace("&amp;", "&") for link in LINK.findall(answer.text))
    assert escape(TRICKY) in stranger.shown(path(room)).replace("&#34;", "&quot;")
    for link in sorted(links):
        answer = olgas.get(link or "/", headers={"accept": "*/*"})
        assert answer.status_code == 200, (link, answer.text)


def test_the_season_explains_each_row_and_shows_what_was_published(room: Furnished, stranger: Browser) -> None:
    settled(room.service)
    page = stranger.shown(path(room, "/seasons/1"))
    words = said(page)
    (division,) = done(room.olga.get(at(room.box, "/seasons/1/tables")))["divisions"]
    for row in division["rows"]:
        for part in row["contributions"]:
            assert f'href="{path(room, "/fixtures/" + part["fixture_id"])}"' in page
            assert part["game_id"] is None or f'href="/games/{part["game_id"]}"' in page
    assert [one["number"] for one in division["published"]] == [0, 1]
    for one in division["published"]:
        assert one["hash"] in page
        assert f"as of event {one['log_position']}" in words
    assert "Amendment 1, games voided: Both seats were one person." in words
    assert f"Walkover with {TRICKY} : 24 points" in words


def test_tables_are_there_as_csv_and_as_text(room: Furnished, stranger: Browser) -> None:
    links = [
        path(room, "/seasons/1/tables"), f"/leagues/{room.club['id']}/seasons/1/standings", "/day-seasons/golf",
        "/scoreboards/golf", "/ladders/spite_and_malice",
    ]  # fmt: skip
    for link in links:
        for kind, media in (("csv", "text/csv"), ("text", "text/plain")):
            answer = stranger.get(f"{link}/as/{kind}")
            assert (answer.status_code, answer.headers["content-type"]) == (200, f"{media}; charset=utf-8")
        assert stranger.get(f"{link}/as/pdf").status_code == 404
    api = room.service.http.get(f"/v1{path(room)}/seasons/1/tables", headers={"accept": "text/csv"})
    page = stranger.get(path(room, "/seasons/1/tables/as/csv"))
    assert (page.text, page.headers["content-type"]) == (api.text, api.headers["content-type"])
    assert stranger.get(f"/contests/{room.contest}/results/as/csv").status_code == 409


def test_every_rule_set_has_a_page_that_leagues_link_to(room: Furnished, stranger: Browser) -> None:
    assert 'href="/leagues/rules/box-units-3"' in stranger.shown(path(room))
    listed = stranger.shown("/leagues/rules")
    for rule_set in LEAGUE_RULES | EARLIER_RULES:
        assert f'href="/leagues/rules/{rule_set}"' in listed
        worked = "A season worked out" in stranger.shown(f"/leagues/rules/{rule_set}")
        assert worked == rule_set.startswith("box")
    assert "C 3 48 4 2 0 2 2 72 0" in said(stranger.shown("/leagues/rules/box-units-3"))
    assert stranger.get("/leagues/rules/box-units-9").status_code == 404


def test_a_league_is_founded_or_refused_by_a_form(olgas: Browser) -> None:
    form = {"name": "Friday table", "rules": "box-units-3", "membership": "invite", "rounds": "2", "table": "2"}
    founded_ = olgas.post("/leagues/new/spite_and_malice", form)
    assert founded_.status_code == 303, founded_.text
    words = said(olgas.shown(founded_.headers["location"]))
    assert "Friday table" in words
    assert "everybody of a division meets everybody else 2 times, in pairs" in words
    for wrong, sentence in (({"table": "5"}, "is not played by 5"), ({"name": ""}, "name")):
        refused = olgas.post("/leagues/new/spite_and_malice", form | wrong)
        assert refused.status_code == 409
        assert sentence in said(refused.text)
        assert 'role="alert"' in refused.text
    assert olgas.get("/leagues/new/the_clock").status_code == 404


def test_joining_inviting_and_leaving_by_forms(room: Furnished, olgas: Browser, adas: Browser) -> None:
    league = founded(room.olga, name="By invitation", membership="invite")
    here = f"/leagues/{league['id']}"
    refused = adas.post(f"{here}/join")
    assert (refused.status_code, "Membership of this league is by invitation." in refused.text) == (409, True)
    link = f"https://kibitz.example/players/{room.ada.id}"
    assert olgas.post(f"{here}/invite", {"player_id": link}).status_code == 303
    assert adas.post(f"{here}/join").headers["location"] == here
    assert room.ada.id in [one["id"] for one in room.olga.get(f"/v1{here}").json()["members"]]
    assert "Leave the league" in adas.shown(here)
    assert adas.post(f"{here}/leave").status_code == 303
    assert room.olga.get(f"/v1{here}").json()["members"] == []
    register = {"name": "Zoë By Name", "findable": True}
    zoe = room.olga.http.post("/v1/players", json=register).json()["player"]
    assert olgas.post(f"{here}/invite", {"player_id": "zoë by name"}).status_code == 303
    assert zoe["id"] in [one["id"] for one in room.olga.get(f"/v1{here}").json()["invited"]]
    room.olga.http.post("/v1/players", json=register)
    for name, sentence in (("Zoë By Name", "several players are"), ("Zoë By", "nobody who may be found is")):
        assert f"{sentence} called {name}" in said(olgas.post(f"{here}/invite", {"player_id": name}).text)


def test_every_refused_form_says_why_on_the_page(room: Furnished, olgas: Browser, adas: Browser) -> None:
    for deed, form, sentence in (
        ("invite", {"player_id": "nobody"}, "Player"),
        ("invite", {"player_id": str(uuid7())}, "There is no such player."),
        ("open-season", {"starts": "2020-01-01T00:00", "ends": "2020-02-01T00:00"}, "Season 2 is not closed."),
        ("announce-contest", {"opens": "2020-01-01T00:00", "closes": "2099-02-01T00:00"}, "A box league plays"),
        ("remove", {"player_id": room.olga.id, "reason": "Never came."}, "not a member"),
        ("rename", {"name": " "}, "name"),
        ("seasons/1/close", {}, "The season is closed."),
        ("seasons/2/promotions", {}, "Promotions are decided after"),
        ("seasons/2/replace", {"player_id": room.ada.id, "by_player_id": room.bob.id}, "A substitute is a member who"),
        ("rulings/void", {"game_ids": str(uuid7()), "reason": "Why not."}, "There is no game"),
        ("rulings/correct", {"game_id": room.game["id"], "ending": "won", "reason": "Why."}, "has winners"),
    ):
        refused = olgas.post(path(room, f"/{deed}"), form)
        assert (refused.status_code, sentence.lower() in said(refused.text).lower()) == (409, True), deed
        assert 'role="alert"' in refused.text, deed
    assert "Only an organiser" in adas.post(path(room, "/rename"), {"name": "Mine"}).text
    assert "For organisers" not in adas.shown(path(room))
    assert olgas.post(path(room, "/no-such-deed")).status_code == 404


def test_a_form_from_elsewhere_or_of_nobody_changes_nothing(room: Furnished, olgas: Browser, stranger: Browser) -> None:
    before = room.olga.get(f"/v1{path(room)}").json()
    foreign = olgas.post(path(room, "/dissolve"), {"reason": "Ha."}, **{"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    assert stranger.post(path(room, "/join")).headers["location"] == "/sign-in"
    assert room.olga.get(f"/v1{path(room)}").json() == before


def test_both_are_seated_from_their_fixtures_page(room: Furnished) -> None:
    address = path(room, f"/fixtures/{fixture(room.olga, room.box, room.ada, room.bob, season=2)}")
    games: list[str] = []
    for player in (room.ada, room.bob):
        with signed_in(room.service, player) as browser:
            assert "Play" in said(browser.shown(address))
            games.append(browser.post(f"{address}/play").headers["location"])
    assert games[0] == games[1]
    seats = look(room.ada, {"id": games[0].rpartition("/")[2]})["seats"]
    assert {seat["player"]["id"] for seat in seats} == {room.ada.id, room.bob.id}
    with signed_in(room.service, room.cyd) as browser:
        refused = browser.post(f"{address}/play")
        assert (refused.status_code, "You are not in that fixture." in refused.text) == (409, True)


def test_pages_of_a_league_say_who_leads_how_one_joins_and_what_is_next(room: Furnished, stranger: Browser) -> None:
    organiser, rival = (registered(room.service, name) for name in ("Lead", "Trail"))
    league = running(organiser, organiser, rival)
    here, one = f"/leagues/{league['id']}", fixtures(organiser, league)[0]["id"]
    settled(room.service)
    with signed_in(room.service, rival) as browser:
        for address in (here, f"{here}/seasons/1"):
            words = said(page := browser.shown(address))
            assert "What is next for you" in words
            assert "Nobody leads yet" in words
            assert f'action="{here}/fixtures/{one}/play"><button aria-label="Play against Lead"' in page
        assert "It is to be played by" in said(browser.shown(f"{here}/fixtures/{one}"))
    words = said(page := stranger.shown(here))
    assert "Come in as a guest, to join" in words
    assert "What is next for you" not in words
    assert '/play"' not in page
    game = won(room.service, league, organiser, rival)
    settled(room.service)
    for address in (here, f"{here}/seasons/1"):
        assert re.search(r"Who leads Lead leads with \d+ points", said(stranger.shown(address)))
    words = said(page := stranger.shown(f"{here}/fixtures/{one}"))
    assert "place 1," in words
    assert re.search(r"Lead", words.partition("place 2,")[2]), "the result names the winner"
    assert f'href="/games/{game["id"]}"' in page
    with signed_in(room.service, rival) as browser:
        assert "You have played all your fixtures." in said(browser.shown(here))


def test_an_empty_table_says_how_one_gets_in_and_lets_one(room: Furnished, stranger: Browser) -> None:
    for address, key, sentence in (
        ("/ladders", "megiddo", "Nobody is listed yet: be the first."),
        ("/ladders/megiddo", "megiddo", "You are listed after ten rated games"),
        ("/scoreboards", "spider", "it takes 20 clean rated games"),
        ("/scoreboards/spider", "spider", "You are listed after 20 clean rated games."),
    ):
        page = stranger.shown(address)
        assert sentence in said(page), address
        assert f'action="/games/new/{key}/as-guest"' in page
    assert 'href="/ladders/megiddo">Ranked on its ladder' in stranger.shown("/scoreboards")
    entered = stranger.post("/games/new/spider/as-guest", {"rated": "on"}).headers["location"]
    assert stranger.get(f"/v1{entered}").json()["rated"] is True


def test_fixtures_and_results_are_ruled_on_by_forms(room: Furnished, olgas: Browser) -> None:
    address = path(room, f"/fixtures/{fixture(room.olga, room.box, room.bob, room.cyd, season=2)}")
    reason = {"reason": "Ill."}
    assert olgas.post(f"{address}/walkover", {"to_player_id": room.bob.id, **reason}).status_code == 303
    assert "walkover" in said(olgas.shown(address))
    assert olgas.post(f"{address}/reopen", reason).status_code == 303
    assert olgas.post(f"{address}/not-played", {f"absent.{room.cyd.id}": "on", **reason}).status_code == 303
    assert "not played" in said(olgas.shown(address))
    assert olgas.post(f"{address}/reopen", reason).status_code == 303
    link = f"http://elsewhere/games/{room.game['id']}#step=3"
    rulings = path(room, "/rulings")
    assert olgas.post(f"{rulings}/void", {"game_ids": link, "reason": "A <b>bold</b> mistake."}).status_code == 303
    assert "A &lt;b&gt;bold&lt;/b&gt; mistake." in olgas.shown(rulings)
    result = {"ending": "won", "winners": "2", "places": "2 1"}
    for deed, form in (
        ("withdraw-void", {"game_ids": link}), ("correct", {"game_id": link, **result}),
        ("withdraw-correction", {"game_id": link}),
    ):  # fmt: skip
        assert olgas.post(f"{rulings}/{deed}", form | reason).status_code == 303
    assert "Result corrected" in said(olgas.shown(rulings))


def test_a_provisional_rating_is_marked_and_explained_with_a_line(room: Furnished, adas: Browser) -> None:
    page = adas.shown("/ladders/spite_and_malice")
    assert "Nobody is listed yet" in page
    assert "provisional" in said(page)
    mine = adas.shown(f"/ladders/spite_and_malice/players/{room.ada.id}")
    assert '<span class="unsure"' in mine
    assert re.search(r'<polyline points="[\d., ]+"/>', mine)
    assert f'href="/games/{room.game["id"]}"' in mine
    assert adas.get("/ladders/golf").status_code == 404


def test_the_players_card_has_everything(room: Furnished, stranger: Browser) -> None:
    words = said(stranger.shown(f"/players/{room.ada.id}"))
    for part in ("Ratings", "Reliability", "Leagues", "Days in a row", "Rubbers", "Thursdays", "Patience club"):
        assert part in words
    assert re.search(r"\d of the last \d rated games with others seen through", words)
    nobody = registered(room.service, "Newcomer")
    empty = said(stranger.shown(f"/players/{nobody.id}"))
    assert "In no league yet." in empty
    assert "No rated game with others has begun yet." in empty


def test_the_days_page_offers_to_enter_and_to_go_on(room: Furnished, adas: Browser, stranger: Browser) -> None:
    address = f"/contests/{room.contest}/attempt"
    page = adas.shown("/days")
    assert f'href="/games/{room.attempts[room.ada.id]["id"]}"' in page
    assert re.search(r'<time datetime="P0DT[45]H\d+M" data-until="[^"]+">[45] h', page)
    assert address not in page
    with signed_in(room.service, registered(room.service, "Late")) as browser:
        assert f'action="{address}"' in browser.shown("/days")
        entered, again = (browser.post(address).headers["location"] for _ in range(2))
        assert (entered[:7], again) == ("/games/", entered)
    assert stranger.post(address).headers["location"] == "/sign-in"
    with signed_in(room.service, room.cyd) as browser:
        refused = browser.post(f"/contests/{room.club_contest}/attempt")
        assert (refused.status_code, "for members of its league" in refused.text) == (409, True)


def test_a_guest_enters_by_one_tap_and_sees_the_picture_of_the_attempt_alone(
    room: Furnished, stranger: Browser, adas: Browser
) -> None:
    address = f"/contests/{room.contest}/attempt/as-guest"
    assert f'action="{address}"' in stranger.shown("/days")
    assert f'action="{address}"' in stranger.shown(f"/contests/{room.contest}")
    entered = stranger.post(address).headers["location"]
    assert entered.startswith("/games/")
    assert stranger.get(f"/v1{entered}").json()["rated"] is True
    settled(room.service)
    (picture,) = re.findall(rf'src="({entered}/board.svg)"', stranger.shown("/"))
    drawn = stranger.get(picture)
    assert (drawn.status_code, drawn.headers["cache-control"]) == (200, "no-store")
    assert adas.get(picture).status_code == 404
    fresh = Browser(room.service)
    assert fresh.post(f"/contests/{room.club_contest}/attempt/as-guest").headers["location"] == "/sign-in"
    assert "/attempt/as-guest" not in fresh.shown(f"/contests/{room.club_contest}")


def test_open_results_are_for_who_has_finished(room: Furnished, adas: Browser, stranger: Browser) -> None:
    address = f"/contests/{room.contest}"
    assert "Results so far" in said(adas.shown(address))
    assert 'aria-label="Replay of' not in adas.shown(address)
    with signed_in(room.service, room.bob) as browser:
        for other in (stranger, browser):
            assert "Results are told at" in said(other.shown(address))


def test_an_erased_player_is_told_as_such_wherever_they_stand(room: Furnished, stranger: Browser) -> None:
    gone = registered(room.service, "Forget Me")
    league = running(room.olga, room.ada, gone)
    assert gone.http.delete("/v1/players/me").status_code == 204
    caught_up(room.service)
    here, one = f"/leagues/{league['id']}", fixtures(room.olga, league)[0]["id"]
    for rest in ("", "/seasons/1", f"/fixtures/{one}"):
        page = stranger.shown(here + rest)
        assert "an erased player" in said(page).lower()
        assert "Forget Me" not in page


def test_lists_go_on_behind_a_cursor(room: Furnished, stranger: Browser) -> None:
    for number in range(31):
        founded(room.olga, name=f"Number {number}")
    caught_up(room.service)
    first = stranger.shown("/leagues")
    (further,) = re.findall(r'rel="next" href="([^"]*)"', first)
    second = stranger.shown(further.replace("&amp;", "&"))
    leagues = [set(re.findall(r'href="(/leagues/[0-9a-f-]{36})"', page)) for page in (first, second)]
    assert (len(leagues[0]), leagues[0] & leagues[1]) == (30, set())
    assert "The newest" in said(second)
    assert stranger.get("/leagues?cursor=nonsense").status_code == 400


def test_a_closed_season_of_days_shows_what_was_published(room: Furnished, olgas: Browser) -> None:
    league = running(room.olga, room.ada, room.bob, name="Short", game_type="golf", rules="same-deal-1")
    here = f"/leagues/{league['id']}/seasons/1"
    when = {"opens": "2026-01-01T00:00", "closes": "2099-01-01T00:00"}
    assert olgas.post(f"/leagues/{league['id']}/announce-contest", when).headers["location"] == here
    assert olgas.post(f"{here}/close").headers["location"] == here
    caught_up(room.service)
    (published,) = room.olga.get(f"/v1{here}/standings").json()["published"]
    page = olgas.shown(here)
    assert published["hash"] in page
    assert f"as of event {published['log_position']}" in said(page)
    assert "Announce a contest" not in page


def test_no_page_tells_others_of_a_withheld_game(room: Furnished, stranger: Browser, adas: Browser) -> None:
    game = room.attempts[room.bob.id]["id"]
    for browser in (stranger, adas):
        for address in ["/", *pages(room), f"/players/{room.bob.id}", f"/players/{room.bob.id}?status=playing"]:
            assert game not in browser.shown(address), address
        for deed in ("join", "leave"):
            real, none = (browser.post(f"/games/{one}/{deed}") for one in (game, uuid7()))
            assert (real.status_code, real.text) == (none.status_code, none.text)


def test_the_own_withheld_record_has_no_secrets(room: Furnished) -> None:
    for player in (room.ada, room.bob):
        game = room.attempts[player.id]
        text = player.get(f"/v1/games/{game['id']}/record").text
        assert '"complete":false' in text.replace(" ", "").splitlines()[0]
        assert json.loads(text.splitlines()[0])["sealed"] is None
        assert "digest_key" not in text
        refused = player.post(f"/v1/games/{game['id']}/fork", {"step": 0})
        assert refused.status_code == 409


def test_the_feed_has_contest_games_once_revealed(room: Furnished, conninfo: str) -> None:
    withheld = [game["id"] for game in room.attempts.values()]
    feed = room.service.http.get("/v1/feed").text
    assert room.game["id"] in feed
    assert [game for game in withheld if game in feed] == []
    room.service.end()
    close_all(conninfo)
    with serving(conninfo) as service:
        settled(service)
        feed = service.http.get("/v1/feed").text
        for game in withheld:
            assert f'"{game}"' in feed
            assert service.http.get(f"/v1/games/{game}/record").status_code == 200
        forked = room.eve.on(service).post(f"/v1/games/{withheld[0]}/fork", {"step": 0})
        assert forked.status_code == 201, forked.text
        with Browser(service) as anybody, signed_in(service, room.ada.on(service)) as browser:
            page = anybody.shown(f"/contests/{room.contest}")
            told = anybody.get(f"/v1/contests/{room.contest}").json()
            assert told["seed"] in page
            assert told["day"] in page
            assert all(f'href="/games/{game}"' in page for game in withheld)
            assert f"/contests/{room.contest}" in anybody.shown(f"/day-seasons/golf/players/{room.ada.id}")
            page = browser.shown("/day-seasons/golf")
            assert "You: not listed yet" in said(page)
            assert f'href="/day-seasons/golf/players/{room.ada.id}?month={today()[:7]}"' in page
