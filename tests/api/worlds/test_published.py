"""Nothing that is published depends on what is hidden, on no channel; and a leak on any of them is noticed there."""

from collections.abc import Iterator

import pytest

from service import web
from service.postgres import Server
from tests.openapi.described import DOCUMENT

from .leaks import SEMANTIC
from .pair import two_worlds
from .published import OWN, Published

_WRITES = {"import_record", "verify_record"}
CHANNELS = sorted(
    {
        operation["operationId"]
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if (method == "get" or "{game_id}" in path) and operation["operationId"] not in OWN
    }
    | {str(handler.name) for handler in web.find_handlers() if "GET" in handler.http_methods}
    | _WRITES
    | {"metrics"}
)
"""Everything that can be read, everything that can be said of a game, every page."""


@pytest.fixture(scope="module")
def published(postgres: Server, template_database: str) -> Iterator[Published]:
    with two_worlds(postgres, template_database, leak="none") as pair:
        yield Published(pair)


def noticed(published: Published, leak: str, channel: str) -> set[str]:
    """Where the worlds differ on this channel, and in the lines of the log, while this leaks."""
    pair = published.pair
    for world in pair.worlds:
        (world.folder / "leak").write_text(leak)
        world.logged()
    pair.differences.clear()
    published.ask(channel)
    pair.logs()
    return {difference.channel for difference in pair.differences}


def test_the_evening_was_the_same_for_who_played_and_hides_something(published: Published) -> None:
    assert published.pair.differences == []
    assert published.really_differs()
    assert set(published.channels) == set(CHANNELS)


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_is_the_same_bytes_in_both_worlds_and_a_leak_on_it_is_noticed(
    channel: str, published: Published
) -> None:
    assert noticed(published, "none", channel) == set(), published.pair.differences[:2]
    assert channel in noticed(published, channel, channel)


@pytest.mark.parametrize(("leak", "channel"), [(leak, channel) for leak in SEMANTIC for channel in SEMANTIC[leak]])
def test_a_leak_of_what_it_tells_is_noticed(leak: str, channel: str, published: Published) -> None:
    assert noticed(published, leak, channel) >= ({"log line"} if leak == "log line" else {channel})
