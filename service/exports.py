"""Exports: a game as its open record, or in a notation of its game type, as far as the asker may know it."""

import asyncio
from collections.abc import Sequence

from domain.game.aggregate import AnyRecord, Game
from domain.game.frames import Frame
from domain.game.live_line import live_line
from domain.game.open_record import OpenRecord, Signature, seen, written
from domain.game_type import Illegal, Notation, Viewer
from service import imports, seats
from service.delay import last_step
from service.problems import Refused
from service.services import Services
from service.signing import signature_of


async def record(services: Services, game: Game, viewer: Viewer) -> bytes:
    """The complete record once all of the game may be known, before that what this viewer may have of it.

    An imported game's is the text that was imported, to the byte: with the ids and the signature that it came with.
    """
    if not seats.known(game):
        return b"".join(seen(game, await _frames(services, game, viewer), viewer))
    if game.importers is not None and (text := await imports.text_of(services.store, game.id)) is not None:
        return text
    records, signature = await services.store.records(game.id), await signature_of(services.store, game)
    return await asyncio.to_thread(complete, records, signature)


def complete(records: Sequence[AnyRecord], signature: Signature | None) -> bytes:
    """The text of these records."""
    return b"".join(written(OpenRecord(tuple(records), signature)))


async def in_notation(services: Services, game: Game, viewer: Viewer, notation: Notation) -> str:
    """The game's live line in this notation, as far as the viewer may know it; raises Illegal."""
    return await asyncio.to_thread(noted, game, await _frames(services, game, viewer), notation)


def noted(game: Game, frames: Sequence[Frame], notation: Notation) -> str:
    """The live line of these frames in this notation; raises Illegal."""
    line = live_line(frames)
    if not line.deal:
        raise Illegal("game_not_started", "The game waits for its players and has not been dealt.")
    return notation.write(game.options, line.deal, line.events)


def notation_of(game: Game, key: str) -> Notation:
    """The notation of this key; raises Refused."""
    for notation in game.type.notations:
        if notation.key == key:
            return notation
    known = ", ".join(notation.key for notation in game.type.notations) or "none"
    raise Refused("no_such_thing", f"{game.type.name} has no such notation; there is {known}.")


async def _frames(services: Services, game: Game, viewer: Viewer) -> tuple[Frame, ...]:
    replay = await services.replays.of(game)
    return tuple(replay.frames(0, await last_step(services.replays, game, viewer), viewer))
