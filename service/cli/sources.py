"""Where the frames of a replay come from: records of the store or of a file, or a service over HTTP."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any
from uuid import UUID

from kibitz_client import KibitzError, Retries
from kibitz_client.calls import seat_query
from kibitz_client.sync import Kibitz
from msgspec import Struct, convert

from domain.capabilities import CardFaces
from domain.game_type import Result
from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord, Status, fold
from domain.play.frames import Frame, Moment, frames, moments
from domain.play.open_record import Annotation, Unreadable, read_record
from domain.play.verify import form_faults
from domain.view import ALL_SEEING, Seat, View, Viewer, player_name
from service.analysis.history import annotations
from service.analysis.kinds import Note, conclude, findings_of, kind_of, search
from service.cli.ending import Refusal
from service.pictures.words import Faces

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OVER = ("finished", "voided")
_POLL = 0.5  # seconds between two requests for a service's analysis
_NOT_YET = "A game is shown as known now once it is over."


def viewer_name(viewer: Viewer) -> str:
    """`a spectator`, `Player 1`, `as known now`."""
    if viewer is None:
        return "a spectator"
    return "as known now" if viewer == ALL_SEEING else player_name(viewer)


def _viewers(seats: int, status: Status) -> tuple[Viewer, ...]:
    return (None, *range(seats), *((ALL_SEEING,) if status in _OVER else ()))


class LineMove(Struct, frozen=True):
    """A move of the winning line."""

    sentence: str


class ReportText(Struct, frozen=True):
    """The result of an analysis, in words."""

    sentences: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    line: tuple[LineMove, ...] = ()
    lost_step: int | None = None


class Analysis(Struct, frozen=True):
    """How far an analysis has come: so many verdicts of about so many; the report, the earlier one until `done`."""

    verdicts: int
    expected: int
    report: ReportText | None
    annotations: tuple[Annotation, ...] = ()
    status: str = "done"


class RecordSource:
    """A game's records, of the store or of a file; their owner may look from any seat."""

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

    def analyse(self, bound: int | None = None) -> Iterator[Analysis]:
        """Analyse it here; raises Refusal for a game that goes on, or has no solver."""
        game = fold(self._records)
        if game.status not in _OVER:
            raise Refusal("A game is analysed once it is over.")
        if kind_of(game.type) is None:
            raise Refusal(f"There is no solver of {game.type.name}.")
        notes = list[Note]()
        for note, expected in search(self._records, (), bound):
            notes.append(note)
            yield Analysis(len(notes), expected, None)
        text = convert(conclude(self._records, notes, complete=True), ReportText, from_attributes=True)
        yield Analysis(len(notes), len(notes), text, annotations(findings_of(notes, game.type)))

    def hint(self, viewer: Viewer) -> str:
        """Raises Refusal."""
        raise Refusal("A service gives hints: name it with --server.")


def recorded_game(path: Path) -> RecordSource:
    """The game of this file; raises Refusal if it cannot be shown. Its digests are checked by `kibitz verify` only."""
    try:
        records = read_record(path.read_bytes()).records
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    except Unreadable as error:
        raise Refusal(f"{path} is no record that can be shown. {error}") from error
    if fault := next(iter(form_faults(records)), None):
        raise Refusal(f"{path} is no record that can be shown. Step {fault.step}: {fault.what}")
    try:
        return RecordSource(records)
    except Exception as error:  # folding a record that was tampered with may raise anything
        raise Refusal(f"{path} holds steps that do not follow from each other ({type(error).__name__}).") from error


class _ApiFrame(Struct, frozen=True, kw_only=True):
    """A frame as the API returns it, with facts of any type."""

    game_id: UUID
    game_type: str
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
    next: str | None


class _Moments(Struct, frozen=True):
    moments: tuple[Moment, ...]


class _Hint(Struct, frozen=True):
    sentence: str
    command: dict[str, Any] | None


class _Game(Struct, frozen=True):
    game_type: str
    status: Status
    seats: tuple[Any, ...]


class ServiceSource:
    """A game of a service; the token decides what may be seen. Raises Refusal wherever the service refuses."""

    def __init__(self, game: UUID, server: str, token: str | None) -> None:
        self.game = str(game)
        with _refusing():
            self._client = Kibitz(server, token, retries=Retries(patience=0))
            seen: _Game = self._client.request("get_game", into=_Game, game_id=game)
        self.game_type = seen.game_type.replace("_", " ").capitalize()
        self.faces: Faces = GAME_TYPES[seen.game_type].get(CardFaces).by_card if seen.game_type in GAME_TYPES else {}
        self.seats = len(seen.seats)
        self.viewers = _viewers(self.seats, seen.status)

    def frames(self, viewer: Viewer) -> Sequence[Frame]:
        """Every step, page by page."""
        query = {"game_id": self.game, "limit": 1000, **_viewer_query(viewer)}
        with _refusing():
            pages = list(self._client.pages("list_frames", "frames", into=_Page, **query))
        names = [name for name in _ApiFrame.__struct_fields__ if name != "time"]
        return tuple(
            Frame(
                **{name: getattr(frame, name) for name in names}, command=None, events=(),
                time=(frame.time - _EPOCH) // timedelta(microseconds=1),
            ) for frame in pages
        )  # fmt: skip

    def moments(self, viewer: Viewer) -> Sequence[Moment]:
        """The steps worth jumping to, as the service finds them."""
        query = {"game_id": self.game, **_viewer_query(viewer)}
        with _refusing():
            page: _Moments = self._client.request("list_moments", into=_Moments, **query)
        return page.moments

    def analyse(self, bound: int | None = None) -> Iterator[Analysis]:
        """Start the analysis at the service, and ask for it until it is done."""
        with _refusing():
            request, body = partial(self._client.request, into=Analysis, game_id=self.game), {"bound": bound}
            yield (analysis := request("analyse_game", body))
            while analysis.status != "done":
                sleep(_POLL)
                yield (analysis := request("get_analysis"))

    def hint(self, viewer: Viewer) -> str:
        """The next command, and whether the game can still be won, for this seat or one's own.

        `This can be won. Move: source tableau_3, target foundation_0.`
        """
        query = {"game_id": self.game, **seat_query(viewer if isinstance(viewer, int) else None)}
        with _refusing():
            hint: _Hint = self._client.request("get_hint", into=_Hint, **query)
        if hint.command is None:
            return hint.sentence
        (_, name), *fields = hint.command.items()
        words = [name.rpartition("/")[2].replace("_", " ").capitalize()]
        words += [", ".join(f"{key} {value}" for key, value in fields)] if fields else []
        return f"{hint.sentence} {': '.join(words)}."


Source = RecordSource | ServiceSource
"""One game to be shown. `viewers` are those that can be asked for; `frames` raises Refusal."""


@contextmanager
def _refusing() -> Iterator[None]:
    """Every error of the client ends the command with its sentence."""
    try:
        yield
    except KibitzError as error:
        raise Refusal(str(error)) from error


def _viewer_query(viewer: Viewer) -> dict[str, Any]:
    known_now = viewer == ALL_SEEING
    return seat_query(None if known_now else viewer, viewer is None, known_now)
