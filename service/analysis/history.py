"""The positions of a finished patience: a tree, for after an undo another branch begins at an earlier position."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.form import records_by_step
from domain.view import ALL_SEEING

_MOST_UNDONE = 5


class Position(NamedTuple):
    """The game after a move: its state, the step of the position before (None: the deal), what was said, its events."""

    state: Any
    before: int | None
    command: Any
    events: tuple[Any, ...]


class History(NamedTuple):
    """All positions of a game by the step that led there; `shown` is the step of the position after each step.

    `live`: the steps that stood at the end, from the deal on. `undone`: the longest branches that were taken back, each
    from the position at which it leaves the live line.
    """

    game: Game
    positions: dict[int, Position]
    shown: tuple[int | None, ...]
    live: tuple[int, ...]
    undone: tuple[tuple[int, ...], ...]

    def is_won(self, step: int) -> bool | None:
        """Whether the rules say that the game is over there, and how; None: it went on."""
        result = self.game.type.result(self.positions[step].state)
        return None if result is None else result.ending == "won"

    def line_to(self, step: int | None) -> tuple[int, ...]:
        """The steps from the deal to this one, itself included."""
        return _line_to(self.positions, step)

    def sentence(self, step: int) -> str:
        """What was done at this step."""
        _, before, _, events = self.positions[step]
        kind, said = self.game.type, []
        state = kind.initial(self.game.options, 1) if before is None else self.positions[before].state
        for event in events:
            said.append(kind.tell(state, event, ALL_SEEING))
            state = kind.evolve(state, event)
        return " ".join(said)


def history_of(records: Iterable[AnyRecord]) -> History:
    """The history that these records tell: all of a game of one seat."""
    game: Game | None = None
    positions, shown, at = dict[int, Position](), list[int | None](), dict[int, int]()
    for step in records_by_step(tuple(records)):
        before, game = game, fold(step, game)
        if game.state is not None and _is_move(before, step, game):
            parent = None if before is None or before.state is None else at[before.live_step]
            events = tuple(record.event for record in step if isinstance(record.event, game.type.events))
            positions[game.step] = Position(game.state, parent, step[0].command, events)
            at[game.live_step] = game.step
        elif game.state is not None and game.live_step not in at and before is not None:
            at[game.live_step] = at[before.live_step]
        shown.append(at.get(game.live_step))
    if game is None or shown[-1] is None:
        raise ValueError("no game that was dealt")
    live = _line_to(positions, shown[-1])
    return History(game, positions, tuple(shown), live, _undone(positions, set(live)))


def _is_move(before: Game | None, step: tuple[AnyRecord, ...], after: Game) -> bool:
    """Whether the step is the deal or a move of the game type: no undo, no resignation, no ending."""
    return before is None or before.state is None or type(step[0].command) in after.type.commands


def _line_to(positions: dict[int, Position], step: int | None) -> tuple[int, ...]:
    line, at = list[int](), step if step in positions else None
    while at is not None:
        line.append(at)
        at = positions[at].before
    return tuple(reversed(line))


def _undone(positions: dict[int, Position], live: set[int]) -> tuple[tuple[int, ...], ...]:
    """The longest branches, in the order of their ends."""
    parents = {position.before for position in positions.values()}
    ends = [step for step in positions if step not in parents and step not in live]
    lines = []
    for end in ends:
        line = _line_to(positions, end)
        leaves = max(place for place, step in enumerate(line) if step in live)
        lines.append(line[leaves:])
    longest = sorted(lines, key=len, reverse=True)[:_MOST_UNDONE]
    return tuple(sorted(longest, key=lambda line: line[-1]))
