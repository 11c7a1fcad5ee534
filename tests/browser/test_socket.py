"""Playing on the page over one WebSocket: what is said and seen goes there, and by HTTP where it cannot."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, WebSocketRoute, expect

from tests.api.playing import look, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, frame_zones, moved
from .hands import drag, line_of_play

DRAW = '[data-say="klondike/draw"]'


@pytest.fixture
def asked(at_home: Page) -> list[str]:
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
            told = heard(json.loads(text), near)
            if told is not None:
                near.send(told)

        far.on_message(pass_on)

    page.route_web_socket("**/v1/play", connect)


def test_who_plays_says_and_sees_everything_over_one_line_and_who_looks_on_needs_none(
    at_home: Page, site: Service, ada: Player, bob: Player, asked: list[str]
) -> None:
    lines: list[str] = []
    at_home.on("websocket", lambda line: lines.append(line.url))
    game = opened(ada, "klondike", seed="over a line")
    shown = GamePage(at_home, site, game)
    shown.ready()
    for step in range(1, 4):
        shown.page.locator(DRAW).click()
        moved(shown, ada, game, step)
        shown.ready()
    say(ada, game, {"type": "klondike/draw"})
    moved(shown, ada, game, 4)
    assert (asked, len(lines)) == ([], 1)
    say(ada, game, {"type": "game/resign"})
    expect(shown.page.locator(".banner")).to_be_visible()
    watched = opened(bob, "klondike", seed="looked on")
    onlooker = GamePage(at_home, site, watched)
    say(bob, watched, {"type": "klondike/draw"})
    onlooker.reach(1)
    assert (asked, len(lines)) == (["events"], 1)


def test_a_refusal_over_the_line_shows_the_rules_sentence(at_home: Page, site: Service, ada: Player) -> None:
    """The command is changed on its way, since what is listed is accepted."""
    game = opened(ada, "klondike", seed="refusal")
    illegal = {"type": "klondike/recycle"}

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            told = json.loads(text)
            far.send(json.dumps(told | {"command": illegal} if told["type"] == "command" else told))

        near.on_message(pass_on)

    at_home.route_web_socket("**/v1/play", connect)
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.page.locator(DRAW).click()
    sentence = say(ada, game, illegal).json()["detail"]
    expect(shown.page.locator(".told")).to_have_text(sentence)
    shown.ready()
    assert look(ada, game)["step"] == 0


def test_a_command_whose_answer_the_line_lost_is_said_again_by_http_and_counts_once(
    at_home: Page, site: Service, ada: Player, asked: list[str]
) -> None:
    game = opened(ada, "klondike", seed="lost answer")
    lost: list[str] = []

    def lose_the_first(told: dict[str, Any], near: WebSocketRoute) -> str | None:
        if lost:
            return json.dumps(told)
        if told["type"] == "accepted":
            lost.append(told["id"])
            near.close()
        return None if told["type"] == "accepted" else json.dumps(told)

    routed(at_home, lose_the_first)
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.listen()
    shown.page.locator(DRAW).click()
    moved(shown, ada, game)
    assert (len(lost), look(ada, game)["step"]) == (1, 1)
    shown.ready()
    assert "Somebody was faster: the game has moved on." not in at_home.evaluate("window.heard")
    shown.page.locator(DRAW).click()
    moved(shown, ada, game, 2)
    assert asked.count("commands") >= 1


@pytest.mark.usefixtures("own_profile")
def test_a_line_on_which_nothing_is_heard_is_given_up(at_home: Page, site: Service, ada: Player) -> None:
    at_home.clock.install()
    game = opened(ada, "klondike", seed="silent")
    routed(at_home, lambda told, near: None)
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.page.locator(DRAW).click()
    for _ in range(10):
        at_home.clock.run_for(3000)
        at_home.wait_for_timeout(100)
    moved(shown, ada, game)
    assert look(ada, game)["step"] == 1


def test_the_page_says_that_it_is_connected_again_once_it_has_heard_something_and_not_before(
    at_home: Page, site: Service, ada: Player
) -> None:
    game = opened(ada, "klondike", seed="heard again")
    lines: list[WebSocketRoute] = []
    held: list[str] = []

    def hold_on_the_second(told: dict[str, Any], near: WebSocketRoute) -> str | None:
        if near not in lines:
            lines.append(near)
        if len(lines) == 1:
            return json.dumps(told)
        held.append(json.dumps(told))
        return None

    routed(at_home, hold_on_the_second)
    shown = GamePage(at_home, site, game)
    shown.ready()
    shown.page.locator(DRAW).click()
    moved(shown, ada, game)
    shown.listen()
    lines[0].close()
    shown.hear("The connection is lost; trying again.")
    for _ in range(200):  # while a message is waited for, the page's own must be let through
        if held:
            break
        at_home.wait_for_timeout(50)
    assert at_home.evaluate("window.heard") == ["The connection is lost; trying again."]
    lines[1].send(held[0])
    shown.hear("Connected again.")
    shown.ready()
    moved(shown, ada, game)


def test_ten_drags_over_a_line_that_breaks_again_and_again_are_ten_moves(
    at_home: Page, site: Service, ada: Player
) -> None:
    """Every third answer is lost with the line; what goes by HTTP till there is another line counts as well."""
    twin, line = line_of_play(ada, "broken line", 10)
    game = opened(ada, "freecell", seed="broken line")
    accepted: list[str] = []
    broken: list[str] = []

    def break_at_every_third(told: dict[str, Any], near: WebSocketRoute) -> str | None:
        if told["type"] == "accepted":
            accepted.append(told["id"])
            if len(accepted) % 3 == 0:
                broken.append(told["id"])
                near.close()
                return None
        return json.dumps(told)

    routed(at_home, break_at_every_third)
    shown = GamePage(at_home, site, game)
    shown.ready()
    for move in line:
        drag(shown, move["source"], move["target"])
    shown.reach(10)
    assert len(broken) >= 1
    assert shown.zones() == frame_zones(look(ada, twin))
    assert look(ada, game)["step"] == 10
