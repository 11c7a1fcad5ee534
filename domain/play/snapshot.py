"""Snapshots: a game as it stood at one version, kept beside its records to spare a reader the fold up to there.

A snapshot is a cache: it is used only if the digest of the record at its version fits its state.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.capabilities import Undoing
from domain.game_type import Concealed, Result
from domain.games import revision_of
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Status, digest
from domain.record import Micros
from domain.view import Seat

S = TypeVar("S")


class Snapshot(Concealed, Generic[S], frozen=True, array_like=True):
    """A game's fields but for what its opening tells; `unread` stands for the states that undo could restore."""

    opening: ev.Opened
    opened_at: Micros
    updated_at: Micros
    players: tuple[UUID | None, ...]
    sealed: ev.Sealed
    seeds: tuple[str | None, ...]
    invited: tuple[ev.Invited, ...]
    agreed: tuple[Seat, ...]
    turn_at: Micros
    status: Status
    state: S
    version: int
    step: int
    live_step: int
    moves: int
    undos: int
    out: tuple[Seat, ...]
    acted: frozenset[Seat]
    result: Result | None
    revealed: bool
    digest: bytes
    unread: int


_LIKE_THE_GAME = tuple(name for name in Snapshot.__struct_fields__ if name != "unread")


def snapshot_of(game: Game) -> "Snapshot[Struct] | None":
    """The snapshot of a game that was dealt and is recorded here; of any other there is none."""
    if game.state is None or game.sealed is None or game.importers is not None:
        return None
    fields = {name: getattr(game, name) for name in _LIKE_THE_GAME}
    return Snapshot(**fields, unread=game.version if game.past is not None else game.unread)


def restored_game(stream: UUID, snapshot: "Snapshot[Struct]") -> Game:
    """The game of this snapshot; raises UnknownRevision."""
    game_type, options = revision_of(snapshot.opening.game_type, snapshot.opening.revision), snapshot.opening.options
    fields = {name: getattr(snapshot, name) for name in Snapshot.__struct_fields__}
    settled = msgspec.convert(options, game_type.options, strict=False)
    undoable = game_type.get(Undoing).allowed(settled)
    return Game(id=stream, type=game_type, options=settled, undoable=undoable, **fields)


def is_vouched_for(game: Game, before: AnyRecord, at: AnyRecord) -> bool:
    """Whether these two records, the last one's version being the game's, vouch for the game's state."""
    if game.sealed is None or (before.version + 1, at.version) != (game.version, game.version):
        return False
    return digest(game.sealed.digest_key, before.digest, at, game.state) == at.digest == game.digest


def restores_unread(game: Game, records: Iterable[AnyRecord]) -> bool:
    """Whether one of these later records takes back a step whose state was not read with the game."""
    return any(type(record.event) is ev.Undone and record.event.to_version < game.unread for record in records)


def is_due(before: Game | None, records: Sequence[AnyRecord], every: int) -> bool:
    """Whether a snapshot is due after these records: at every `every` versions, and at the end of a longer game."""
    if not records or before is None:
        return False
    ended = type(records[-1].event) in (ev.Finished, ev.Revealed, ev.Voided)
    return records[-1].version // every > (0 if ended else before.version // every)
