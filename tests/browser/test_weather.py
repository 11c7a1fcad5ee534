"""Bad weather at the table: whatever is refused, lost or late, it ends in the game's position and says so in a line."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from service.postgres import Server
from tests.api.playing import Game, look, moves, opened, say
from tests.api.serving import Player, Service, database_of, registered, serving

from .game_pages import GamePage, dealt, frame_zones, moved, seen, sign_in
from .hands import drag, line_of_play, middle, slow_line

_STILL = "() => !document.querySelector('svg.table').hasAttribute('data-busy')"


def in_step(game_page: GamePage, ada: Player, game: Game) -> None:
    """Wait until the page shows the game as it stands: the same step, the same cards, nothing under way."""
    game_page.reach(look(ada, game)["step"])
    game_page.ready()
    assert game_page.zones() == frame_zones(look(ada, game))


@contextmanager
def every(page: Page, count: int, path: str) -> Iterator[list[str]]:
    """Of requests to this path the first of so many fails: by turns before the server has it and after."""
    failed: list[str] = []
    count_of_requests = 0

    def fail_some(route: Route) -> None:
        nonlocal count_of_requests
        count_of_requests += 1
        if count_of_requests % count != 1:
            return route.continue_()
        if len(failed) % 2:
            route.fetch()
        failed.append(route.request.url)
        return route.abort()

    page.route(path, fail_some)
    yield failed
    page.unroute_all(behavior="wait")


@pytest.mark.usefixtures("by_http")
def test_what_is_refused_after_it_was_drawn_is_taken_back_with_all_that_waits(
    at_home: Page, site: Service, ada: Player
) -> None:
    twin, line = line_of_play(ada, "refused", 3)
    game_page, game = dealt(at_home, site, ada, "freecell", seed="refused")
    say(ada, game, line[0])
    game_page.reach(1)
    game_page.ready()
    illegal = json.dumps({**line[1], "target": line[1]["source"]})
    at_home.route("**/commands?*", lambda route: route.continue_(post_data=illegal), times=1)
    game_page.listen()
    with slow_line(at_home, 1500):
        for move in line[1:]:
            drag(game_page, move["source"], move["target"])
        at_home.wait_for_function("() => window.heard.length > 0")
    in_step(game_page, ada, game)
    assert look(ada, game)["step"] == 1
    for move in line[1:]:
        drag(game_page, move["source"], move["target"])
    game_page.reach(3)
    assert game_page.zones() == frame_zones(look(ada, twin))


@pytest.mark.usefixtures("by_http")
def test_ten_drags_over_a_line_of_eight_hundred_milliseconds_that_fails_again_and_again_are_ten_moves(
    at_home: Page, site: Service, ada: Player, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    twin, line = line_of_play(ada, "bad line", 10)
    game_page, game = dealt(at_home, site, ada, "freecell", seed="bad line")
    with slow_line(at_home, 800), every(at_home, 4, "**/commands?*") as failed:
        for move in line:
            drag(game_page, move["source"], move["target"])
        game_page.reach(10)
    assert len(failed) >= 3
    assert game_page.zones() == frame_zones(look(ada, twin))
    assert look(ada, game)["step"] == 10


def test_a_list_of_what_may_be_done_that_does_not_come_is_asked_for_again(
    at_home: Page, site: Service, ada: Player, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    game = opened(ada, "klondike", seed="no list")
    with every(at_home, 2, "**/legal-commands?*") as failed:
        game_page = GamePage(at_home, site, game)
        for step in range(1, 4):
            game_page.ready()
            at_home.mouse.click(*middle(game_page, "stock"))
            game_page.reach(step)
    assert failed
    in_step(game_page, ada, game)


@pytest.mark.usefixtures("line")
def test_two_tabs_on_one_seat_end_in_the_same_position(at_home: Page, site: Service, ada: Player) -> None:
    game = opened(ada, "klondike", seed="two tabs")
    one, other = GamePage(at_home, site, game), GamePage(at_home.context.new_page(), site, game)
    for game_page in (one, other):
        game_page.ready()
    for first, second in ((one, other), (other, one), (one, other)):
        places = [middle(tab, "stock") for tab in (first, second)]
        for tab, place in zip((first, second), places, strict=True):
            tab.page.mouse.click(*place)
        for tab in (first, second):
            tab.ready()
            tab.page.wait_for_function(_STILL)
    for game_page in (one, other):
        in_step(game_page, ada, game)
    assert 3 <= look(ada, game)["step"] <= 6


@pytest.mark.usefixtures("line")
def test_a_phone_that_slept_while_the_game_went_on_wakes_where_it_stands(
    at_home: Page, site: Service, ada: Player, forgiven: list[str]
) -> None:
    forgiven.extend(["net::ERR_INTERNET_DISCONNECTED", "net::ERR_NETWORK_CHANGED"])
    game_page, game = dealt(at_home, site, ada, "klondike", seed="asleep")
    at_home.context.set_offline(True)
    session = at_home.context.new_cdp_session(at_home)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    for _ in range(30):
        listed = moves(ada, game)
        say(ada, game, next((one for one in listed if one["type"] == "klondike/draw"), listed[0]))
    session.send("Page.setWebLifecycleState", {"state": "active"})
    at_home.context.set_offline(False)
    session.detach()
    in_step(game_page, ada, game)
    at_home.mouse.click(*middle(game_page, "stock"))
    moved(game_page, ada, game, 31)


@pytest.fixture
def conninfo(postgres: Server, template_database: str) -> Iterator[str]:
    with database_of(postgres, template_database) as made:
        yield made


@pytest.mark.usefixtures("line")
def test_a_server_that_restarts_in_the_middle_of_a_drag_loses_nothing(
    page: Page, conninfo: str, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_")
    with serving(conninfo) as before:
        port = urlsplit(before.url).port
        ada = registered(before, "Ada")
        sign_in(page.context, before, ada)
        _, line = line_of_play(ada, "restart", 2)
        game = opened(ada, "freecell", seed="restart")
        game_page = GamePage(page, before, game)
        game_page.ready()
        page.mouse.move(*middle(game_page, line[0]["source"]))
        page.mouse.down()
        page.mouse.move(*middle(game_page, line[0]["target"]), steps=4)
        before.end(signal.SIGKILL)
        page.mouse.up()
        expect(game_page.page.locator(".told")).to_have_text("The server cannot be reached; trying again.")
    with serving(conninfo, environment={"SERVED_PORT": str(port)}) as after:
        moved(game_page, ada.on(after), game)
        game_page.ready()
        drag(game_page, line[1]["source"], line[1]["target"])
        moved(game_page, ada.on(after), game, 2)
        assert seen(ada.on(after), game, 2, "seat-0") == game_page.zones()
