"""What the verdicts tell of a game: where it was lost, how it could still be won, and the same in three sentences."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal, assert_never

import msgspec
from msgspec import Meta, Struct

from domain.games import AnyGameType
from domain.view import ALL_SEEING
from service.analysis.difficulty import Complete, Difficulty, count, rate_deal, tell_end
from service.analysis.foresight import Foresight, shows_all
from service.analysis.history import History
from service.analysis.questions import Findings, known_verdicts, line_start
from service.live.shapes import AnyPlayCommand
from service.solving import Verdict

_SEEN = "The search has seen every position that matters, and none of them is won."
Outcome = Literal["won", "lost", "unwinnable", "given_up", "open"]


class VerdictSpan(Struct, frozen=True):
    """Steps in a row after which the verdict is the same; after an undo it is that of the earlier position."""

    first: int
    last: int
    verdict: Verdict


class AskedVerdict(Struct, frozen=True):
    """A verdict that the solver was asked for, and how many positions it looked at."""

    step: int
    verdict: Verdict
    positions: int


class LineMove(Struct, frozen=True):
    """A command of a winning line, as it is said in this game, and what it does."""

    command: AnyPlayCommand
    sentence: str


class UndoneBranch(Struct, frozen=True):
    """A branch that was taken back: the position that it left, its last step, and what became of it there.

    `lost_step` is told where it is known exactly.
    """

    left_step: int
    last_step: int
    verdict: Verdict
    lost_step: int | None


class PatienceReport(Struct, frozen=True, kw_only=True, tag_field="kind", tag="patience"):
    """The whole answer. Steps are those of the game.

    `open` as outcome: the search ended at its bound; it was lost after `last_winnable_step` and at `first_lost_step` at
    the latest, as far as they are known. `spans` begin at the deal. `line` leads on from `line_step` to the win; of a
    game that was won, from the deal. `moves` is how many stood at the end.

    `known_step`: the lost step, where the player could have known that it loses; else it is told by hindsight alone, or
    open. `foresight`: by what, where cards were hidden. `difficulty`: of a deal that could be won. `shortest_found`: of
    a game that was won, how many moves the shortest line known has, its own included; a shorter one may exist.
    """

    outcome: Annotated[Outcome, Meta(description="`unwinnable`: the deal; `given_up`: it could still be won.")]
    lost_step: int | None
    last_winnable_step: int | None
    first_lost_step: int | None
    moves: int
    line_step: int | None
    line: tuple[LineMove, ...]
    spans: tuple[VerdictSpan, ...]
    asked: tuple[AskedVerdict, ...]
    undone: tuple[UndoneBranch, ...]
    sentences: Annotated[tuple[str, ...], Meta(min_length=3, max_length=3, description="It all, in three.")]
    known_step: int | None = None
    foresight: Foresight | None = None
    difficulty: Difficulty | None = None
    shortest_found: int | None = None
    remarks: Annotated[tuple[str, ...], Meta(description="These last, each in a sentence.")] = ()
    complete: Complete = False


def find_lost_step(history: History, findings: Findings) -> int | None:
    """The step at which it was lost, where it is known exactly."""
    last, lost = _edges(history.live, known_verdicts(history, findings))
    return lost if _outcome(history, last, lost) == "lost" else None


def report(
    history: History, findings: Findings, foresight: Foresight | None = None, *, complete: bool = True
) -> PatienceReport:
    """What these findings tell, and what could be known of the lost step; of fewer it tells less, and nothing wrong.

    `complete`: the search came to its end.
    """
    verdicts = known_verdicts(history, findings)
    last, lost = _edges(history.live, verdicts)
    outcome, start = _outcome(history, last, lost), line_start(history, verdicts)
    found = findings.get(start) if start is not None else None
    line = (
        ()
        if found is None or start is None
        else tell_line(history.game.type, history.positions[start].state, found.commands)
    )
    undone = tuple(_undone(branch, verdicts) for branch in history.undone)
    told = PatienceReport(
        outcome=outcome, lost_step=lost if outcome == "lost" else None, last_winnable_step=last, first_lost_step=lost,
        moves=len(history.live) - 1, line_step=start if line else None, line=line,
        spans=find_spans(history, findings),
        asked=tuple(AskedVerdict(step, found.verdict, found.positions) for step, found in sorted(findings.items())),
        undone=undone, sentences=(),
        known_step=lost if outcome == "lost" and _could_know(history, foresight) else None, foresight=foresight,
        difficulty=rate_deal(history.game.type.key, findings.get(history.live[0])),
        shortest_found=_shortest(history, findings) if outcome == "won" else None, complete=complete,
    )  # fmt: skip
    sentences = tell_end(_sentences(history, told), complete)
    return msgspec.structs.replace(told, sentences=sentences, remarks=tuple(_remarks(history, told)))


def _could_know(history: History, foresight: Foresight | None) -> bool:
    return shows_all(history) or (foresight is not None and foresight.is_knowable)


def _shortest(history: History, findings: Findings) -> int:
    """How many moves the shortest line known has: the game's own, or on from a position that was asked about."""
    won = [(step, found.commands) for step, found in findings.items() if found.verdict == "won"]
    return min([len(history.live) - 1, *(len(history.line_to(step)) - 1 + len(line) for step, line in won)])


def _edges(line: Sequence[int], verdicts: Mapping[int, Verdict]) -> tuple[int | None, int | None]:
    """The last step known to be winnable and the first known to be lost."""
    won = max((step for step in line if verdicts[step] == "won"), default=None)
    return won, min((step for step in line if verdicts[step] == "impossible"), default=None)


