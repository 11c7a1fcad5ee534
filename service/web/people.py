"""Players as pages name them: by name, erased ones as such, programs marked."""

from collections.abc import Iterable
from uuid import UUID

from cachetools import LRUCache
from msgspec import Struct

from service.accounts.players import Accounts

_REMEMBERED = 10_000


class Person(Struct, frozen=True):
    """A player; the name is None once the player is erased."""

    id: UUID
    name: str | None
    bot: bool


class People:
    """Looks players up; caches which players are programs, for that never changes."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._bots: LRUCache[UUID, bool] = LRUCache(_REMEMBERED)

    async def one(self, player: UUID) -> Person:
        """This player."""
        return (await self.of([player]))[player]

    async def of(self, players: Iterable[UUID | None]) -> dict[UUID, Person]:
        """These players, by id."""
        ids = list(dict.fromkeys(player for player in players if player is not None))
        names = await self._accounts.names(ids) if ids else {}
        return {player: Person(player, names.get(player), await self._bot(player)) for player in ids}

    async def _bot(self, player: UUID) -> bool:
        if (bot := self._bots.get(player)) is None:
            bot = self._bots[player] = (await self._accounts.player(player)).bot
        return bot
