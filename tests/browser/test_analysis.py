"""Where was it lost: asked on the page, told under the strip, which is coloured by it; loss, line, fork, and hints."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from msgspec import to_builtins
from playwright.sync_api import Locator, Page, Route, expect

from tests.analysis.planted import planted
from tests.api.analysing import ask, await_analysis
from tests.api.playing import Game, look, of, opened, say
from tests.api.puzzled import lost
from tests.api.serving import Player, Service

from .game_pages import GamePage, frame_zones, sign_in
from .looks import Checks

PLANTED = ("black_hole", "planted 3", 45)


def lies_on(page: Page, upper: str, lower: str) -> bool:
    """Whether the middles of two elements of the table are one spot."""
    boxes = [page.locator(selector).bounding_box() for selector in (upper, lower)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]
    return len(middles) == 2 and all(abs(ours - theirs) < 2 for ours, theirs in zip(*middles, strict=True))


def test_a_lost_patience_tells_where_and_is_played_on_from_before(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game, step = lost(ada, PLANTED)
    sign_in(page.context, site, ada)
    game_page, analysis = GamePage(page, site, game), page.locator(".analysis")
    analysis.get_by_role("button", name="Where was it lost?").click()
    expect(analysis).to_contain_text(re.compile(rf"lost at step {step}: The player moves"))
    expect(page.locator(".track .verdict-won, .track .verdict-impossible")).to_have_count(2)
    expect(page.get_by_role("list", name="What could still be won")).to_have_text("could be wonlost")
    analysis.get_by_role("button", name="Jump to the loss").click()
    game_page.reach(step)
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", re.compile(r"\d, lost"))
    played, missed = page.locator(".trace.played .trace-to"), page.locator(".trace.missed")
    expect(played).to_have_count(1)
    assert lies_on(page, ".trace.played .trace-to", '[data-zone="foundation"]:last-of-type'), "it lies there now"
    expect(game_page.table).to_be_in_viewport(ratio=1)
    expect(missed).to_have_accessible_name(re.compile("^Missed: The player moves"))
    expect(missed.locator(".trace-arrow")).to_have_count(1)
    expect(analysis.locator(".missed")).to_contain_text("The player moves")
    analysis.get_by_text("Show me").click()
    game_page.reach(step - 1)
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", re.compile("could be won"))
    expect(analysis.locator("li").first).to_contain_text("The player moves")
    page.get_by_role("button", name="Stop").click()
    assert checks.wrong(page) == []
    GamePage(page, site, game)  # who comes later need not ask
    expect(analysis).to_contain_text(f"lost at step {step}:")
    expect(page.locator(".about")).to_contain_text(f"lost at step {step}:")
    analysis.get_by_role("button", name="Play on from the last good moment").click()
    page.wait_for_url(lambda url: game["id"] not in url)
    expect(page.locator(".about")).to_contain_text(f"from step {step - 1} of an earlier game")
    expect(page.locator(".analysis")).to_be_hidden()


_SECOND_WAITS = """
CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(16); RETURN new; END';
CREATE TRIGGER second_waits BEFORE UPDATE ON analyses FOR EACH ROW WHEN (length(old.findings) > 2)
    EXECUTE FUNCTION wait_for_test();
