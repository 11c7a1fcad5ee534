"""Annotations of a record, checked by the rules: what an analysis says of positions, as far as others can know it.

Whoever says that a position can be won gives a line, and the rules play it. That one cannot be won rests on a search,
which only another search can check; here it is a fault if the game itself, or a line, shows that it can.
"""

from collections.abc import Iterator
from typing import Any

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play.aggregate import Game, fold
from domain.play.form import Fault, records_by_step
from domain.play.open_record import Annotation, OpenRecord


def annotation_faults(record: OpenRecord) -> Iterator[Fault]:
    """The faults of a record's annotations, by step; of a record that has no fault else."""
    said = {one.annotates: one for one in record.annotations}
    if [*said] != sorted(said) or len(said) != len(record.annotations):
        yield Fault(0, "The annotations are not in the order of their steps, one for each.")
        return
    parents, winnable, lost = dict[int, int](), list[int](), dict[int, int]()
    game: Game | None = None
    for step in records_by_step(record.records):
        before, game = game, fold(step, game)
        if before is not None and game.live_step == game.step:
            parents[game.step] = before.live_step
        one = said.pop(game.step, None)
        if one is not None and (what := _fault(game, one)) is not None:
            yield Fault(game.step, what)
        elif one is not None and one.verdict == "impossible":
            lost[one.annotates] = game.live_step
        elif one is not None:
            winnable.append(game.live_step)
        if game.result is not None and game.result.ending == "won":
            winnable.append(game.live_step)
    yield from (Fault(number, f"There is no step {number} to be annotated.") for number in said)
    shown = _with_those_before(winnable, parents)
    for number, position in lost.items():
        if position in shown:
            yield Fault(number, "It is annotated as impossible to win, and what came later shows the opposite.")


def _fault(game: Game, one: Annotation) -> str | None:
    if game.state is None or len(game.players) != 1:
        return "What is annotated is no position of a dealt game for one."
    if one.verdict == "impossible":
        return "A position that cannot be won has no line." if one.line else None
    return None if _wins(game.type, game.state, one.line) else "The line that is annotated does not win."


def _wins(kind: AnyGameType, state: Any, line: tuple[Any, ...]) -> bool:
    """Whether the rules take each of these commands, and the game is won after the last."""
    try:
        for command in line:
            if type(command) not in kind.commands or kind.result(state) is not None:
                return False
            for event in kind.decide(state, 0, command):
                state = kind.evolve(state, event)
    except Illegal:
        return False
    result = kind.result(state)
    return result is not None and result.ending == "won"


def _with_those_before(found: list[int], parents: dict[int, int]) -> set[int]:
    """These positions and all that led to them: what can be won after a move could be won before it."""
    shown = set[int]()
    for one in found:
        at: int | None = one
        while at is not None and at not in shown:
            shown.add(at)
            at = parents.get(at)
    return shown
