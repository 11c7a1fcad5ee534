"""Invitations: who may take a seat at a game that waits, and which seats are kept for whom."""

from collections.abc import Sequence
from uuid import UUID

from domain.game_type import Illegal
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, record_events
from domain.view import Seat

MOST = 20
"""Invitations that stand at a time."""


MOST_STEPS = 1_000
"""Steps of a game that waits: seats taken, left and offered. Past the limit seats and offers can only be given back."""


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
    if offers:
        _check_empty_seat(players)
    for guest in offers:
        _check_offer(guest, players)
    _check_count(len(offers))
    return offers


def invite(game: Game, command: ev.Invite, act: Act) -> Step:
    """The opener offers a player a seat; raises Illegal."""
    check_waiting(game)
    check_seat_changes(game)
    if act.actor is None or act.actor != game.opening.creator:
        raise Illegal("not_the_opener", "Whoever opened the game invites.")
    if game.invites(command.player):
        raise Illegal("already_invited", "That player is invited.")
    guest = ev.Invited(command.player)
    _check_empty_seat(game.players)
    _check_offer(guest, game.players)
    _check_count(len(game.invited) + 1)
    return record_events(Step((), game), [guest], act, command)


def uninvite(game: Game, command: ev.Uninvite, act: Act) -> Step:
    """The opener revokes an invitation, or the invited player declines it; raises Illegal."""
    check_waiting(game)
    if act.actor is None or act.actor not in (game.opening.creator, command.player):
        raise Illegal("not_the_opener", "Whoever opened the game revokes invitations; one's own can be declined.")
    if not game.invites(command.player):
        raise Illegal("not_invited", "That player is not invited.")
    if game.seats_of(command.player):
        raise Illegal("already_seated", "That player has taken a seat.")
    return record_events(Step((), game), [ev.Uninvited(command.player)], act, command)


def check_admitted(game: Game, player: UUID) -> None:
    """Raises Illegal where a private game, or a league's, is neither this player's nor open to them."""
    if game.opening.fixture is not None and player != game.opening.creator and not game.invites(player):
        raise Illegal("not_in_fixture", "A league's game is for the players of its fixture.")
    if game.opening.visibility == "private" and player != game.opening.creator and not game.invites(player):
        raise Illegal("not_invited", "A private game is for those who are invited.")


def free_seat(game: Game, player: UUID, wanted: Seat | None) -> Seat:
    """The seat this player gets: the one wanted, else the one kept for them, else the first that is free."""
    standing = [guest for guest in game.guests if guest.player not in game.players]
    kept = {guest.seat: guest.player for guest in standing if guest.seat is not None}
    empty = [seat for seat, held in enumerate(game.players) if held is None]
    free = [seat for seat in empty if kept.get(seat, player) == player]
    if wanted is None and free:
        return next((seat for seat in free if seat in kept), free[0])
    if (wanted is None and empty) or (wanted in empty and wanted not in free):
        raise Illegal("seat_kept", "That seat is kept for a player who is invited.")
    if wanted is None or wanted not in free:
        raise Illegal("seat_taken", "No such seat is empty.")
    return wanted


def _check_empty_seat(players: Sequence[UUID | None]) -> None:
    if None not in players:
        raise Illegal("no_empty_seat", "There is no empty seat to offer.")


def _check_offer(guest: ev.Invited, players: Sequence[UUID | None]) -> None:
    if guest.player in players:
        raise Illegal("already_seated", "That player has a seat at this game.")
    if guest.seat is not None and players[guest.seat] is not None:
        raise Illegal("seat_taken", "No such seat is empty.")


def _check_count(count: int) -> None:
    if count > MOST:
        raise Illegal("too_many_invites", f"At most {MOST} invitations stand at a time.")
