"""One zone as lines of text, by its layout; `width` is the room in characters."""

from collections.abc import Callable

from domain.game_type import FACE_DOWN, Layout, Zone
from service.pictures.faces import EMPTY, Marking

PLACES: tuple[Layout, ...] = ("grid", "ring", "pyramid", "clock")
"""Each zone is one place of the figure, and a pile."""
_MANY = 9
"""So many cards face down in a row or a column are told by their number."""
Lines = list[str]
Drawing = Callable[[Zone, Marking, int], Lines]


def drawn(zone: Zone, mark: Marking, width: int) -> Lines:
    """The zone's cards; an empty place is `--`, an empty score nothing."""
    if not zone.cards and not zone.face_down:
        return [] if zone.layout == "score" else [EMPTY]
    return _DRAWINGS.get(zone.layout, _pile)(zone, mark, width)


def _pile(zone: Zone, mark: Marking, width: int) -> Lines:
    """The top card, and how many cards there are if it is not alone."""
    count = len(zone.cards) + zone.face_down
    top = mark(zone.cards[-1] if zone.cards else FACE_DOWN)
    return [top if count == 1 else f"{top} x{count}"]


def _column(zone: Zone, mark: Marking, width: int) -> Lines:
    """Every card bottom to top; many face-down ones as one number."""
    backs = [mark(FACE_DOWN)] * zone.face_down
    if zone.face_down >= _MANY:
        backs = [f"{mark(FACE_DOWN)} x{zone.face_down}"]
    return backs + [mark(card) for card in zone.cards]


def _row(zone: Zone, mark: Marking, width: int) -> Lines:
    """Left to right, in as many lines as the room asks for."""
    lines: Lines = [""]
    for card in _column(zone, mark, width):
        if lines[-1] and len(lines[-1]) + 1 + len(card) > width:
            lines.append("")
        lines[-1] += f" {card}" if lines[-1] else card
    return lines


_DRAWINGS: dict[Layout, Drawing] = {"column": _column, "row": _row, "fan": _row, "score": _row}
"""Everything else is a pile."""
