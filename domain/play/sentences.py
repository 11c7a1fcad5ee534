"""The events of any game as sentences."""

from typing import assert_never

from domain.play import events as ev
from domain.play.aggregate import Game
from domain.view import player_name


def tell(game: Game, event: ev.GameEvent) -> str:
    """The event as a sentence; these events are public."""
    match event:
        case ev.Opened():
            opened = f"A game of {game.type.name} is opened."
            return opened if event.source is None else f"{opened} {source_sentence(event.source)}"
        case ev.Joined():
            return f"{_place_name(game, event.seat)} is taken."
        case ev.Left():
            return f"{_place_name(game, event.seat)} is empty again."
        case ev.Invited():
            kept = "" if event.seat is None else f": {_place_name(game, event.seat).lower()} is kept"
            return f"A player is invited{kept}."
        case ev.Uninvited():
            return "An invitation is withdrawn."
        case ev.Seeded():
            return f"{seat_name(game, event.seat)} gives a seed for the deal."
        case ev.Undone():
            return f"Taken back: step {event.live_step} stands again."
        case ev.Resigned():
            return f"{seat_name(game, event.seat)} resigns."
        case ev.AbandonAgreed():
            return f"{seat_name(game, event.seat)} would leave the game unfinished."
        case ev.TimedOut():
            return f"{seat_name(game, event.seat)} has run out of time."
        case ev.Abandoned():
            return f"The game is abandoned: {event.reason}."
        case ev.Voided():
            return f"The game is void: {event.reason}."
        case ev.Finished():
            return _say_end(game, event)
        case ev.Revealed():
            return "The seed of the deal is revealed."
        case ev.Sealed():
            raise TypeError("Nobody is told what is sealed.")
        case _:
            assert_never(event)


def seat_name(game: Game, seat: int) -> str:
    """`The player` of a solo game, `Player 1` of others."""
    return "The player" if len(game.players) == 1 else player_name(seat)


def _place_name(game: Game, seat: int) -> str:
    """A seat by itself: somebody else may have it later, so no reader puts a name there."""
    return "The place" if len(game.players) == 1 else f"Place {seat + 1}"


def source_sentence(source: ev.Source) -> str:
    """Where an imported game is from, and who vouches for it."""
    if not source.game.int:
        return "A game of nobody, made to ask whether its deal can be won."
    vouched = "nobody vouches" if source.vouched_for_by is None else f"{source.vouched_for_by} vouches"
    return f"Imported: a record of game {source.game} was brought here; {vouched} for it."


def _say_end(game: Game, event: ev.Finished) -> str:
    reason = event.reason.replace("_", " ")
    if len(event.players) == 1 or not event.winners:
        return f"The game is {event.ending}: {reason}."
    winners = " and ".join(seat_name(game, seat) for seat in event.winners)
    return f"{winners} won: {reason}."
