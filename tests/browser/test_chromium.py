"""The browser of the tests."""

import pytest
from playwright.sync_api import Page

from tests.api.serving import Service
from tests.debian import NotThere

from . import chromium


def test_a_page_of_the_server_opens(page: Page, site: Service) -> None:
    answer = page.goto(f"{site.url}/livez")
    assert answer is not None
    assert answer.status == 200


def test_without_chromium_and_without_a_way_to_get_it_one_line_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotThere, match=r"apt-get install chromium"):
        chromium.executable()
