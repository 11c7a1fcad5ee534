"""The live page of the examples, opened from another origin: it shows every step of a game while it is played."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from service.postgres import Server
from tests.api.playing import opened
from tests.api.serving import Service, database_of, registered, serving

EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"


@pytest.fixture(scope="module")
def club() -> Iterator[str]:
    """The address of a site of somebody else, which has the examples."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(EXAMPLES)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def open_service(postgres: Server, template_database: str, club: str) -> Iterator[Service]:
    """A service that knows this site."""
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, heartbeat=15.0, allowed_origins=club) as running,
    ):
        yield running


def test_the_live_page_shows_each_step(page: Page, open_service: Service, club: str, forgiven: list[str]) -> None:
    forgiven.append("favicon")
    ada = registered(open_service, "Ada")
    game = opened(ada, "klondike")
    page.goto(f"{club}/live_page.html?kibitz={open_service.url}&game={game['id']}")
    for step in (0, 1, 2):
        if step:
            ada.post(f"/v1/games/{game['id']}/commands", {"type": "klondike/draw"}).raise_for_status()
        expect(page.locator(f"img[data-step='{step}']")).to_have_js_property("complete", True)
    expect(page.get_by_role("status")).to_contain_text("The player draws")
    assert page.locator("img").evaluate("image => image.naturalWidth") > 100
