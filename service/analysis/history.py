"""The positions of a finished patience, and which verdict to ask for next.

They are a tree: after an undo another branch begins at an earlier position. Without undo a lost game stays lost: a
bisection finds the step in some seven verdicts. A verdict holds for more than its position: if one can be won so can
all before it, and if one cannot nothing after it can. Where a verdict is open, the bisection goes on beside it; so the
answer may be two steps, between which the game was lost, and never a guess.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, log2
from typing import Any, NamedTuple

from domain.games import GAME_TYPES, AnyGameType
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.open_record import Annotation
from domain.play.verify import records_by_step
from domain.view import ALL_SEEING
from service.solving import SOLVERS, Finding, Verdict, verdict

Findings = Mapping[int, Finding]
"""The solver's findings on positions, by step."""
_OPEN = 6
"""So many open verdicts on one line are enough: each has used up the whole bound."""
_MOST_UNDONE = 5


class Position(NamedTuple):
    """The game after a move: its state, the step of the position before (None: the deal), the command, its events."""

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
        """The events of this step in words."""
        _, before, _, events = self.positions[step]
        kind, sentences = self.game.type, []
        state = kind.initial(self.game.options, 1) if before is None else self.positions[before].state
        for event in events:
            sentences.append(kind.tell(state, event, ALL_SEEING))
            state = kind.evolve(state, event)
        return " ".join(sentences)


def history_of(records: Iterable[AnyRecord]) -> History:
    """The history that these records tell: all of a game of one seat."""
    game: Game | None = None
    positions, shown, at = dict[int, Position](), list[int | None](), dict[int, int]()
    for step in records_by_step(tuple(records)):
        before, game = game, fold(step, game)
        is_deal = before is None or before.state is None
        # An undo, a resignation and an ending are no moves.
        if game.state is not None and (is_deal or type(step[0].command) in game.type.commands):
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


def has_solver(kind: AnyGameType) -> bool:
    """Whether there is a solver of this game type under these very rules."""
    return kind.key in SOLVERS and GAME_TYPES[kind.key].revision == kind.revision


def ask(history: History, step: int, bound: int | None = None) -> Finding:
    """The verdict on the position of this step, all cards known; `bound` is in positions, None: the solver's own."""
    return verdict(history.game.type.key, history.game.options, history.positions[step].state, bound)


def known_verdicts(history: History, findings: Findings) -> dict[int, Verdict]:
    """The verdict of every position that follows from the findings and the game's own end; `open` where it does not."""
    verdicts: dict[int, Verdict] = dict.fromkeys(history.positions, "open")
    for step in history.positions:
        over, finding = history.is_won(step), findings.get(step)
        if over or (finding is not None and finding.verdict == "won"):
            line: int | None = step
            while line is not None and verdicts[line] != "won":
                verdicts[line] = "won"
                line = history.positions[line].before
        elif over is False or (finding is not None and finding.verdict == "impossible"):
            verdicts[step] = "impossible"
    for step, (_, before, _, _) in history.positions.items():  # positions stand after those they come from
        if before is not None and verdicts[before] == "impossible":
            verdicts[step] = "impossible"
    return verdicts


def next_question(history: History, findings: Findings) -> int | None:
    """The step whose position to ask about next; None: there is no more to ask."""
    verdicts = known_verdicts(history, findings)
    for line in (history.live, *history.undone):
        if (step := _split(line, verdicts, findings)) is not None:
            return step
    last = (line_start(history, verdicts), history.live[0])  # the deal: for its difficulty
    return next((step for step in last if step is not None and step not in findings), None)


def line_start(history: History, verdicts: Mapping[int, Verdict]) -> int | None:
    """The beginning of a winning line: the deal of a game that was won, else the last good position, if any."""
    if history.is_won(history.live[-1]):
        return history.live[0]
    return max((step for step in history.live if verdicts[step] == "won"), default=None)


def _split(line: Sequence[int], verdicts: Mapping[int, Verdict], findings: Findings) -> int | None:
    """The end of the line first, then its beginning, then the middle of the widest gap."""
    unknown = [place for place, step in enumerate(line) if verdicts[step] == "open"]
    is_open = [place for place in unknown if line[place] in findings]
    if len(unknown) == len(is_open) or len(is_open) >= _OPEN:
        return None
    for place in (unknown[-1] if unknown[-1] == len(line) - 1 else unknown[0], unknown[0]):
        if place in (0, len(line) - 1) and place not in is_open:
            return line[place]
    edges = sorted({unknown[0] - 1, *is_open, unknown[-1] + 1})
    first, last = max(pairwise(edges), key=lambda gap: (gap[1] - gap[0], gap[1]))
    return line[(first + last) // 2]


def expected_questions(history: History) -> int:
    """About how many verdicts it takes, where none is open."""
    return sum(2 + ceil(log2(len(line))) for line in (history.live, *history.undone))


def annotations(findings: Findings) -> tuple[Annotation, ...]:
    """The findings as a record tells them: none that the search has left open."""
    return tuple(
        Annotation(annotates=step, verdict=finding.verdict, positions=finding.positions, line=finding.commands)
        for step, finding in sorted(findings.items())
        if finding.verdict != "open"
    )
