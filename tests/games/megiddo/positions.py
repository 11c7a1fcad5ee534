"""Positions drawn ring by ring: `3: XOO...` is ring 3 from spoke 0 on, X a stone of seat 0, O of seat 1.

Rings that are not drawn are empty.
"""

from typing import Any

from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import Move, Place, StonesCaptured
from domain.games.megiddo.state import Options, State
from tests.games.tables import After, Table

_STONES = str.maketrans("XO", "01")
TABLE = Table(MEGIDDO)
say = TABLE.say


def waves(after: After) -> list[str]:
    """The points captured, a text for each wave: `3.1 3.2`."""
    captures = [event.points for event in after.events if isinstance(event, StonesCaptured)]
    return [" ".join(zone.removeprefix("point_").replace("_", ".") for zone in wave) for wave in captures]


def position(drawing: str = "", turn: int = 0, captured: tuple[int, int] = (0, 0), **options: Any) -> State:
    """The state as drawn, in the first game."""
    empty = MEGIDDO.initial(MEGIDDO.get(OptionRules).settle(Options(**options), 2), 2)
    rings = dict(line.split(":") for line in drawing.split("\n") if line.strip())
    drawn = {int(ring): stones.strip() for ring, stones in rings.items()}
    size = empty.board.size
    stones = "".join(drawn.get(ring, "." * size) for ring in range(1, size + 1)).translate(_STONES)
    return replace(empty, stones=stones, turn=turn, number=1, captured=captured)


def place(state: State, point: str, seat: int | None = None) -> After:
    """The seat on turn (or another) places a stone at `3.1`: ring 3, spoke 1."""
    return say(state, Place(zone(point)), seat)


def move(state: State, source: str, target: str) -> After:
    """The seat on turn moves a stone."""
    return say(state, Move(zone(source), zone(target)))


def zone(point: str) -> str:
    """`3.1` as the id of its zone."""
    return f"point_{point.replace('.', '_')}"


def drawn(state: State) -> dict[int, str]:
    """The rings that hold stones, as they are drawn."""
    size = state.board.size
    rings = (state.stones[start : start + size] for start in range(0, size * size, size))
    texts = {ring: stones.replace("0", "X").replace("1", "O") for ring, stones in enumerate(rings, 1)}
    return {ring: text for ring, text in texts.items() if set(text) != {"."}}
