"""The events of any game as sentences."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.play import events as ev
from domain.play.aggregate import Game


def tell(game: Game, event: Struct) -> str:
    """The event as a sentence; these events are public."""
    return _SENTENCES[type(event)](game, event)


def seat_name(game: Game, seat: int) -> str:
    """`The player` of a solo game, `Seat 0` of others."""
    return "The player" if len(game.players) == 1 else f"Seat {seat}"


def source_sentence(source: ev.Source) -> str:
    """Where an imported game is from, and who vouches for it."""
    vouched = "nobody vouches" if source.vouched_for_by is None else f"{source.vouched_for_by} vouches"
    return f"Imported: a record of game {source.game} was brought here; {vouched} for it."


def _opened(game: Game, event: ev.Opened) -> str:
    told = f"A game of {game.type.name} is opened."
    return told if event.source is None else f"{told} {source_sentence(event.source)}"


def _finished(game: Game, event: ev.Finished) -> str:
    reason = event.reason.replace("_", " ")
    if len(event.players) == 1 or not event.winners:
        return f"The game is {event.ending}: {reason}."
    winners = " and ".join(seat_name(game, seat) for seat in event.winners)
    return f"{winners} won: {reason}."


def _invited(game: Game, event: ev.Invited) -> str:
    kept = "" if event.seat is None else f": {seat_name(game, event.seat)} is kept"
    return f"A player is invited{kept}."


_SENTENCES: dict[type, Callable[[Game, Any], str]] = {
    ev.Opened: _opened,
    ev.Joined: lambda game, event: f"{seat_name(game, event.seat)} is taken.",
    ev.Left: lambda game, event: f"{seat_name(game, event.seat)} is empty again.",
    ev.Invited: _invited,
    ev.Uninvited: lambda game, event: "An invitation is withdrawn.",
    ev.Seeded: lambda game, event: f"{seat_name(game, event.seat)} gives a seed for the deal.",
    ev.Undone: lambda game, event: f"Taken back: step {event.live_step} stands again.",
    ev.Resigned: lambda game, event: f"{seat_name(game, event.seat)} resigns.",
    ev.AbandonAgreed: lambda game, event: f"{seat_name(game, event.seat)} would leave the game unfinished.",
    ev.TimedOut: lambda game, event: f"{seat_name(game, event.seat)} has run out of time.",
    ev.Abandoned: lambda game, event: f"The game is abandoned: {event.reason}.",
    ev.Voided: lambda game, event: f"The game is void: {event.reason}.",
    ev.Finished: _finished,
    ev.Revealed: lambda game, event: "The seed of the deal is revealed.",
}
