"""Which verdict to ask for next. Without undo what is lost stays lost: a bisection finds the step in some seven.

A verdict holds for more than its position: of one that can be won so can all before it, and of one that cannot nothing
after it can. Where a verdict is open, the bisection goes on beside it; so the answer may be two steps, between which
the game was lost, and never a guess.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, log2

from domain.games import GAME_TYPES, AnyGameType
from domain.play.open_record import Annotation
from service.analysis.history import History
from service.solving import SOLVERS, Finding, Verdict, verdict

Findings = Mapping[int, Finding]
"""What the solver said of positions, by step."""
_OPEN = 6
"""So many open verdicts on one line are enough: each has used up the whole bound."""


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
        over, found = history.is_won(step), findings.get(step)
        if over or (found is not None and found.verdict == "won"):
            _mark_line(history, verdicts, step)
        elif over is False or (found is not None and found.verdict == "impossible"):
            verdicts[step] = "impossible"
    for step, (_, before, _, _) in history.positions.items():  # positions stand after those they come from
        if before is not None and verdicts[before] == "impossible":
            verdicts[step] = "impossible"
    return verdicts


def _mark_line(history: History, verdicts: dict[int, Verdict], step: int | None) -> None:
    while step is not None and verdicts[step] != "won":
        verdicts[step] = "won"
        step = history.positions[step].before


def next_question(history: History, findings: Findings) -> int | None:
    """The step whose position to ask about next; None: there is no more to ask."""
    verdicts = known_verdicts(history, findings)
    for line in (history.live, *history.undone):
        if (step := _split(line, verdicts, findings)) is not None:
            return step
    last = (line_start(history, verdicts), history.live[0])  # the deal: for its difficulty
    return next((step for step in last if step is not None and step not in findings), None)


def line_start(history: History, verdicts: Mapping[int, Verdict]) -> int | None:
    """From where a winning line is wanted: the deal of a game that was won, else the last good position, if any."""
    if history.is_won(history.live[-1]):
        return history.live[0]
    return max((step for step in history.live if verdicts[step] == "won"), default=None)


def _split(line: Sequence[int], verdicts: Mapping[int, Verdict], findings: Findings) -> int | None:
    """The end of the line first, then its beginning, then the middle of the widest gap."""
    unknown = [place for place, step in enumerate(line) if verdicts[step] == "open"]
    asked = [place for place in unknown if line[place] in findings]
    if len(unknown) == len(asked) or len(asked) >= _OPEN:
        return None
    for place in (unknown[-1] if unknown[-1] == len(line) - 1 else unknown[0], unknown[0]):
        if place in (0, len(line) - 1) and place not in asked:
            return line[place]
    edges = sorted({unknown[0] - 1, *asked, unknown[-1] + 1})
    gaps = pairwise(edges)
    first, last = max(gaps, key=lambda gap: (gap[1] - gap[0], gap[1]))
    return line[(first + last) // 2]


def expected_questions(history: History) -> int:
    """About how many verdicts it takes, where none is open."""
    return sum(2 + ceil(log2(len(line))) for line in (history.live, *history.undone))


def annotations(findings: Findings) -> tuple[Annotation, ...]:
    """What was found, as a record tells it: nothing of what the search has left open."""
    return tuple(
        Annotation(annotates=step, verdict=found.verdict, positions=found.positions, line=found.commands)
        for step, found in sorted(findings.items())
        if found.verdict != "open"
    )
