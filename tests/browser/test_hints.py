"""Hints on the table: the solver's move lights up and is said, and so is that nothing can be won any more."""

from msgspec import to_builtins
from playwright.sync_api import Locator, Page, expect

from tests.analysis.planted import planted
from tests.api.playing import Game, look, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage
from .looks import Checks


def _hint(shown: GamePage) -> Locator:
    return shown.page.locator(".tools").get_by_role("button", name="Hint", exact=True)


def _with_hints(player: Player, **options: bool) -> Game:
    return opened(player, "black_hole", rated=False, hints=True, seed="planted 0", options=options)


def test_the_move_of_the_solver_lights_up_and_leads_to_the_win(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = _with_hints(ada)
    shown = GamePage(at_home, site, game)
    shown.ready()
    _hint(shown).click()
    told = at_home.locator(".told")
    expect(told).to_contain_text("This can be won.", timeout=60_000)
    expect(told).to_contain_text("Hint: ")
    assert 0 < at_home.locator("svg.table [data-lit]").count() < 6
    expect(at_home.locator(".heading")).to_contain_text("hints")
    assert checks.wrong(at_home) == []


def test_that_nothing_can_be_won_any_more_is_said_with_the_way_out(at_home: Page, site: Service, ada: Player) -> None:
    found = planted("black_hole", "planted 0", 44)
    for undo, way in (True, "Undo it, or begin again."), (False, "The same deal can be begun again."):
        game = _with_hints(ada, undo=undo)
        say(ada, game, [*map(to_builtins, found.commands[: found.lost_step])])
        shown = GamePage(at_home, site, game)
        shown.ready()
        _hint(shown).click()
        expect(at_home.locator(".told")).to_contain_text("This cannot be won any more.", timeout=60_000)
        expect(at_home.locator(".told")).to_contain_text(way)
    assert look(ada, game)["status"] == "playing"


def test_the_form_opens_a_game_with_hints_which_is_not_rated(at_home: Page, site: Service, ada: Player) -> None:
    at_home.goto(f"{site.url}/games/new/golf")
    at_home.get_by_text("Who plays and who may look on").click()
    at_home.get_by_label("Hints", exact=True).check()
    at_home.get_by_role("button", name="Open the game").click()
    at_home.wait_for_url("**/games/*-*")
    game = ada.get(f"/v1/games/{at_home.url.rpartition('/')[2]}").json()
    assert (game["hints"], game["rated"]) == (True, False)
