"""One game: the value that its records fold to. The fold refuses nothing and uses no chance."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Literal, assert_never
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Undoing
from domain.game_type import Concealed, Result
from domain.games import AnyGameType, revision_of
from domain.kit.patience import with_value_at
from domain.play import events as ev
from domain.record import Micros, Record
from domain.view import Seat

Status = Literal["waiting", "playing", "finished", "voided"]
AnyRecord = Record[Any, Any]


class Past(Concealed, frozen=True, gc=True):
    """The states that undo can restore, newest first, as a chain: if not tracked, it would be freed by recursion."""

    state: Struct
    version: int
    live_step: int
    before: "Past | None"


class Game(Concealed, frozen=True):
    """A game after `version` records. `state` is the game type's own, None until the deal.

    `importers` are the players who have brought a game here that was played elsewhere; of any other it is None.
    `out`: the seats that have resigned or run out of time. `undoable`: steps may be taken back under its options.
    `unread`: of a game from a snapshot, the version before which the states that undo restores were not read; else 0.
    """

    id: UUID
    type: AnyGameType
    options: Struct
    opening: ev.Opened
    players: tuple[UUID | None, ...]
    opened_at: Micros
    updated_at: Micros
    sealed: ev.Sealed | None = None
    seeds: tuple[str | None, ...] = ()
    invited: tuple[ev.Invited, ...] = ()
    agreed: tuple[Seat, ...] = ()
    turn_at: Micros = 0
    status: Status = "waiting"
    state: Struct | None = None
    version: int = 0
    step: int = 0
    live_step: int = 0
    moves: int = 0
    undos: int = 0
    out: tuple[Seat, ...] = ()
    acted: frozenset[Seat] = frozenset()
    past: Past | None = None
    unread: int = 0
    result: Result | None = None
    revealed: bool = False
    digest: bytes = b""
    undoable: bool = False
    importers: frozenset[UUID] | None = None

    def seats_of(self, player: UUID | None) -> tuple[Seat, ...]:
        """The seats that this player holds; none at an imported game, whoever is named there."""
        if self.importers is not None or player is None:
            return ()
        number = player.int  # two ids are compared by Python, two numbers are not
        return tuple([seat for seat, held in enumerate(self.players) if held is not None and held.int == number])

    @property
    def guests(self) -> tuple[ev.Invited, ...]:
        """The invitations that stand; they lapse when the cards are dealt."""
        return self.invited if self.status == "waiting" else ()

    def invites(self, player: UUID | None) -> bool:
        """Whether an invitation of this player stands."""
        return any(guest.player == player for guest in self.guests)


def fold(records: Iterable[AnyRecord], game: Game | None = None) -> Game:
    """The game after these records; they start at its next version. Raises UnknownRevision at the opening alone."""
    for record in records:
        game = evolve(game, record)
    if game is None:
        raise ValueError("no records, no game")
    return game


def evolve(game: Game | None, record: AnyRecord) -> Game:
    """The game after one more record."""
    if game is None:
        opened: ev.Opened = record.event
        game_type = revision_of(opened.game_type, opened.revision)
        options = msgspec.convert(opened.options, game_type.options, strict=False)
        return Game(
            id=record.stream, type=game_type, options=options, opening=opened, players=opened.players,
            seeds=(None,) * opened.seats, opened_at=record.time, updated_at=record.time, turn_at=record.time,
            version=record.version, digest=record.digest, undoable=game_type.get(Undoing).allowed(options),
        )  # fmt: skip
    if type(record.event) not in _COMMON:
        state = game.type.initial(game.options, game.opening.seats) if game.state is None else game.state
        return _advance(game, record, game.type.evolve(state, record.event), "playing")
    return _evolve(_advance(game, record, game.state, game.status), record.event)


def _evolve(game: Game, event: ev.GameEvent) -> Game:
    """The game after an event that all game types share; `_advance` has applied the envelope. The commonest first."""
    match event:
        case ev.Undone():
            return _undo(game, event)
        case ev.Finished():
            return replace(game, status="finished", result=event.result, past=None, unread=0)
        case ev.Sealed():
            return replace(game, sealed=event)
        case ev.Joined():
            return replace(game, players=with_value_at(game.players, event.seat, event.player))
        case ev.Left():
            players, seeds = with_value_at(game.players, event.seat, None), with_value_at(game.seeds, event.seat, None)
            return replace(game, players=players, seeds=seeds)
        case ev.Invited():
            return replace(game, invited=(*game.invited, event))
        case ev.Uninvited():
            return replace(game, invited=tuple(guest for guest in game.invited if guest.player != event.player))
        case ev.Seeded():
            return replace(game, seeds=with_value_at(game.seeds, event.seat, event.client_seed))
        case ev.Resigned() | ev.TimedOut():
            return replace(game, out=(*game.out, event.seat))
        case ev.AbandonAgreed():
            return replace(game, agreed=(*game.agreed, event.seat))
        case ev.Voided():
            return replace(game, status="voided")
        case ev.Revealed():
            return replace(game, revealed=True)
        case ev.Opened() | ev.Abandoned():
            return game
        case _:
            assert_never(event)


def _advance(game: Game, record: AnyRecord, state: Struct | None, status: Status) -> Game:
    """The game after a record's envelope: version, time, digest; at a step's first event also turn and undo state.

    `state` and `status` are the event's own changes, passed in so that the struct is copied once.
    """
    version, time, chained = record.version, record.time, record.digest
    if record.step == game.step:
        return replace(game, version=version, updated_at=time, digest=chained, state=state, status=status)
    agreeing = type(record.command) is ev.Abandon
    moved, past = game.state is not None and type(record.command) in game.type.commands, game.past
    if game.undoable and moved and game.state is not None:
        past = Past(game.state, game.version, game.live_step, past)
    return replace(
        game, version=version, updated_at=time, digest=chained, state=state, status=status, step=record.step,
        live_step=record.step, agreed=game.agreed if agreeing else (), turn_at=game.turn_at if agreeing else time,
        moves=game.moves + moved, acted=game.acted | {record.seat} if moved and record.seat is not None else game.acted,
        past=past,
    )  # fmt: skip


def _undo(game: Game, event: ev.Undone) -> Game:
    past = game.past
    while past is not None and past.version > event.to_version:
        past = past.before
    if past is None:
        return game
    return replace(game, state=past.state, past=past.before, live_step=event.live_step, undos=game.undos + 1)


_COMMON = frozenset[type](ev.GAME_EVENTS)
"""A set, so that the fold of every record tells common events apart in one look-up."""


_ENCODER = msgspec.json.Encoder(order="sorted")
START = bytes(32)


def digest(key: bytes, before: bytes, record: AnyRecord, state: Struct | None) -> bytes:
    """The digest that chains a game's records: keyed BLAKE2b, 32 bytes; the record's own `digest` is left out.

    Its input, in this order: the previous digest (32 bytes, zeros at first); the envelope as canonical JSON (keys
    sorted, no blanks, defaults omitted); a line feed; the game type's state after the event as canonical JSON (`null`
    before the deal). The key is secret until the game is revealed: a plain digest would tell small hidden states.
    """
    envelope = (
        record.stream, record.version, record.time, record.type, record.revision, record.step,
        record.actor, record.seat, record.command, record.event,
    )  # fmt: skip
    lines = _ENCODER.encode_lines([envelope, state])  # no tuple: msgspec never frees its iterator
    return blake2b((before or START) + lines[:-1], key=key, digest_size=32).digest()
