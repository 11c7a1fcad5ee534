"""What a game's page tells its replay beforehand: the clock of its steps, the games that go on from one of them."""

from typing import Any
from uuid import UUID

from msgspec import Struct

from projections.games.game_lists import ENTRY, FORKS, GAMES, ListedGame
from service.live.replay import Replay
from service.web.page import Visit

_MOST_FORKS = 50


class Branch(Struct, frozen=True):
    """A game that goes on from this step of another one; `by` is the name of who plays it, None once erased."""

    step: int
    game: UUID
    by: str | None


def clock_of(replay: Replay, last: int) -> dict[str, Any]:
    """When each step up to the last was made, in seconds since the first, from which seat, and which dealt."""
    steps = replay.steps[: last + 1]
    opened = steps[0][-1].time
    times = [round((step[-1].time - opened) / 1_000_000, 1) for step in steps]
    return {
        "opened": opened / 1_000_000,
        "dealt": replay.dealt,
        "times": times,
        "seats": [step[0].seat for step in steps],
    }


async def branches_of(visit: Visit, game: UUID) -> list[Branch]:
    """Of the newest forks of this game those that the visitor may know of: the public ones, and the visitor's own."""
    async with visit.services.reads.of(GAMES) as found:
        forks = await found.page(FORKS(game), _MOST_FORKS)
        entries = await found.gather([FORKS(game)], ENTRY(), _MOST_FORKS)
    listed = zip(forks.rows, entries.documents, strict=True)
    shown = [(fork.document.step, entry) for fork, entry in listed if _may_know(visit, entry)]
    people = await visit.people.of(entry.players[0] for _, entry in shown)
    return [Branch(step, entry.id, people[player].name if (player := entry.players[0]) else None)
            for step, entry in shown]  # fmt: skip


def _may_know(visit: Visit, entry: ListedGame) -> bool:
    return entry.visibility == "public" or (visit.visitor is not None and visit.visitor in entry.players)
