"""Playing on the page over one WebSocket: what is said and seen goes there, and by HTTP where it cannot."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, WebSocketRoute, expect

from tests.api.playing import look, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, dealt, frame_zones, moved
from .hands import drag, line_of_play

DRAW = '[data-say="klondike/draw"]'


@pytest.fixture
def requested(at_home: Page) -> list[str]:
    """Where the page says commands and follows the game by HTTP."""
    paths: list[str] = []

    def note(request: Request) -> None:
        path = request.url.partition("?")[0].rpartition("/")[2]
        if path in ("commands", "events"):
            paths.append(path)

    at_home.on("request", note)
    return paths


def routed(page: Page, heard: Callable[[dict[str, Any], WebSocketRoute], str | None]) -> None:
    """Let what the service tells pass through `heard`: as another text, or not at all."""

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = heard(json.loads(text), near)
            if message is not None:
                near.send(message)

        far.on_message(pass_on)

    page.route_web_socket("**/v1/play", connect)


def test_who_plays_says_and_sees_everything_over_one_line_and_who_looks_on_needs_none(
    at_home: Page, site: Service, ada: Player, bob: Player, requested: list[str]
) -> None:
    lines: list[str] = []
    at_home.on("websocket", lambda line: lines.append(line.url))
    game_page, game = dealt(at_home, site, ada, "klondike", seed="over a line")
    for step in range(1, 4):
        game_page.page.locator(DRAW).click()
        moved(game_page, ada, game, step)
        game_page.ready()
    say(ada, game, {"type": "klondike/draw"})
    moved(game_page, ada, game, 4)
    assert (requested, len(lines)) == ([], 1)
    say(ada, game, {"type": "game/resign"})
    expect(game_page.page.locator(".banner")).to_be_visible()
    watched = opened(bob, "klondike", seed="looked on")
    onlooker = GamePage(at_home, site, watched)
    say(bob, watched, {"type": "klondike/draw"})
    onlooker.reach(1)
    assert (requested, len(lines)) == (["events"], 1)


def test_a_refusal_over_the_line_shows_the_rules_sentence(at_home: Page, site: Service, ada: Player) -> None:
    """The command is changed on its way, since what is listed is accepted."""
    game = opened(ada, "klondike", seed="refusal")
    illegal = {"type": "klondike/recycle"}

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            far.send(json.dumps(message | {"command": illegal} if message["type"] == "command" else message))

        near.on_message(pass_on)

    at_home.route_web_socket("**/v1/play", connect)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    game_page.page.locator(DRAW).click()
    sentence = say(ada, game, illegal).json()["detail"]
    expect(game_page.page.locator(".told")).to_have_text(sentence)
    game_page.ready()
    assert look(ada, game)["step"] == 0


def test_a_command_whose_answer_the_line_lost_is_said_again_by_http_and_counts_once(
    at_home: Page, site: Service, ada: Player, requested: list[str]
) -> None:
    game = opened(ada, "klondike", seed="lost answer")
    lost: list[str] = []

    def lose_the_first(message: dict[str, Any], near: WebSocketRoute) -> str | None:
        if lost:
            return json.dumps(message)
        if message["type"] == "accepted":
            lost.append(message["id"])
            near.close()
        return None if message["type"] == "accepted" else json.dumps(message)

    routed(at_home, lose_the_first)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    game_page.listen()
    game_page.page.locator(DRAW).click()
    moved(game_page, ada, game)
    assert (len(lost), look(ada, game)["step"]) == (1, 1)
    game_page.ready()
    assert "Somebody was faster: the game has moved on." not in at_home.evaluate("window.heard")
    game_page.page.locator(DRAW).click()
    moved(game_page, ada, game, 2)
    assert requested.count("commands") >= 1


@pytest.mark.usefixtures("own_profile")
def test_a_line_on_which_nothing_is_heard_is_given_up(at_home: Page, site: Service, ada: Player) -> None:
    at_home.clock.install()
    game = opened(ada, "klondike", seed="silent")
    routed(at_home, lambda message, near: None)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    game_page.page.locator(DRAW).click()
    for _ in range(10):
        at_home.clock.run_for(3000)
        at_home.wait_for_timeout(100)
    moved(game_page, ada, game)
    assert look(ada, game)["step"] == 1


def test_the_page_says_that_it_is_connected_again_once_it_has_heard_something_and_not_before(
    at_home: Page, site: Service, ada: Player
) -> None:
    game = opened(ada, "klondike", seed="heard again")
    lines: list[WebSocketRoute] = []
    held: list[str] = []

    def hold_on_the_second(message: dict[str, Any], near: WebSocketRoute) -> str | None:
        if near not in lines:
            lines.append(near)
        if len(lines) == 1:
            return json.dumps(message)
        held.append(json.dumps(message))
        return None

    routed(at_home, hold_on_the_second)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    game_page.page.locator(DRAW).click()
    moved(game_page, ada, game)
    game_page.listen()
    lines[0].close()
    game_page.hear("The connection is lost; trying again.")
    for _ in range(200):  # while a message is waited for, the page's own must be let through
        if held:
            break
        at_home.wait_for_timeout(50)
    assert at_home.evaluate("window.heard") == ["The connection is lost; trying again."]
    lines[1].send(held[0])
    game_page.hear("Connected again.")
    game_page.ready()
    moved(game_page, ada, game)


def test_ten_drags_over_a_line_that_breaks_again_and_again_are_ten_moves(
    at_home: Page, site: Service, ada: Player
) -> None:
    """Every third answer is lost with the line; what goes by HTTP till there is another line counts as well."""
    twin, line = line_of_play(ada, "broken line", 10)
    game = opened(ada, "freecell", seed="broken line")
    accepted: list[str] = []
    broken: list[str] = []

    def break_at_every_third(message: dict[str, Any], near: WebSocketRoute) -> str | None:
        if message["type"] == "accepted":
            accepted.append(message["id"])
            if len(accepted) % 3 == 0:
                broken.append(message["id"])
                near.close()
                return None
        return json.dumps(message)

    routed(at_home, break_at_every_third)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    for move in line:
        drag(game_page, move["source"], move["target"])
    game_page.reach(10)
    assert len(broken) >= 1
    assert game_page.zones() == frame_zones(look(ada, twin))
    assert look(ada, game)["step"] == 10
