"""What is pinned besides the records: how each frame of a stored game looks to everyone, what could be said then, what
a game is opened with where nothing is said, and what is printed on boards and cards.

Pinned of a frame is what is known and shown: events, phase, who may act, `stuck`, facts, cards in their zones. Free are
the words and the layout: sentences, labels, places on the page. A pin has a byte for each step, chained, and eight
bytes for the end.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.games import AnyGameType
from domain.play.aggregate import Game, evolve
from domain.play.deciding import legal_commands
from domain.play.frames import Frame, frames
from domain.view import ALL_SEEING, View, Viewer

from .files import FOLDER, Records, name
from .marks import defaults, printed

LISTED = "listed"
_ENCODER = msgspec.json.Encoder(order="sorted")

GamePins = dict[str, str]
"""By viewer (`seat-0`, `spectator`, `all`) and `listed`: a pin."""


class Pins(Struct, frozen=True):
    """The pins of one revision: its default options, the games by their ids, what is printed on boards and cards."""

    defaults: dict[str, Any]
    games: dict[str, GamePins]
    material: str = ""


def path(game_type: AnyGameType) -> Path:
    """Where the pins of this revision are."""
    return FOLDER / f"{name(game_type)}.pins.json"


def kept(game_type: AnyGameType) -> Pins:
    """The pins as they were made; none where there is no file."""
    file = path(game_type)
    return (
        msgspec.json.decode(file.read_bytes(), type=Pins)
        if file.exists()
        else Pins(defaults(game_type), {}, printed(game_type))
    )


def keep(game_type: AnyGameType, pins: Pins) -> None:
    """Write the pins, a game a line."""
    lines = [f"{_text(game)}:{_text(made)}" for game, made in pins.games.items()]
    material = f'"material":{_text(pins.material)},' if pins.material else ""
    text = f'{{"defaults":{_text(pins.defaults)},{material}"games":{{\n' + ",\n".join(lines) + "\n}}\n"
    path(game_type).write_text(text)


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def pinned(records: Records) -> GamePins:
    """The pins of one game, made anew."""
    viewers: list[Viewer] = [*range(records[0].event.seats), None, ALL_SEEING]
    made = {key(viewer): pin(_shown(frame) for frame in frames(records, viewer)) for viewer in viewers}
    return made | {LISTED: pin(_listed(records))}


def key(viewer: Viewer) -> str:
    """How a viewer is called: `spectator`, `seat-0`, `all`."""
    return {None: "spectator", ALL_SEEING: "all"}.get(viewer, f"seat-{viewer}")


def pin(steps: Iterable[object]) -> str:
    """Two digits for each step, each of which depends on all before, and sixteen for the last."""
    digits, chained = "", bytes(8)
    for step in steps:
        chained = blake2b(chained + _ENCODER.encode(step), digest_size=8).digest()
        digits += chained[:1].hex()
    return digits + chained.hex()


def first_difference(one: str, other: str) -> int:
    """The step at which two pins part."""
    length = min(len(one), len(other))
    return next((at for at in range(length) if one[at] != other[at]), length) // 2


def _shown(frame: Frame) -> list[object]:
    view = None if frame.view is None else _known(frame.view)
    return [frame.step, frame.live_step, frame.version, frame.command, frame.events, frame.status, frame.result, view]


def _known(view: View[Any]) -> list[object]:
    zones = [(zone.id, zone.owner, zone.face_down, zone.cards) for zone in view.zones]
    return [view.phase, view.to_act, view.stuck, view.facts, zones]


def _listed(records: Records) -> Iterator[list[list[bytes]]]:
    """What each seat could say after each step, in whatever order it is listed."""
    game: Game | None = None
    for _, step in groupby(records, key=lambda record: record.step):
        for record in step:
            game = evolve(game, record)
        if game is not None:
            yield [sorted(map(_ENCODER.encode, legal_commands(game, seat))) for seat in range(len(game.players))]
