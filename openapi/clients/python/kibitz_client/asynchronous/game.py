"""A game in one's hands: what it looks like, what may be said, and what comes of it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz_client import types
from kibitz_client.calls import seat_query
from kibitz_client.decoding import decode

if TYPE_CHECKING:
    from kibitz_client.asynchronous.client import Kibitz

HELD = -1
"""As a version: the one that is held."""


class Game:
    """One game of the service. `look` is the game as it was last asked for.

    `newest` is what was last seen of it, a look, or a frame of an answer or of the stream. `version`, the one held, is
    its version, or that of the legal commands if they came later: commands are refused if the game has moved on.
    """

    def __init__(self, client: "Kibitz", look: types.Game) -> None:
        self._client = client
        self.look, self.id = look, look.id
        self.newest: types.Game | types.Frame = look
        self.version = look.version

    @property
    def status(self) -> str:
        """`waiting`, `playing`, `finished` or `voided`."""
        return self.newest.status

    @property
    def over(self) -> bool:
        """Whether nothing can happen any more."""
        return self.status in ("finished", "voided")

    @property
    def view(self) -> Any:
        """The table: zones, facts, and who is to act; None before the deal."""
        return self.newest.view

    @property
    def result(self) -> types.Result | None:
        """How it ended; None while it goes on."""
        return self.newest.result

    async def refresh(self, *, seat: int | None = None, spectator: bool = False) -> types.Game:
        """The game as it is now."""
        return self._hold_look(await self._request("get_game", into=types.Game, **seat_query(seat, spectator)))

    async def legal(
        self, *, seat: int | None = None, like: types.Command | Mapping[str, Any] | None = None
    ) -> Sequence[types.Command]:
        """The moves of a seat now, none when it is not its turn; `like`: what goes on from a partial command."""
        while True:
            found: list[types.Command] = []
            versions: set[int] = set()
            cursor: str | None = None
            while not versions or cursor is not None:
                page: types.LegalCommands = await self._request(
                    "list_legal_commands", into=types.LegalCommands, seat=seat, like=like, cursor=cursor
                )
                versions.add(page.version)
                found, cursor = [*found, *page.commands], page.next
            if len(versions) == 1:  # or it has moved on between two pages
                self.version = page.version
                return found

    async def play(
        self,
        command: types.Command | Mapping[str, Any],
        *,
        seat: int | None = None,
        version: int | None = HELD,
        dry_run: bool = False,
    ) -> types.CommandAnswer:
        """Say a command, at the version held, at another one, or (None) however the game stands.

        Raises RuleRefused with the `rule` that forbids it, VersionConflict if the game has moved on.
        """
        return await self._say("post_command", command, version, seat=seat, dry_run=dry_run or None)

    async def play_all(
        self,
        commands: Sequence[types.Command | Mapping[str, Any]],
        *,
        seat: int | None = None,
        version: int | None = HELD,
    ) -> types.CommandAnswer:
        """Say these commands one after the other, up to the first that is refused: the answer's `refusal`."""
        return await self._say("post_commands", {"commands": commands}, version, seat=seat)

    async def undo(self, *, seat: int | None = None) -> types.CommandAnswer:
        """Take back the last move."""
        return await self.play(types.GameUndo(), seat=seat)

    async def resign(self, *, seat: int | None = None) -> types.CommandAnswer:
        """Give up, however the game stands."""
        return await self.play(types.GameResign(), seat=seat, version=None)

    async def follow(
        self, *, after: int = 0, seat: int | None = None, spectator: bool = False, known_now: bool = False, **more: Any
    ) -> AsyncIterator[types.Frame]:
        """The frames after a version, then each as it happens, until the game is over; a broken stream is resumed.

        `max_seconds` and `max_frames` end it before.
        """
        looking = seat_query(seat, spectator, known_now)
        stream = self._client.events("stream_game", after=after or None, game_id=self.id, **looking, **more)
        async for event in stream:
            if event.name == "frame":
                frame: types.Frame = decode(event.data, types.Frame)
                self._hold_frame(frame)
                yield frame

    def frames(
        self,
        *,
        first: int = 0,
        last: int | None = None,
        seat: int | None = None,
        spectator: bool = False,
        known_now: bool = False,
    ) -> AsyncIterator[types.Frame]:
        """What was seen after each step, page by page."""
        looking = {"game_id": self.id, "last": last, **seat_query(seat, spectator, known_now)}
        return self._client.pages("list_frames", "frames", into=types.FrameList, first=first, **looking)

    async def text(self, step: int, *, seat: int | None = None) -> str:
        """The table after this step, drawn in text."""
        drawn: str = await self._request("get_frame", accept="text/plain", step=step, seat=seat)
        return drawn

    async def picture(self, step: int, *, seat: int | None = None, media_type: str = "image/svg+xml") -> bytes:
        """The table after this step as SVG or `image/png`."""
        drawn: bytes = await self._request("get_frame", accept=media_type, step=step, seat=seat)
        return drawn

    async def join(self, client_seed: str | None = None) -> types.Game:
        """Take a seat."""
        body = types.JoinBody(client_seed=client_seed)
        return self._hold_look(await self._request("join_game", body, into=types.Game))

    async def leave(self) -> types.Game:
        """Give the seat back, while the game waits."""
        return self._hold_look(await self._request("leave_game", into=types.Game))

    async def seed(self, client_seed: str) -> types.Game:
        """Give a seed to a deal that waits for one."""
        body = types.SeedBody(client_seed=client_seed)
        return self._hold_look(await self._request("seed_game", body, into=types.Game))

    async def abandon(self) -> types.Game:
        """Agree to end it unfinished."""
        return self._hold_look(await self._request("abandon_game", into=types.Game))

    async def rematch(self) -> "Game":
        """Once more, with the seats rotated."""
        return Game(self._client, await self._request("open_rematch", into=types.Game))

    async def fork(self, **body: Any) -> "Game":
        """A practice game that goes on from a step of this one."""
        return Game(self._client, await self._request("fork_game", body, into=types.Game))

    async def record(self, *, notation: str | None = None) -> bytes:
        """The whole game as an open record, byte for byte; or in a `notation` of other programs."""
        told = await self._request("get_record", accept="*/*", notation=notation)
        return told.encode() if isinstance(told, str) else bytes(told)

    async def verification(self) -> types.Verification:
        """What verifying its record finds."""
        found: types.Verification = await self._request("verify_game", into=types.Verification)
        return found

    async def proof(self) -> types.Proof:
        """What was committed before the deal, and once it is over the seeds that prove it."""
        found: types.Proof = await self._request("get_deal_proof", into=types.Proof)
        return found

    async def _request(self, operation: str, body: Any = None, /, **more: Any) -> Any:
        return await self._client.request(operation, body, game_id=self.id, **more)

    async def _say(self, operation: str, body: Any, version: int | None, **query: Any) -> types.CommandAnswer:
        held = self.version if version == HELD else version
        answer: types.CommandAnswer = await self._request(
            operation, body, version=held, into=types.CommandAnswer, **query
        )
        if answer.frames:
            self._hold_frame(answer.frames[-1])
        return answer

    def _hold_look(self, look: types.Game) -> types.Game:
        self.look, self.newest, self.version = look, look, look.version
        return look

    def _hold_frame(self, frame: types.Frame) -> None:
        if frame.version >= self.newest.version:
            self.newest, self.version = frame, max(frame.version, self.version)
