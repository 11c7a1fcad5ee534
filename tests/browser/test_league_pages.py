"""Pages of leagues, ladders and days in a real browser: accessible, narrow enough, and usable without script."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Page, expect

from service.postgres import Server
from tests.api.boxes import at, done, fixtures, founded, won
from tests.api.furnished import Furnished
from tests.api.holding import announced, close_all, entered, move, resign, settled
from tests.api.playing import opened
from tests.api.serving import Player, database_of, registered, serving

from .game_pages import end_sessions, sign_in
from .looks import Checks

R = TypeVar("R")
_OPEN = "document.querySelectorAll('details').forEach((node) => { node.open = true; })"


def aside(do: Callable[..., R], *arguments: Any) -> R:
    """Done in a thread of its own, where an event loop can be started while Playwright runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do, *arguments).result()


@pytest.fixture(scope="module")
def room(postgres: Server, template_database: str) -> Iterator[Furnished]:
    """Leagues in every state; one contest is closed, another one is open, in which Ada has ended."""
    with database_of(postgres, template_database) as conninfo:
        with serving(conninfo) as service:
            made = aside(Furnished, service)
        aside(close_all, conninfo)
        with serving(conninfo) as service:
            made.moved_to(service)
            made.closed, made.contest = made.contest, aside(announced, conninfo, "golf")
            made.attempts = {made.ada.id: entered(made.ada, made.contest)}
            move(made.ada, made.attempts[made.ada.id])
            resign(made.ada, made.attempts[made.ada.id])
            settled(service)
            yield made


def places(room: Furnished) -> dict[str, str]:
    """The pages by name."""
    key, box, club = room.box["game_type"], f"/leagues/{room.box['id']}", f"/leagues/{room.club['id']}"
    played, to_play = (fixtures(room.olga, room.box, season)[0]["id"] for season in (1, 2))
    return {
        "leagues": "/leagues", "which game": "/leagues/new", "founding": f"/leagues/new/{key}", "box league": box,
        "club": club, "closed season": f"{box}/seasons/1", "running season": f"{box}/seasons/2",
        "season of days": f"{club}/seasons/1", "fixture": f"{box}/fixtures/{played}",
        "fixture to play": f"{box}/fixtures/{to_play}", "rulings": f"{box}/rulings?game_id={room.game['id']}",
        "ladders": "/ladders", "ladder": f"/ladders/{key}", "rating": f"/ladders/{key}/players/{room.ada.id}",
        "counted games": f"/scoreboards/{key}/players/{room.ada.id}", "days": "/days",
        "open contest": f"/contests/{room.contest}", "closed contest": f"/contests/{room.closed}",
        "month": "/day-seasons/golf", "standing": f"/day-seasons/golf/players/{room.ada.id}",
        "player": f"/players/{room.ada.id}",
    }  # fmt: skip


def test_axe_finds_nothing_grave_and_nothing_scrolls_sideways(page: Page, room: Furnished, checks: Checks) -> None:
    """For the organiser every page, for a member and for a stranger those that differ."""
    faults: dict[str, list[str]] = {}
    for viewer in (room.olga, room.ada, None):
        page.context.clear_cookies()
        if viewer is not None:
            sign_in(page.context, room.service, viewer)
        for name, place in places(room).items():
            if checks.is_new(page.request.get(room.service.url + place).text()):
                page.goto(room.service.url + place)
                page.evaluate(_OPEN)
                faults[f"{name}, {viewer and viewer.id}"] = checks.wrong(page)
    assert {name: wrong for name, wrong in faults.items() if wrong} == {}


@pytest.fixture
def plain_phone(plain: Page) -> Page:
    """A page of a phone that runs no script."""
    plain.set_viewport_size({"width": 360, "height": 740})
    return plain


