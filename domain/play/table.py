"""Before the deal: opening a game, invitations, seats taken and left, client seeds, the start once all are there."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import commitment
from domain.game_type import Concealed, Forbidden, Illegal, Missing
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game, digest, evolve
from domain.play.deciding import Act, Step, deal_chance, deal_events, record_events
from domain.record import Record
from domain.view import Seat

CONVENTIONS = 3
"""The conventions of new games; a game keeps those it was opened under."""
MOST_INVITATIONS = 20
"""Invitations that stand at a time."""
MOST_STEPS = 1_000
"""Steps of a game that waits: seats taken, left and offered. Past the limit seats and offers can only be given back."""


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
    deal_level: ev.DealLevel | None = None
    hints: bool = False


_AS_WISHED = {*Opening.__struct_fields__} & {*ev.Opened.__struct_fields__} - {"options", "rated"}
"""The fields that `Opened` takes from `Opening` unchanged."""


def open_game(game_id: UUID, opening: Opening, secret: ev.Sealed, act: Act) -> Step:
    """A new game: `opened`, `sealed`, the invitations and, when no seat or seed is awaited, the deal.

    Raises Illegal for a seat count, an option or a given deal that the game type refuses, an invitation, or hints in a
    game that counts.
    """
    opened, act = _opened_event(game_id, opening, secret, act), act._replace(seat=None)
    options = msgspec.convert(opened.options, opening.type.options)
    opening.type.deal(options, deal_chance(secret, (None,) * opened.seats), opened.seats)
    kind = (opened.game_type, opened.revision)
    bare = Record[Struct, Struct](game_id, 1, act.time, *kind, 0, act.actor, None, None, opened)
    record = replace(bare, digest=digest(secret.digest_key, b"", bare, None))
    game = evolve(None, record)
    invitations = checked_invitations(opening.invited, opening.players)
    step = record_events(Step((record,), game, (game,)), [secret, *invitations], act)
    return record_events(step, deal_events(step.game), act)


def _opened_event(game_id: UUID, opening: Opening, secret: ev.Sealed, act: Act) -> ev.Opened:
    game_type, seats = opening.type, len(opening.players)
    if seats not in game_type.seat_counts:
        first, last = game_type.seats[0], game_type.seats[-1]
        allowed = f"{first}" if first == last else f"{first} to {last}"
        raise Illegal("seats", f"{game_type.name} is played by {allowed}, not by {seats}.")
    options = game_type.get(OptionRules).settle(opening.options, seats)
    rated = opening.rated and opening.origin == "shuffled" and opening.visibility == "public"
    if opening.hints and (rated or opening.contest is not None):
        raise Illegal("rated_hints", "There are no hints in what counts: open the game with `rated` false.", "/hints")
    wished = {name: getattr(opening, name) for name in _AS_WISHED}
    return ev.Opened(
        **wished, game_type=game_type.key, revision=game_type.revision, options=msgspec.to_builtins(options),
        seats=seats, creator=act.actor, commitment=commitment(game_id, game_type.key, options, secret.seed),
        rated=rated, conventions=CONVENTIONS, signer=act.signer,
    )  # fmt: skip


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
        raise Forbidden("not_seated", "You have no seat at this game.")
    return act.seat


def _then_start(game: Game, events: Sequence[Struct], act: Act, command: Struct) -> Step:
    step = record_events(Step((), game), events, act, command)
    return record_events(step, deal_events(step.game), act)


def check_waiting(game: Game) -> None:
    """Raises Illegal once the game has started."""
    if game.status != "waiting":
        raise Illegal("game_started", "The game has started.")


def check_seat_changes(game: Game) -> None:
    """Raises Illegal where seats were taken and offered too often; games under conventions 1 and 2 have no bound."""
    if game.step >= MOST_STEPS and game.opening.conventions >= 3:
        raise Illegal("too_long", f"Seats of this game have changed {MOST_STEPS} times: open another one.")


def checked_invitations(guests: Sequence[ev.Invited], players: Sequence[UUID | None]) -> tuple[ev.Invited, ...]:
    """The invitations that a game is opened with, each player once; raises Illegal."""
    offers = tuple({guest.player: guest for guest in guests}.values())
    _check_offers(offers, players, len(offers))
    return offers


def invite(game: Game, command: ev.Invite, act: Act) -> Step:
    """The opener offers a player a seat; raises Illegal."""
    check_waiting(game)
    check_seat_changes(game)
    if act.actor is None or act.actor != game.opening.creator:
        raise Forbidden("not_the_opener", "Whoever opened the game invites.")
    if game.invites(command.player):
        raise Illegal("already_invited", "That player is invited.")
    guest = ev.Invited(command.player)
    _check_offers([guest], game.players, len(game.invited) + 1)
    return record_events(Step((), game), [guest], act, command)


def uninvite(game: Game, command: ev.Uninvite, act: Act) -> Step:
    """The opener revokes an invitation, or the invited player declines it; raises Illegal."""
    check_waiting(game)
    if act.actor is None or act.actor not in (game.opening.creator, command.player):
        raise Forbidden("not_the_opener", "Whoever opened the game revokes invitations; one's own can be declined.")
    if not game.invites(command.player):
        raise Missing("not_invited", "That player is not invited.")
    if game.seats_of(command.player):
        raise Illegal("already_seated", "That player has taken a seat.")
    return record_events(Step((), game), [ev.Uninvited(command.player)], act, command)


def check_admitted(game: Game, player: UUID) -> None:
    """Raises Illegal at a private game, or a league's, unless the player opened it or is invited."""
    if game.opening.fixture is not None and player != game.opening.creator and not game.invites(player):
        raise Forbidden("not_in_fixture", "A league's game is for the players of its fixture.")
    if game.opening.visibility == "private" and player != game.opening.creator and not game.invites(player):
        raise Forbidden("not_invited", "A private game is for those who are invited.")


def free_seat(game: Game, player: UUID, requested: Seat | None) -> Seat:
    """The seat this player gets: the one wanted, else the one kept for them, else the first that is free."""
    standing = [guest for guest in game.guests if guest.player not in game.players]
    reserved = {guest.seat: guest.player for guest in standing if guest.seat is not None}
    empty = [seat for seat, held in enumerate(game.players) if held is None]
    free = [seat for seat in empty if reserved.get(seat, player) == player]
    if requested is None and free:
        return next((seat for seat in free if seat in reserved), free[0])
    if (requested is None and empty) or (requested in empty and requested not in free):
        raise Illegal("seat_kept", "That seat is kept for a player who is invited.")
    if requested is None or requested not in free:
        raise Illegal("seat_taken", "No such seat is empty.")
    return requested


def _check_offers(guests: Sequence[ev.Invited], players: Sequence[UUID | None], count: int) -> None:
    """Raises Illegal unless these players can be offered seats; so many invitations stand then."""
    if guests and None not in players:
        raise Illegal("no_empty_seat", "There is no empty seat to offer.")
    for guest in guests:
        if guest.player in players:
            raise Illegal("already_seated", "That player has a seat at this game.")
        if guest.seat is not None and players[guest.seat] is not None:
            raise Illegal("seat_taken", "No such seat is empty.")
    if count > MOST_INVITATIONS:
        raise Illegal("too_many_invites", f"At most {MOST_INVITATIONS} invitations stand at a time.")
