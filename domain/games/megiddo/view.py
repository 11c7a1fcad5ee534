"""Megiddo: the table, which all viewers see alike, its picture, events as sentences, and the printed parts as data."""

from collections.abc import Iterator
from math import ceil, cos, sin, sqrt, tau
from typing import Annotated, NamedTuple, assert_never

from msgspec import Meta, Struct

from domain.board import HEIGHT, WIDTH, Board, Boards, Place, Seating, frame_board
from domain.board import Point as Position
from domain.capabilities import Chip, Chips, Face
from domain.games.megiddo import events as ev
from domain.games.megiddo import state as megiddo
from domain.games.megiddo.rules import CAPTURED, EXTRA_LINE, LINE, initial, result
from domain.games.megiddo.state import Facts, Options, RingBoard, State, Variant
from domain.kit.boards import Places, card_places
from domain.view import Card, Seat, View, Viewer, Zone, player_name

FACES: dict[Card, Face] = {
    megiddo.STONES[0]: Face(name="a black stone", mark="B", colour="#25282e"),
    megiddo.STONES[1]: Face(name="a red stone", mark="R", colour="#c43a31"),
}

_WIDER, _ROW = 1.5, 1.05
"""How much further the points of a ring lie apart in card widths than in rows; the height of a row."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The whole table: nothing is hidden."""
    size = state.board.size
    if state.over is not None:
        phase = "game_over" if result(state) is None else "finished"
    else:
        phase = "start" if state.turn is None else "play"
    facts = Facts(
        variant=state.options.variant, marks=megiddo.STONES,
        rings=tuple(state.stones[start : start + size] for start in range(0, size * size, size)),
        captured=state.captured, arbatta=state.board.arbatta, idle_moves=state.idle, game=state.number,
        scores=state.scores, match_points=state.options.match_points,
    )  # fmt: skip
    to_act = () if state.over is not None or state.turn is None else (state.turn,)
    return View(phase, to_act, False, tuple(_zones(state)), facts)


class Point(Struct, frozen=True):
    """A point of a board: a stone lies there or none."""

    id: Annotated[str, Meta(description="The id of its zone.")]
    ring: Annotated[int, Meta(description="Its ring, from 1, the innermost.")]
    spoke: Annotated[int, Meta(description="Its spoke, from 0, clockwise.")]


class WinningLine(Struct, frozen=True):
    """A line that wins when all its stones are of one seat."""

    shape: Annotated[megiddo.Shape, Meta(description="What kind of line it is.")]
    points: Annotated[tuple[str, ...], Meta(description="The ids of its points in their order.")]


class PrintedBoard(Struct, frozen=True):
    """A board. Neighbours along a line may be enclosed; a ring closes on itself, other lines end at both ends."""

    id: Annotated[Variant, Meta(description="The option `variant` that it is for.")]
    rings: Annotated[int, Meta(description="How many rings it has.")]
    spokes: Annotated[int, Meta(description="How many spokes it has.")]
    arbatta: Annotated[int, Meta(description="So many captured stones win.")]
    points: Annotated[tuple[Point, ...], Meta(description="Its points, ring by ring.")]
    lines: Annotated[tuple[WinningLine, ...], Meta(description="Its rings, spokes and spirals.")]


class Stone(Struct, frozen=True):
    """The stones of a seat."""

    id: Annotated[Card, Meta(description="The card that stands for them in zones.")]
    name: Annotated[str, Meta(description="What people call one.")]
    seat: Annotated[Seat, Meta(description="Whose they are.")]


class Points(Struct, frozen=True):
    """What a game is worth."""

    line: Annotated[int, Meta(description="Points of the line that wins.")]
    further_line: Annotated[int, Meta(description="Points of every further line that is completed with it.")]
    captured_stone: Annotated[int, Meta(description="Points of every captured stone.")]


class Material(Struct, frozen=True, tag="megiddo/material"):
    """The boards, the stones and the points."""

    places: Places
    boards: Annotated[tuple[PrintedBoard, ...], Meta(description="The boards; the one of Megi 9 is reconstructed.")]
    stones: Annotated[tuple[Stone, ...], Meta(description="The stones by seat.")]
    points: Annotated[Points, Meta(description="What a game is worth.")]


def _zones(state: State) -> Iterator[Zone]:
    """The points, then the stones that are left, in the upper corners."""
    spots = _SPOTS[state.options.variant]
    for (zone, label, x, y), stone in zip(spots, state.stones, strict=True):
        yield Zone(zone, label, "ring", x, y, cards=() if stone == megiddo.EMPTY else (megiddo.STONES[int(stone)],))
    for seat, x in enumerate((0, max(spot.x for spot in spots))):
        left = (megiddo.STONES[seat],) * (len(state.stones) - state.stones.count(str(seat)))
        yield Zone(megiddo.BOWLS[seat], f"Stones of {player_name(seat)}", "pile", x, 0, seat, cards=left)


class _Spot(NamedTuple):
    """A point in the picture."""

    zone: str
    label: str
    x: float
    y: float


def _spots(board: RingBoard, inner: float, step: float, row: float) -> tuple[_Spot, ...]:
    """Spoke 0 points to the right, the others follow clockwise; points keep to rows, so that they print as text."""
    width, height = (ceil((inner + step * (board.size - 1)) / unit) for unit in (1, row))
    spots = []
    for place, zone in enumerate(board.zones):
        ring, spoke = divmod(place, board.size)
        radius, angle = inner + step * ring, tau * spoke / board.size
        x, y = width + radius * cos(angle), height + round(radius * sin(angle) / row)
        spots.append(_Spot(zone, f"Ring {ring + 1} spoke {spoke + 1}", round(_WIDER * x, 2), round(_ROW * y, 2)))
    return tuple(spots)


