"""Leagues with their seasons, and contests over the same deal."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kibitz_client import types
from kibitz_client.asynchronous.game import Game

if TYPE_CHECKING:
    from kibitz_client.asynchronous.client import Kibitz


class Leagues:
    """Founding, joining and playing leagues; what organisers decide is asked for by its operation."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    async def found(self, name: str, game_type: str, rules: str, **more: Any) -> types.League:
        """A new league, which you organise."""
        return await self._league("found_league", {"name": name, "game_type": game_type, "rules": rules, **more})

    def list(self, *, player_id: str | None = None) -> AsyncIterator[types.LeagueEntry]:
        """Leagues, or those of a player."""
        return self._client.pages("list_leagues", "leagues", into=types.LeagueList, player_id=player_id)

    async def get(self, league_id: str) -> types.League:
        """A league with its members and seasons."""
        return await self._league("get_league", league_id=league_id)

    async def join(self, league_id: str) -> types.League:
        """Become a member."""
        return await self._league("join_league", league_id=league_id)

    async def leave(self, league_id: str) -> types.League:
        """Be a member no more."""
        return await self._league("leave_league", league_id=league_id)

    async def open_season(self, league_id: str, starts: datetime, ends: datetime) -> types.League:
        """A new season of its members as they are now."""
        return await self._league("open_season", {"starts": starts, "ends": ends}, league_id=league_id)

    async def close_season(self, league_id: str, season: int) -> types.League:
        """The end of a season: its tables are published."""
        return await self._league("close_season", league_id=league_id, season=season)

    async def fixtures(self, league_id: str, season: int, *, division: int | None = None) -> Sequence[types.Fixture]:
        """Who plays whom, and what came of it."""
        found: types.FixtureList = await self._client.request(
            "list_fixtures", into=types.FixtureList, league_id=league_id, season=season, division=division
        )
        return found.fixtures

    async def open_fixture(self, league_id: str, fixture_id: str) -> Game:
        """The fixture's game."""
        opened = await self._client.request("open_fixture", into=types.Game, league_id=league_id, fixture_id=fixture_id)
        return Game(self._client, opened)

    async def tables(self, league_id: str, season: int, *, division: int | None = None) -> types.Tables:
        """The tables of a season; each row says which games it is made of."""
        found: types.Tables = await self._client.request(
            "get_tables", into=types.Tables, league_id=league_id, season=season, division=division
        )
        return found

    async def _league(self, operation: str, body: Any = None, /, **values: Any) -> types.League:
        found: types.League = await self._client.request(operation, body, into=types.League, **values)
        return found


class Contests:
    """The same cards for everybody, one attempt each."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    def list(
        self, *, day: str | None = None, game_type: str | None = None, league_id: str | None = None
    ) -> AsyncIterator[types.Contest]:
        """Contests, newest first: the deals of a day, or of a league."""
        return self._client.pages(
            "list_contests", "contests", into=types.ContestList, day=day, game_type=game_type, league_id=league_id
        )

    async def get(self, contest_id: str) -> types.Contest:
        """A contest."""
        found: types.Contest = await self._client.request("get_contest", into=types.Contest, contest_id=contest_id)
        return found

    async def enter(self, contest_id: str) -> Game:
        """Your one attempt: its game."""
        return Game(self._client, await self._client.request("enter_contest", into=types.Game, contest_id=contest_id))

    def results(self, contest_id: str) -> AsyncIterator[Any]:
        """The results, best first, as far as they are told."""
        return self._client.pages("list_results", "results", into=types.ResultList, contest_id=contest_id)
