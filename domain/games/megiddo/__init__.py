"""Megiddo, the board game by Steve Baldwin (1985), and Megi 9, reconstructed.

What is good play: win, do not let the other seat win, capture, build lines. Boards are bit masks, one bit a point.
"""

from collections.abc import Callable, Iterator
from functools import cache
from math import exp
from typing import NamedTuple

from domain.capabilities import CardFaces, Counting, Layout, Presets, Reconstructed
from domain.game_type import GameType, show_everything
from domain.games.megiddo import rules, view
from domain.games.megiddo.events import COMMANDS, EVENTS, Command, Event
from domain.games.megiddo.state import BOARDS, NAMED, Facts, Options, State, Variant
from domain.kit.evaluation import Evaluator, GreedyChoice, Move, Position
from domain.kit.solo import read_rules
from domain.view import Seat

_WIN, _LOSS, _CAPTURE = 1_000_000.0, -100_000.0, 25.0
_LINE = (0.0, 0.02, 0.08, 0.25, 0.6, 1.6, 4.0, 6.0, 8.0)
"""The worth of a line by the number of stones in it."""


class _Masks(NamedTuple):
    """Lines; and by the point that closes them, brackets: the two stones that fall, and the stone at the far end."""

    size: int
    lines: tuple[int, ...]
    brackets: tuple[tuple[tuple[int, int], ...], ...]


@cache
def _masks(variant: Variant, cleopatra: bool) -> _Masks:
    board = BOARDS[variant]
    closed = zip(board.brackets, board.sandwiches if cleopatra else [()] * len(board.brackets), strict=True)
    brackets = (
        tuple((1 << bracket.near | 1 << bracket.far, 1 << bracket.end) for bracket in (*plain, *sandwiches))
        for plain, sandwiches in closed
    )
    return _Masks(board.size, tuple(sum(1 << place for place in line.places) for line in board.lines), tuple(brackets))


def _stones(text: str, seat: Seat) -> int:
    return int("".join("1" if stone == str(seat) else "0" for stone in reversed(text)), 2)


def _places(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def judge(position: Position) -> Callable[[Move], float]:
    """The worth of a placement or a move: what it wins, then what the other seat could win by the next stone."""
    facts, seat = position.facts, position.seat
    place = BOARDS[facts["variant"]].place
    masks = _masks(facts["variant"], bool(position.options.get("cleopatra")))
    own_before, other_before = (_stones("".join(facts["rings"]), one) for one in (seat, 1 - seat))
    needed = [facts["arbatta"] - captured for captured in facts["captured"]]

    def judge_move(move: Move) -> float:
        own, other = own_before, other_before
        if "source" in move:
            own &= ~(1 << place[move["source"]])
        closing = 1 << place[move["target"]]
        own |= closing
        while closing:  # a stone that falls becomes an own one, and may close the next bracket
            closing = _fallen(masks, own, other, closing)
            own, other = own | closing, other & ~closing
        captured = (other_before & ~other).bit_count()
        if captured >= needed[seat] or any(own & line == line for line in masks.lines):
            return _WIN
        return _CAPTURE * captured - _danger(masks, other, own, needed[1 - seat]) + _lines_worth(masks, own, other)

    return judge_move


def _fallen(masks: _Masks, own: int, other: int, closing: int) -> int:
    """The other seat's stones that fall when own stones are put at these points."""
    fallen = 0
    for place in _places(closing):
        for pair, end in masks.brackets[place]:
            if own & end and other & pair == pair:
                fallen |= pair
    return fallen


def _danger(masks: _Masks, own: int, other: int, needed: int) -> float:
    """The worth of the best next stone of the seat that owns `own`."""
    vacant = ~(own | other) & ((1 << masks.size**2) - 1)
    if any(line & vacant and (line & own).bit_count() == masks.size - 1 for line in masks.lines):
        return -_LOSS
    most = max((_fallen(masks, own, other, 1 << place).bit_count() for place in _places(vacant)), default=0)
    return -_LOSS if most >= needed else _CAPTURE * most


def _lines_worth(masks: _Masks, own: int, other: int) -> float:
    """Lines in which only one side has stones, by the square of their number."""
    worth = 0
    for line in masks.lines:
        ours, theirs = (own & line).bit_count(), (other & line).bit_count()
        worth += (ours * ours if not theirs else 0) - (theirs * theirs if not ours else 0)
    return worth


def worth(state: State, seat: Seat) -> float:
    """By the difference of both sides: lines, captured stones, and brackets to close, more for the side on turn."""
    own, other = _stones(state.stones, seat), _stones(state.stones, 1 - seat)
    masks = _masks(state.options.variant, False)
    ahead = _open_lines(masks, own, other) - _open_lines(masks, other, own)
    ahead += 0.5 * (state.captured[seat] - state.captured[1 - seat])
    ours, theirs = _count_threats(masks, own, other), _count_threats(masks, other, own)
    ahead += 0.5 * ours - 0.2 * theirs if state.turn == seat else 0.2 * ours - 0.5 * theirs
    return 1 / (1 + exp(-0.6 * ahead))


def _open_lines(masks: _Masks, own: int, other: int) -> float:
    return sum(_LINE[(own & line).bit_count()] for line in masks.lines if own & line and not other & line)


def _count_threats(masks: _Masks, own: int, other: int) -> int:
    """The brackets that the next stone can close."""
    return sum(
        pair & other == pair and bool(end & own)
        for place in _places(~(own | other) & ((1 << masks.size**2) - 1))
        for pair, end in masks.brackets[place]
    )


MEGIDDO: GameType[Options, State, Command, Event, Facts] = GameType(
    key="megiddo", name="Megiddo", revision=1, seats=range(2, 3), rules=read_rules(__file__), options=Options,
    state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rules.deal, initial=rules.initial,
    decide=rules.decide, evolve=rules.evolve, legal_commands=rules.legal_commands, look=view.look,
    redact=show_everything, tell=view.tell, result=rules.result, material=view.MATERIAL,
    capabilities=(
        Reconstructed(), Presets(NAMED), CardFaces(view.FACES), Counting(moves=4), Layout(view.boards), view.CHIPS,
        GreedyChoice(judge), Evaluator(worth, turns=None, width=10, trust=0.6, stronger=True),
    ),
)  # fmt: skip
