"""The games of a service, and their records."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz_client import types
from kibitz_client.asynchronous.game import Game
from kibitz_client.calls import seat_query

if TYPE_CHECKING:
    from kibitz_client.asynchronous.client import Kibitz


class Games:
    """Opening, finding and joining games."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    async def create(self, opening: str | types.Opening, options: Mapping[str, Any] | None = None, **more: Any) -> Game:
        """Open a game: the key of a game type, its options and what else an opening has; or an opening."""
        body = {"game_type": opening, "options": options or {}, **more} if isinstance(opening, str) else opening
        return Game(self._client, await self._client.request("open_game", body, into=types.Game))

    async def get(self, game_id: str, *, seat: int | None = None, spectator: bool = False) -> Game:
        """A game, as you or a seat of yours sees it."""
        looking = seat_query(seat, spectator)
        return Game(self._client, await self._client.request("get_game", into=types.Game, game_id=game_id, **looking))

    async def join(self, game_id: str, client_seed: str | None = None) -> Game:
        """Take a seat in a game that waits."""
        body = types.JoinBody(client_seed=client_seed)
        return Game(self._client, await self._client.request("join_game", body, into=types.Game, game_id=game_id))

    def list(
        self,
        *,
        status: str | None = None,
        game_type: str | None = None,
        player_id: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[types.GameEntry]:
        """Games, newest first; `limit` is the length of a page, of which one after the other is asked for."""
        return self._client.pages(
            "list_games",
            "games",
            into=types.GameList,
            status=status,
            game_type=game_type,
            player_id=player_id,
            limit=limit,
        )

    async def game_types(self) -> Sequence[types.GameType]:
        """What can be played, with its rules and options."""
        found: types.GameTypeList = await self._client.request("list_game_types", into=types.GameTypeList)
        return found.game_types


class Records:
    """Games as texts."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    async def export(self, game_id: str, *, notation: str | None = None) -> bytes:
        """The open record of a game, or its moves in a `notation` of other programs."""
        told = await self._client.request("get_record", accept="*/*", game_id=game_id, notation=notation)
        return told.encode() if isinstance(told, str) else bytes(told)

    async def add(self, record: bytes) -> Game:
        """Bring a record back: the game that is shown for it."""
        return Game(self._client, await self._client.request("import_record", record, into=types.Game))

    async def verify(self, record: bytes) -> types.Verification:
        """What verifying a record finds; nothing is kept."""
        found: types.Verification = await self._client.request("verify_record", record, into=types.Verification)
        return found

    def list(self) -> AsyncIterator[types.ImportedGame]:
        """The games that you have imported, newest first."""
        return self._client.pages("list_imports", "games", into=types.ImportedGames)

    async def delete(self, game_id: str) -> None:
        """Take an imported game away."""
        await self._client.request("delete_import", game_id=game_id)