_SPOTS: dict[Variant, tuple[_Spot, ...]] = {
    "megiddo": _spots(megiddo.BOARDS["megiddo"], 1, 1, sqrt(3) / 2),
    "megi_9": _spots(megiddo.BOARDS["megi_9"], 2.5, 1.1, 1),
}
"""Radii chosen so that no two points overlap."""


def _print_board(variant: Variant, board: RingBoard) -> PrintedBoard:
    lines = tuple(WinningLine(shape, tuple(board.zones[place] for place in places)) for shape, places in board.lines)
    points = tuple(Point(zone, 1 + place // board.size, place % board.size) for place, zone in enumerate(board.zones))
    return PrintedBoard(variant, board.size, board.size, board.arbatta, points, lines)


_STONE = 0.98
"""The breadth of a stone with what is left free round it, in card widths."""

CHIPS = Chips((
    Chip(fact="captured.@", label="Captured", shown="of", of="arbatta", seat=True),
    Chip(fact="scores.@", label="Points", seat=True), Chip(fact="idle_moves", label="Moves without a capture", least=1),
    Chip(fact="game", label="Game", least=2),
    *(Chip(fact=fact, shown="elsewhere") for fact in ("arbatta", "marks", "match_points", "variant")),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """The board of this variant; the stones beside it in a wide window, above and below it on a phone."""
    rings = megiddo.BOARDS[options.variant]
    edge = _radius(rings.size - 1, rings.size) + _STONE / 2
    flat = edge * WIDTH / HEIGHT
    width, height, long, high = 0.8 * edge, 0.06 * edge, 2 * edge - 1.2, 0.11 * edge
    return Boards(
        _draw_board(rings, (
            ((-edge - 1.3, flat - height - 1.1), Seating("@0", -edge - 0.3 - width, flat - height, width, height)),
            ((edge + 0.3, height + 0.1 - flat), Seating("@1", edge + 0.3, -flat, width, height)),
        )),
        _draw_board(rings, (
            ((-edge, flat + 0.1), Seating("@0", 1.2 - edge, flat + 0.6 - high / 2, long, high)),
            ((edge - 1, -flat - 1.1), Seating("@1", -edge, -flat - 0.6 - high / 2, long, high)),
        )),
    )  # fmt: skip


def _draw_board(rings: RingBoard, corners: tuple[tuple[Position, Seating], ...]) -> Board:
    """`corners`: by seat, where the stones lie, and the plate."""
    size, places = rings.size, list[Place]()
    for place, zone in enumerate(rings.zones):
        x, y = _position(*divmod(place, size), size)
        places.append(Place(zone, x - 0.5, y - 0.5, label=False))
    places += [Place(f"stones_@{seat}", *at, label=False) for seat, (at, _) in enumerate(corners)]
    return frame_board(
        places,
        [plate for _, plate in corners],
        lines=[[_position(0, spoke, size), _position(size - 1, spoke, size)] for spoke in range(size)],
        circles=[(0.0, 0.0, _radius(ring, size)) for ring in range(size)],
    )


def _position(ring: int, spoke: float, size: int) -> Position:
    """Spoke 0 points to the right, the others follow clockwise."""
    radius, angle = _radius(ring, size), tau * spoke / size
    return radius * cos(angle), radius * sin(angle) * WIDTH / HEIGHT


def _radius(ring: int, size: int) -> float:
    """The innermost stones of two spokes just do not touch."""
    return _STONE / (2 * sin(tau / 2 / size)) + ring * _STONE


_REASONS: dict[megiddo.Over, str] = {
    "megiddo": "A megiddo",
    "arbatta": "An arbatta",
    "patara": "Patara, the board is full",
    "no_progress": "Too many moves in a row brought nothing",
}


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence."""
    match event:
        case ev.StonePlaced():
            return f"{player_name(event.seat)} places a stone on {_say_point(event.target)}."
        case ev.StoneMoved():
            source, target = _say_point(event.source), _say_point(event.target)
            return f"{player_name(event.seat)} moves a stone from {source} to {target}."
        case ev.StonesCaptured():
            points = ", ".join(map(_say_point, event.points))
            return f"{player_name(event.seat)} captures {len(event.points)} stones: {points}."
        case ev.LineCompleted():
            (_, ring, spoke), shape = event.points[0].split("_"), event.shape
            line = f"ring {ring}" if shape == "ring" else f"spoke {int(spoke) + 1}"
            if shape == "spiral":
                line = f"the spiral from {_say_point(event.points[0])} to {_say_point(event.points[-1])}"
            return f"{player_name(event.seat)} completes {line}."
        case ev.GameScored():
            outcome = "the game is drawn" if event.winner is None else f"{player_name(event.winner)} wins the game"
            scores = ", ".join(
                f"{player_name(seat)} scores {points} point{'' if points == 1 else 's'}"
                for seat, points in enumerate(event.points)
            )
            return f"{_REASONS[event.reason]}: {outcome}; {scores}."
        case ev.GameStarted():
            return f"{player_name(event.seat)} begins{f' game {event.number}' if state.options.match_points else ''}."
        case _:
            assert_never(event)


def _say_point(zone: str) -> str:
    _, ring, spoke = zone.split("_")
    return f"ring {ring} spoke {int(spoke) + 1}"


MATERIAL = Material(
    places=card_places(*(look(initial(Options(variant=variant), 2), None) for variant in megiddo.BOARDS)),
    boards=tuple(_print_board(variant, board) for variant, board in megiddo.BOARDS.items()),
    stones=tuple(Stone(card, FACES[card].name, seat) for seat, card in enumerate(megiddo.STONES)),
    points=Points(LINE, EXTRA_LINE, CAPTURED),
)