SELECT pg_advisory_lock(16)
"""


@contextmanager
def first_verdict_only(site: Service) -> Iterator[Callable[[], object]]:
    """Analyses stand still after their first verdict until this is called."""
    with psycopg.connect(site.conninfo, autocommit=True) as connection:
        connection.execute(_SECOND_WAITS)
        yield lambda: connection.execute("SELECT pg_advisory_unlock(16)")
        connection.execute("DROP FUNCTION wait_for_test CASCADE")


@pytest.mark.parametrize("is_lost", [False, True], ids=["one stream", "the stream is lost"])
def test_an_analysis_is_followed_and_the_strip_fills_in(
    page: Page, site: Service, ada: Player, is_lost: bool, forgiven: list[str]
) -> None:
    game, step = lost(ada, PLANTED)
    GamePage(page, site, game)
    analysis, requested = page.locator(".analysis"), list[str]()
    path = f"**{of(game, '/analysis')}"
    page.on(
        "request",
        lambda request: requested.append(request.resource_type) if request.url.endswith("/analysis") else None,
    )
    if is_lost:
        forgiven.append("net::ERR_FAILED")
        page.route(
            path, lambda route: route.abort() if route.request.resource_type == "eventsource" else route.fallback()
        )
    with first_verdict_only(site) as go_on:
        analysis.get_by_role("button", name="Where was it lost?").click()
        expect(analysis.get_by_role("status")).to_have_text(re.compile(r"looked at: 1 of about \d+ are judged …$"))
        expect(page.get_by_role("list", name="What could still be won")).to_have_text("lostnot known")
        expect(page.locator(".track .verdict-impossible, .track .verdict-open")).to_have_count(2)
        expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", re.compile(", not known"))
        go_on()
    expect(analysis).to_contain_text(f"lost at step {step}:")
    expect(page.get_by_role("list", name="What could still be won")).to_have_text("could be wonlost")
    expect(page.locator(".track path[class^='verdict']")).to_have_count(2)
    streams = requested.count("eventsource")
    assert streams > 1 if is_lost else (streams, len(requested)) == (1, 2), requested


def test_the_winning_line_is_played_out_on_the_table_stopped_and_left(page: Page, site: Service, ada: Player) -> None:
    game, step = lost(ada, PLANTED)
    ask(ada, game)
    moves = len(await_analysis(ada, game)["line"])
    views = ada.get(of(game, "/analysis/line")).json()["views"]
    page.emulate_media(reduced_motion="reduce")
    game_page, analysis = GamePage(page, site, game), page.locator(".analysis")
    analysis.get_by_text("Show me").click()
    bar, stands = page.get_by_role("group", name="How it could be won"), game_page.table
    where = bar.locator("output")
    expect(where).to_have_text(f"2 / {moves}")
    expect(stands).to_be_in_viewport(ratio=1)
    bar.get_by_role("button", name="Stop").click()
    at = int(where.inner_text().split(" ")[0])
    assert game_page.zones() == frame_zones({"view": views[at - 1]})
    expect(analysis.locator("[aria-current]")).to_have_text(re.compile("The player moves"))
    expect(page.locator(".told")).to_have_text(re.compile(rf"^{at} of {moves}: The player moves"))
    expect(stands).to_have_attribute("data-aside", "")
    page.wait_for_timeout(1500)
    expect(where).to_have_text(f"{at} / {moves}")
    bar.get_by_role("button", name="Play it").click()
    expect(where).to_have_text(f"{at + 2} / {moves}")
    analysis.locator("li button").last.click()
    expect(where).to_have_text(f"{moves} / {moves}")
    assert game_page.zones() == frame_zones({"view": views[-1]})
    bar.get_by_role("button", name="Back to the game").click()
    frame = ada.get(of(game, f"/frames/{step - 1}")).json()
    expect(stands).not_to_have_attribute("data-aside", "")
    assert game_page.zones() == frame_zones(frame)
    analysis.locator("li button").last.click()
    expect(where).to_have_text(f"{moves} / {moves}")
    page.get_by_role("button", name="Next step").click()
    game_page.reach(step)
    assert game_page.zones() == frame_zones(ada.get(of(game, f"/frames/{step}")).json())


def question(page: Page, site: Service, game_type: str, **fields: str) -> None:
    """The form of this game type, with these fields by their labels, sent by the Enter key."""
    page.goto(f"{site.url}/deals/{game_type}")
    for label, text in fields.items():
        page.get_by_label(label, exact=True).fill(text)
        page.keyboard.press("Enter")


def test_a_deal_is_asked_about_by_keyboard_on_a_phone_followed_and_its_line_is_shown(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site.url)
    page.get_by_role("link", name="Can a deal be won?").click()
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Black Hole").click()
    expect(page.get_by_role("button", name="Can it be won?")).to_be_disabled()
    page.get_by_role("button", name="Ask as a guest").click()
    expect(page.get_by_role("button", name="Can it be won?")).to_be_enabled()
    assert checks.wrong(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    with first_verdict_only(site) as go_on:
        question(page, site, "black_hole", Seed="planted 3")
        analysis = page.locator(".analysis")
        expect(analysis.get_by_role("status")).to_have_text("Its positions are looked at: 1 of about 2 are judged …")
        expect(page.locator(".verdict")).to_have_text("The answer comes under the table.")
        go_on()
    expect(analysis.get_by_role("status")).to_have_text(re.compile(r"^The deal can be won\. .* The deal is \w+: "))
    expect(page.locator(".verdict")).to_have_text("The deal can be won.")
    assert checks.wrong(page) == []
    page.reload()  # as whoever comes later
    expect(page.locator(".verdict")).to_have_text("The deal can be won.")
    analysis.get_by_text("Show me").click()
    expect(page.get_by_role("group", name="How it could be won").locator("output")).to_have_text(re.compile(r"^2 / \d"))
    analysis.get_by_role("button", name="Play this deal").click()
    expect(page.locator(".about")).to_contain_text("from step 0 of an earlier game")


def test_a_deal_that_cannot_be_won_and_one_that_is_open_until_one_looks_further(
    page: Page, site: Service, ada: Player
) -> None:
    sign_in(page.context, site, ada)
    question(page, site, "the_clock", Seed="never 0")
    expect(page.locator(".verdict")).to_have_text("The deal cannot be won.")
    small = ada.post("/v1/deals?bound=1000", {"game_type": "black_hole", "seed": "planted 28"}).json()["game_id"]
    await_analysis(ada, {"id": small})
    page.goto(f"{site.url}/games/{small}")
    expect(page.locator(".verdict")).to_have_text("Whether the deal can be won is open.")
    expect(page.locator(".analysis")).to_contain_text("It may be won or not.")
    page.get_by_role("button", name="Look further").click()
    expect(page.locator(".verdict")).to_have_text("The deal can be won.")
    expect(page.get_by_role("button", name="Look further")).to_have_count(0)


def test_a_deal_that_is_none_is_refused_beside_its_field_and_one_that_counts_in_the_words_of_the_api(
    page: Page, site: Service, ada: Player, checks: Checks
) -> None:
    sign_in(page.context, site, ada)
    cards = page.get_by_label("Cards", exact=True)
    for typed, words in (("QH XX", "Cards: Expected a card such as"), ("QH QH", "The given deal is not the pack: ")):
        question(page, site, "freecell", Cards=typed)
        expect(cards).to_be_focused()
        expect(cards).to_have_value(typed)
        expect(cards).to_have_attribute("aria-invalid", "true")
        expect(cards).to_have_accessible_description(re.compile(f"^{words}.*All cards in dealing order"))
    assert checks.wrong(page) == []
    expect(page.get_by_label("Seed", exact=True)).not_to_have_attribute("aria-invalid", "true")
    page.get_by_label("Seed", exact=True).fill("one")
    page.get_by_role("button", name="Can it be won?").click()
    expect(page.get_by_role("alert")).to_have_text("Give one of seed, deal and deal number.")
    rated = opened(ada, "freecell")
    columns = [zone["cards"] for zone in look(ada, rated)["view"]["zones"] if zone["id"].startswith("tableau")]
    dealt = [column[row] for row in range(7) for column in columns if row < len(column)]
    question(page, site, "freecell", Cards=" ".join(dealt))
    detail = ada.post("/v1/deals", {"game_type": "freecell", "deal": dealt}).json()["detail"]
    expect(page.get_by_role("alert")).to_have_text(detail)
    with psycopg.connect(site.conninfo, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO analyses (game, version, bound, asked_at, due, findings) "
            "SELECT gen_random_uuid(), 1, 0, 0, 9e18, '[]' FROM generate_series(1, 1000)"
        )
        question(page, site, "golf", Seed="too many")
        expect(page.get_by_role("alert")).to_contain_text("Many games wait for their analysis")
        connection.execute("DELETE FROM analyses WHERE due = 9e18::bigint")
    expect(page.get_by_label("Seed", exact=True)).to_have_value("too many")


def _hint(game_page: GamePage) -> Locator:
    return game_page.page.locator(".tools").get_by_role("button", name="Hint", exact=True)


def _with_hints(player: Player, **options: bool) -> Game:
    return opened(player, "black_hole", rated=False, hints=True, seed="planted 0", options=options)


def test_the_move_of_the_solver_lights_up_and_leads_to_the_win(
    at_home: Page, site: Service, ada: Player, checks: Checks
) -> None:
    game = _with_hints(ada)
    game_page = GamePage(at_home, site, game)
    game_page.ready()
    _hint(game_page).click()
    live_region = at_home.locator(".told")
    expect(live_region).to_contain_text("This can be won.")
    expect(live_region).to_contain_text("Hint: ")
    assert 0 < at_home.locator("svg.table [data-lit]").count() < 6
    expect(at_home.locator(".heading")).to_contain_text("hints")
    assert checks.wrong(at_home) == []


def test_a_hint_says_what_it_knows_and_no_move_of_its_own_where_the_solver_could_not_tell(
    at_home: Page, site: Service, ada: Player
) -> None:
    def leave_open(route: Route) -> None:
        hint = route.fetch().json()
        sentence = "The solver cannot tell yet whether this can be won. Play on, then ask again."
        route.fulfill(json={**hint, "outlook": "open", "command": None, "command_wins": 0, "sentence": sentence})

    at_home.route("**/hint?*", leave_open)
    told = at_home.locator(".told")
    shown = GamePage(at_home, site, _with_hints(ada))
    shown.ready()
    lit = at_home.locator("svg.table [data-lit]")
    playable = lit.count()
    _hint(shown).click()
    expect(told).to_have_text("The solver cannot tell yet whether this can be won. Play on, then ask again.")
    assert lit.count() == playable
    shown = GamePage(at_home, site, opened(ada, "bridge_solitaire", rated=False))
    shown.ready()
    _hint(shown).click()
    expect(told).to_contain_text(re.compile("Hint: .* It looks useful; no solver has looked whether it wins"))


def test_that_nothing_can_be_won_any_more_is_said_with_the_way_out(at_home: Page, site: Service, ada: Player) -> None:
    planting = planted("black_hole", "planted 0", 44)
    for undo, way in (True, "Undo it, or begin again."), (False, "The same deal can be begun again."):
        game = _with_hints(ada, undo=undo)
        say(ada, game, [*map(to_builtins, planting.commands[: planting.lost_step])])
        game_page = GamePage(at_home, site, game)
        game_page.ready()
        _hint(game_page).click()
        expect(at_home.locator(".told")).to_contain_text("This cannot be won any more.")
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
