"""A leak on any one channel is noticed there, and the comparison finds nothing where nothing leaks."""

from collections.abc import Iterator
from random import Random

import pytest

from domain.games import GAME_TYPES
from service.postgres import Server
from tests.laws.walks import Plan

from .leaks import CHANNELS
from .pair import Pair, two_worlds
from .script import Script, scripted
from .showing import Showing
from .test_worlds import ALL, DELAY, script

KEY = "spite_and_malice"
STEPS = 8
LONGER = {"dry run": 12}
"""Steps until a leak of one bit, which is asked for at every fourth, tells another one in either world."""
LEAKS = sorted(CHANNELS) if ALL else ["header", "log line", "spectators' delay", "stream order"]
"""Without `make soak`: one in an answer, one in the log, one in what comes late, one in what comes unasked."""


@pytest.fixture(scope="module")
def leaky(postgres: Server, template_database: str) -> Iterator[Pair]:
    with two_worlds(postgres, template_database, leak="none") as worlds:
        yield worlds


def written(leak: str) -> Script:
    """A short game; for the delay of spectators one with a delay, until it lets them see a changed card."""
    kind = GAME_TYPES[KEY]
    if leak == "spectators' delay":
        return script(kind, 2, None, 500, False, DELAY)
    steps = LONGER.get(leak, STEPS)
    short = scripted(kind, Plan(kind.options(), 2, 7, 7, steps, "eager", False), 1, Random(7), whole=True)
    assert short is not None
    return short


def noticed(pair: Pair, leak: str) -> set[str]:
    """The channels on which the game in both worlds differs while this leaks."""
    for world in pair.worlds:
        (world.folder / "leak").write_text(leak)
        world.logged()
    pair.differences.clear()
    Showing(pair, KEY, written(leak)).play()
    pair.logs()
    return {difference.channel for difference in pair.differences}


def test_without_a_leak_the_same_servers_are_told_apart_nowhere(leaky: Pair) -> None:
    assert noticed(leaky, "none") == set()


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_noticed_on_its_channel(leak: str, leaky: Pair) -> None:
    channels = noticed(leaky, leak)
    assert channels >= CHANNELS[leak], channels
