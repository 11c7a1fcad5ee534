"""The report of a patience: where it was lost, how it could still be won, and the same in three sentences.

Also how hard the deal was, by the work of the solver: not of a person, and comparable within one game type only. And a
player's losses: a sum over the reports of their patiences.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, assert_never
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.games import AnyGameType
from domain.play.events import DealLevel
from domain.view import ALL_SEEING
from service.analysis.foresight import Foresight, shows_all
from service.analysis.history import Findings, History, known_verdicts, line_start
from service.live.shapes import AnyPlayCommand
from service.solving import Finding, Verdict
from service.solving.levels import level_of

_SEEN = "The search has seen every position that matters, and none of them is won."
Outcome = Literal["won", "lost", "unwinnable", "given_up", "open"]
_ENDED = "The search was ended before it was done; asked for again, it goes on."
Complete = Annotated[bool, Meta(description="Whether the search came to its end; else it may be asked for again.")]


class Difficulty(Struct, frozen=True):
    """How many positions the solver saw before it had won the deal, and a word for it."""

    level: Annotated[DealLevel, Meta(description="As of wished deals: a quarter of the game type's deals each.")]
    positions: int

    def tell(self) -> str:
        """The difficulty in a sentence."""
        return f"The deal is {self.level}: the solver won it after {count(self.positions, 'position')}."


def count(number: int, word: str) -> str:
    """`1 trick`, `2 tricks`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def tell_end(sentences: tuple[str, ...], complete: bool) -> tuple[str, ...]:
    """These sentences; the last one says so if the search was ended."""
    return sentences if complete else (*sentences[:-1], f"{sentences[-1]} {_ENDED}")


def rate_deal(key: str, finding: Finding | None) -> Difficulty | None:
    """The difficulty of this game type's deal by its finding; None: it is not known to be winnable."""
    if finding is None or finding.verdict != "won":
        return None
    return Difficulty(level_of(key, finding.positions), finding.positions)


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


def report_patience(
    history: History, findings: Findings, foresight: Foresight | None = None, *, complete: bool = True
) -> PatienceReport:
    """The report of these findings, and of how the lost step could be known; fewer findings tell less, nothing wrong.

    `complete`: the search came to its end.
    """
    verdicts = known_verdicts(history, findings)
    last, lost = _edges(history.live, verdicts)
    outcome, start = _outcome(history, last, lost), line_start(history, verdicts)
    line: tuple[LineMove, ...] = ()
    if start is not None and start in findings:
        line = tell_line(history.game.type, history.positions[start].state, findings[start].commands)
    could_know = shows_all(history) or (foresight is not None and foresight.is_knowable)
    lines = [(step, finding.commands) for step, finding in findings.items() if finding.verdict == "won"]
    report = PatienceReport(
        outcome=outcome, lost_step=lost if outcome == "lost" else None, last_winnable_step=last, first_lost_step=lost,
        moves=len(history.live) - 1, line_step=start if line else None, line=line,
        spans=find_spans(history, findings),
        asked=tuple(AskedVerdict(at, finding.verdict, finding.positions) for at, finding in sorted(findings.items())),
        undone=tuple(_undone(branch, verdicts) for branch in history.undone), sentences=(),
        known_step=lost if outcome == "lost" and could_know else None, foresight=foresight,
        difficulty=rate_deal(history.game.type.key, findings.get(history.live[0])),
        shortest_found=min([
            len(history.live) - 1, *(len(history.line_to(step)) - 1 + len(found) for step, found in lines),
        ]) if outcome == "won" else None, complete=complete,
    )  # fmt: skip
    sentences = tell_end(_sentences(history, report), complete)
    return msgspec.structs.replace(report, sentences=sentences, remarks=tuple(_remarks(history, report)))


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
        sentences = []
        for event in kind.decide(state, 0, command):
            sentences.append(kind.tell(state, event, ALL_SEEING))
            state = kind.evolve(state, event)
        moves.append(LineMove(command, " ".join(sentences)))
    return tuple(moves)


def _undone(line: Sequence[int], verdicts: Mapping[int, Verdict]) -> UndoneBranch:
    last, lost = _edges(line, verdicts)
    exact = last is not None and lost is not None and line.index(last) + 1 == line.index(lost)
    return UndoneBranch(line[0], line[-1], verdicts[line[-1]], lost if exact else None)


def find_spans(history: History, findings: Findings) -> tuple[VerdictSpan, ...]:
    """The verdicts that follow from these findings, on every step."""
    verdicts = known_verdicts(history, findings)
    steps = [(step, verdicts[shown]) for step, shown in enumerate(history.shown) if shown is not None]
    rows = [(verdict, [step for step, _ in row]) for verdict, row in groupby(steps, key=lambda pair: pair[1])]
    return tuple(VerdictSpan(row[0], row[-1], verdict) for verdict, row in rows)


