"""A game as data for a page that replays it without a server: every viewer's frames, each with its changes."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.capabilities import CardFaces
from domain.game_type import Result
from domain.play.aggregate import Game
from domain.play.frames import Frame
from domain.play.moments import moments
from domain.view import ALL_SEEING, View, Viewer
from service.live import shapes

FORMAT = 1
_ELSEWHERE = ("game_id", "command", "view", "imported_from", "vouched_for_by")
"""Fields of frames that the page holds once, in another shape, or not at all."""


class ViewerFrames(Struct, frozen=True):
    """One viewer: the key, the words to choose it by, all frames from the first step on."""

    key: str
    label: str
    frames: Sequence[Frame]


def key(viewer: Viewer) -> str:
    """`spectator`, `seat-0`, `all`."""
    return "spectator" if viewer is None else "all" if viewer == ALL_SEEING else f"seat-{viewer}"


def label(viewer: Viewer, players: Sequence[str | None]) -> str:
    """`Seat 0 (Ada)`, `All cards`, `Spectator`."""
    if viewer is None or viewer == ALL_SEEING:
        return "Spectator" if viewer is None else "All cards"
    name = players[viewer] if viewer < len(players) else None
    return f"Seat {viewer} ({name})" if name else f"Seat {viewer}"


def embedded(game: Game, players: Sequence[str | None], viewers: Sequence[ViewerFrames]) -> bytes:
    """The data as JSON in which no `<` can end the script that holds it. `players`: names by seat, as far as known."""
    shown = viewers[0].frames[-1]
    data = {
        "kibitz_replay": FORMAT,
        "game": _game(game, players, shown.status, shown.result),
        "faces": game.type.get(CardFaces).by_card,
        "viewers": [
            {"key": v.key, "label": v.label, "frames": changes(v.frames), "moments": moments(v.frames)} for v in viewers
        ],
    }
    return msgspec.json.encode(data).replace(b"<", b"\\u003c")


def _game(game: Game, players: Sequence[str | None], status: str, result: Result | None) -> dict[str, Any]:
    source = game.opening.source
    whence = {} if source is None else {"imported_from": source.game, "vouched_for_by": source.vouched_for_by}
    return {
        "id": game.id, "game_type": game.type.key, "name": game.type.name, "revision": game.type.revision,
        "options": game.options, "status": status, "seats": len(game.players), "players": players,
        "rated": game.opening.rated, "origin": game.opening.origin, "opened_at": shapes.moment(game.opened_at),
        "result": result, **whence,
    }  # fmt: skip


def changes(frames: Iterable[Frame]) -> list[dict[str, Any]]:
    """The frames without the zones and facts that are the same as in the frame before."""
    told: list[dict[str, Any]] = []
    before: View[Any] | None = None
    for frame in frames:
        told.append(_frame(frame, before))
        before = frame.view
    return told


def _frame(frame: Frame, before: View[Any] | None) -> dict[str, Any]:
    sent = shapes.frame(frame)
    fields = {name: getattr(sent, name) for name in sent.__struct_fields__ if name not in _ELSEWHERE}
    return {**fields, "view": None if frame.view is None else _view(frame.view, before)}


def _view(view: View[Any], before: View[Any] | None) -> dict[str, Any]:
    same = set() if before is None else set(before.zones)
    told = {
        "phase": view.phase, "to_act": view.to_act, "stuck": view.stuck,
        "zones": [zone for zone in view.zones if zone not in same],
    }  # fmt: skip
    return told if before is not None and view.facts == before.facts else {**told, "facts": view.facts}
