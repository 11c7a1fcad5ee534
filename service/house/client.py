"""A bot as `kibitz bot` runs it: a client that finds games, plays them, and gives its seats back at the end.

Outside this room it knows the API alone: it gets what any client gets.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import kibitz_client
from kibitz_client.line import over_line
from msgspec import Struct

from domain.kit.evaluation import Move, Position
from service.house.engine import CHOICES, Choice, ChoiceName

Game = dict[str, Any]
"""A game as the API shows it."""
_OVER = ("finished", "voided")
_RESIGN: Move = {"type": "game/resign"}

PATIENCE = 5000
"""Commands of one game, after which the bot gives up: a solitaire played by lot might never end."""
_AT_ONCE = 4
"""Games that are played or waited for at the same time."""
_PAGE = 200
"""Games read of a list: the newest."""

_SILENCE = 30.0  # seconds without news, after which the game is read again
_PAUSE = 0.5  # seconds before a closed stream is opened again
_WAIT = 0.25  # seconds until a bot that sent nothing chooses again
_ROUND = 1.0  # seconds between two readings of the list of games
_GOODBYE = 5.0  # seconds for giving seats back


class Unplayable(kibitz_client.KibitzError):
    """The service does not have what the bot is to play; one sentence."""


async def is_accepted(answer: Awaitable[Any]) -> bool:
    """Whether a request was accepted; raises if the token is not sufficient, or the version old."""
    try:
        await answer
    except (kibitz_client.Unauthenticated, kibitz_client.ScopeMissing, kibitz_client.VersionConflict):
        raise
    except kibitz_client.Refused:
        return False
    return True


class News:
    """Waits for a game to move on."""

    def __init__(self, client: kibitz_client.Kibitz, game_id: str) -> None:
        self._client = client
        self._game_id = game_id
        self._version = 0
        self._moved = asyncio.Event()

    async def after(self, version: int, seconds: float) -> None:
        """Wait until the game is at a later version, but no longer than so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._version <= version:
                    self._moved.clear()
                    await self._moved.wait()

    async def listen(self) -> None:
        """Follow the game's stream to its end."""
        while True:
            after = self._version or None
            try:
                async for event in self._client.events("stream_game", after=after, game_id=self._game_id):
                    self._version = max(self._version, int((event.id or "0").partition(".")[0]))
                    self._moved.set()
            except kibitz_client.StreamClosed:  # the token has ended: another one may be had
                await asyncio.sleep(_PAUSE)
            else:
                return


@asynccontextmanager
async def game_news(client: kibitz_client.Kibitz, game_id: str) -> AsyncIterator[News]:
    """The news of a game for the length of a `with` block."""
    news = News(client, game_id)
    listener = asyncio.create_task(news.listen())
    try:
        yield news
    finally:
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)


class Playing:
    """The bot's part in one game, with all its seats there."""

    def __init__(self, client: kibitz_client.Kibitz, game_id: str, choice: Choice, random: Random) -> None:
        self._client = client
        self._game_id = game_id
        self._choice = choice
        self._random = random
        self._sent = 0
        self._seeded = False

    async def play_to_end(self) -> Game | None:
        """The game when it is over, or when the bot has no seat there any more; None if the bot may not see it."""
        try:
            async with game_news(self._client, self._game_id) as news:
                while True:
                    game: Game = await self._request("get_game")
                    if game["status"] in _OVER or not game["your_seats"]:
                        return game
                    await self._take_turn(game, news)
        except (kibitz_client.Unauthenticated, kibitz_client.ScopeMissing):
            raise
        except kibitz_client.Refused:
            return None

    async def _take_turn(self, game: Game, news: News) -> None:
        """One round: give a seed, send a command if a seat of ours is to act, or wait for news."""
        if game["status"] == "waiting" and game["await_seeds"] and not self._seeded:
            await is_accepted(self._request("seed_game", {"client_seed": f"{self._random.random()}"}))
            self._seeded = True
        acting = [seat for seat in game["your_seats"] if game["view"] and seat in game["view"]["to_act"]]
        if not acting:
            await news.after(game["version"], _SILENCE)
        elif not await self._send_command(game, self._random.choice(acting)):
            await news.after(game["version"], _WAIT)

    async def _send_command(self, game: Game, seat: int) -> bool:
        """Choose and send a command; False if nothing was sent. True also if the game has moved on: read it again."""
        if game["viewer"] != seat:
            game = await self._request("get_game", seat=seat)
        legal = await self._request("list_legal_commands", seat=seat)
        if legal["version"] != game["version"] or game["status"] in _OVER:
            return True
        position = Position(game["game_type"], game["options"], seat, game["view"], legal["commands"])
        if not position.commands:
            move = None if position.may_wait else _RESIGN
        elif position.view["stuck"] or self._sent >= PATIENCE:
            move = _RESIGN
        else:
            move = self._choice(position, self._random)
        if move is None:
            return False
        self._sent += 1
        with suppress(kibitz_client.VersionConflict):
            return await is_accepted(self._request("post_command", move, version=game["version"], seat=seat))
        return True

    async def _request(self, operation: str, body: Any = None, /, **values: Any) -> Any:
        return await self._client.request(operation, body, game_id=self._game_id, **values)


