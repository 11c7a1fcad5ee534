"""What a seat and a spectator receive over HTTP does not depend on cards that they are not shown: byte by byte."""

import os
from collections.abc import Iterator
from random import Random

import pytest

from domain.games import GAME_TYPES, AnyGameType
from domain.view import Viewer
from service.postgres import Server
from tests.laws.walks import Plan

from .pair import Pair, two_worlds
from .script import Script, scripted
from .showing import Showing

ALL = "SOAK_WORLDS" in os.environ
STEPS = 36 if ALL else 18
TRIES = 40
"""Deals tried until one has cards to exchange and, where one is to be shown, shows one in time."""
DELAY = 5
"""Steps by which spectators are behind, in a game with a delay."""
OPEN = {"megiddo"}
"""Games that hide nothing: the worlds are the same, and the comparison must find them so."""
SHARED = sorted(key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1)


@pytest.fixture(scope="module")
def pair(postgres: Server, template_database: str) -> Iterator[Pair]:
    with two_worlds(postgres, template_database) as worlds:
        yield worlds


def scripts(kind: AnyGameType) -> Iterator[Script]:
    """For the first and the last seat and for a spectator, at a small and at a full table; then with a delay.

    Where both tables differ, a small one serves the first seat, a spectator sits at the full one; `make soak` has all.
    """
    small, full = kind.seats[0], kind.seats[-1]
    for seats in sorted({small, full}):
        viewers: tuple[Viewer, ...] = (0, seats - 1, None)
        for number, viewer in enumerate(viewers):
            if not ALL and small < full and (seats == full) == (viewer == 0):
                continue
            for whole in (True, False) if viewer == seats - 1 and kind.key not in OPEN else (True,):
                yield script(kind, seats, viewer, 100 * number + 10 * whole, whole)
    yield script(kind, small, None, 500, False, DELAY)


def script(kind: AnyGameType, seats: int, viewer: Viewer, deal: int, whole: bool, delay: int = 0) -> Script:
    """The first of some deals that serves; of a game that hides nothing, any."""
    made: Script | None = None
    for number in range(deal, deal + TRIES):
        plan = Plan(kind.options(), seats, number + 1000 * seats, number, STEPS, "eager", False)
        made = scripted(kind, plan, viewer, Random(number), whole=whole, delay=delay) or made
        if made is not None and (kind.key in OPEN or (made.exchanged and made.shown >= (not whole))):
            break
    assert made is not None
    return made


@pytest.mark.timeout(1000)  # up to nine games, and minutes on a machine that is busy
@pytest.mark.parametrize("key", SHARED)
def test_nobody_can_tell_the_worlds_apart(key: str, pair: Pair) -> None:
    pair.counts.clear()
    pair.differences.clear()
    played = list(scripts(GAME_TYPES[key]))
    for game in played:
        Showing(pair, key, game).play()
        pair.logs()
    print(f"\n{key}: {summary(pair, played)}")  # noqa: T201
    assert not pair.differences, pair.differences[:3]
    assert [bool(game.exchanged) for game in played] == [key not in OPEN] * len(played)
    assert sum(game.shown for game in played) >= (0 if key in OPEN else 2)


def summary(pair: Pair, played: list[Script]) -> str:
    """What the comparison was worth."""
    exchanged, shown = [game.exchanged for game in played], sum(game.shown for game in played)
    channels = ", ".join(f"{channel} {count}" for channel, count in sorted(pair.counts.items()))
    return (
        f"{len(played)} games, {shown} of them until a changed card is rightly shown; places that hold another card "
        f"{exchanged}; {pair.counts.total()} comparisons on {len(pair.counts)} channels: {channels}."
    )
