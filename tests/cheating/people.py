"""Who plays in the simulation, and the records of their games as the log holds them."""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.capabilities import Counting
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.record import Record
from projections.engine.contract import Placed

KIND = "spite_and_malice"
SOLO = "klondike"
START, SECOND = 1_700_006_400_000_000, 1_000_000
MOVES = 2 * GAME_TYPES[KIND].get(Counting).moves
"""From so many moves on a game of two counts that is given up."""


class Person(NamedTuple):
    """A player; `skill` on the ladder's own scale, on which a beginner is taken to stand at 25."""

    name: str
    skill: float = 25.0

    @property
    def id(self) -> UUID:
        return UUID(bytes=self.name.encode().rjust(16, b"\0")[-16:])


class Log:
    """Records, one after the other, a second apart, as positions of a log."""

    def __init__(self) -> None:
        self.records: list[Placed] = []
        self._numbers = count(1)

    def won(self, winner: Person, loser: Person, **more: Any) -> None:
        """A rated game that was played to its end."""
        self.game(KIND, (winner, loser), 0, **{"reason": "played_out", "moves": 90, **more})

    def resigned(self, winner: Person, loser: Person, moves: int, **more: Any) -> None:
        """A rated game that the loser gave up after so many moves."""
        begun = moves > 1
        self.game(KIND, (winner, loser), 0, (1,), reason="resigned", moves=moves, begun=begun, **more)

    def solo(self, player: Person, *, won: bool, reason: str = "all_home") -> None:
        """A rated game of patience that is over."""
        self.game(SOLO, (player,), 0 if won else None, reason=reason, moves=60)

    def left(self, player: Person) -> None:
        """A rated game of patience that was begun, left, and called a day later."""
        self.game(SOLO, (player,), None, (), late=(0,), reason="timed_out", moves=5)

    def game(
        self, kind: str, players: Sequence[Person], winner: int | None, resigned: Sequence[int] = (),
        late: Sequence[int] = (), visibility: ev.Visibility = "public", **end: Any,
    ) -> None:  # fmt: skip
        """The records of a game that read models read."""
        game, seated = UUID(int=next(self._numbers)), tuple(one.id for one in players)
        opened = ev.Opened(kind, 1, {}, len(seated), seated[0], "", seated, visibility=visibility)
        finished = ev.Finished(
            "lost" if winner is None else "won", winners=() if winner is None else (winner,), scores=(),
            players=seated, rated=True, opened_at=START, **end,
        )  # fmt: skip
        away = [*map(ev.Resigned, resigned), *map(ev.TimedOut, late)]
        said: list[Struct] = [opened, *away, finished, ev.Revealed(b"", b"")]
        for version, event in enumerate(said, 1):
            at = START + len(self.records) * SECOND
            record: AnyRecord = Record(game, version, at, kind, 1, version, None, None, None, event)
            self.records.append(Placed(len(self.records) + 1, record))


def honest(many: int, lots: Random) -> list[Person]:
    """People of known skill, the best first: their spread is a fourth of what the model takes beginners to have."""
    skills = sorted((lots.gauss(25, 25 / 6) for _ in range(many)), reverse=True)
    return [Person(f"honest {place}", skill) for place, skill in enumerate(skills, 1)]


def rounds(people: Sequence[Person], games: int, lots: Random) -> Iterator[tuple[Person, Person]]:
    """Who beats whom: everybody plays so many games against opponents drawn by lot."""
    for _ in range(games):
        drawn = lots.sample(people, len(people))
        for one, other in zip(drawn[::2], drawn[1::2], strict=False):
            yield beats(one, other, lots)


def beats(one: Person, other: Person, lots: Random) -> tuple[Person, Person]:
    """The winner and the loser, by their skill and the model's own luck of a game."""
    ahead = one.skill - other.skill + lots.gauss(0, 25 / 6 * 2**0.5)
    return (one, other) if ahead > 0 else (other, one)
