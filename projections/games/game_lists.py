"""The lists of games: all public ones, and each player's own, by game type and status, newest first.

Each game has one entry, and a mark in each list that it stands in: by player, visibility, game type and status. A list
with fewer filters is several of these, merged when it is read. A same-deal contest's game stands in its player's own
list only, until it is revealed.
"""

from collections.abc import Iterator
from itertools import product
from typing import get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Result
from domain.games import GAME_TYPES
from domain.kit.patience import with_value_at
from domain.play import events as ev
from domain.play.aggregate import Status
from domain.record import Micros
from domain.rulings import STREAM_TYPE as RULINGS
from domain.rulings import GamesVoided, VoidsWithdrawn
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, rank_key
from projections.games.counted_games import games_of


class Void(Struct, frozen=True, array_like=True):
    """A ruling that stands by which a game counts for nothing: everywhere, or in its league."""

    league: UUID | None
    version: int
    at: Micros
    reason: str


class ListedGame(Struct, frozen=True, array_like=True):
    """A game as lists show it. `players` has an entry per seat; `seeded` counts the seats whose seed is there.

    `withheld`: of a contest that has not been revealed, nobody else's business. `voids`: the rulings that void it, the
    one that holds everywhere first.
    """

    id: UUID
    game_type: str
    revision: int
    players: tuple[UUID | None, ...]
    creator: UUID | None
    opened_at: Micros
    rated: bool
    origin: ev.Origin
    visibility: ev.Visibility
    status: Status = "waiting"
    seeded: frozenset[int] | None = None
    invited: tuple[UUID, ...] = ()
    result: Result | None = None
    finished_at: Micros | None = None
    withheld: bool = False
    voids: tuple[Void, ...] = ()
    hints: bool = False

    @property
    def shown_status(self) -> Status:
        """The status: a game that a ruling has voided is void once it is over."""
        return "voided" if self.voids and self.status == "finished" else self.status

    @property
    def guests(self) -> tuple[UUID, ...]:
        """Who is invited, while the game waits."""
        return self.invited if self.status == "waiting" else ()


class Mark(Struct, frozen=True, array_like=True):
    """A game stands in a list; its entry tells the rest."""


class Fork(Struct, frozen=True):
    """A game goes on from a step of another one; its entry tells the rest."""

    step: int


ENTRY: Family[ListedGame] = Family("entry", ListedGame)
FORKS: Family[Fork] = Family("fork", Fork)
"""By the game that is continued: its forks, keyed by their ids, the newest first."""
LISTS: Family[Mark] = Family("list", Mark)
_MARK = Mark()
_STATUSES: tuple[Status, ...] = get_args(Status)
Lists = tuple[Collection[Mark], ...]


def public_lists(player: UUID | None, game_type: str | None, status: Status | None) -> Lists:
    """Public games, of one player if one is named: no game stands in two of these lists."""
    return tuple(_list_collection(player, "shown", *each) for each in _wanted(game_type, status))


def own_lists(player: UUID, game_type: str | None, status: Status | None) -> Lists:
    """Every game this player sits at, has opened or is invited to, hidden ones too: for that player's eyes."""
    every = product(("shown", "hidden"), _wanted(game_type, status))
    return tuple(_list_collection(player, shown, *each) for shown, each in every)


def _wanted(game_type: str | None, status: Status | None) -> Iterator[tuple[str, Status]]:
    """The game types and statuses that are meant."""
    return product((game_type,) if game_type else GAME_TYPES, (status,) if status else _STATUSES)


def _list_collection(player: UUID | None, shown: str, game_type: str, status: Status) -> Collection[Mark]:
    return LISTS(player or "all", shown, game_type, status)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game's life, or a ruling."""
    event = recorded.record.event
    if isinstance(event, ev.Opened) and event.forked_from is not None:
        branch, record = event.forked_from, recorded.record
        documents.put(FORKS(branch.game), str(record.stream), Fork(branch.step), rank_key(record.time))
    for game in games_of(event, recorded.record.stream):
        before = documents.get(ENTRY(), str(game))
        after = _opened_entry(recorded) if isinstance(event, ev.Opened) else _changed_entry(before, recorded)
        if after is None or after == before:
            continue
        documents.put(ENTRY(), str(after.id), after)
        old, new = {} if before is None else _lists_of_game(before), _lists_of_game(after)
        for name in old.keys() - new.keys():
            documents.delete(old[name], str(after.id))
        for name in new.keys() - old.keys():
            documents.put(new[name], str(after.id), _MARK, rank_key(after.opened_at))


