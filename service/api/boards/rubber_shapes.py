"""Rubbers as they go over the wire."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from domain.games.bridge_solitaire.state import Column, Contract, Entry, Sheet, Side
from domain.play.events import Visibility
from projections.rubbers.back_scores import BackLine, RubberTotals
from projections.rubbers.rubber_projection import RubberRow
from projections.rubbers.sheets import GameWon, HandLine, RubberSheet, Status, ToGame
from service.api.paging import LogPosition
from service.live import shapes


class HandShown(Struct, frozen=True, kw_only=True):
    """A scored hand. `result` counts the declarer's tricks above or below what the contract needed."""

    hand: int
    contract: Contract
    tricks_me: int
    tricks_it: int
    result: int
    vulnerable: tuple[Side, ...]
    finish: str


class Rubber(Struct, frozen=True, kw_only=True):
    """A rubber and its scoresheet. `net` is ME less IT.

    `entries` are all points ever written, each with its hand, side, place and kind. `to_game` and `if_stopped` (the
    premiums of a rubber that is left now, Law 80) are told while it is open.
    """

    game_id: UUID
    player: UUID | None
    length: str
    status: Status
    voided: bool
    rated: bool
    visibility: Visibility
    opened_at: datetime
    ended_at: datetime | None
    me: Column
    it: Column
    net: int
    entries: tuple[Entry, ...]
    lines: Annotated[tuple[int, ...], Meta(description="Hands after which a line was drawn.")]
    games: tuple[GameWon, ...]
    hands: tuple[HandShown, ...]
    to_game: ToGame | None
    if_stopped: tuple[Entry, ...]
    log_position: LogPosition


class RubberEntry(Struct, frozen=True, kw_only=True):
    """A rubber in a player's list."""

    game_id: UUID
    status: Status
    opened_at: datetime
    ended_at: datetime | None
    hands: int
    games: tuple[Side, ...]
    me: int
    it: int
    net: int
    rated: bool


class RubberList(Struct, frozen=True):
    """A page of a player's rubbers, newest first."""

    rubbers: tuple[RubberEntry, ...]
    next: str | None
    log_position: LogPosition


class BackEntry(Struct, frozen=True, kw_only=True):
    """A line of the back score: a rubber's margin, exact and in hundreds, and the sums up to here."""

    game_id: UUID
    ended_at: datetime
    status: Status
    net: int
    hundreds: int
    running_net: int
    running_hundreds: int


class BackScore(Struct, frozen=True, kw_only=True):
    """A player's back score, the last rubber first, with the life-time totals. `average` is points a rubber."""

    completed: int
    closed: int
    resigned: int
    won: int
    drawn: int
    lost: int
    won_two_nil: int
    net: int
    average: float
    best_net: int | None
    back_net: int
    back_hundreds: int
    entries: tuple[BackEntry, ...]
    next: str | None
    log_position: LogPosition


def rubber(found: RubberSheet, sheet: Sheet, position: str) -> Rubber:
    return Rubber(
        game_id=found.game,
        player=found.player,
        length=found.length,
        status=found.status,
        voided=found.voided,
        rated=found.rated,
        visibility=found.visibility,
        opened_at=shapes.moment(found.opened_at),
        ended_at=None if found.ended_at is None else shapes.moment(found.ended_at),
        me=sheet.me,
        it=sheet.it,
        net=found.net,
        entries=sheet.entries,
        lines=sheet.lines,
        games=found.games,
        hands=tuple(_hand(line) for line in found.hands),
        to_game=found.to_game,
        if_stopped=found.if_stopped,
        log_position=position,
    )


def _hand(line: HandLine) -> HandShown:
    return HandShown(**{name: getattr(line, name) for name in HandShown.__struct_fields__})


def row(row: RubberRow) -> RubberEntry:
    return RubberEntry(
        game_id=row.game,
        status=row.status,
        opened_at=shapes.moment(row.opened_at),
        ended_at=None if row.ended_at is None else shapes.moment(row.ended_at),
        hands=row.hands,
        games=row.games,
        me=row.me,
        it=row.it,
        net=row.net,
        rated=row.rated,
    )


def line(line: BackLine) -> BackEntry:
    return BackEntry(
        game_id=line.game,
        ended_at=shapes.moment(line.ended_at),
        status=line.status,
        net=line.net,
        hundreds=line.hundreds,
        running_net=line.running_net,
        running_hundreds=line.running_hundreds,
    )


def back(life: RubberTotals, lines: tuple[BackEntry, ...], following_page: str | None, position: str) -> BackScore:
    counts = ("completed", "closed", "resigned", "won", "drawn", "lost", "won_two_nil", "net", "best_net")
    return BackScore(
        **{name: getattr(life, name) for name in counts},
        back_net=life.back_net,
        back_hundreds=life.back_hundreds,
        average=life.average[0] / life.average[1],
        entries=lines,
        next=following_page,
        log_position=position,
    )
