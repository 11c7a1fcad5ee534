"""Megiddo: who begins, what a command leads to, what may be done, and how a game or a match ends."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import compress
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.megiddo import events as ev
from domain.games.megiddo.state import BOARDS, EMPTY, STONES, FirstSeat, Options, Over, Places, State, bag
from domain.view import Seat

LINE, EXTRA_LINE, CAPTURED = 6, 12, 1
"""Points for the winning line, for each further one completed with it, and for a captured stone (the original)."""

_CHOSEN: dict[FirstSeat, Seat] = {"seat_0": 0, "seat_1": 1}

_PLACES = {name: [ev.Place(zone) for zone in board.zones] for name, board in BOARDS.items()}
_MOVES = {
    name: [[ev.Move(source, target) for target in board.zones] for source in board.zones]
    for name, board in BOARDS.items()
}
"""Every command there can be, by board; moves by source and target."""


def initial(options: Options, seats: int) -> State:
    """The empty board."""
    return State(options, EMPTY * BOARDS[options.variant].size ** 2)


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """The start of the first game; raises Illegal for a given deal that is not the bag of stones.

    All stones are shuffled; the first one drawn tells who begins, unless a seat was chosen (our ruling).
    """
    drawn = chance.shuffle(bag(BOARDS[options.variant])).cards
    return (ev.GameStarted(_CHOSEN.get(options.first_seat, STONES.index(drawn[0]))),)


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """The stone, its captures, the lines it completes and the end of the game, in order; raises Illegal."""
    if state.over is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != state.turn:
        raise Illegal("not_your_turn", "It is the other seat's turn.")
    put = _put_stone(state, seat, command)
    state = evolve(state, put)
    captures = tuple(_capture_stones(state, seat, state.board.place[put.target]))
    state = reduce(evolve, captures, state)
    lines = tuple(_complete_lines(state, seat))
    return (put, *captures, *lines, *_end_game(reduce(evolve, lines, state), seat))


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event. Refuses nothing, draws no lots."""
    match event:
        case ev.StonePlaced():
            stones = _lay(state, {event.target: str(event.seat)})
            return replace(state, stones=stones, turn=_other(event.seat), idle=0)
        case ev.StoneMoved():
            stones = _lay(state, {event.source: EMPTY, event.target: str(event.seat)})
            return replace(state, stones=stones, turn=_other(event.seat), idle=state.idle + 1)
        case ev.StonesCaptured():
            # A stone that is captured back later counts for the other side; nothing is taken off (our ruling).
            more, (first, second) = len(event.points), state.captured
            captured = (first, second + more) if event.seat else (first + more, second)
            stones = _lay(state, dict.fromkeys(event.points, str(event.seat)))
            return replace(state, stones=stones, captured=captured, idle=0)
        case ev.LineCompleted():
            return replace(state, lines=state.lines + 1)
        case ev.GameScored():
            scores = (state.scores[0] + event.points[0], state.scores[1] + event.points[1])
            return replace(state, over=event.reason, winner=event.winner, scores=scores)
        case ev.GameStarted():
            # An empty board; the scores of the match stay.
            empty, first = initial(state.options, 2), event.seat
            return replace(empty, turn=first, first=first, number=event.number, scores=state.scores)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """A placement on every vacant point, point by point; then, if they are played, the moves of every own stone."""
    if seat != state.turn or state.over is not None:
        return ()
    vacant = [stone == EMPTY for stone in state.stones]
    commands: list[ev.Command] = [*compress(_PLACES[state.options.variant], vacant)]
    if state.options.move_instead_of_place:
        own = [stone == str(seat) for stone in state.stones]
        for targets in compress(_MOVES[state.options.variant], own):
            commands += compress(targets, vacant)
    return tuple(commands)


def result(state: State) -> Result | None:
    """How the game ended, or the match; None while it goes on.

    A match is won by whoever has the points, and more than the other: equal ones play on (our ruling).
    """
    if state.over is None:
        return None
    if not state.options.match_points:
        winners = () if state.winner is None else (state.winner,)
        return Result("won" if winners else "drawn", state.over, winners, state.scores)
    ours, theirs = state.scores
    if ours == theirs or max(ours, theirs) < state.options.match_points:
        return None
    return Result("won", "match_points", (int(theirs > ours),), state.scores)


