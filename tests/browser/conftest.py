"""A real headless Chromium, a server for it, and pages that may not go wrong unnoticed.

Everything here lasts as long as this folder's tests: while Playwright runs, nobody else can start an event loop.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebError, expect, sync_playwright

from service.postgres import Server
from tests.api.serving import Player, Service, database_of, registered, serving

from .chromium import ARGUMENTS, PATIENCE, executable
from .game_pages import sign_in
from .looks import Checks

expect.set_options(timeout=PATIENCE)
_VIOLATIONS = """document.addEventListener("securitypolicyviolation", (violation) =>
    console.error(`CSP: ${violation.violatedDirective} ${violation.blockedURI}`));"""


@pytest.fixture(scope="package")
def chromium() -> str:
    """The path of Chromium; without one the tests fail, they do not skip."""
    return executable()


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests of this folder."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=2 * PATIENCE)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def site(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server with a database of its own; a stream that is silent for a while costs nothing."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, heartbeat=15.0) as running:
        yield running


@pytest.fixture(scope="package")
def checks() -> Checks:
    """What axe has found in order."""
    return Checks()


@pytest.fixture
def forgiven() -> list[str]:
    """What the console may say: a test adds to it what it provokes. Chromium logs every answer of 400 and more."""
    return ["the server responded with a status of 409", "the server responded with a status of 412"]


@pytest.fixture(scope="package")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """A browser's profile; its first page stays, and with it the process that draws its pages."""
    with _profile(browser) as made:
        made.add_init_script(_VIOLATIONS)
        yield made


@pytest.fixture(scope="package")
def scriptless_profile(browser: Browser) -> Iterator[BrowserContext]:
    """A profile that runs no script."""
    with _profile(browser, java_script_enabled=False) as made:
        yield made


@contextmanager
def _profile(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    made.set_default_timeout(PATIENCE)
    made.new_page()
    yield made
    made.close()


@pytest.fixture
def context(request: pytest.FixtureRequest, browser: Browser, profile: BrowserContext) -> Iterator[BrowserContext]:
    """The profile with nobody signed in, and all that a page can change as it was; or an `own_profile`."""
    if "own_profile" in request.fixturenames:
        with _profile(browser) as made:
            made.add_init_script(_VIOLATIONS)
            yield made
    else:
        with _left_as_found(profile):
            yield profile


@pytest.fixture
def own_profile() -> None:
    """For who turns the clock: it is turned for all later pages of a profile, and then nothing tells of a paint."""


@pytest.fixture
def plain(scriptless_profile: BrowserContext) -> Iterator[Page]:
    """A page of a browser that runs no script."""
    with _left_as_found(scriptless_profile):
        yield scriptless_profile.new_page()


@contextmanager
def _left_as_found(profile: BrowserContext) -> Iterator[None]:
    """What pages keep is cookies: they have no other storage, and their cache may serve whoever comes next."""
    yield
    for left in profile.pages[1:]:
        left.close()
    profile.clear_cookies()
    profile.clear_permissions()
    profile.set_offline(False)


@pytest.fixture
def page(context: BrowserContext, forgiven: list[str]) -> Iterator[Page]:
    """A page; the test fails if its console says an error, a script throws or the Content-Security-Policy is broken."""
    with watch_console(context, forgiven):
        yield context.new_page()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone, on which nobody is signed in."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    with watch_console(context):
        yield context.new_page()
    context.close()


@contextmanager
def watch_console(context: BrowserContext, forgiven: Sequence[str] = ()) -> Iterator[None]:
    """Fails at the end for an error on the console of a page, or a script that threw."""
    wrong: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            wrong.append(f"{message.text} ({message.location.get('url')})")

    def hear_thrown(error: WebError) -> None:
        wrong.append(f"thrown: {error.error}")

    context.on("console", hear)
    context.on("weberror", hear_thrown)
    yield
    context.remove_listener("console", hear)
    context.remove_listener("weberror", hear_thrown)
    assert [error for error in wrong if not any(part in error for part in forgiven)] == []


@pytest.fixture(params=["line", "http"])
def line(request: pytest.FixtureRequest) -> None:
    """Once with a line for who plays, once `by_http`."""
    if request.param == "http":
        request.getfixturevalue("by_http")


@pytest.fixture
def by_http(page: Page) -> None:
    """No line can be had: behind a proxy that hands no WebSocket on, say."""
    page.route_web_socket("**/v1/play", lambda near: near.close())


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


@pytest.fixture
def requested(page: Page) -> list[str]:
    """What the page has asked for beside itself."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    return requests
