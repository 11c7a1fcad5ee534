"""Decs Building's table: who looks sits below with the yard, the others' yards beside it, the stacks between them."""

from domain.board import HEIGHT, WIDTH, Board, Boards, Figure, Place, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.games.decs_building.state import STACKS, Options
from domain.kit.boards import beside

_FLAT, _PLATE = WIDTH / HEIGHT, 0.24
"""The height of a square in card heights, its breadth in card widths being one."""

CHIPS = Chips((
    Chip(fact="round", label="Round"), Chip(fact="token", label="First player", shown="seats"),
    Chip(fact="final_round", label="Last round", shown="flag"),
    Chip(fact="last_round_next", label="The next round is the last", shown="flag"),
    Chip(fact="extra_action", label="One more action", shown="flag"),
    Chip(fact="to_place", label="To draw", shown="words"), Chip(fact="seats.@.score", label="Score", seat=True),
    Chip(fact="seats.@.spare_pawns", label="Pawns", seat=True),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For two to four seats."""
    return Boards(_wide(seats - 1), _tall(seats - 1))


def _wide(others: int) -> Board:
    """The own yard on the left, the stacks three by three; on the right a yard as large, or several in a column."""
    square, size = 4.3, {1: 4.3, 2: 2.7, 3: 1.96}[others]
    stacks = [
        place for row in range(3)
        for place in beside((*STACKS, "removed")[3 * row : 3 * row + 3], Place("", 4.6, 1.04 * row, label=False))
    ]  # fmt: skip
    own = square * _FLAT + 0.3
    places, plates, figures = (
        list(stacks),
        [Seating("@0", 0, square * _FLAT + 0.04, 7.76, _PLATE)],
        [_yard(0, 0, 0, square)],
    )
    places += _cards(0, 0, own, 1, 3.2, 3.3)
    if others == 1:
        plates.append(Seating("@1", 8.16, square * _FLAT + 0.04, square, _PLATE))
        figures.append(_yard(1, 8.16, 0, square))
        return frame_board([*places, *_cards(1, 8.16, own, 0.8, 1.8, 1.54)], plates, figures)
    for seat in range(1, others + 1):
        y = (seat - 1) * (size * _FLAT + 0.1)
        places += _cards_below(seat, 8.16 + size + 0.1, y + _PLATE + 0.06, 0.5)
        plates.append(Seating(f"@{seat}", 8.16 + size + 0.1, y, 2.3, _PLATE))
        figures.append(_yard(seat, 8.16, y, size))
    return frame_board(places, plates, figures)


def _tall(others: int) -> Board:
    """The others above, then the stacks, then the own yard with what was played beside it, the hand below."""
    size = {1: 2.7, 2: 3.66, 3: 2.4}[others]
    left = (7.44 - others * size - (others - 1) * 0.12) / 2
    places, plates, figures = [], [], []
    plate, top = 0.34, 0.34 + 0.1 + size * _FLAT
    if others == 1:
        plates.append(Seating("@1", 0, 0, 7.44, plate))
        figures.append(_yard(1, 0, plate + 0.04, size))
        places += _cards_below(1, size + 0.14, plate + 0.1, 0.8, 7.3 - size)
    for seat in range(1, others + 1) if others > 1 else ():
        x = left + (seat - 1) * (size + 0.12)
        plates.append(Seating(f"@{seat}", x, 0, size, plate))
        figures.append(_yard(seat, x, plate + 0.04, size))
        places += _cards_below(seat, x, top, 0.5, size)
    top += 1.1 if others > 1 else 0
    places += beside((*STACKS, "removed"), Place("", 0, top, scale=0.76, label=False), 0.075)
    yard = top + 0.9 + plate
    plates.append(Seating("@0", 0, top + 0.86, 7.44, plate))
    figures.append(_yard(0, 0, yard, 4.78))
    places += [
        Place("deck_@0", 4.9, yard, label=False),
        Place("played_@0", 4.9, yard + 1.15, "right", 2.54, label=False),
        Place("hand_@0", 4.9, yard + 2.3, "right", 2.54, label=False),
    ]  # fmt: skip
    return frame_board(places, plates, figures)


def _yard(seat: int, x: float, y: float, size: float) -> Figure:
    return Figure(f"seats.@{seat}.grid", f"seats.@{seat}.features", x, y, size, size * _FLAT)


def _cards(seat: int, x: float, y: float, scale: float, hand: float, played: float) -> list[Place]:
    """Deck, hand and played pile in a row."""
    return [
        Place(f"deck_@{seat}", x, y, scale=scale, label=False),
        Place(f"hand_@{seat}", x + scale + 0.08, y, "right", hand, scale=scale, label=False),
        Place(f"played_@{seat}", x + scale + 0.16 + hand, y, "right", played, scale=scale, label=False),
    ]


def _cards_below(seat: int, x: float, y: float, scale: float, width: float = 2.3) -> list[Place]:
    """Deck and hand, and the played pile below them."""
    return [
        Place(f"deck_@{seat}", x, y, scale=scale, label=False),
        Place(f"hand_@{seat}", x + scale + 0.06, y, "right", width - scale - 0.06, scale=scale, label=False),
        Place(f"played_@{seat}", x, y + scale + 0.05, "right", width, scale=scale, label=False),
    ]
