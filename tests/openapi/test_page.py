"""The page to browse: what a newcomer needs first stands first, and code looks like code."""

import re
from html import unescape

import httpx
import pytest

from service import api
from service.http import openapi
from service.http.openapi.document import _FIRST, TAGS
from service.problems.patterns import WORDS

DOCUMENT = openapi.document(api.find_handlers())
NEWCOMER = (
    "register_player",
    "list_game_types",
    "open_game",
    "look_at_game",
    "join_game",
    "list_legal_commands",
    "play",
)


@pytest.fixture(scope="module")
def page(address: str) -> str:
    return httpx.get(f"{address}/v1/docs", timeout=60).text.partition("<h2>Schemas</h2>")[0]


def test_what_a_newcomer_needs_comes_first_and_in_its_order(page: str) -> None:
    places = [page.index(f'id="{name}"') for name in NEWCOMER]
    assert places == sorted(places)
    for later in ("invite_player", "void_game", "found_league", "liveness"):
        assert page.index('id="open_game"') < page.index(f'id="{later}"')
    assert re.findall(r'<article id="(\w+)"', page)[0] == "register_player"


def test_every_tag_is_described_and_stands_in_the_contents(page: str) -> None:
    assert [tag["name"] for tag in DOCUMENT["tags"]] == list(TAGS)
    for tag in DOCUMENT["tags"]:
        anchor = f"tag-{tag['name'].replace(' ', '-')}"
        assert tag["description"].endswith(".")
        assert page.index(f'href="#{anchor}"') < page.index(f'id="{anchor}"')


def test_what_comes_first_is_there() -> None:
    known = {told["operationId"] for item in DOCUMENT["paths"].values() for told in item.values()}
    assert set(_FIRST) <= known
    assert len(set(_FIRST)) == len(_FIRST)


def test_code_is_shown_as_code(page: str) -> None:
    assert "`" not in re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "<code>spectator_delay</code>" in page


def test_the_summary_stands_before_what_is_said_beyond_it(page: str) -> None:
    article = page.partition('<article id="open_game">')[2].partition("</article>")[0]
    assert "<p>Open a game.</p><p>A solo game is dealt at once" in unescape(article)


def test_every_pattern_of_a_query_has_words() -> None:
    patterns = {
        one["schema"]["pattern"]
        for item in DOCUMENT["paths"].values()
        for told in item.values()
        for one in told["parameters"]
        if one["in"] == "query" and "pattern" in one["schema"]
    }
    assert patterns
    assert patterns <= set(WORDS)