class BotOptions(Struct, frozen=True, kw_only=True):
    """Who a bot is and what it plays. Without `token` it registers as `name`, for as long as it runs.

    `renew`: gives another token for one that has ended, None: there is none. `game_types` by key, empty: all for
    several players. `games`: the number after which it ends; `seed`: of its lots.
    """

    server: str
    token: str | None = None
    renew: Callable[[str], str | None] | None = None
    name: str = "Bot"
    choice: ChoiceName = "greedy"
    game_types: tuple[str, ...] = ()
    games: int | None = None
    seed: str | None = None


class Bot:
    """One player of one service; `say` is called with sentences about what happens."""

    def __init__(self, options: BotOptions, say: Callable[[str], None]) -> None:
        self._options = options
        self._say = say
        self._http = over_line()
        retries = kibitz_client.Retries(patience=0)
        self._client = kibitz_client.Kibitz(
            options.server, options.token, retries=retries, renew=options.renew, http=self._http
        )
        self._away = False
        self._me = ""
        self._keys: tuple[str, ...] = ()
        self._tables: dict[str, asyncio.Task[Game | None]] = {}
        self._left: set[str] = set()
        self._taken: set[str] = set()
        self._played = 0

    async def run(self) -> int:
        """Play until so many games are over, or until cancelled; returns their number. Raises KibitzError."""
        try:
            await self._introduce()
            while self._options.games is None or self._played < self._options.games:
                await self._take_seats()
                await self._wait()
        finally:
            await self._leave_all()
        return self._played

    async def _introduce(self) -> None:
        """Register if there is no token, then ask for the own id and the game types; only from then on be patient."""
        if self._options.token is None:
            await self._client.register(self._options.name, bot=True)
        me = await self._client.account.me()
        self._me = me.id
        self._keys = self._choose_types((await self._client.request("list_game_types"))["game_types"])
        self._client.retries = kibitz_client.Retries(
            patience=math.inf, first=0.1, statuses=kibitz_client.BUSY | {500}, notice=self._note_whether_away
        )
        self._say(f"{me.name} ({self._me}) looks for {', '.join(self._keys)}.")

    def _note_whether_away(self, error: kibitz_client.KibitzError | None) -> None:
        """Say once that the service is away, and once that it is back."""
        if isinstance(error, kibitz_client.Unreachable) and not self._away:
            self._away = True
            self._say("The service is away; waiting for it.")
        elif error is None and self._away:
            self._away = False
            self._say("The service is back.")

    def _choose_types(self, game_types: list[dict[str, Any]]) -> tuple[str, ...]:
        names = self._options.game_types
        if unknown := set(names) - {game_type["key"] for game_type in game_types}:
            raise Unplayable(f"There is no game type {', '.join(sorted(unknown))}.")
        shared = tuple(game_type["key"] for game_type in game_types if game_type["max_seats"] > 1)
        if self._options.token is None and (alone := set(names).difference(shared)):
            raise Unplayable(f"One plays {', '.join(sorted(alone))} alone: a new player finds no table of it.")
        return names or shared

    @property
    def _free_places(self) -> int:
        """The number of further games that may be taken up."""
        left = _AT_ONCE if self._options.games is None else self._options.games - self._played
        return min(_AT_ONCE, left) - len(self._tables)

    async def _take_seats(self) -> None:
        """Take up the games where the bot has a seat, then join games that wait for players."""
        for status in ("playing", "waiting"):
            async for game in self._list_games(status, player_id=self._me):
                if self._free_places > 0:
                    self._begin(game)
        async for game in self._list_games("waiting"):
            players = [seat["player"] and seat["player"]["id"] for seat in game["seats"]]
            has_room = None in players and self._me not in players
            if self._free_places > 0 and has_room and await self._join(game):
                self._begin(game)

    async def _list_games(self, status: str, **query: Any) -> AsyncIterator[Game]:
        """The newest games of this status and of the bot's types that are not taken up yet."""
        if self._free_places <= 0:
            return
        only: dict[str, Any] = {"game_type": self._keys[0]} if len(self._keys) == 1 else {}
        page = await self._client.request("list_games", status=status, limit=_PAGE, **only, **query)
        for game in page["games"]:
            if game["game_type"] in self._keys and game["id"] not in {*self._tables, *self._left}:
                yield game

    async def _join(self, game: Game) -> bool:
        """Join the game; whether it was accepted. A refused game is not tried again."""
        seed = {"client_seed": f"{self._lots(game['id']).random()}"}
        self._taken.add(game["id"])  # first, for a bot that is cancelled now may have a seat without knowing
        joined = await is_accepted(self._client.request("join_game", seed, game_id=game["id"]))
        if not joined:
            self._left.add(game["id"])
        return joined

    def _begin(self, game: Game) -> None:
        playing = Playing(self._client, game["id"], CHOICES[self._options.choice], self._lots(game["id"]))
        self._tables[game["id"]] = asyncio.create_task(playing.play_to_end())

    def _lots(self, game_id: str) -> Random:
        """The random source of a game; with a seed it depends on the game alone."""
        return Random() if self._options.seed is None else Random(f"{self._options.seed} {game_id}")

    async def _wait(self) -> None:
        """Wait until a game is over or the list of games is due again; report ended games."""
        if self._tables:
            await asyncio.wait(self._tables.values(), timeout=_ROUND, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(_ROUND)
        for game_id in [game_id for game_id, task in self._tables.items() if task.done()]:
            self._left.add(game_id)
            game = self._tables.pop(game_id).result()
            if game is not None and game["status"] in _OVER:
                self._played += 1
                self._say(f"{game['game_type']} {game_id}: {_outcome(game)}.")

    async def _leave_all(self) -> None:
        """Leave the games that have not begun; without a token, resign the others, for the player ends with the bot."""
        try:
            for table in self._tables.values():
                table.cancel()
            await asyncio.gather(*self._tables.values(), return_exceptions=True)
            async with asyncio.timeout(_GOODBYE):
                for game_id in self._taken - self._left:
                    left = await is_accepted(self._client.request("leave_game", game_id=game_id))
                    if not left and self._options.token is None:
                        for seat in (await self._client.request("get_game", game_id=game_id))["your_seats"]:
                            await is_accepted(self._client.request("post_command", _RESIGN, game_id=game_id, seat=seat))
        except (TimeoutError, kibitz_client.KibitzError):
            self._say("Some seats could not be given back.")
        finally:
            await self._http.aclose()


def _outcome(game: Game) -> str:
    """`won (last_card)` for a bot that holds a winning seat."""
    result = game["result"]
    if result is None:
        return str(game["status"])
    ours = set(game["your_seats"]).intersection(result.get("winners", ()))
    ending = "lost" if result["ending"] == "won" and not ours else result["ending"]
    return f"{ending} ({result['reason']})"
