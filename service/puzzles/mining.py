"""Finding puzzles in a finished patience, their themes, and whether commands solve them: pure, but for the solver.

A position is a puzzle if exactly one continuation wins and every other is proved lost. What the search leaves open is
no puzzle. Commands that lead to positions which are alike in all that matters are one continuation.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from math import prod
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct

from domain.capabilities import Autoplay
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play.aggregate import Game
from domain.view import ALL_SEEING, Zone
from service.analysis.history import History
from service.live import seats
from service.solving import Finding, find_solver, state_after

Theme = Literal["dig_for_ace", "empty_column", "full_cells", "last_pass", "two_of_a_rank", "end_play"]
"""`dig_for_ace`: cards come off a column with an ace under them; `empty_column`: one is emptied, or one filled;
`full_cells`: a move while every cell is taken; `last_pass`: one while the stock is out and does not come again;
`two_of_a_rank`: one of two cards of a rank that could both go there; `end_play`: at most a quarter of a pack is left at
the beginning."""
_AWAY = ("foundation", "discard")
_QUARTER = 13
LEAST = 3
"""Moves by lot solve no more than one puzzle in so many."""
LONGEST = 6
"""The most moves of a solution; puzzles of one game are at least so many steps apart."""
BOUND, MEMORY = 400_000, 200 << 20
"""Positions and bytes for one verdict."""
_STOCK = 8
"""So many cards of a stock can be kept in view: a puzzle tells their order."""
_FIRM_DEALS = ("shuffled", "wished")
"""Where the service has dealt by itself: no contest has these cards."""
Outcome = Literal["right", "solved", "wrong"]
"""`right`: so far, and it goes on."""
Judge = Callable[[Any], Finding]
"""What the solver finds of a position, all cards known."""


class Continuation(NamedTuple):
    """The only one that wins: the commands that make it, the position after it, and how many there are in all."""

    commands: tuple[Any, ...]
    after: Any
    choices: int


class Puzzle(NamedTuple):
    """The position after this step: for each move of the solution the commands that make it."""

    step: int
    line: tuple[tuple[Any, ...], ...]
    themes: tuple[Theme, ...]


def is_open(game: Game) -> bool:
    """Whether all may know the whole game: it was played here, is public, over, and withheld by no contest."""
    public = game.importers is None and game.opening.visibility == "public"
    return public and game.status in seats.OVER and seats.is_fully_known(game)


def may_be_mined(game: Game, *, contests_due: bool) -> bool:
    """Whether its positions may be published. `contests_due`: some contest, perhaps of these cards, is not revealed."""
    return is_open(game) and (game.opening.origin in _FIRM_DEALS or not contests_due)


def mine(history: History, last: int, judge: Judge) -> Iterator[Puzzle]:
    """The puzzles among the positions up to step `last`, the last one that could be won, the latest first.

    Where one move alone wins at several steps in a row, the puzzle begins at the first.
    """
    kind, judge = history.game.type, cache(judge)
    live = [step for step in history.live if step <= last]
    place = len(live) - 1

    @cache
    def only(place: int) -> Continuation | None:
        state = history.positions[live[place]].state
        return find_only(kind, state, judge) if tells_all(kind, state) else None

    while place >= 0:
        earliest = place
        while earliest > max(0, place - LONGEST + 1) and only(earliest) and _is_plain(only(earliest - 1)):
            earliest -= 1
        for start in range(earliest, place + 1):
            state = history.positions[live[start]].state
            if only(start) and (line := find_solution(kind, state, judge)):
                yield Puzzle(live[start], line, themes_of(kind, state, [commands[0] for commands in line]))
                place = start - LONGEST + 1
                break
        place -= 1


def tells_all(kind: AnyGameType, state: Any) -> bool:
    """Whether every card lies open, but for a short stock, whose order the puzzle tells."""
    pairs = zip(kind.look(state, 0).zones, kind.look(state, ALL_SEEING).zones, strict=True)
    hidden = [known for seen, known in pairs if seen != known]
    return all(zone.id == "stock" and len(zone.cards) <= _STOCK for zone in hidden)


def find_solution(kind: AnyGameType, state: Any, judge: Judge) -> tuple[tuple[Any, ...], ...]:
    """The moves that must be found one after the other, each the only one that wins; empty: this is no puzzle."""
    line, way = list[Continuation](), find_only(kind, state, judge)
    while way is not None:
        line.append(way)
        more = len(line) < LONGEST and _is_plain(way) and kind.result(way.after) is None
        way = find_only(kind, way.after, judge) if more else None
    while line and line[-1].choices == 1:  # no player can miss it
        line.pop()
    choices = [way.choices for way in line]
    return tuple(way.commands for way in line) if choices[:1] != [1] and prod(choices) >= LEAST else ()


def _is_plain(way: Continuation | None) -> bool:
    """Whether it goes on from here: behind a move that several commands make the positions may look different."""
    return way is not None and len(way.commands) == 1


def find_only(kind: AnyGameType, state: Any, judge: Judge) -> Continuation | None:
    """The one continuation that wins, all others being proved lost; None: there are several, none, or some are open."""
    solver, by_mark = find_solver(kind.key), dict[Hashable, tuple[Any, list[Any]]]()
    for command in kind.legal_commands(state, 0):  # those that lead to positions which are alike are one way
        after = state_after(kind, state, command)
        by_mark.setdefault(solver.mark(state, after), (after, []))[1].append(command)
    ways = list(by_mark.values())
    only: Continuation | None = None
    for after, commands in ways:
        verdict = judge(after).verdict
        if verdict == "open" or (verdict == "won" and only is not None):
            return None
        if verdict == "won":
            only = Continuation(tuple(commands), after, len(ways))
    return only


def themes_of(kind: AnyGameType, state: Any, line: Sequence[Any]) -> tuple[Theme, ...]:
    """The themes of these commands from this position on, in the order of their names above."""
    zones = kind.look(state, ALL_SEEING).zones
    themes = set[Theme]()
    if sum(len(zone.cards) for zone in zones if not zone.id.startswith(_AWAY)) <= _QUARTER:
        themes.add("end_play")
    for command in line:
        before, state = state, state_after(kind, state, command)
        themes |= {*_themes_of_move(kind, before, command, state)}
    return tuple(theme for theme in get_args(Theme) if theme in themes)


def _themes_of_move(kind: AnyGameType, state: Any, command: Any, after: Any) -> Iterator[Theme]:
    view, left = kind.look(state, ALL_SEEING), {zone.id: zone.cards for zone in kind.look(after, ALL_SEEING).zones}
    columns = [(zone.cards, left[zone.id]) for zone in view.zones if zone.layout == "column"]
    cells = [zone for zone in view.zones if zone.id.startswith(("cell_", "tower_"))]
    dug = [rest for cards, rest in columns if len(rest) < len(cards)]
    if kind.get(Autoplay).built and any(card[0] == "A" for rest in dug for card in rest):
        yield "dig_for_ace"
    if _fills_columns(kind.commands) and any(bool(cards) != bool(rest) for cards, rest in columns):
        yield "empty_column"
    if cells and all(zone.cards for zone in cells):
        yield "full_cells"
    stocks = [zone for zone in view.zones if zone.id == "stock"]
    is_stock_out = bool(stocks) and not any(zone.cards or zone.face_down for zone in stocks)
    if is_stock_out and getattr(view.facts, "recycles_left", 0) == 0:
        yield "last_pass"
    if _has_twin(kind, state, command, {zone.id: zone for zone in view.zones}):
        yield "two_of_a_rank"


@cache
def _fills_columns(commands: tuple[type[Struct], ...]) -> bool:
    """Whether cards can be put on columns: whether a command names one as its target."""
    shapes = msgspec.json.schema_components(commands)[1].values()
    targets = (shape["properties"].get("target") for shape in shapes)
    return any(b'"tableau_0"' in msgspec.json.encode(target) for target in targets)


def _has_twin(kind: AnyGameType, state: Any, command: Any, zones: dict[str, Zone]) -> bool:
    """Whether another card of the rank that is played could go to the same foundation, or to the discards."""
    if not (target := getattr(command, "target", "")).startswith(_AWAY):
        return False
    ways = [way for way in kind.legal_commands(state, 0) if getattr(way, "target", None) == target]
    cards = {zones[way.source].cards[-1] for way in ways}
    return sum(card[0] == zones[command.source].cards[-1][0] for card in cards) > 1


class Judged(NamedTuple):
    """The outcome of the commands, the position after the right ones, and the position after the wrong one, if any."""

    outcome: Outcome
    state: Any
    lost: "Lost | None" = None


class Lost(NamedTuple):
    """The wrong command, how many were right before it, and the position after it."""

    command: Any
    number: int
    state: Any


def judge(kind: AnyGameType, state: Any, line: Sequence[Sequence[Any]], commands: Sequence[Any]) -> Judged:
    """Play these commands; another way to say a move of the line is that move.

    Raises Illegal for a command that the rules refuse, and for more of them than the puzzle has moves.
    """
    for number, command in enumerate(commands):
        if number == len(line):
            raise Illegal("puzzle_over", "The puzzle is solved before the last of these commands.", "/commands")
        pointer = f"/commands/{number}"
        if type(command) not in kind.commands:
            raise Illegal("other_game_type", f"That is no command of {kind.name}.", pointer)
        try:
            events = tuple(kind.decide(state, 0, command))
        except Illegal as illegal:
            raise Illegal(illegal.rule, illegal.message, pointer) from None
        if events not in [tuple(kind.decide(state, 0, right)) for right in line[number]]:
            return Judged("wrong", state, Lost(command, number, state_after(kind, state, command)))
        for event in events:
            state = kind.evolve(state, event)
    return Judged("solved" if len(commands) == len(line) else "right", state)