def test_without_script_a_league_is_founded_joined_and_its_season_opened(plain_phone: Page, room: Furnished) -> None:
    organiser, member = (registered(room.service, name) for name in ("Grace", "Hedy"))
    sign_in(plain_phone.context, room.service, organiser)
    found_league(plain_phone, room)
    league = plain_phone.url.rpartition("/")[2]
    plain_phone.get_by_role("button", name="Join", exact=True).click()
    assert member.post(f"/v1/leagues/{league}/join").status_code == 200
    for label, value in (("Starts", "2020-01-01T00:00"), ("Ends", "2020-02-01T00:00")):
        plain_phone.get_by_label(label).fill(value)
    plain_phone.get_by_role("button", name="Open the season").click()
    expect(plain_phone.get_by_role("heading", level=1)).to_contain_text("Fridays, season 1")
    expect(plain_phone.get_by_role("heading", name="What is next for you")).to_be_visible()
    plain_phone.get_by_role("link", name="against Hedy").click()
    expect(plain_phone.get_by_role("list", name="Players, in order").get_by_role("listitem")).to_have_count(2)
    plain_phone.get_by_role("button", name="Play", exact=True).click()
    plain_phone.wait_for_url("**/games/*-*")
    plain_phone.get_by_text("About this game, its record").click()
    plain_phone.get_by_role("link", name="its fixture").click()
    expect(plain_phone.get_by_role("main")).to_contain_text("You sit at the table: it begins as soon as")
    plain_phone.get_by_role("button", name="Go on playing").click()
    plain_phone.wait_for_url("**/games/*-*")


def found_league(plain_phone: Page, room: Furnished) -> None:
    """By clicks, from the list of leagues."""
    plain_phone.goto(f"{room.service.url}/leagues")
    plain_phone.get_by_role("link", name="Found a league").click()
    plain_phone.get_by_role("link", name="Choose Spite & Malice").click()
    plain_phone.get_by_label("Name", exact=True).fill("Fridays")
    plain_phone.get_by_role("button", name="Found the league").click()
    expect(plain_phone.get_by_role("heading", level=1)).to_have_text("Fridays")


def test_a_form_that_is_sent_after_the_session_ended_leads_back_to_its_page(plain: Page, room: Furnished) -> None:
    player = registered(room.service, "Ina")
    sign_in(plain.context, room.service, player)
    club = f"{room.service.url}/leagues/{room.club['id']}"
    plain.goto(club)
    end_sessions(player)
    posted = {"referer": f"{club}/join", "origin": room.service.url}
    assert plain.request.post(f"{club}/join", headers=posted, max_redirects=0).headers["location"] == "/sign-in"
    plain.get_by_role("button", name="Join", exact=True).click()
    expect(plain).to_have_url(f"{room.service.url}/sign-in?back=/leagues/{room.club['id']}")


def test_a_list_that_is_cut_says_where_the_rest_is(page: Page, room: Furnished) -> None:
    many = registered(room.service, "Many")
    for number in range(31):
        founded(many, name=f"League {number}")
    for _ in range(21):
        opened(many, "bridge_solitaire")
    settled(room.service)
    sign_in(page.context, room.service, many)
    for path, lists in ((f"/players/{many.id}", ["leagues", "rubbers"]), ("/leagues", ["leagues"])):
        page.goto(room.service.url + path)
        for name, link in zip(lists, page.get_by_text("Older ones").get_by_role("link").all(), strict=True):
            rest = many.get(link.get_attribute("href") or "").json()
            assert len(rest[name]) == 1


def test_without_script_a_row_says_why_and_leads_to_the_game(plain_phone: Page, room: Furnished) -> None:
    plain_phone.goto(f"{room.service.url}/leagues/{room.box['id']}/seasons/1")
    plain_phone.get_by_label("Why here: Ada").click()
    link = (
        plain_phone.get_by_role("listitem")
        .filter(has_text="First with Bob: 24 points")
        .get_by_role("link", name="the game")
    )
    link.click()
    expect(plain_phone).to_have_url(f"{room.service.url}/games/{room.game['id']}")


def test_without_script_the_days_deal_is_entered(plain_phone: Page, room: Furnished) -> None:
    sign_in(plain_phone.context, room.service, registered(room.service, "Ida"))
    plain_phone.goto(f"{room.service.url}/contests/{room.contest}")
    plain_phone.get_by_role("button", name="Enter: be dealt the cards").click()
    plain_phone.wait_for_url("**/games/*-*")
    plain_phone.get_by_text("About this game, its record").click()
    plain_phone.get_by_role("link", name="the same cards for everybody").click()
    expect(plain_phone.get_by_role("link", name="Go on with your attempt")).to_be_visible()


