"""The front page, and games in lists, one row each, from the API's own pages of games."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Result
from domain.games import GAME_TYPES
from domain.play.frames import CAUSES, ending_cause
from domain.view import player_name
from service.api.games.game_types import LIST
from service.api.games.games import GameEntry, GamesQuery, listed_entries, listed_games
from service.live import inbox
from service.web.casual import list_choices, list_deals_of_today
from service.web.lessons import lesson_of
from service.web.page import Person, Visit, page, seat_people

_FEW = 6


class GameRow(Struct, frozen=True):
    """A game in a list. `players`: by seat, None for an empty one; `mine`: the visitor sits there.

    `awaited`: the reason why a game has not begun. `pictured`: everybody may see its table now.
    """

    game: GameEntry
    players: tuple[Person | None, ...]
    outcome: str | None
    mine: bool
    awaited: str
    pictured: bool


class GameRows(Struct, frozen=True):
    """A page of rows; `next` is the cursor of the next one."""

    rows: tuple[GameRow, ...]
    next: str | None


async def game_rows(visit: Visit, query: GamesQuery) -> GameRows:
    """A page of the games that this visitor may know of."""
    listed = await listed_games(visit.reads, visit.accounts, visit.caller, query)
    return GameRows(await _make_rows(visit, listed.games), listed.next)


async def _make_rows(visit: Visit, games: Sequence[GameEntry]) -> tuple[GameRow, ...]:
    people = await visit.people.holding(seat for game in games for seat in game.seats)
    return tuple(_make_row(game, people, visit.visitor) for game in games)


def _make_row(game: GameEntry, people: dict[UUID, Person], own: UUID | None) -> GameRow:
    players = seat_people(game.seats, people)
    return GameRow(
        game=game,
        players=players,
        outcome="voided" if game.voided_by else None if game.result is None else outcome(game.result, players, own),
        mine=own is not None and own in (player.id for player in players if player),
        awaited=name_awaited(players),
        pictured=game.status in ("playing", "finished") and game.visibility != "private",
    )


def name_awaited(players: Sequence[Person | None]) -> str:
    """What a game waits for before it begins: players, or seeds if every seat is taken."""
    if None in players:
        return "players"
    return "its player's own seed" if len(players) == 1 else "seeds of its players' own"


def outcome(result: Result, players: Sequence[Person | None], visitor: UUID | None = None) -> str:
    """How the game ended, to this visitor: `You lost to the House, 0 : 10`; `outcome.ts` says the same."""
    own = [seat for seat, player in enumerate(players) if player and player.id == visitor]
    alone, mine = len(players) < 2 or len(own) == len(players), any(seat in own for seat in result.winners)
    cause = ending_cause(result.reason) if result.reason in CAUSES or (alone and result.ending == "lost") else ""
    because = f" ({cause})" if cause else ""
    scores = result.scores[::-1] if len(players) == 2 and own == [1] else result.scores
    points = (
        f", {'score ' if alone else ''}{' : '.join(map(str, scores))}" if scores and result.reason != "all_home" else ""
    )
    winners = _join_names(result.winners, players)
    others = [seat for seat in range(len(players)) if seat not in result.winners]
    if result.ending == "abandoned":
        return f"Left unfinished{because}"
    if alone and own and result.ending == "won":
        return f"You won{because}{points or '!'}"
    if alone:
        return _begin_large(f"{'You ' if own else ''}{result.ending}{because}{points}")
    if not result.winners:
        against = _join_names([seat for seat in others if seat not in own], players)
        return f"A draw{f' with {against}' if own else ''}{because}{points}"
    if own and not mine:
        return f"You lost to {winners}{because}{points}"
    return _begin_large(f"{'You' if mine else winners} won against {_join_names(others, players)}{because}{points}")


def sentence(result: Result, players: Sequence[Person | None], visitor: UUID | None = None) -> str:
    """The outcome as a sentence."""
    text = outcome(result, players, visitor)
    return text if text.endswith("!") else f"{text}."


def _begin_large(text: str) -> str:
    """A leading player name keeps its case: only words of ours begin like this."""
    return text[:1].upper() + text[1:] if text.startswith(("the House", "won", "lost", "drawn")) else text


def name_seats(players: Sequence[Person | None]) -> list[str | None]:
    """The name at each seat, with the seat's number for a player of several."""
    names = [None if player is None else player.name for player in players]
    return [f"{name} ({seat})" if name and names.count(name) > 1 else name for seat, name in enumerate(names, 1)]


def _join_names(seats: Sequence[int], players: Sequence[Person | None]) -> str:
    called = name_seats(players)
    *names, last = ["the House" if (called[seat] or "").startswith("House (") else called[seat] or player_name(seat)
                    for seat in seats] or [""]  # fmt: skip
    return f"{', '.join(names)} and {last}" if names else last


async def turns_of(visit: Visit) -> tuple[UUID, ...]:
    """The games in which it is the visitor's turn, the one that waits longest first."""
    if visit.caller is None:
        return ()
    return tuple(wait.game for wait in reversed(await inbox.waits(visit.store, visit.player)))


async def own_games(visit: Visit, turns: Sequence[UUID]) -> tuple[GameRow, ...]:
    """The visitor's games that are not over, first those that wait for the visitor, however old; then the newest."""
    if visit.caller is None:
        return ()
    first = turns[:_FEW]
    awaiting = await _make_rows(visit, await listed_entries(visit.reads, visit.accounts, first))
    listings = [
        await game_rows(visit, GamesQuery(player_id=visit.player, status=status, limit=_FEW))
        for status in ("playing", "waiting")
    ]
    rest = [row for rows in listings for row in rows.rows if row.game.id not in first]
    return (*awaiting, *sorted(rest, key=lambda row: row.game.opened_at, reverse=True))


_BOARDS, _ROWS = 6, 6


@page("/")
async def front(visit: Visit) -> Response[Any]:
    """Show what one would play or watch next."""
    turns, choices_of = await turns_of(visit), await list_choices(visit)
    return await visit.show(
        "front.html",
        turns=turns,
        own=(await own_games(visit, turns))[:_BOARDS],
        today=await list_deals_of_today(visit),
        playing=await _list_others(visit, "playing", _BOARDS),
        waiting=await _list_others(visit, "waiting", _ROWS),
        finished=(await game_rows(visit, GamesQuery(status="finished", limit=_ROWS))).rows,
        game_types=LIST.game_types,
        choices={key: choices_of(kind) for key, kind in GAME_TYPES.items()},
        taught=[key for key in GAME_TYPES if lesson_of(key).steps],
    )


async def _list_others(visit: Visit, status: Any, most: int) -> list[GameRow]:
    """The newest public games of this status in which the visitor does not play."""
    listed = await game_rows(visit, GamesQuery(status=status, limit=2 * most))
    return [row for row in listed.rows if not row.mine][:most]
