"""Before the deal: opening a game, taking and leaving seats, client seeds, and the start once all are there."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import commitment
from domain.game_type import Concealed, Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game, evolve
from domain.play.deciding import Act, Step, deal_chance, deal_events, record_events
from domain.play.digest import digest
from domain.play.invites import check_admitted, check_seat_changes, check_waiting, checked_invitations, free_seat
from domain.record import Record
from domain.view import Seat

CONVENTIONS = 3
"""The conventions of new games; a game keeps those it was opened under."""


class Opening(Concealed, frozen=True, kw_only=True):
    """How a game shall be opened. `players` has one entry per seat, None for an empty one."""

    type: AnyGameType
    options: Struct
    players: tuple[UUID | None, ...]
    rated: bool = True
    origin: ev.Origin = "shuffled"
    visibility: ev.Visibility = "public"
    await_seeds: bool = False
    contest: UUID | None = None
    rule_set: str | None = None
    move_seconds: int | None = None
    invited: tuple[ev.Invited, ...] = ()
    rematch_of: UUID | None = None
    spectator_delay: int = 0
    fixture: UUID | None = None
    forked_from: ev.Branch | None = None


def open_game(game_id: UUID, opening: Opening, secret: ev.Sealed, act: Act) -> Step:
    """A new game: `opened`, `sealed`, the invitations and, when nobody is waited for, the deal.

    Raises Illegal for a seat count, an option or a given deal that the game type refuses, or an invitation.
    """
    opened, act = _opened_event(game_id, opening, secret, act), act._replace(seat=None)
    options = msgspec.convert(opened.options, opening.type.options)
    opening.type.deal(options, deal_chance(secret, (None,) * opened.seats), opened.seats)
    step = record_events(
        _opening_step(game_id, opened, secret, act),
        [secret, *checked_invitations(opening.invited, opening.players)],
        act,
    )
    return record_events(step, deal_events(step.game), act)


def _opened_event(game_id: UUID, opening: Opening, secret: ev.Sealed, act: Act) -> ev.Opened:
    game_type, seats = opening.type, len(opening.players)
    if seats not in game_type.seat_counts:
        raise Illegal("seats", f"{game_type.name} is played by {_seat_range(game_type.seats)}, not by {seats}.")
    options = game_type.get(OptionRules).settle(opening.options, seats)
    return ev.Opened(
        game_type=game_type.key,
        revision=game_type.revision,
        options=msgspec.to_builtins(options),
        seats=seats,
        creator=act.actor,
        commitment=commitment(game_id, game_type.key, options, secret.seed),
        players=opening.players,
        rated=opening.rated and opening.origin == "shuffled" and opening.visibility == "public",
        origin=opening.origin,
        visibility=opening.visibility,
        await_seeds=opening.await_seeds,
        contest=opening.contest,
        rule_set=opening.rule_set,
        move_seconds=opening.move_seconds,
        rematch_of=opening.rematch_of,
        spectator_delay=opening.spectator_delay,
        fixture=opening.fixture,
        conventions=CONVENTIONS,
        forked_from=opening.forked_from,
        signer=act.signer,
    )


def _seat_range(seats: range) -> str:
    return f"{seats[0]}" if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def _opening_step(game_id: UUID, opened: ev.Opened, secret: ev.Sealed, act: Act) -> Step:
    kind = (opened.game_type, opened.revision)
    bare = Record[Struct, Struct](game_id, 1, act.time, *kind, 0, act.actor, None, None, opened)
    record = replace(bare, digest=digest(secret.digest_key, b"", bare, None))
    return Step((record,), evolve(None, record))


def join(game: Game, command: ev.Join, act: Act) -> Step:
    """The actor takes a seat, and the game starts when it was the last; raises Illegal."""
    check_waiting(game)
    check_seat_changes(game)
    if act.actor is None or game.seats_of(act.actor):
        raise Illegal("already_seated", "You have a seat at this game.")
    check_admitted(game, act.actor)
    seat = free_seat(game, act.actor, command.seat)
    events: list[Struct] = [ev.Joined(seat, act.actor)]
    if command.client_seed is not None:
        events.append(ev.Seeded(seat, command.client_seed))
    return _then_start(game, events, act._replace(seat=seat), command)


def leave(game: Game, command: ev.Leave, act: Act) -> Step:
    """The actor gives the seat back; raises Illegal once the game has started."""
    check_waiting(game)
    seat = _own_seat(act)
    return record_events(Step((), game), [ev.Left(seat, game.players[seat] or UUID(int=0))], act, command)


def give_seed(game: Game, command: ev.Seed, act: Act) -> Step:
    """The actor's own seed for the deal, once; the game starts when it was the last awaited; raises Illegal."""
    check_waiting(game)
    seat = _own_seat(act)
    if game.seeds[seat] is not None:
        raise Illegal("seeded", "You have given your seed.")
    return _then_start(game, [ev.Seeded(seat, command.client_seed)], act, command)


def _own_seat(act: Act) -> Seat:
    if act.seat is None:
        raise Illegal("not_seated", "You have no seat at this game.")
    return act.seat


def _then_start(game: Game, events: Sequence[Struct], act: Act, command: Struct) -> Step:
    step = record_events(Step((), game), events, act, command)
    return record_events(step, deal_events(step.game), act)
