"""Frames of the toy game and of zones set by hand."""

from typing import Any
from uuid import UUID

from domain.game_type import Result
from domain.play.frames import Frame
from domain.view import View, Zone
from tests.laws.toy import TOY, Facts, Options, State


def frame(view: View[Any] | None, *sentences: str, **fields: Any) -> Frame:
    """A frame at step 4 of a game that goes on."""
    known: dict[str, Any] = {
        "game_id": UUID(int=7), "game_type": "toy", "step": 4, "live_step": 4, "version": 9, "time": 0, "seat": 0,
        "command": None, "events": (), "status": "playing", "result": None,
    }  # fmt: skip
    return Frame(view=view, sentences=sentences, **{**known, **fields})


def toy(viewer: int | None) -> View[Facts]:
    """Two hands, a heap of two and three cards of stock, as this viewer sees them."""
    hands = (("AS", "5H"), ("2D", "3D", "6C"))
    state = State(Options(), hands=hands, heap=("4C", "4H"), stock=("AD", "AC", "2S"))
    return TOY.look(state, viewer)


def zones(*shown: Zone, **fields: Any) -> Frame:
    """A frame with nothing but these zones."""
    return frame(View("play", (0,), False, shown, {}), **fields)


WON = Result("won", "hand_empty", (1,), (0, 5))
