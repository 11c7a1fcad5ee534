"""The reference page in a real browser: every operation is drawn, nobody else is asked, no policy is broken."""

from hashlib import sha256
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.api.serving import Service
from tests.openapi.described import DOCUMENT

from . import axe

STATIC = Path(__file__).parents[2] / "service" / "web" / "static"
REDOC = ("2.5.4", "dcaf76612bc4a3fbcc923a8966dee2f6146a5f32e5ce1b6f02dd60cbbf89500b")
"""The version, and the SHA-256 of `bundles/redoc.standalone.js` in its package."""
LOGO = (b"https://cdn.redoc.ly/redoc/logo-mini.svg", b'"data:,"')
"""What is changed in it: a picture from elsewhere is none."""


_ADDRESSES = "(links) => links.map((link) => link.getAttribute('href'))"
_SECTIONS = """() => Object.fromEntries(Array.from(document.querySelectorAll('[id*="/operation/"]'),
    (section) => [section.id.split("/operation/")[1], section.innerText.toLowerCase()]))"""


def test_every_operation_is_drawn_linked_to_and_read_by_keys_and_nothing_comes_from_elsewhere(
    page: Page, site: Service
) -> None:
    """Part by part, as the page of all leads there: to draw all at once takes a processor ten seconds."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site.url}/v1/docs#tag/play/operation/post_command")
    expect(page.get_by_role("link", name="Say one command.")).to_be_in_viewport()
    parts = {part: page.locator(f'a[href="{part}"]').count() for part in page.eval_on_selector_all("h2 a", _ADDRESSES)}
    assert set(parts.values()) == {1}
    drawn: dict[str, str] = {}
    for part in parts:
        page.goto(site.url + part)
        expect(page.locator('[id*="/operation/"]').first).to_be_attached()
        drawn |= page.evaluate(_SECTIONS)
    for path, item in DOCUMENT["paths"].items():
        for method, told in item.items():
            for text in (told["summary"], path, method):
                assert text.lower() in drawn[told["operationId"]], (told["operationId"], text)
    page.goto(f"{site.url}/v1/docs")
    page.get_by_role("link", name="Say one command.").click()
    section = page.locator('[id$="/operation/post_command"]')
    expect(section.locator("h2", has_text="Say one command.")).to_be_in_viewport()
    assert [url for url in asked if not url.startswith((f"{site.url}/", f"blob:{site.url}/", "data:"))] == []
    assert axe.violations(page, rules=["scrollable-region-focusable"]) == []
    section.get_by_role("tab", name="409").click()
    expect(section.get_by_role("tabpanel").filter(has_text="stock_not_empty")).to_be_visible()


def test_operations_are_found_by_what_their_description_says(page: Page, site: Service) -> None:
    page.goto(f"{site.url}/docs/games")
    search = page.locator("[role=search]")
    search.get_by_role("textbox", name="Search").fill("rematch")
    expect(search.get_by_role("menuitem", name="Play a finished game again")).to_be_visible()


def test_there_are_no_other_parts(site: Service) -> None:
    for path in ("/docs/nothing", "/docs/nothing/openapi.json"):
        assert site.http.get(path).status_code == 404
    part = site.http.get("/docs/game-types/openapi.json").json()
    assert {path.split("/")[2] for path in part["paths"]} == {"game-types"}


def test_without_a_script_the_page_leads_to_the_description(plain: Page, site: Service) -> None:
    plain.goto(f"{site.url}/v1/docs")
    expect(plain.get_by_role("link", name="description of the API")).to_have_attribute("href", "/v1/openapi.json")


def test_the_renderer_is_the_one_that_is_named_but_for_its_logo() -> None:
    text = (STATIC / "redoc.standalone.js").read_bytes()
    assert text.count(LOGO[1]) == 1
    assert sha256(text.replace(LOGO[1], b'"' + LOGO[0] + b'"')).hexdigest() == REDOC[1]
    assert b"https://cdn." not in text
    readme = (STATIC.parent / "README.md").read_text()
    assert f"Redoc {REDOC[0]}" in readme
    assert (STATIC / "redoc.LICENSE.txt").read_text().startswith("The MIT License (MIT)")
    assert (STATIC / "redoc.standalone.js.LICENSE.txt").exists()
