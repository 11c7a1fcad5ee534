"""A record with annotations: format 2, every annotation checked by the rules, nothing of the game changed by it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from domain.games import GAME_TYPES
from domain.games.golf import Draw
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.play.open_record import Annotation, OpenRecord, Unreadable, read_record, record_lines
from domain.play.verify_text import verify_text
from service.analysis.history import annotations, ask, history_of
from service.analysis.kinds import findings_of, search
from tests.analysis.planted import planted, records

game = partial(planted, "black_hole", "planted 3", 46)


def annotated(kept: Sequence[AnyRecord], said: Sequence[Annotation]) -> bytes:
    return b"".join(record_lines(OpenRecord(tuple(kept), None, tuple(said))))


@pytest.fixture(scope="module")
def kept() -> list[AnyRecord]:
    return records(game().key, game().seed, game().commands)


@pytest.fixture(scope="module")
def said(kept: list[AnyRecord]) -> tuple[Annotation, ...]:
    return annotations(findings_of([note for note, _ in search(kept, (), None)], GAME_TYPES[game().key]))


def faults(kept: Sequence[AnyRecord], said: Sequence[Annotation]) -> dict[int, str]:
    return {fault.step: fault.what for fault in verify_text(annotated(kept, said)).faults}


def test_an_annotated_record_is_read_again_and_without_fault(
    kept: list[AnyRecord], said: tuple[Annotation, ...]
) -> None:
    text = annotated(kept, said)
    verified = verify_text(text)
    assert verified.faults == ()
    assert verified.record == OpenRecord(tuple(kept), None, said)
    assert text.startswith(b'{"kibitz_record":2,')
    assert {one.annotates: one.verdict for one in said}[game().lost_step] == "impossible"
    assert {one.annotates: one.verdict for one in said}[game().lost_step - 1] == "won"
    assert annotated(kept, ()) == b"".join(record_lines(OpenRecord(tuple(kept), None)))


def test_every_line_that_wins_is_played_by_the_rules(kept: list[AnyRecord], said: tuple[Annotation, ...]) -> None:
    won = next(one for one in said if one.verdict == "won")

    def with_line(*line: Any) -> dict[int, str]:
        changed = Annotation(annotates=won.annotates, verdict="won", positions=1, line=line)
        return faults(kept, [changed if one is won else one for one in said])

    wrong = {won.annotates: "The line that is annotated does not win."}
    assert with_line(*won.line) == {}
    for line in ((), won.line[:-1], won.line[::-1], (*won.line, won.line[-1]), (ev.Undo(), *won.line), (Draw(),)):
        assert with_line(*line) == wrong


def test_what_cannot_be_won_is_contradicted_by_what_came_of_it(
    kept: list[AnyRecord], said: tuple[Annotation, ...]
) -> None:
    free = max({*range(game().lost_step)} - {one.annotates for one in said})
    lost = Annotation(annotates=free, verdict="impossible", positions=9, line=())
    told = faults(kept, sorted([*said, lost], key=lambda one: one.annotates))
    assert told == {lost.annotates: "It is annotated as impossible to win, and what came later shows the opposite."}
    lined = Annotation(annotates=game().lost_step, verdict="impossible", positions=9, line=game().commands[:1])
    assert faults(kept, [lined]) == {game().lost_step: "A position that cannot be won has no line."}


def test_a_branch_that_was_taken_back_may_be_lost_in_a_game_that_was_won() -> None:
    line, wrong = game().commands[: game().lost_step - 1], game().commands[game().lost_step - 1]
    history = history_of(records(game().key, game().seed, line))
    rest = ask(history, history.live[-1]).commands
    kept = records(game().key, game().seed, (*line, wrong, ev.Undo(), *rest), undo=True)
    lost = Annotation(annotates=game().lost_step, verdict="impossible", positions=9, line=())
    assert faults(kept, [lost]) == {}
    for step in (game().lost_step - 1, game().lost_step + 1):  # before the branch, and after it was taken back
        standing = Annotation(annotates=step, verdict="impossible", positions=9, line=())
        assert [*faults(kept, [standing])] == [step]


def test_no_position_of_a_game_that_was_won_is_impossible() -> None:
    history = history_of(records(game().key, game().seed, ()))
    kept = records(game().key, game().seed, ask(history, 0).commands)
    last = kept[-1].step
    assert history_of(kept).is_won(last)
    for steps in ([last], [0], [0, last]):
        lost = [Annotation(annotates=step, verdict="impossible", positions=9, line=()) for step in steps]
        assert [*faults(kept, lost)] == steps


def test_annotations_stand_in_order_once_and_at_steps_that_there_are(
    kept: list[AnyRecord], said: tuple[Annotation, ...]
) -> None:
    order = {0: "The annotations are not in the order of their steps, one for each."}
    assert faults(kept, said[::-1]) == faults(kept, [said[0], *said]) == order
    after = Annotation(annotates=9_999, verdict="impossible", positions=1, line=())
    assert faults(kept, [*said, after]) == {9_999: "There is no step 9999 to be annotated."}


def test_an_annotation_elsewhere_or_a_wrong_format_is_told(kept: list[AnyRecord], said: tuple[Annotation, ...]) -> None:
    lines = annotated(kept, said).splitlines(keepends=True)
    mark = next(number for number, line in enumerate(lines) if line.startswith(b'{"annotates":'))
    with pytest.raises(Unreadable, match=f"Line {mark + 1}: Here should be step"):
        read_record(b"".join([*lines[: mark - 1], lines[mark], lines[mark - 1], *lines[mark + 1 :]]))
    assert verify_text(b"".join(lines).replace(b'"kibitz_record":2', b'"kibitz_record":1')).faults
    assert verify_text(annotated(kept, ()).replace(b'"kibitz_record":1', b'"kibitz_record":2')).faults
    spaced = [*lines[:mark], lines[mark].replace(b'"positions":', b'"positions": '), *lines[mark + 1 :]]
    assert verify_text(b"".join(spaced)).faults