def _sentences(history: History, report: PatienceReport) -> tuple[str, str, str]:
    match report.outcome:
        case "given_up" if not report.moves:
            line = f"The line that was found has {count(len(report.line), 'move')}."
            return "The deal can be won.", line, "By the rules it leads to the win; a shorter one may exist."
        case "unwinnable" if not report.moves:
            return "The deal cannot be won.", _SEEN, "Whoever plays it loses, whatever they do."
        case "open" if not report.moves:
            ended = "The search ended before it had found a line or seen every position that matters."
            return "Whether the deal can be won is open.", ended, "It may be won or not."
        case "won":
            return f"The game was won in {count(report.moves, 'move')}.", _against_line(report), _tell_undone(report)
        case "lost":
            lost = report.lost_step or 0
            at = f"The game was lost at step {lost}: {history.sentence(lost)}"
            return "The deal could be won.", at, _tell_line(report)
        case "unwinnable":
            return "The deal could not be won.", _SEEN, "So no move of this game has lost it."
        case "given_up":
            still = f"After step {report.last_winnable_step}, where it ended, it could still be won."
            return "The deal could be won.", still, _tell_line(report)
        case "open":
            could = (
                "Whether the deal could be won is open."
                if report.last_winnable_step is None
                else "The deal could be won."
            )
            bound = count(sum(asked.verdict == "open" for asked in report.asked), "position")
            return could, _tell_edges(report), f"At {bound} of {len(report.asked)} the search ended at its bound."
        case _:
            assert_never(report.outcome)


def _remarks(history: History, report: PatienceReport) -> Iterator[str]:
    if report.difficulty:
        yield report.difficulty.tell()
    if report.shortest_found is not None and report.moves:
        share = f"{100 * report.shortest_found / report.moves:.0f} % of those made"
        yield f"The shortest line known has {count(report.shortest_found, 'move')}, {share}; a shorter one may exist."
    if report.outcome == "lost":
        yield _tell_knowledge(history, report.foresight)


def _tell_knowledge(history: History, foresight: Foresight | None) -> str:
    if shows_all(history):
        return "Every card lay open, so that could be known at that step."
    if foresight is None or 2 * foresight.decided <= foresight.worlds:
        return "Whether that could be known at that step is open."
    if foresight.worlds == 1 and foresight.is_knowable:
        return "No other deal looked the same, so that could be known at that step."
    alike = f"In {foresight.lost} of {count(foresight.decided, 'deal')} that looked the same it is lost after that step"
    return f"{alike}: {'it could be known' if foresight.is_knowable else 'it could not be known'}."


def _tell_line(report: PatienceReport) -> str:
    if not report.line:
        return "How it could be won from there the search has not found."
    return f"From step {report.line_step} on it can be won in {count(len(report.line), 'more move')}."


def _against_line(report: PatienceReport) -> str:
    if not report.line:
        return "The search found no line of its own to compare it with."
    more, found = report.moves - len(report.line), f"The search found a line of {count(len(report.line), 'move')}"
    return f"{found}: just as many." if not more else f"{found}: {abs(more)} {'fewer' if more > 0 else 'more'}."


def _tell_undone(report: PatienceReport) -> str:
    lost = [branch for branch in report.undone if branch.lost_step is not None]
    if lost:
        worst = max(lost, key=lambda branch: branch.last_step - branch.left_step)
        return f"It was lost once, at step {worst.lost_step}, and won by going back to step {worst.left_step}."
    return "No branch that was taken back is known lost." if report.undone else "It could be won at each of its steps."


def _tell_edges(report: PatienceReport) -> str:
    match report.last_winnable_step, report.first_lost_step:
        case None, None:
            return "Where it was lost is open, too."
        case None, lost:
            return f"After step {lost} it could not be won any more."
        case last, None:
            return f"After step {last} it could still be won; what came later is open."
        case last, lost:
            return f"After step {last} it could still be won, and after step {lost} no more."


class AnalysedGame(NamedTuple):
    """A patience that is over, and its analysis."""

    game_id: UUID
    game_type: str
    report: PatienceReport


class LossesOfType(Struct, frozen=True, kw_only=True):
    """One game type's analysed games by what became of them.

    `lost`: what could still be won; `unwinnable`: the deal; `given_up`: it could still be won at the end; `open`: the
    search ended at its bound.
    """

    game_type: str
    analysed: int
    won: int
    lost: int
    unwinnable: int
    given_up: int
    open: int
    lost_share: (
        Annotated[float, Meta(ge=0, le=1, description="The mean share of a game that was played when it was lost.")]
        | None
    )


class LostGame(Struct, frozen=True):
    """A game in which what could be won was lost at this step, of so many."""

    game_id: UUID
    game_type: str
    lost_step: int
    steps: int


def sum_losses(games: Iterable[AnalysedGame]) -> tuple[LossesOfType, ...]:
    """By game type, those with the most lost games first."""
    by_type: dict[str, list[PatienceReport]] = {}
    for game in games:
        by_type.setdefault(game.game_type, []).append(game.report)
    losses = [_losses(key, reports) for key, reports in by_type.items()]
    return tuple(sorted(losses, key=lambda row: (-row.lost, -row.analysed, row.game_type)))


def _losses(game_type: str, reports: list[PatienceReport]) -> LossesOfType:
    lost = [report for report in reports if report.outcome == "lost"]
    shares = [report.lost_step / last_step(report) for report in lost if report.lost_step is not None]
    ended = Counter(report.outcome for report in reports)
    return LossesOfType(
        game_type=game_type, analysed=len(reports), won=ended["won"], lost=ended["lost"],
        unwinnable=ended["unwinnable"], given_up=ended["given_up"], open=ended["open"],
        lost_share=round(sum(shares) / len(shares), 3) if shares else None,
    )  # fmt: skip


def lost_games(games: Iterable[AnalysedGame]) -> tuple[LostGame, ...]:
    """The lost games whose step is known, in their order."""
    return tuple(
        LostGame(game.game_id, game.game_type, game.report.lost_step, last_step(game.report))
        for game in games
        if game.report.outcome == "lost" and game.report.lost_step is not None
    )


def last_step(report: PatienceReport) -> int:
    """The last step of the game."""
    return report.spans[-1].last