def _outcome(history: History, last: int | None, lost: int | None) -> Outcome:
    if history.is_won(history.live[-1]):
        return "won"
    if last == history.live[-1]:
        return "given_up"
    if lost == history.live[0]:
        return "unwinnable"
    return "lost" if lost is not None and history.positions[lost].before == last else "open"


def tell_line(kind: AnyGameType, state: Any, commands: Sequence[Any]) -> tuple[LineMove, ...]:
    """These commands from this position on, with what they do."""
    moves = list[LineMove]()
    for command in commands:
        said = []
        for event in kind.decide(state, 0, command):
            said.append(kind.tell(state, event, ALL_SEEING))
            state = kind.evolve(state, event)
        moves.append(LineMove(command, " ".join(said)))
    return tuple(moves)


def _undone(line: Sequence[int], verdicts: Mapping[int, Verdict]) -> UndoneBranch:
    last, lost = _edges(line, verdicts)
    exact = last is not None and lost is not None and line.index(last) + 1 == line.index(lost)
    return UndoneBranch(line[0], line[-1], verdicts[line[-1]], lost if exact else None)


def find_spans(history: History, findings: Findings) -> tuple[VerdictSpan, ...]:
    """What these findings tell of every step."""
    verdicts = known_verdicts(history, findings)
    steps = [(step, verdicts[shown]) for step, shown in enumerate(history.shown) if shown is not None]
    rows = [(verdict, [step for step, _ in row]) for verdict, row in groupby(steps, key=lambda one: one[1])]
    return tuple(VerdictSpan(row[0], row[-1], verdict) for verdict, row in rows)


def _sentences(history: History, told: PatienceReport) -> tuple[str, str, str]:
    match told.outcome:
        case "given_up" if not told.moves:
            line = f"The line that was found has {count(len(told.line), 'move')}."
            return "The deal can be won.", line, "By the rules it leads to the win; a shorter one may exist."
        case "unwinnable" if not told.moves:
            return "The deal cannot be won.", _SEEN, "Whoever plays it loses, whatever they do."
        case "open" if not told.moves:
            ended = "The search ended before it had found a line or seen every position that matters."
            return "Whether the deal can be won is open.", ended, "It may be won or not."
        case "won":
            return f"The game was won in {count(told.moves, 'move')}.", _against_line(told), _tell_undone(told)
        case "lost":
            lost = told.lost_step or 0
            at = f"The game was lost at step {lost}: {history.sentence(lost)}"
            return "The deal could be won.", at, _tell_line(told)
        case "unwinnable":
            return "The deal could not be won.", _SEEN, "So no move of this game has lost it."
        case "given_up":
            still = f"After step {told.last_winnable_step}, where it ended, it could still be won."
            return "The deal could be won.", still, _tell_line(told)
        case "open":
            could = (
                "Whether the deal could be won is open."
                if told.last_winnable_step is None
                else "The deal could be won."
            )
            return could, _tell_edges(told), _tell_bound(told)
        case _:
            assert_never(told.outcome)


def _remarks(history: History, told: PatienceReport) -> Iterator[str]:
    if told.difficulty:
        yield told.difficulty.tell()
    if told.shortest_found is not None and told.moves:
        share = f"{100 * told.shortest_found / told.moves:.0f} % of those made"
        yield f"The shortest line known has {count(told.shortest_found, 'move')}, {share}; a shorter one may exist."
    if told.outcome == "lost":
        yield _tell_knowledge(history, told.foresight)


def _tell_knowledge(history: History, foresight: Foresight | None) -> str:
    if shows_all(history):
        return "Every card lay open, so that could be known at that step."
    if foresight is None or 2 * foresight.decided <= foresight.worlds:
        return "Whether that could be known at that step is open."
    if foresight.worlds == 1 and foresight.is_knowable:
        return "No other deal looked the same, so that could be known at that step."
    alike = f"In {foresight.lost} of {count(foresight.decided, 'deal')} that looked the same it is lost after that step"
    return f"{alike}: {'it could be known' if foresight.is_knowable else 'it could not be known'}."


def _tell_line(told: PatienceReport) -> str:
    if not told.line:
        return "How it could be won from there the search has not found."
    return f"From step {told.line_step} on it can be won in {count(len(told.line), 'more move')}."


def _against_line(told: PatienceReport) -> str:
    if not told.line:
        return "The search found no line of its own to compare it with."
    more, found = told.moves - len(told.line), f"The search found a line of {count(len(told.line), 'move')}"
    return f"{found}: just as many." if not more else f"{found}: {abs(more)} {'fewer' if more > 0 else 'more'}."


def _tell_undone(told: PatienceReport) -> str:
    lost = [branch for branch in told.undone if branch.lost_step is not None]
    if lost:
        worst = max(lost, key=lambda branch: branch.last_step - branch.left_step)
        return f"It was lost once, at step {worst.lost_step}, and won by going back to step {worst.left_step}."
    return "No branch that was taken back is known lost." if told.undone else "It could be won at each of its steps."


def _tell_edges(told: PatienceReport) -> str:
    match told.last_winnable_step, told.first_lost_step:
        case None, None:
            return "Where it was lost is open, too."
        case None, lost:
            return f"After step {lost} it could not be won any more."
        case last, None:
            return f"After step {last} it could still be won; what came later is open."
        case last, lost:
            return f"After step {last} it could still be won, and after step {lost} no more."


def _tell_bound(told: PatienceReport) -> str:
    bound = sum(asked.verdict == "open" for asked in told.asked)
    return f"At {count(bound, 'position')} of {len(told.asked)} the search ended at its bound."
