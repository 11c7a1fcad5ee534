"""Megiddo: what happens, as sentences that everybody hears alike, and the rules as the API tells them."""

from typing import assert_never

from domain.games.megiddo.events import (
    Event,
    GameScored,
    GameStarted,
    LineCompleted,
    StoneMoved,
    StonePlaced,
    StonesCaptured,
)
from domain.games.megiddo.state import Over, State
from domain.view import Seat, Viewer, player_name

_REASONS: dict[Over, str] = {
    "megiddo": "A megiddo",
    "arbatta": "An arbatta",
    "patara": "Patara, the board is full",
    "no_progress": "Too many moves in a row brought nothing",
}


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence."""
    match event:
        case StonePlaced():
            return f"{player_name(event.seat)} places a stone on {_point(event.target)}."
        case StoneMoved():
            return f"{player_name(event.seat)} moves a stone from {_point(event.source)} to {_point(event.target)}."
        case StonesCaptured():
            points = ", ".join(map(_point, event.points))
            return f"{player_name(event.seat)} captures {len(event.points)} stones: {points}."
        case LineCompleted():
            return f"{player_name(event.seat)} completes {_line(event)}."
        case GameScored():
            outcome = "the game is drawn" if event.winner is None else f"{player_name(event.winner)} wins the game"
            return f"{_REASONS[event.reason]}: {outcome}; {_points(event, 0)}, {_points(event, 1)}."
        case GameStarted():
            return f"{player_name(event.seat)} begins{f' game {event.number}' if state.options.match_points else ''}."
        case _:
            assert_never(event)


def _point(zone: str) -> str:
    _, ring, spoke = zone.split("_")
    return f"ring {ring} spoke {int(spoke) + 1}"


def _line(event: LineCompleted) -> str:
    _, ring, spoke = event.points[0].split("_")
    if event.shape == "spiral":
        return f"the spiral from {_point(event.points[0])} to {_point(event.points[-1])}"
    return f"ring {ring}" if event.shape == "ring" else f"spoke {int(spoke) + 1}"


def _points(event: GameScored, seat: Seat) -> str:
    points = event.points[seat]
    return f"{player_name(seat)} scores {points} point{'' if points == 1 else 's'}"


RULES = """\
# Megiddo

A board game without cards, for two. Make a line of six stones, or capture six.

**Sources.** Megiddo by Steve Baldwin (Global Games, 1985), as described by *Board and Pieces*, by *sagme* and by
*The Meeple Guild*. The table of game types of *Naglma's Spite & Malice* names MEGIDDO and MEGI 9 with every number
zero and no rule: that this board game is meant is our inference. Where all are silent we say what we ruled.

**Board.** Six rings, counted from 1 at the centre, cross six spokes, 1 to 6: 36 points. Rings close on themselves.
The star in the middle is no point, and no line runs through it (our ruling). The first player's stones are shown as
aces of spades, the second's as aces of hearts. Each has as many stones as there are points, so that nobody runs out
(our ruling; the box holds about fifteen of each).

**Start.** The board is empty. All stones are mixed and one is drawn; its owner begins (our ruling). `first_seat` names
a seat instead. A given deal lists all stones in the order drawn: only the first one matters.

**A turn.** Place one stone of your own on any vacant point.

**Captures.** Where exactly two stones of the opponent lie next to one another between the stone just placed and
another of yours, along a ring, a spoke or a spiral (one ring further with every spoke, either way), both are captured
and replaced by stones of your own. One stone or three are not captured. All captures of a stone happen at once; then
the stones so gained capture in their turn, wave by wave (our reading of "chained"). Captures are compulsory (our
reading). A stone placed between two of the opponent's is safe.

**End.** A *megiddo* wins: one colour on a whole ring, a whole spoke or a whole spiral, 24 lines in all. Otherwise an
*arbatta* wins: six stones captured in the course of the game; stones captured back are not taken off (our ruling). A
full board with neither is a *patara* and drawn. Captures count before lines are looked for (our ruling), and a megiddo
before an arbatta.

**Points.** 6 for the winning line, 12 for every further line completed with it, 1 for every stone captured; the loser
keeps his captures (our reading).

**Options**

* `match_points`: a match of as many games as it takes; the original plays to 36. Whoever has as many points, and more
  than the other, wins it (our ruling on equal points). The loser of a game begins the next; after a drawn game the
  seat that did not begin it (our ruling).
* `move_instead_of_place`: one reviewer remembers that a stone may be moved instead of placed. A stone of your own goes
  to any vacant point and captures there like a placed one; after as many moves in a row as the board has points, none
  of which captured, the game is drawn (our ruling).
* `cleopatra`: a variation of the original. A stone placed beside one of your own, so that exactly these two lie between
  two of the opponent's, captures both of those (our reading of a short description), besides the usual captures.
* `variant`: `megi_9` is **reconstructed**. Nothing but its name is known. We play the same rules on nine rings and nine
  spokes, with lines of nine and an arbatta of nine captured stones, in practice ten (our ruling).
"""
