"""Games that were played to their end, written past the service: a ladder takes more of them than a test can play."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from uuid import UUID

from msgspec import Struct

from domain.play import events as ev
from domain.record import Record
from service.event_store import ids

from . import truth
from .holding import settled
from .serving import Player, Service


def met(service: Service, kind: str, players: Sequence[Player], times: int) -> None:
    """Everybody has met everybody else so many times, in an order by lot; who comes first among them has won."""
    pairs = list(combinations(players, 2)) * times
    Random(3).shuffle(pairs)
    truth.append(service, [record for pair in pairs for record in _game(kind, pair)])
    settled(service)


def _game(kind: str, players: Sequence[Player]) -> Iterator[Record[Struct, Struct]]:
    game, at, seated = ids.uuid7(), ids.now(), tuple(UUID(player.id) for player in players)
    opened = ev.Opened(kind, 1, {}, len(seated), seated[0], "", seated, conventions=2)
    finished = ev.Finished("won", "played_out", (0,), (), seated, True, at, 90)
    for version, event in enumerate((opened, finished, ev.Revealed(b"", b"")), 1):
        yield Record(game, version, at, kind, 1, version, None, None, None, event)