def test_the_page_of_a_finished_attempt_shows_no_more_than_was_played(page: Page, room: Furnished) -> None:
    sign_in(page.context, room.service, room.ada)
    page.goto(f"{room.service.url}/games/{room.attempts[room.ada.id]['id']}")
    page.wait_for_function("() => document.querySelector('svg.table')?.dataset.step")
    assert "every card" not in page.locator("body").inner_text().lower()
    page.get_by_role("button", name="Check it here").click()
    expect(page.locator("#proof .checks li").first).to_contain_text("or its contest")


def test_the_proof_of_a_closed_contests_game_holds(page: Page, room: Furnished) -> None:
    game = replayed(page, room, room.bob)
    page.get_by_role("button", name="Check it here").click()
    expect(page.locator("#proof .checks li").first).to_contain_text("Right")
    expect(page.locator("#proof .checks")).not_to_contain_text("Wrong")
    verification = room.service.http.get(f"/v1/games/{game}/verification").json()
    assert (verification["consistent"], verification["deal_fair"], verification["signed"]) == (True, True, "yes")


def replayed(page: Page, room: Furnished, player: Player) -> str:
    """From the results of the closed contest to this player's game."""
    page.goto(f"{room.service.url}/contests/{room.closed}")
    name = room.service.http.get(f"/v1/players/{player.id}").json()["name"]
    page.get_by_role("link", name=f"Replay of {name}").click()
    page.wait_for_function("() => document.querySelector('svg.table')?.dataset.step")
    return page.url.partition("#")[0].rpartition("/")[2]


_WATCH = """() => {
    window.kept = true;
    window.shifted = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifted += value; })
        .observe({ type: "layout-shift" });
}"""


def fixture_to_play(room: Furnished) -> dict[str, Any]:
    """The last one of the second season."""
    fixture: dict[str, Any] = next(
        fixture for fixture in reversed(fixtures(room.olga, room.box, 2)) if fixture["state"] == "to_play"
    )
    return fixture


def test_a_season_page_follows_its_league_without_a_reload_or_a_shift(page: Page, room: Furnished) -> None:
    fixture = fixture_to_play(room)
    name, path = fixture["players"][0]["name"], at(room.box, f"/fixtures/{fixture['id']}")
    page.goto(f"{room.service.url}/leagues/{room.box['id']}/seasons/2")
    page.evaluate(_WATCH)
    row = page.get_by_role("row", name=name).filter(has=page.locator("strong")).first
    done(room.olga.post(path + "/award", {"to_player_id": fixture["players"][0]["id"], "reason": "Nobody else came."}))
    expect(page.locator("[data-news]")).to_contain_text("without a game")
    expect(page.locator("tr", has=page.locator(f"a[href$='{fixture['id']}']")).last).to_contain_text("walkover")
    expect(row.locator("strong")).to_have_text("24")
    assert page.evaluate("[window.kept, window.shifted]") == [True, 0]
    page.get_by_label(f"Why here: {name}").click()
    done(room.olga.post(path + "/reopen", {"reason": "They will play after all."}))
    expect(row.locator("strong")).to_have_text("0")
    expect(page.locator("details[open]", has=page.get_by_label(f"Why here: {name}"))).to_be_visible()


def test_a_page_whose_stream_is_refused_asks_again_and_tells_what_it_missed(
    page: Page, room: Furnished, forgiven: list[str]
) -> None:
    forgiven.append("the server responded with a status of 503")
    fixture = fixture_to_play(room)
    path = at(room.box, f"/fixtures/{fixture['id']}")
    page.route("**/events", lambda route: route.fulfill(status=503), times=1)
    with page.expect_response("**/events"):
        page.goto(room.service.url + path.removeprefix("/v1"))
    done(room.olga.post(path + "/award", {"to_player_id": fixture["players"][0]["id"], "reason": "Nobody else came."}))
    expect(page.locator(".outcome")).to_contain_text("walkover")
    done(room.olga.post(path + "/reopen", {"reason": "They will play after all."}))
    expect(page.locator("[data-news]")).not_to_be_empty()


