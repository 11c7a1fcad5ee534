"""A shape that is being placed is drawn in each of its ways; where it may lie is marked, and a click takes it there."""

from random import Random

from playwright.sync_api import Page, expect

from tests.api.playing import Game, legal, look, moves, opened, say
from tests.api.serving import Player, Service

from .game_pages import GamePage, box_of


def _placing(ada: Player, most: int = 400) -> tuple[Game, int]:
    """A game of Decs Building in which something that can be turned has been paid for, and the seat that draws it."""
    game, rng = opened(ada, "decs_building", seed="outlines", seats=2, hot_seat=True), Random(5)
    for _ in range(most):
        view = look(ada, game)["view"]
        seat = view["to_act"][0]
        if sum(bool(one["anchors"]) for one in view["facts"].get("outlines", [])) > 1:
            return game, seat
        said = moves(ada, game, seat)
        turned = [one for one in said if one.get("space") in ("candy_cane", "comet")]
        acting = turned or [one for one in said if one["type"].endswith(("action", "place", "card"))] or said
        assert say(ada, game, rng.choice(acting), params={"seat": seat}).status_code == 200
    raise AssertionError("nothing that can be turned was paid for")


def test_the_ways_of_a_shape_and_their_places_are_drawn_and_taken(at_home: Page, site: Service, ada: Player) -> None:
    game, seat = _placing(ada)
    outlines = look(ada, game)["view"]["facts"]["outlines"]
    page = GamePage(at_home, site, game, f"#viewer=seat-{seat}")
    page.ready()
    drawn = at_home.locator(".boards .outlines li")
    expect(drawn).to_have_count(len(outlines))
    for place, outline in enumerate(outlines):
        assert drawn.nth(place).locator("rect").count() == len(outline["cells"])
        expect(drawn.nth(place)).to_contain_text(str(len(outline["anchors"])))
    ways = at_home.locator(".panel .turning")
    expect(ways).to_have_count(sum(bool(one["anchors"]) for one in outlines))
    ways.nth(1).click()
    handles = at_home.locator(".panel .cell.handle")
    count, squares = handles.count(), ways.nth(1).locator("rect").count()
    expect(ways.nth(1)).to_contain_text(f"{count} place")
    handles.first.hover()
    expect(at_home.locator(".panel .cell.preview")).to_have_count(squares)
    handles.nth(count - 1).click()
    chosen = at_home.locator(".panel .cell[aria-pressed=true]")
    expect(chosen).to_have_count(squares)
    cells = {tuple(map(int, str(one.get_attribute("data-cell")).split(","))) for one in chosen.all()}
    assert any({tuple(cell) for cell in one["cells"]} == cells for one in legal(ada, game, seat) if "cells" in one)
    before = page.step
    at_home.locator(".panel .cells .say").click()
    at_home.wait_for_function("(step) => document.querySelector('svg.table').dataset.step > step", arg=before)
    features = look(ada, game)["view"]["facts"]["seats"][seat]["features"]
    assert {tuple(cell) for cell in features[-1]["cells"]} == cells


def test_what_may_be_placed_is_told_in_words(ada: Player) -> None:
    game, _ = _placing(ada)
    text = ada.get(f"/v1/games/{game['id']}/frames/{look(ada, game)['step']}", headers={"Accept": "text/plain"}).text
    assert " places\n" in text
    assert "X./X./XX" in text or "XX/X./X." in text or "XXXXX" in text


def test_a_shape_is_placed_on_the_yard_on_the_table_by_taps_on_a_phone(
    at_home: Page, site: Service, ada: Player
) -> None:
    game, seat = _placing(ada)
    at_home.set_viewport_size({"width": 390, "height": 844})
    page = GamePage(at_home, site, game, f"#viewer=seat-{seat}")
    page.ready()
    ways, yard = at_home.locator(".panel .turning"), at_home.locator("svg.table .felt [data-pick]")
    ways.nth(1).click()
    handles = at_home.locator('svg.table .felt [data-pick="handle"]')
    expect(handles).to_have_count(at_home.locator(".panel .cell.handle").count())
    one, next_one = (box_of(at_home.locator(f".felt [data-fact='seats.{seat}.grid'] [data-square='1,{at}']"))
                     for at in (1, 2))  # fmt: skip
    assert next_one["x"] - one["x"] >= 24, "from target to target"
    squares = ways.nth(1).locator("rect").count()
    handles.first.hover()
    expect(at_home.locator('svg.table .felt [data-pick="preview"]')).to_have_count(squares)
    handles.first.click()
    expect(at_home.locator('svg.table .felt [data-pick="chosen"]')).to_have_count(squares)
    finger, protocol = handles.last, at_home.context.new_cdp_session(at_home)
    spot = box_of(finger)
    at = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    for taps in (1, 2):
        for kind, points in (("touchStart", [at]), ("touchEnd", [])):
            protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        if taps == 1:
            chosen = at_home.locator('svg.table .felt [data-pick="chosen"]')
            expect(chosen).to_have_count(squares)
            cells = {tuple(map(int, str(one.get_attribute("data-square")).split(","))) for one in chosen.all()}
    page.reach_at_least(look(ada, game)["step"])
    expect(yard).to_have_count(0)
    features = look(ada, game)["view"]["facts"]["seats"][seat]["features"]
    assert {tuple(cell) for cell in features[-1]["cells"]} == cells
