"""Games in lists: one row each, from the API's own pages of games."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain.game_type import Result
from domain.play.aggregate import Status
from service.api.games.game_lists import GameEntry, GamesQuery, listed_games
from service.web.page import Visit
from service.web.people import Person


class GameRow(Struct, frozen=True):
    """A game in a list. `players`: by seat, None for an empty one; `mine`: the visitor sits there.

    `awaited`: what a game waits for that has not begun.
    """

    id: UUID
    game_type: str
    status: Status
    players: tuple[Person | None, ...]
    outcome: str | None
    private: bool
    opened_at: datetime
    finished_at: datetime | None
    mine: bool
    awaited: str


class GameRows(Struct, frozen=True):
    """A page of rows; `next` is the cursor of the next one."""

    rows: tuple[GameRow, ...]
    next: str | None


async def game_rows(visit: Visit, query: GamesQuery) -> GameRows:
    """A page of the games that this visitor may know of."""
    found = await listed_games(visit.services, visit.caller, query)
    people = await visit.people.of(holder.player for game in found.games for holder in game.seats)
    own = None if visit.caller is None else visit.caller.player
    return GameRows(tuple(_row(game, people, own) for game in found.games), found.next)


def _row(game: GameEntry, people: dict[UUID, Person], own: UUID | None) -> GameRow:
    players = tuple(None if holder.player is None else people[holder.player] for holder in game.seats)
    return GameRow(
        id=game.id,
        game_type=game.game_type,
        status=game.status,
        players=players,
        outcome=None if game.result is None else outcome(game.result, players),
        private=game.visibility != "public",
        opened_at=game.opened_at,
        finished_at=game.finished_at,
        mine=own is not None and own in (holder.player for holder in game.seats),
        awaited=awaited([holder.player for holder in game.seats]),
    )


def awaited(players: Sequence[UUID | None]) -> str:
    """What a game waits for before it begins: players, or seeds if every seat is taken."""
    if None in players:
        return "players"
    return "its player's own seed" if len(players) == 1 else "seeds of its players' own"


def outcome(result: Result, players: tuple[Person | None, ...]) -> str:
    """`won, all home`, or who won where several played: `Ada won, stock out`."""
    reason = result.reason.replace("_", " ")
    if len(players) == 1 or not result.winners:
        return f"{result.ending}, {reason}"
    return f"{_names(result.winners, players)} won, {reason}"


def sentence(result: Result, players: tuple[Person | None, ...]) -> str:
    """The outcome as a sentence; a leading player name keeps its case."""
    said = outcome(result, players)
    begins = said if said.startswith(result.ending) else ""
    return f"{begins[:1].upper()}{begins[1:]}." if begins else f"{said}."


def _names(seats: tuple[int, ...], players: tuple[Person | None, ...]) -> str:
    held = [players[seat] for seat in seats]
    return " and ".join((person and person.name) or f"seat {seat}" for seat, person in zip(seats, held, strict=True))