def test_a_refusal_is_shown_where_the_form_is_on_a_page_that_is_renewed(page: Page, room: Furnished) -> None:
    sign_in(page.context, room.service, room.cyd)
    page.goto(f"{room.service.url}/contests/{room.club_contest}")
    page.get_by_role("button", name="Enter").click()
    page.locator("[data-live] .deeds").evaluate("(node) => { node.textContent = 'old'; }")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("[data-live] .deeds")).to_contain_text("Enter")
    expect(page.get_by_role("alert")).to_have_text("That contest is for members of its league.")


@pytest.mark.usefixtures("own_profile")
def test_a_contests_rows_come_without_a_reload(page: Page, room: Furnished) -> None:
    sign_in(page.context, room.service, room.ada)
    page.clock.install()
    page.goto(f"{room.service.url}/contests/{room.contest}")
    rows = page.locator("#results ~ * tbody tr")
    before = rows.count()
    page.evaluate(_WATCH)
    late = registered(room.service, "Dan")
    resign(late, entered(late, room.contest))
    settled(room.service)
    page.clock.fast_forward(10_000)
    expect(rows).to_have_count(before + 1)
    assert page.evaluate("window.kept")


def test_a_countdown_ticks(page: Page, room: Furnished) -> None:
    page.goto(f"{room.service.url}/contests/{room.contest}")
    until = page.locator("time[data-until]")
    until.evaluate("(node) => { node.dataset.until = new Date(Date.now() + 90_000).toISOString(); }")
    expect(until).to_have_text(re.compile(r"1 min [012]\d s"))
    expect(until).not_to_have_text(until.inner_text())


def test_two_entrants_of_a_closed_contest_are_replayed_in_step(page: Page, room: Furnished) -> None:
    page.goto(f"{room.service.url}/contests/{room.closed}")
    page.get_by_role("button", name="In step").click()
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    expect(page.locator(".beside svg.table[data-step]")).to_have_count(2)
    assert page.locator(".beside h2").nth(0).inner_text() != page.locator(".beside h2").nth(1).inner_text()


_WORDS = """() => {
  const main = document.querySelector("main").cloneNode(true);
  for (const node of main.querySelectorAll("time[data-until], [data-news]")) node.remove();
  return main.textContent.replace(/\\s+/g, " ");
}"""


def test_a_page_that_stayed_open_says_what_the_same_page_says_fetched_anew(page: Page, room: Furnished) -> None:
    """Over the pages with live data: after games have begun and ended, when one comes back to the tab."""
    shown, key = places(room), room.box["game_type"]
    left = ("which game", "founding", "rulings", "closed season", "closed contest", "fixture", "season of days", "club")
    shown |= {"front": "/", "scoreboards": "/scoreboards", "scoreboard": f"/scoreboards/{key}", "puzzles": "/puzzles"}
    people = {player.id: player for player in (room.ada, room.bob, room.cyd, room.eve)}
    winner, loser = (people[one["id"]] for one in fixture_to_play(room)["players"])
    shown["player"] = f"/players/{winner.id}"
    sign_in(page.context, room.service, winner)
    open_pages = {}
    for name in shown.keys() - {*left}:
        open_pages[name] = page.context.new_page()
        open_pages[name].goto(room.service.url + shown[name])
    before = {name: tab.evaluate(_WORDS) for name, tab in open_pages.items()}
    dora = registered(room.service, "Dora")
    resign(dora, entered(dora, room.contest))
    opened(dora, "megiddo", seats=2)
    won(room.service, room.box, winner, loser, season=2)
    settled(room.service)
    changed = set()
    for name, tab in open_pages.items():
        tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.goto(room.service.url + shown[name])
        fresh = page.evaluate(_WORDS)
        tab.wait_for_function(f"fresh => ({_WORDS})() === fresh", arg=fresh)
        changed |= {name} if fresh != before[name] else set()
        tab.close()
    assert changed >= {"front", "ladder", "player", "scoreboard", "running season", "open contest"}
