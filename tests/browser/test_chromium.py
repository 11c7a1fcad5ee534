"""The browser of the tests."""

import pytest

from tests.debian import NotThere

from . import chromium


def test_without_chromium_and_without_a_way_to_get_it_one_line_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotThere, match=r"apt-get install chromium"):
        chromium.executable()
