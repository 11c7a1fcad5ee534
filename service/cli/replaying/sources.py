"""Where the frames of a replay come from: records, or a service over HTTP."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

import httpx
import msgspec
from msgspec import Struct

from domain.capabilities import CardFaces
from domain.game_type import Result
from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord, Status, fold
from domain.play.frames import Frame, frames
from domain.play.moments import Moment, moments
from domain.view import ALL_SEEING, Seat, View, Viewer
from service.cli.errors import Refusal
from service.pictures.faces import Faces

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OVER = ("finished", "voided")


class Source(Protocol):
    """One game to be shown. `viewers` are those that can be asked for; `frames` raises Refusal."""

    @property
    def game_type(self) -> str: ...

    @property
    def game(self) -> str: ...

    @property
    def seats(self) -> int: ...

    @property
    def faces(self) -> Faces: ...

    @property
    def viewers(self) -> Sequence[Viewer]: ...

    def frames(self, viewer: Viewer) -> Sequence[Frame]: ...

    def moments(self, viewer: Viewer) -> Sequence[Moment]: ...


def viewer_name(viewer: Viewer) -> str:
    """`a spectator`, `seat 1`, `as known now`."""
    if viewer is None:
        return "a spectator"
    return "as known now" if viewer == ALL_SEEING else f"seat {viewer}"


def _viewers(seats: int, status: Status) -> tuple[Viewer, ...]:
    return (None, *range(seats), *((ALL_SEEING,) if status in _OVER else ()))


class RecordSource:
    """A game's records, of the store or of a file; whoever has them may look from any seat."""

    def __init__(self, records: Sequence[AnyRecord]) -> None:
        game = fold(records)
        self._records = records
        self.game_type, self.game, self.faces = game.type.name, str(game.id), game.type.get(CardFaces).by_card
        self.seats = len(game.players)
        self.viewers = _viewers(self.seats, game.status)

    def frames(self, viewer: Viewer) -> Sequence[Frame]:
        """Every step; raises Refusal for a seat that is not there, or all cards of a game that goes on."""
        if viewer not in self.viewers:
            raise Refusal(_NOT_YET if viewer == ALL_SEEING else f"The game has no seat {viewer}.")
        return tuple(frames(self._records, viewer))

    def moments(self, viewer: Viewer) -> Sequence[Moment]:
        """The steps worth jumping to."""
        return moments(self.frames(viewer))


_NOT_YET = "A game is shown as known now once it is over."


class _ApiFrame(Struct, frozen=True, kw_only=True):
    """A frame as the API returns it, with facts of any type."""

    game_id: UUID
    step: int
    live_step: int
    version: int
    time: datetime
    seat: Seat | None
    sentences: tuple[str, ...]
    status: Status
    view: View[dict[str, Any]] | None
    result: Result | None


class _Page(Struct, frozen=True):
    frames: tuple[_ApiFrame, ...]
    next: int | None


class _Moments(Struct, frozen=True):
    moments: tuple[Moment, ...]


class _Look(Struct, frozen=True):
    game_type: str
    status: Status
    seats: tuple[Any, ...]


class ServiceSource:
    """A game of a service; the token decides what may be seen. Raises Refusal wherever the service refuses."""

    def __init__(self, game: UUID, server: str, token: str | None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._client = httpx.Client(base_url=server.rstrip("/"), headers=headers, timeout=30)
        self._path = f"/v1/games/{game}"
        look = msgspec.json.decode(self._request(self._path, {}), type=_Look)
        self.game_type, self.game = look.game_type.replace("_", " ").capitalize(), str(game)
        self.faces: Faces = GAME_TYPES[look.game_type].get(CardFaces).by_card if look.game_type in GAME_TYPES else {}
        self.seats = len(look.seats)
        self.viewers = _viewers(self.seats, look.status)

    def frames(self, viewer: Viewer) -> Sequence[Frame]:
        """Every step, page by page."""
        seen: list[_ApiFrame] = []
        first: int | None = 0
        while first is not None:
            answer = self._request(f"{self._path}/frames", {"first": first, "limit": 1000, **_viewer_query(viewer)})
            page = msgspec.json.decode(answer, type=_Page)
            seen, first = [*seen, *page.frames], page.next
        return tuple(map(_frame, seen))

    def moments(self, viewer: Viewer) -> Sequence[Moment]:
        """The steps worth jumping to, as the service finds them."""
        return msgspec.json.decode(self._request(f"{self._path}/moments", _viewer_query(viewer)), type=_Moments).moments

    def _request(self, path: str, query: dict[str, Any]) -> bytes:
        try:
            answer = self._client.get(path, params=query)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Refusal(f"{self._client.base_url} does not answer: {error}.") from error
        if answer.status_code != httpx.codes.OK:
            raise Refusal(_detail(answer))
        return answer.content


def _viewer_query(viewer: Viewer) -> dict[str, Any]:
    if viewer is None:
        return {"spectator": "true"}
    return {"known": "now"} if viewer == ALL_SEEING else {"seat": viewer}


def _detail(answer: httpx.Response) -> str:
    """The problem's `detail`, or the status if the answer is no problem document."""
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"The service answered {answer.status_code}."


def _frame(seen: _ApiFrame) -> Frame:
    fields = {name: getattr(seen, name) for name in _ApiFrame.__struct_fields__ if name != "time"}
    return Frame(**fields, time=(seen.time - _EPOCH) // timedelta(microseconds=1), command=None, events=())
