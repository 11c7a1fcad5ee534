"""A puzzle on its page: the move is made with the hand, right or wrong is told, and the next one is one click away."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from playwright.sync_api import Page, expect

from service.puzzles import collection
from tests.api.playing import Game
from tests.api.puzzled import line_of, lost, lost_with_puzzle, ship
from tests.api.serving import Player, Service, registered

from .game_pages import sign_in
from .looks import Checks


@pytest.fixture(autouse=True)
def connection(site: Service) -> Iterator[psycopg.Connection[Any]]:
    """To the database, in which no puzzle is left."""
    with psycopg.connect(site.conninfo, autocommit=True) as made:
        yield made
        made.execute("DELETE FROM puzzles")


@pytest.fixture(scope="module")
def loser(site: Service) -> Player:
    """Whose games have puzzles."""
    return registered(site, "Mia")


@pytest.fixture(scope="module")
def lost_games(site: Service, loser: Player) -> Iterator[list[Game]]:
    """Two games, whose puzzles are put aside."""
    games = [lost_with_puzzle(loser, site.conninfo)[0] for _ in range(2)]
    with psycopg.connect(site.conninfo, autocommit=True) as connection:
        connection.execute("CREATE TABLE puzzles_aside AS SELECT * FROM puzzles")
        yield games
        connection.execute("DROP TABLE puzzles_aside")


@pytest.fixture
def games(lost_games: list[Game], connection: psycopg.Connection[Any]) -> list[Game]:
    """Two games with a puzzle each, which nobody has tried."""
    connection.execute("DELETE FROM puzzles")
    connection.execute("INSERT INTO puzzles SELECT * FROM puzzles_aside")
    return lost_games


def lit(page: Page, zone: str) -> Any:
    """The card of this zone that can be played."""
    return page.locator(f'svg.table [data-zone="{zone}"][data-lit]')


def test_without_a_puzzle_the_page_says_so(page: Page, site: Service, checks: Checks) -> None:
    page.goto(f"{site.url}/puzzles")
    expect(page.locator("main .empty")).to_contain_text("There are no puzzles yet")
    assert checks.wrong(page) == []


@pytest.mark.usefixtures("games")
def test_one_puzzle_is_missed_and_the_next_one_solved_by_hand(page: Page, site: Service, checks: Checks) -> None:
    sign_in(page.context, site, registered(site, "Eve"))
    page.goto(f"{site.url}/puzzles?game_type=black_hole")
    first = page.locator("#kibitz").get_attribute("data-puzzle")
    expect(page.locator(".standing")).to_have_text("Rating 25.0, 0 solved, 0 missed, streak 0.")
    expect(lit(page, "tableau_14")).to_have_count(1)
    other = page.locator('svg.table [data-zone^="tableau"][data-lit]:not([data-zone="tableau_14"])').first
    before = page.locator('svg.table [data-zone="foundation"]').last.get_attribute("data-card")
    other.dblclick()
    why = r"(\d+ moves are left, and none of them wins|Only one move is left, and it does not win)"
    expect(page.locator('.told [data-outcome="wrong"]')).to_contain_text(re.compile(rf"Wrong: .* {why}\. Right was:"))
    assert page.locator('svg.table [data-zone="foundation"]').last.get_attribute("data-card") == before
    expect(page.locator(".standing")).to_contain_text("0 solved, 1 missed")
    assert checks.wrong(page) == []
    page.get_by_role("link", name="Next puzzle").click()
    expect(page).to_have_url(f"{site.url}/puzzles?game_type=black_hole")
    expect(lit(page, "tableau_14")).to_have_count(1)
    assert page.locator("#kibitz").get_attribute("data-puzzle") != first
    card, hole = lit(page, "tableau_14"), page.locator('svg.table [data-zone="foundation"]').last
    card.drag_to(hole)
    expect(page.locator('.told [data-outcome="solved"]')).to_have_text("Solved.")
    expect(page.locator(".standing")).to_contain_text("1 solved, 1 missed, streak 1")
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator("main .empty")).to_contain_text("There is no such puzzle for you now")
    page.goto(f"{site.url}/puzzles")
    expect(page.locator("main .empty")).to_contain_text("each comes once, and those of your own games are left out")


@pytest.mark.usefixtures("games")
def test_whoever_lost_the_game_is_told_why_its_puzzle_counts_nothing_and_a_lost_line_in_plain_words(
    page: Page, site: Service, loser: Player, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    sign_in(page.context, site, loser)
    page.goto(f"{site.url}/puzzles")
    expect(page.locator("main .empty")).to_contain_text("those of your own games are left out")
    page.goto(f"{site.url}/puzzles/{site.http.get('/v1/puzzles/daily').json()['id']}")
    page.route("**/attempts", lambda route: route.abort(), times=1)
    lit(page, "tableau_14").dblclick()
    expect(page.locator(".told")).to_have_text("The server cannot be reached; try again.")
    lit(page, "tableau_14").dblclick()
    expect(page.locator(".told")).to_contain_text("it was no first attempt, or comes from a game of your own.")


def test_a_guest_gets_that_of_the_day_with_a_keyboard_and_is_shown_the_game(
    page: Page, site: Service, games: list[Game]
) -> None:
    page.goto(f"{site.url}/puzzles")
    lit(page, "tableau_14").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".told")).not_to_be_empty()
    if not page.locator('.told [data-outcome="solved"]').count():
        page.locator('svg.table [data-place="foundation"]').press("Enter")
    expect(page.locator('.told [data-outcome="solved"]')).to_have_text("Solved.")
    expect(page.get_by_role("link", name="Sign in for more")).to_be_visible()
    page.get_by_role("link", name="The game it comes from").click()
    page.wait_for_url("**/games/**")
    assert any(game["id"] in page.url for game in games)


def test_without_script_the_position_is_there_in_words(plain: Page, site: Service, games: list[Game]) -> None:
    plain.goto(f"{site.url}/puzzles")
    expect(plain.locator("details.spoken")).to_contain_text("Pile 15: six of spades, four of diamonds, king of clubs.")
    text = plain.content()
    assert all(game["id"] not in text for game in games)


@pytest.mark.usefixtures("games")
def test_a_form_without_script_asks_for_what_is_wanted_or_says_that_there_is_none(plain: Page, site: Service) -> None:
    plain.goto(f"{site.url}/puzzles")
    plain.get_by_label("Game").select_option("black_hole")
    plain.get_by_label("Theme").select_option("two_of_a_rank")
    plain.get_by_role("button", name="Show one").click()
    expect(plain.locator("h1")).to_have_text("Puzzle: Black Hole")
    assert [plain.get_by_label(name).input_value() for name in ("Game", "Theme", "Rating")] == [
        "black_hole", "two_of_a_rank", "",
    ]  # fmt: skip
    plain.get_by_label("Rating").select_option("harder")
    plain.get_by_role("button", name="Show one").click()
    expect(plain.locator("main .empty")).to_contain_text("There is no such puzzle for you now.")
    plain.get_by_role("link", name="Any other?").click()
    expect(plain.locator("h1")).to_have_text("Puzzle: Black Hole")


def test_where_a_stock_is_left_its_order_is_told_and_it_is_drawn(
    page: Page, site: Service, connection: psycopg.Connection[Any]
) -> None:
    bob = registered(site, "Bob")
    game, _ = lost(bob, ("golf", "stock 12", 48))
    moves = [[{"type": "golf/move", "source": "tableau_0", "target": "discard"}], [{"type": "golf/draw"}]]
    collection.put(connection, UUID(game["id"]), UUID(bob.id), "golf", 42, ["end_play"], moves)
    page.goto(f"{site.url}/puzzles?game_type=golf")
    _, order = (page.locator(".stock").text_content() or "").split(": ")
    assert len(order.split(", ")) == 5
    lit(page, "tableau_0").dblclick()
    expect(lit(page, "stock")).to_have_count(1)
    lit(page, "stock").click()
    expect(page.locator('.told [data-outcome="solved"]')).to_have_text("Solved.")


@pytest.fixture
def shipped(site: Service, connection: psycopg.Connection[Any]) -> None:
    """The puzzles of Black Hole that come with the service."""
    ship(site.conninfo)
    connection.execute("DELETE FROM puzzles WHERE game_type <> 'black_hole'")


def puzzle_of(page: Page) -> str:
    return str(page.locator("#kibitz").get_attribute("data-puzzle"))


def solve(page: Page, site: Service) -> None:
    """Drag each card of the solution to the hole; the next puzzle comes by itself."""
    puzzle = puzzle_of(page)
    for commands in line_of(site.conninfo, puzzle):
        lit(page, commands[0]["source"]).drag_to(page.locator('svg.table [data-zone="foundation"]').last)
        if puzzle_of(page) == puzzle:
            page.wait_for_timeout(300)
    expect(page.locator(f'#kibitz[data-puzzle="{puzzle}"]')).to_have_count(0)


def miss(page: Page, site: Service) -> None:
    right = {command["source"] for command in line_of(site.conninfo, puzzle_of(page))[0]}
    expect(lit(page, next(iter(right)))).to_have_count(1)
    zones = page.locator("svg.table [data-lit][data-zone^=tableau]").evaluate_all(
        "cards => cards.map((card) => card.dataset.zone)"
    )
    lit(page, next(zone for zone in zones if zone not in right)).dblclick()
    expect(page.locator('.told [data-outcome="wrong"]')).to_contain_text("Right was:")


@pytest.mark.usefixtures("shipped")
def test_a_streak_ends_with_a_miss_that_shows_why_and_stands_among_the_best(
    page: Page, site: Service, checks: Checks
) -> None:
    eve = registered(site, "Eve Streak")
    sign_in(page.context, site, eve)
    page.goto(f"{site.url}/puzzles")
    page.get_by_role("button", name="Start a streak").click()
    for solved in range(2):
        expect(page.locator(".run")).to_have_text(f"{solved} solved.")
        solve(page, site)
    assert checks.wrong(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    miss(page, site)
    before = page.locator('svg.table [data-zone="foundation"]').last.get_attribute("data-card")
    page.get_by_role("button", name="Show the winning line").click()
    hole = page.locator('svg.table [data-zone="foundation"]').last
    expect(hole).not_to_have_attribute("data-card", str(before))
    page.get_by_role("button", name="See the result").click()
    expect(page.locator(".result")).to_have_text("You solved 2 puzzles.")
    expect(page.locator(".modes li")).to_contain_text(["Eve Streak: 2"])
    assert checks.wrong(page) == []
    page.get_by_role("button", name="Again").click()
    expect(page.locator(".run")).to_have_text("0 solved.")


@pytest.mark.usefixtures("shipped")
def test_a_guests_rush_bears_two_misses_and_ends_when_the_time_is_up(
    page: Page, site: Service, connection: psycopg.Connection[Any], checks: Checks
) -> None:
    page.goto(f"{site.url}/puzzles")
    page.get_by_role("button", name="Start a rush").click()
    expect(page.locator(".clock")).to_have_text(re.compile("^(2:5.|3:00)$"))
    for missed in range(1, 3):
        miss(page, site)
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".run")).to_contain_text(f"0 solved, {missed} of 3 misses")
    solve(page, site)
    expect(page.locator(".run")).to_contain_text("1 solved, 2 of 3 misses")
    assert checks.wrong(page) == []
    connection.execute("UPDATE puzzle_runs SET began_at = began_at - 160000000")
    page.reload()
    expect(page.locator(".clock")).to_have_text(re.compile("^0:"))
    connection.execute("UPDATE puzzle_runs SET began_at = began_at - 20000000")
    page.reload()
    expect(page.locator(".result")).to_have_text("You solved 1 puzzle before the time was up.")
    expect(page.locator(".more").last).to_contain_text("Nobody")
