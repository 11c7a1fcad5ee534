"""What is refused, comes too late or is lost on its way by HTTP, when a game is played on its page."""

import json

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.api.playing import look, say
from tests.api.serving import Player, Service

from .game_pages import dealt, moved

pytestmark = pytest.mark.usefixtures("by_http")


def test_who_was_too_late_is_told_and_shown_the_game_as_it_stands(
    at_home: Page, site: Service, ada: Player, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    at_home.route("**/events?*", lambda route: route.abort())
    game_page, game = dealt(at_home, site, ada, "klondike", seed="too late")
    say(ada, game, {"type": "klondike/draw"})
    game_page.listen()
    game_page.page.locator('[data-say="klondike/draw"]').click()
    game_page.hear("Somebody was faster: the game has moved on.")
    game_page.reach(1)
    assert look(ada, game)["step"] == 1


def test_a_refusal_shows_the_rules_sentence(at_home: Page, site: Service, ada: Player) -> None:
    """The command is changed on its way, since what is listed is accepted."""
    game_page, game = dealt(at_home, site, ada, "klondike", seed="refusal")
    illegal = {"type": "klondike/recycle"}
    at_home.route("**/commands?*", lambda route: route.continue_(post_data=json.dumps(illegal)))
    game_page.page.locator('[data-say="klondike/draw"]').click()
    sentence = say(ada, game, illegal).json()["detail"]
    expect(game_page.page.locator(".told")).to_have_text(sentence)
    game_page.ready()
    assert look(ada, game)["step"] == 0


def test_a_command_whose_answer_is_lost_is_said_again_with_the_same_key_and_counts_once(
    at_home: Page, site: Service, ada: Player, forgiven: list[str]
) -> None:
    forgiven.append("net::ERR_FAILED")
    game_page, game = dealt(at_home, site, ada, "klondike", seed="lost answer")
    keys: list[str] = []

    def lose_the_first_answer(route: Route, request: Request) -> None:
        keys.append(request.headers["idempotency-key"])
        answer = route.fetch()
        route.fulfill(response=answer) if len(keys) > 1 else route.abort()

    at_home.route("**/commands?*", lose_the_first_answer)
    game_page.page.locator('[data-say="klondike/draw"]').click()
    moved(game_page, ada, game)
    while len(keys) < 2:
        at_home.wait_for_timeout(20)
    assert look(ada, game)["step"] == 1
    game_page.ready()
    game_page.page.locator('[data-say="klondike/draw"]').click()
    moved(game_page, ada, game, 2)
    first, again, another = keys
    assert first == again != another
