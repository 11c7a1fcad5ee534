"""What a newcomer needs first stands first in the description, and what is said of a query is said in words."""

from service.http.openapi.document import _FIRST, TAGS
from service.problems import WORDS
from tests.openapi.described import DOCUMENT

OPERATIONS = [told["operationId"] for item in DOCUMENT["paths"].values() for told in item.values()]
NEWCOMER = (
    "register_player",
    "list_game_types",
    "open_game",
    "get_game",
    "join_game",
    "list_legal_commands",
    "post_command",
)


def test_what_a_newcomer_needs_comes_first_and_in_its_order() -> None:
    places = [OPERATIONS.index(name) for name in NEWCOMER]
    assert places == sorted(places)
    for later in ("invite_to_game", "void_game", "found_league", "get_liveness"):
        assert OPERATIONS.index("open_game") < OPERATIONS.index(later)
    assert OPERATIONS[0] == "register_player"


def test_every_tag_is_described() -> None:
    assert [tag["name"] for tag in DOCUMENT["tags"]] == list(TAGS)
    assert all(tag["description"].endswith(".") for tag in DOCUMENT["tags"])


def test_what_comes_first_is_there() -> None:
    assert set(_FIRST) <= set(OPERATIONS)
    assert len(set(_FIRST)) == len(_FIRST)


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
