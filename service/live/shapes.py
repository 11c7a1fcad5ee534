"""The API's shapes of games: unions over every game type, and the structs of answers."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Union
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.game_type import Result
from domain.games import REVISIONS
from domain.play import events as ev
from domain.play import frames as fr
from domain.play.aggregate import Game, Status
from domain.play.endings import move_due_at
from domain.play.frames import view_of
from domain.player import Scope
from domain.record import Micros
from domain.view import ALL_SEEING, Seat, Viewer, Zone
from service import problems
from service.accounts.names import Names, Person, person, person_if_any
from service.outbox.events import POSITION_TEXT
from service.problems import Problem

_REVISIONS = list(REVISIONS.values())
AnyPlayCommand: Any = Union[  # noqa: UP007  made at run time
    tuple(command for revision in _REVISIONS for command in revision.commands) + ev.PLAY_COMMANDS
]
AnyCommand: Any = Union[AnyPlayCommand, Union[ev.TABLE_COMMANDS]]  # noqa: UP007
SHOWN = tuple(event for event in ev.GAME_EVENTS if event is not ev.Sealed)
AnyEvent: Any = Union[tuple(event for revision in _REVISIONS for event in revision.events) + SHOWN]  # noqa: UP007
AnyFacts: Any = Union[tuple(revision.facts for revision in _REVISIONS)]  # noqa: UP007
AnyMaterial: Any = Union[tuple(type(revision.material) for revision in _REVISIONS)]  # noqa: UP007

Time = Annotated[datetime, Meta(tz=True)]
"""A moment as RFC 3339 has it, with its offset: ours are in UTC."""

Limit = Annotated[int, Meta(ge=1, le=200, description="At most so many entries.")]
Cursor = Annotated[str, Meta(max_length=200, description="Where the page before ended: its `next`.")]
Step = Annotated[int, Meta(ge=0, le=2**31 - 1, description="A step of the game, counted from 0, the opening.")]
SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat of the game, counted from 0.")]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=problems.NAME)]
_WHY = "Why; everybody reads it, for ever: name games, not people."
Reason = Annotated[str, Meta(min_length=1, max_length=200, pattern=problems.NAME, description=_WHY)]
_SEED = "Any text of your own; it is published with the game, for ever: nothing personal."
ClientSeed = Annotated[str, Meta(min_length=1, max_length=64, pattern=problems.SEED, description=_SEED)]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(micros: Micros) -> datetime:
    """The time of a record as a UTC datetime, microseconds kept."""
    return _EPOCH + timedelta(microseconds=micros)


def today() -> str:
    """The current day in UTC: `2026-11-20`."""
    return datetime.now(UTC).date().isoformat()


def read_options(options: dict[str, Any], kind: type[Struct]) -> Any:
    """Recorded options as the game type's struct."""
    return msgspec.convert(options, kind, strict=False)


class View(Struct, frozen=True):
    """What one viewer sees: zones of cards for the picture, who may act, and the game's typed facts.

    `stuck` is true when nothing the viewer could still be shown can make a useful move possible.
    """

    phase: str
    to_act: tuple[Seat, ...]
    stuck: bool
    zones: tuple[Zone, ...]
    facts: AnyFacts


