"""Screaming Yoda's table: who looks sits below, the others round the table, the pile in the middle."""

from domain.board import GAP, Board, Boards, Place, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.games.screaming_yoda.state import DRAW, PILE, REMOVED, Options, columns
from domain.kit.boards import beside

_STEP, _PLATE = 1 + GAP, 0.24
_BESIDE = 0.3

CHIPS = Chips((
    Chip(fact="to_beat", label="To beat", shown="words"), Chip(fact="cards_left.@", label="Cards", seat=True),
    Chip(fact="turn", label="On turn", shown="seats"), Chip(fact="exposed", label="To be called", shown="seats"),
    Chip(fact="skips", label="Loses a turn", shown="seats"), Chip(fact="swapping", label="Exchanging", shown="seats"),
    Chip(fact="out", label="Out of cards", shown="seats"), Chip(fact="resigned", label="Given up", shown="seats"),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For two to five seats."""
    return Boards(_wide(seats), _tall(seats))


def _wide(seats: int) -> Board:
    """The others clockwise from the left: the first and the last of three and more sit lower."""
    scale, count = 0.56, columns(seats)
    width = count * scale * _STEP
    spots = _round_the_table(seats - 1, width)
    others = [_other(seat, x, y, count, scale) for seat, (x, y) in enumerate(spots, 1)]
    middle, own = (10.4 - 5.3) / 2, count * _STEP
    return frame_board(
        [
            *(place for places, _ in others for place in places),
            *beside((DRAW, REMOVED), Place("", middle, 1.62)), Place(PILE, middle + 2.3, 1.62, "right", 3, 0.3),
            *_columns(0, count, Place("", 0, 3.02, label=False)),
            Place("hand_@0", own + 0.2, 3.02, "right", 10.2 - own, label=False),
        ],
        (*(plate for _, plate in others), Seating("@0", 0, 2.74, 10.4, _PLATE)),
    )  # fmt: skip


def _round_the_table(others: int, width: float) -> list[tuple[float, float]]:
    left, right, low = 0.0, 10.4 - width, 0.9
    if others == 1:
        return [((10.4 - width) / 2, 0)]
    between = others - 2
    first = (10.4 - between * width - (between - 1) * _BESIDE) / 2
    top = [(first + at * (width + _BESIDE), 0.0) for at in range(between)]
    return [(left, low), *top, (right, low)]


def _tall(seats: int) -> Board:
    """The others two by two."""
    count, scale = columns(seats), 0.84 if seats < 4 else 0.78
    width, high = count * scale * _STEP, _PLATE + 0.04 + 2 * scale + 0.06
    if alone := seats == 2:
        spots = [((7.44 - width) / 2, 0.0)]
    else:
        spots = [((at % 2) * (7.44 - width), (at // 2) * (high + 0.14)) for at in range(seats - 1)]
    others = [_other(seat, x, y, count, scale) for seat, (x, y) in enumerate(spots, 1)]
    top = (1 if alone else (seats) // 2) * (high + 0.14) + 0.14
    return frame_board(
        [
            *(place for places, _ in others for place in places),
            *beside((DRAW, REMOVED), Place("", 0.6, top)), Place(PILE, 3, top, "right", 3.6, 0.3),
            *_columns(0, count, Place("", (7.44 - count * _STEP) / 2, top + 1.4, label=False)),
            Place("hand_@0", 0, top + 2.46, "right", 7.44, label=False),
        ],
        (*(plate for _, plate in others), Seating("@0", 0, top + 1.12, 7.44, _PLATE)),
    )  # fmt: skip


def _other(seat: int, x: float, y: float, count: int, scale: float) -> tuple[list[Place], Seating]:
    """The plate, below it the columns, and the hand below these."""
    width, top = count * scale * _STEP - GAP * scale, y + _PLATE + 0.04
    hand = Place(f"hand_@{seat}", x, top + scale + 0.06, "right", width, 0.6, scale=scale, label=False)
    cards = _columns(seat, count, Place("", x, top, scale=scale, label=False))
    return [*cards, hand], Seating(f"@{seat}", x, y, width, _PLATE)


def _columns(seat: int, count: int, first: Place) -> list[Place]:
    return beside((f"column_@{seat}_{number}" for number in range(count)), first, GAP * first.scale)
