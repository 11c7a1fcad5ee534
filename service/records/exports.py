"""Exports: a game as its open record, or in a notation of its game type, as far as the caller may see it."""

from collections.abc import Sequence
from typing import Any

from domain.capabilities import Notation, Notations
from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.play.frames import Frame, live_line
from domain.play.open_record import Annotation, read_record, record_lines, seen_lines
from domain.view import ALL_SEEING, Viewer
from service.http.operation import Call
from service.jobs.stored_games import GameRef, game_of, game_ref, replay_of, sealed_record_of, text_of
from service.live import seats
from service.live.replay import LiveParts, last_step
from service.problems import Refused


async def record(call: Call[Any, Any], game: Game, viewer: Viewer) -> bytes:
    """The complete record once the game is fully revealed, before that the part that this viewer may see.

    For an imported game, the imported text byte for byte, with its ids and its signature.
    """
    if seats.is_fully_known(game):
        return await call.in_child_process(stored_record, game_ref(game))
    return await call.in_child_process(
        _seen_record, game_ref(game), await last_step(call.area(LiveParts).replays, game, viewer), viewer
    )


def stored_record(ref: GameRef) -> bytes:
    """The complete record of a stored game, called in a heavy worker process; raises StoreUnavailable."""
    return text_of(ref) or b"".join(record_lines(sealed_record_of(ref)))


def _seen_record(ref: GameRef, newest: int, viewer: Viewer) -> bytes:
    return b"".join(seen_lines(game_of(ref), tuple(replay_of(ref).frames(0, newest, viewer)), viewer))


def annotate_record(ref: GameRef, annotations: tuple[Annotation, ...]) -> bytes:
    """The complete record of a game that is over and revealed, with the annotations of an analysis."""
    text = text_of(ref)
    record = read_record(text) if text else sealed_record_of(ref)
    return b"".join(record_lines(record._replace(annotations=annotations)))


async def export_notation(call: Call[Any, Any], game: Game, viewer: Viewer, notation: Notation) -> bytes:
    """The game's live line in this notation, as far as the viewer may see it; raises Illegal."""
    viewer = ALL_SEEING if seats.is_fully_known(game) else viewer
    newest = await last_step(call.area(LiveParts).replays, game, viewer)
    return await call.in_child_process(_write_notation, game_ref(game), newest, viewer, notation.key)


def _write_notation(ref: GameRef, newest: int, viewer: Viewer, key: str) -> bytes:
    game = game_of(ref)
    return write_notation(game, tuple(replay_of(ref).frames(0, newest, viewer)), notation_of(game, key)).encode()


def write_notation(game: Game, frames: Sequence[Frame], notation: Notation) -> str:
    """The live line of these frames in this notation; raises Illegal."""
    line = live_line(frames)
    if not line.deal:
        raise Illegal("game_not_started", "The game waits for its players and has not been dealt.")
    return notation.write(game.options, line.deal, line.events)


def notation_of(game: Game, key: str) -> Notation:
    """The notation of this key; raises Refused."""
    notations = {notation.key: notation for notation in game.type.get(Notations).notations}
    if key not in notations:
        raise Refused(
            "no_such_thing", f"{game.type.name} has no such notation; there is {', '.join(notations) or 'none'}."
        )
    return notations[key]