def _other(seat: Seat) -> Seat:
    return 1 - seat


def _put_stone(state: State, seat: Seat, command: ev.Command) -> ev.StonePlaced | ev.StoneMoved:
    match command:
        case ev.Place():
            _check_vacant(state, command.target)
            return ev.StonePlaced(seat, command.target)
        case ev.Move():
            if not state.options.move_instead_of_place:
                raise Illegal("stones_stay", "Stones are not moved in this game.")
            if _stone(state, command.source) != str(seat):
                raise Illegal("own_stone", "Only a stone of one's own can be moved.")
            _check_vacant(state, command.target)
            return ev.StoneMoved(seat, command.source, command.target)
        case _:
            assert_never(command)


def _check_vacant(state: State, zone: str) -> None:
    if _stone(state, zone) != EMPTY:
        raise Illegal("vacant_point", "There is a stone on this point already.")


def _stone(state: State, zone: str) -> str:
    """What lies on a point; raises Illegal where the board has no such point."""
    place = state.board.place.get(zone)
    if place is None:
        raise Illegal("no_such_point", f"The board has {state.board.size} rings and {state.board.size} spokes.")
    return state.stones[place]


def _capture_stones(state: State, seat: Seat, place: int) -> Iterator[ev.StonesCaptured]:
    """The stones that fall to the one just put at `place`, wave by wave, each in the order of the board.

    All captures of a wave are found before any stone is replaced; then the new stones capture as if just placed.
    """
    closing: Places = (place,)
    board, stones, ours, theirs = state.board, list(state.stones), str(seat), str(_other(seat))
    tables = (board.brackets, board.sandwiches) if state.options.cleopatra else (board.brackets,)
    while closing:
        fallen = {
            stone
            for brackets in tables
            for closed in closing
            for near, far, end in brackets[closed]
            if stones[near] == theirs == stones[far] and stones[end] == ours
            for stone in (near, far)
        }
        closing = tuple(sorted(fallen))
        for stone in closing:
            stones[stone] = ours
        if closing:
            yield ev.StonesCaptured(seat, tuple(board.zones[stone] for stone in closing))


def _complete_lines(state: State, seat: Seat) -> Iterator[ev.LineCompleted]:
    """The lines that are wholly this seat's: all of them new, for the first one ends a game."""
    stones, ours, zones = state.stones, str(seat), state.board.zones
    for shape, places in state.board.lines:
        if all(stones[place] == ours for place in places):
            yield ev.LineCompleted(seat, shape, tuple(zones[place] for place in places))


def _end_game(state: State, mover: Seat) -> tuple[ev.GameScored | ev.GameStarted, ...]:
    """The score if the mover's turn ended the game, and the next game of a match that goes on.

    Only the mover can have won. The loser begins the next game; after a drawn one the seat that did not begin it (our
    ruling).
    """
    over = _over(state, mover)
    if over is None:
        return ()
    winner = mover if over in ("megiddo", "arbatta") else None
    lines = LINE + EXTRA_LINE * (state.lines - 1) if state.lines else 0  # for the side that made them (our reading)
    captured = [CAPTURED * count for count in state.captured]
    score = ev.GameScored(over, winner, (captured[0] + lines * (mover == 0), captured[1] + lines * (mover == 1)))
    if result(evolve(state, score)) is not None:
        return (score,)
    return score, ev.GameStarted(_other(state.first if winner is None else winner), state.number + 1)


def _over(state: State, mover: Seat) -> Over | None:
    """A line comes before six captured stones, and these before the full board."""
    if state.lines:
        return "megiddo"
    if state.captured[mover] >= state.board.arbatta:
        return "arbatta"
    if EMPTY not in state.stones:
        return "patara"
    # Our ruling: with moves a game could go on for ever; it is drawn after as many in a row as there are points.
    return "no_progress" if state.idle >= len(state.stones) else None


def _lay(state: State, on: Mapping[str, str]) -> str:
    stones, places = state.stones, state.board.place
    for zone, stone in on.items():
        place = places[zone]
        stones = stones[:place] + stone + stones[place + 1 :]
    return stones