def _opened_entry(recorded: Recorded) -> ListedGame:
    record = recorded.record
    opened: ev.Opened = record.event
    return _start_if_ready(ListedGame(
        id=record.stream,
        game_type=opened.game_type,
        revision=opened.revision,
        players=opened.players,
        creator=opened.creator,
        opened_at=record.time,
        rated=opened.rated,
        origin=opened.origin,
        visibility=opened.visibility,
        seeded=frozenset() if opened.await_seeds else None,
        withheld=opened.contest is not None,
        hints=opened.hints,
    ))  # fmt: skip


def _changed_entry(game: ListedGame | None, recorded: Recorded) -> ListedGame | None:
    event, at = recorded.record.event, recorded.record.time
    if game is None:
        return None
    if isinstance(event, ev.Joined):
        return _start_if_ready(replace(game, players=with_value_at(game.players, event.seat, event.player)))
    if isinstance(event, ev.Left):
        seeded = None if game.seeded is None else game.seeded - {event.seat}
        return replace(game, players=with_value_at(game.players, event.seat, None), seeded=seeded)
    if isinstance(event, ev.Invited):
        return replace(game, invited=(*game.invited, event.player))
    if isinstance(event, ev.Uninvited):
        return replace(game, invited=tuple(player for player in game.invited if player != event.player))
    if isinstance(event, ev.Seeded):
        return _start_if_ready(game if game.seeded is None else replace(game, seeded=game.seeded | {event.seat}))
    if isinstance(event, ev.Finished):
        return replace(game, status="finished", result=event.result, finished_at=at)
    if isinstance(event, GamesVoided | VoidsWithdrawn):
        # of a league and of the moderators each the newest void counts, until the same withdraws it
        record = recorded.record
        league = None if record.type == RULINGS else record.stream
        voids = [void for void in game.voids if void.league != league]
        if isinstance(event, GamesVoided):
            voids.append(Void(league, record.version, record.time, event.reason))
        return replace(game, voids=tuple(sorted(voids, key=lambda void: void.league is not None)))
    if isinstance(event, ev.Revealed):
        return replace(game, withheld=False)
    return replace(game, status="voided") if isinstance(event, ev.Voided) else game


def _start_if_ready(game: ListedGame) -> ListedGame:
    """A game starts when every seat is taken and every awaited seed is there."""
    ready = None not in game.players and (game.seeded is None or len(game.seeded) == len(game.players))
    return replace(game, status="playing") if ready and game.status == "waiting" else game


def _lists_of_game(game: ListedGame) -> dict[str, Collection[Mark]]:
    collections = (
        _list_collection(player, shown, game.game_type, game.shown_status) for player, shown in _list_owners(game)
    )
    return {collection.name: collection for collection in collections}


def _list_owners(game: ListedGame) -> Iterator[tuple[UUID | None, str]]:
    """In whose lists: the public one (None), its players' and its creator's; a guest's is the guest's own business."""
    public = game.visibility == "public" and not game.withheld
    people = dict.fromkeys(player for player in (*game.players, game.creator) if player is not None)
    if public:
        yield None, "shown"
    yield from ((player, "shown" if public else "hidden") for player in people)
    yield from ((player, "hidden") for player in dict.fromkeys(game.guests) if player not in people)


GAMES = Projection(
    name="games",
    version=7,
    topics=frozenset(
        f"game/{name}"
        for name in ["opened", "joined", "left", "invited", "uninvited", "seeded", "finished", "revealed", "voided"]
    )
    | {"ruling/games_voided", "ruling/voids_withdrawn"},
    families=(ENTRY, FORKS, LISTS),
    fold=fold,
    wants=lambda record: tuple((ENTRY(), str(game)) for game in games_of(record.event, record.stream)),
)