class Frame(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one viewer sees after one step, the unit of a replay and of the live stream.

    `live_step` is the step whose state is shown: an earlier one after an undo. `sentences` say `events` in words.
    `command` is told to the seat that gave it, and to everybody once a finished game is shown as known now.
    `imported_from_game_id` and `vouched_for_by` are there in frames of imported games, as in their looks.
    """

    game_id: UUID
    game_type: str
    step: int
    live_step: int
    version: int
    time: Time
    seat: Seat | None
    command: AnyCommand | None
    events: tuple[AnyEvent, ...]
    sentences: tuple[str, ...]
    status: Status
    view: View | None
    result: Result | None
    imported_from_game_id: UUID | None = None
    vouched_for_by: str | None = None
    log_position: Annotated[int, Meta(description=f"Of a stream's event alone. {POSITION_TEXT}")] | None = None


def frame(frame: fr.Frame, log_position: int | None = None) -> Frame:
    """The API's form of a frame; the position, where it is an event of a stream."""
    source = frame.source
    return Frame(
        game_id=frame.game_id,
        game_type=frame.game_type,
        step=frame.step,
        live_step=frame.live_step,
        version=frame.version,
        time=moment(frame.time),
        seat=frame.seat,
        command=frame.command,
        events=frame.events,
        sentences=frame.sentences,
        status=frame.status,
        view=frame.view,  # type: ignore[arg-type]  # the domain's View encodes alike
        result=frame.result,
        imported_from_game_id=None if source is None else source.game,
        vouched_for_by=None if source is None else source.vouched_for_by,
        log_position=log_position,
    )


class SeatHolder(Struct, frozen=True):
    """Who holds a seat: None while it is empty."""

    seat: Seat
    player: Person | None


class Guest(Struct, frozen=True):
    """A player who is invited, and the seat that is kept for them, if one is."""

    player: Person
    seat: Seat | None


class ForkedFrom(Struct, frozen=True):
    """The game that a fork comes from, and the step after which it left it."""

    game_id: UUID
    step: int


def forked_from(branch: ev.Branch | None) -> ForkedFrom | None:
    """The API's form of where a fork comes from."""
    return None if branch is None else ForkedFrom(branch.game, branch.step)


class GameRuling(Struct, frozen=True):
    """A ruling on a game, by which it counts for nothing or counts again: its version among the rulings that hold
    everywhere, or of a league."""

    league_id: UUID | None
    version: int
    at: Time
    reason: str


class GameRuled(Struct, frozen=True):
    """What a ruling has made of a game that is over: `voided`, it counts for nothing; `finished`, it counts again."""

    game_id: UUID
    status: Status
    ruling: GameRuling
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


class GameLook(Struct, frozen=True, kw_only=True):
    """A game as one viewer sees it now; `version` is also the ETag, `viewer` the seat looked from, None a spectator.

    `invited` are the invitations that stand while the game waits; `rematch_of_game_id` is the game that this one
    repeats; people are told with their names of now.
    `imported`: it was played elsewhere; nobody is named, nobody changes it, and it counts nowhere.
    `imported_from_game_id` is the id that its record gives it; `vouched_for_by` is the service whose signature the
    record has, if it is known: what nobody vouches for may be made up from the first card to the last, and is never
    told to be rated.
    `move_due`: when who is to move will have run out of time. A rated game without `move_seconds` has it, too, from the
    first move on: left for a day it is lost where one plays alone, left for a fortnight where several play.
    `voided_by`: the game is over and a ruling has voided it since; its status is then `voided`, its result as it was.
    `deal_level`: how hard the deal is, where a deal that can be won was wished for.
    `hints`: whoever plays it may ask for hints.
    `spectator_delay`: a spectator sees all of this as it stood so many steps ago, from the deal on, until the end.
    """

    id: UUID
    game_type: str
    revision: int
    options: dict[str, Any]
    status: Status
    seats: tuple[SeatHolder, ...]
    creator: Person | None
    rated: bool
    origin: ev.Origin
    deal_level: ev.DealLevel | None
    hints: bool
    visibility: ev.Visibility
    await_seeds: bool
    move_seconds: int | None
    move_due: Time | None
    invited: tuple[Guest, ...]
    rematch_of_game_id: UUID | None
    forked_from: ForkedFrom | None
    imported: bool
    imported_from_game_id: UUID | None
    vouched_for_by: str | None
    spectator_delay: int
    commitment: str
    version: int
    step: int
    live_step: int
    opened_at: Time
    updated_at: Time
    your_seats: tuple[Seat, ...]
    viewer: Seat | None
    view: View | None
    result: Result | None
    voided_by: GameRuling | None = None


def people_of(game: Game) -> tuple[UUID | None, ...]:
    """The players whom a look at the game names."""
    return (*game.players, game.opening.creator, *(guest.player for guest in game.guests))


def look(game: Game, viewer: Viewer, own_seats: tuple[Seat, ...], names: Names) -> GameLook:
    """The game as this viewer sees it now."""
    opened, source, imported = game.opening, game.opening.source, game.importers is not None
    return GameLook(
        id=game.id,
        game_type=game.type.key,
        revision=game.type.revision,
        options=opened.options,
        status=game.status,
        seats=tuple(
            SeatHolder(seat, person_if_any(None if imported else player, names))
            for seat, player in enumerate(game.players)
        ),
        creator=person_if_any(opened.creator, names),
        rated=opened.rated,
        origin=opened.origin,
        deal_level=opened.deal_level,
        hints=opened.hints,
        visibility=opened.visibility,
        await_seeds=opened.await_seeds,
        move_seconds=opened.move_seconds,
        move_due=None if (limit := move_due_at(game)) is None else moment(limit),
        invited=tuple(Guest(person(guest.player, names), guest.seat) for guest in game.guests),
        rematch_of_game_id=opened.rematch_of,
        forked_from=forked_from(opened.forked_from),
        imported=imported,
        imported_from_game_id=None if source is None else source.game,
        vouched_for_by=None if source is None else source.vouched_for_by,
        spectator_delay=opened.spectator_delay,
        commitment=opened.commitment,
        version=game.version,
        step=game.step,
        live_step=game.live_step,
        opened_at=moment(game.opened_at),
        updated_at=moment(game.updated_at),
        your_seats=own_seats,
        viewer=None if viewer == ALL_SEEING else viewer,
        view=view_of(game, viewer),  # type: ignore[arg-type]
        result=game.result,
    )


class CommandAnswer(Struct, frozen=True, omit_defaults=True):
    """What became of a command or a list: how many were accepted, their frames, and the refusal that ended the list.

    Of a dry run there is no frame, nor where `Prefer: return=minimal` is sent.
    """

    game_id: UUID
    game_type: str
    version: int
    accepted: int
    frames: tuple[Frame, ...]
    refusal: Problem | None = None


class LegalCommands(Struct, frozen=True):
    """What a seat may say at this version: `commands` are its moves, one per meaning, none while others are to act.

    `total`: how many moves there are; `next`: the cursor of more of them. `other_commands` do not go on with the game
    and may be said whoever is to act: to take back a step, to resign. A bot that plays chooses among `commands`.
    """

    game_id: UUID
    game_type: str
    version: int
    seat: Seat
    commands: tuple[AnyPlayCommand, ...]
    other_commands: tuple[AnyPlayCommand, ...]
    total: int
    next: str | None


class PlayerShown(Struct, frozen=True):
    """A player as everybody may know them; an erased player has no name, a bot is a program."""

    id: UUID
    name: str | None
    registered_at: Time
    erased: bool
    bot: bool


class TokenShown(Struct, frozen=True, omit_defaults=True):
    """A token; `made_of_token_id` is the one that it ends with, `secret` its text, told once, when it is made.

    `session`: it is a browser's, which somebody signed in with. `last_used_on`: the last day (UTC) of use.
    """

    id: UUID
    label: str
    scopes: tuple[Scope, ...]
    created_at: Time
    expires_at: Time
    secret: str | None = None
    made_of_token_id: UUID | None = None
    session: bool = False
    last_used_on: date | None = None


class Registration(Struct, frozen=True):
    """A new player and the first token."""

    player: PlayerShown
    token: TokenShown
