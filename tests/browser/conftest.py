"""A real headless Chromium, a server for it, and pages that may not go wrong unnoticed.

Everything here lasts as long as this folder's tests: while Playwright runs, nobody else can start an event loop.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from service.postgres import Server
from tests.api.serving import Player, Service, database_of, registered, serving
from tests.debian import NotThere

from .chromium import ARGUMENTS, PATIENCE, executable
from .game_pages import sign_in

expect.set_options(timeout=PATIENCE)
_VIOLATIONS = """document.addEventListener("securitypolicyviolation", (violation) =>
    console.error(`CSP: ${violation.violatedDirective} ${violation.blockedURI}`));"""


@pytest.fixture(scope="package")
def chromium() -> str:
    """The path of Chromium; without one the tests fail, they do not skip."""
    try:
        return executable()
    except NotThere as missing:
        pytest.fail(str(missing), pytrace=False)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests of this folder."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=2 * PATIENCE)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def site(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server with a database of its own."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as running:
        yield running


@pytest.fixture
def forgiven() -> list[str]:
    """What the console may say: a test adds to it what it provokes. Chromium logs every answer of 400 and more."""
    return ["the server responded with a status of 409", "the server responded with a status of 412"]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser's profile that nobody has used."""
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, forgiven: list[str]) -> Iterator[Page]:
    """A page; the test fails if its console says an error, a script throws or the Content-Security-Policy is broken."""
    wrong: list[str] = []
    context.add_init_script(_VIOLATIONS)
    context.on("console", lambda message: wrong.append(_said(message)) if message.type == "error" else None)
    context.on("weberror", lambda error: wrong.append(f"thrown: {error.error}"))
    yield context.new_page()
    assert [said for said in wrong if not any(part in said for part in forgiven)] == []


def _said(message: ConsoleMessage) -> str:
    return f"{message.text} ({message.location.get('url')})"


@pytest.fixture(scope="package")
def ada(site: Service) -> Player:
    """A player of this server, who speaks past the browser."""
    return registered(site, "Ada")


@pytest.fixture(scope="package")
def bob(site: Service) -> Player:
    """Another one."""
    return registered(site, "Bob")


@pytest.fixture(scope="package")
def cyd(site: Service) -> Player:
    """A third one."""
    return registered(site, "Cyd")


@pytest.fixture
def at_home(page: Page, site: Service, ada: Player) -> Page:
    """Ada's browser, where nothing moves by itself."""
    page.emulate_media(reduced_motion="reduce")
    sign_in(page.context, site, ada)
    return page
