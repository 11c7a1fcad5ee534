"""A bot: who it is, which games it looks for, and how it ends."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

from kibitz_client import BUSY, Kibitz, KibitzError, Refused, Retries, ScopeMissing, Unauthenticated, Unreachable
from kibitz_client.line import over_line
from msgspec import Struct

from service.bots.choosing import CHOICES, Name
from service.bots.playing import OVER, RESIGN, Look, Playing, is_accepted

_AT_ONCE = 4
"""Games that are played or waited for at the same time."""

_LISTED = 200
"""Games of a list that are looked at: the newest."""

_LOOK_ROUND = 1.0  # seconds between two looks at the list of games
_GOODBYE = 5.0  # seconds for giving seats back


class Unplayable(KibitzError):
    """The service does not have what the bot is to play; one sentence."""


class Wish(Struct, frozen=True, kw_only=True):
    """What is wanted of a bot. Without `token` it registers as `name`, for as long as it runs.

    `renew`: another token for one that has ended, None: there is none.
    `game_types` by key, empty: all that several can play; `games`: so many, and then it ends; `seed`: of its lots.
    """

    server: str
    token: str | None = None
    renew: Callable[[str], str | None] | None = None
    name: str = "Bot"
    choice: Name = "greedy"
    game_types: tuple[str, ...] = ()
    games: int | None = None
    seed: str | None = None


class Bot:
    """One player of one service; `say` is called with sentences about what happens."""

    def __init__(self, wish: Wish, say: Callable[[str], None]) -> None:
        self._wish = wish
        self._say = say
        self._http = over_line()
        self._client = Kibitz(wish.server, wish.token, retries=Retries(patience=0), renew=wish.renew, http=self._http)
        self._away = False
        self._me = ""
        self._keys: tuple[str, ...] = ()
        self._tables: dict[str, asyncio.Task[Look | None]] = {}
        self._left: set[str] = set()
        self._taken: set[str] = set()
        self._played = 0

    async def run(self) -> int:
        """Play until so many games are over, or until cancelled; returns how many were played. Raises KibitzError."""
        try:
            await self._introduce()
            while self._wish.games is None or self._played < self._wish.games:
                await self._take_seats()
                await self._wait()
        finally:
            await self._leave_all()
        return self._played

    async def _introduce(self) -> None:
        """Register if there is no token, then ask for the own id and the game types; only from then on be patient."""
        if self._wish.token is None:
            await self._client.register(self._wish.name, bot=True)
        me = await self._client.account.me()
        self._me = me.id
        self._keys = self._wanted_types((await self._client.request("list_game_types"))["game_types"])
        self._client.retries = Retries(
            patience=math.inf, first=0.1, statuses=BUSY | {500}, notice=self._note_whether_away
        )
        self._say(f"{me.name} ({self._me}) looks for {', '.join(self._keys)}.")

    def _note_whether_away(self, error: KibitzError | None) -> None:
        """Say it once when nobody answers any more, and once when somebody does again."""
        if isinstance(error, Unreachable) and not self._away:
            self._away = True
            self._say("The service is away; waiting for it.")
        elif error is None and self._away:
            self._away = False
            self._say("The service is back.")

    def _wanted_types(self, found: list[dict[str, Any]]) -> tuple[str, ...]:
        if unknown := set(self._wish.game_types) - {one["key"] for one in found}:
            raise Unplayable(f"There is no game type {', '.join(sorted(unknown))}.")
        shared = tuple(one["key"] for one in found if one["max_seats"] > 1)
        if self._wish.token is None and (alone := set(self._wish.game_types).difference(shared)):
            raise Unplayable(f"One plays {', '.join(sorted(alone))} alone: a new player finds no table of it.")
        return self._wish.game_types or shared

    @property
    def _free_places(self) -> int:
        """How many more games may be taken up."""
        left = _AT_ONCE if self._wish.games is None else self._wish.games - self._played
        return min(_AT_ONCE, left) - len(self._tables)

    async def _take_seats(self) -> None:
        """Take up the games where the bot has a seat, then join games that wait for players."""
        for status in ("playing", "waiting"):
            async for game in self._listed_games(status, player_id=self._me):
                if self._free_places > 0:
                    self._begin(game)
        async for game in self._listed_games("waiting"):
            if self._free_places > 0 and self._has_room(game) and await self._join(game):
                self._begin(game)

    async def _listed_games(self, status: str, **query: Any) -> AsyncIterator[Look]:
        """The newest games of this status that are of the types meant, and not taken up yet."""
        if self._free_places <= 0:
            return
        only: dict[str, Any] = {"game_type": self._keys[0]} if len(self._keys) == 1 else {}
        page = await self._client.request("list_games", status=status, limit=_LISTED, **only, **query)
        for game in page["games"]:
            if game["game_type"] in self._keys and game["id"] not in {*self._tables, *self._left}:
                yield game

    def _has_room(self, game: Look) -> bool:
        players = [held["player"] and held["player"]["id"] for held in game["seats"]]
        return None in players and self._me not in players

    async def _join(self, game: Look) -> bool:
        """Join the game; whether it was accepted. A refused game is not tried again."""
        seed = {"client_seed": f"{self._lots(game['id']).random()}"}
        self._taken.add(game["id"])  # first, for a bot that is cancelled now may have a seat without knowing
        joined = await is_accepted(self._client.request("join_game", seed, game_id=game["id"]))
        if not joined:
            self._left.add(game["id"])
        return joined

    def _begin(self, game: Look) -> None:
        playing = Playing(self._client, game["id"], CHOICES[self._wish.choice], self._lots(game["id"]))
        self._tables[game["id"]] = asyncio.create_task(_play_to_end(playing))

    def _lots(self, game_id: str) -> Random:
        """The random source of a game; with a seed it depends on the game alone."""
        return Random() if self._wish.seed is None else Random(f"{self._wish.seed} {game_id}")

    async def _wait(self) -> None:
        """Wait until a game is over or the list of games is due again; report ended games."""
        if self._tables:
            await asyncio.wait(self._tables.values(), timeout=_LOOK_ROUND, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(_LOOK_ROUND)
        for game_id in [game_id for game_id, task in self._tables.items() if task.done()]:
            self._left.add(game_id)
            self._report_end(game_id, self._tables.pop(game_id).result())

    def _report_end(self, game_id: str, look: Look | None) -> None:
        """One sentence for a game that was played to its end."""
        if look is None or look["status"] not in OVER:
            return
        self._played += 1
        self._say(f"{look['game_type']} {game_id}: {_outcome(look)}.")

    async def _leave_all(self) -> None:
        """Leave the games that have not begun; without a token given, resign the others, for nobody can play on."""
        try:
            for table in self._tables.values():
                table.cancel()
            await asyncio.gather(*self._tables.values(), return_exceptions=True)
            async with asyncio.timeout(_GOODBYE):
                for game_id in self._taken - self._left:
                    await self._give_back(game_id)
        except (TimeoutError, KibitzError):
            self._say("Some seats could not be given back.")
        finally:
            await self._http.aclose()

    async def _give_back(self, game_id: str) -> None:
        left = await is_accepted(self._client.request("leave_game", game_id=game_id))
        if not left and self._wish.token is None:
            for seat in (await self._client.request("get_game", game_id=game_id))["your_seats"]:
                await is_accepted(self._client.request("post_command", RESIGN, game_id=game_id, seat=seat))


async def _play_to_end(playing: Playing) -> Look | None:
    """The game at its end; None if the bot may not see it any more."""
    try:
        return await playing.play_to_end()
    except (Unauthenticated, ScopeMissing):
        raise
    except Refused:
        return None


def _outcome(look: Look) -> str:
    """`won (last_card)` for who holds a winning seat."""
    result = look["result"]
    if result is None:
        return str(look["status"])
    ours = set(look["your_seats"]).intersection(result.get("winners", ()))
    ending = "lost" if result["ending"] == "won" and not ours else result["ending"]
    return f"{ending} ({result['reason']})"
