"""One's own account, and the games that wait for one."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from kibitz_client import types
from kibitz_client.decoding import decode

if TYPE_CHECKING:
    from kibitz_client.asynchronous.client import Kibitz


class Account:
    """Who one is, and what happens to one."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    async def me(self) -> types.Player:
        """The player that the token stands for."""
        found: types.Player = await self._client.request("get_me", into=types.Player)
        return found

    async def rename(self, name: str) -> types.Player:
        """Take another name."""
        found: types.Player = await self._client.request("rename_me", types.RenameBody(name=name), into=types.Player)
        return found

    async def erase(self) -> None:
        """Erase the player for ever: name, tokens, and what is hidden under their key."""
        await self._client.request("erase_me")

    async def tokens(self) -> Sequence[types.Token]:
        """One's tokens, without their secrets."""
        found: types.TokenList = await self._client.request("list_tokens", into=types.TokenList)
        return found.tokens

    async def mint(self, body: types.MintBody) -> types.Token:
        """A new token; `secret` is told this once."""
        made: types.Token = await self._client.request("mint_token", body, into=types.Token)
        return made

    async def events(
        self, *, after: str | None = None, max_seconds: float | None = None
    ) -> AsyncIterator[types.AccountEvent]:
        """What happens to one, live and without end, from now on or after the event with this id."""
        async for event in self._client.events("list_account_events", after=after, max_seconds=max_seconds):
            if event.name == "account_event":
                yield decode(event.data, types.AccountEvent)

    def past_events(self) -> AsyncIterator[types.AccountEvent]:
        """What has happened to one, newest first."""
        return self._client.pages("list_account_events", "events", into=types.AccountEventList)


class Inbox:
    """The games in which it is one's turn."""

    def __init__(self, client: "Kibitz") -> None:
        self._client = client

    def list(self) -> AsyncIterator[types.WaitingGame]:
        """All of them, newest first."""
        return self._client.pages("list_inbox", "games", into=types.Inbox)

    async def follow(self, *, max_seconds: float | None = None) -> AsyncIterator[types.WaitingGame]:
        """Those there are, then each one as it begins to wait, without end.

        A stream that broke begins anew, so a game may come twice: look at its `version`.
        """
        async for event in self._client.events("stream_inbox", max_seconds=max_seconds):
            if event.name == "snapshot":
                for game in decode(event.data, types.WholeInbox).games:
                    yield game
            elif event.name == "waiting":
                yield decode(event.data, types.WaitingGame)
