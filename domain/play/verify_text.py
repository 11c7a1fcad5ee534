"""Verifying an open record: its records by `verify`, its annotations, and every line against its canonical form.

An annotation that a position can be won gives a line, and the rules play it. An annotation that it cannot be won rests
on a search, which only another search can check; here it is a fault if the game itself, or a line, shows that it can.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game, fold
from domain.play.open_record import Annotation, OpenRecord, read_record, record_lines
from domain.play.verify import Fault, form_faults, is_shuffled, records_by_step, verify

_KEY_NAME = re.compile("[0-9a-f]{16}")
_SIGNATURE_BYTES = 64
_ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


class Verified(NamedTuple):
    """What was read, and every fault of it. `fair`: the deal is the one that was committed to before anybody saw it."""

    record: OpenRecord
    faults: tuple[Fault, ...]
    fair: bool


def verify_text(text: bytes) -> Verified:
    """Every fault of one open record, by step; raises Unreadable.

    A line that differs from its canonical form is a fault too, so that no character of the text can change unnoticed.
    Of the signature only the form is checked here: the rest needs the service's keys.
    """
    record = read_record(text)
    if any(form_faults(record.records)):
        return verify_record(record)
    return verify_record(record, tuple(_wording_faults(text, record)))


def verify_record(record: OpenRecord, worded: tuple[Fault, ...] = ()) -> Verified:
    """Every fault of this record, by step, with those of the text that it was read from."""
    faults = tuple(sorted((*verify(record.records), *worded, *_signature_faults(record))))
    faults = faults or tuple(sorted(annotation_faults(record)))
    dealt = any(type(entry.event) not in ev.GAME_EVENTS for entry in record.records)
    return Verified(record, faults, not faults and dealt and is_shuffled(fold(record.records[:2])))


def _signature_faults(record: OpenRecord) -> Iterator[Fault]:
    """The faults of signatures that no key can have made: they are not of Ed25519 (RFC 8032, 5.1.7)."""
    step = record.records[-1].step
    for signature in (record.signature, None if record.seal is None else record.seal.seal):
        if signature is None:
            continue
        key, value = signature.key, signature.value
        if not _KEY_NAME.fullmatch(key):
            yield Fault(step, f"The signature names {key[:20]!r}, and a key's name has 16 hex digits.")
        if len(value) != _SIGNATURE_BYTES:
            yield Fault(step, f"The signature has {len(value)} bytes, and one of Ed25519 has {_SIGNATURE_BYTES}.")
        elif int.from_bytes(value[32:], "little") >= _ED25519_ORDER:
            yield Fault(step, "The signature is not one of Ed25519: its second half is out of range.")


def _wording_faults(text: bytes, record: OpenRecord) -> Iterator[Fault]:
    """The first line that is not in canonical form."""
    try:
        again = list(record_lines(record))
    except Exception:  # noqa: BLE001  a record that cannot be folded has its faults already
        return
    last = record.records[-1].step
    for number, (line, made) in enumerate(zip_longest(text.splitlines(keepends=True), again), 1):
        if line != made:
            what = f"Line {number} is not written as records are."
            if made is not None and made.startswith(b'{"status":'):
                unlike = "does not tell the game as the steps make it, or is not written as it is made"
                what = f"Line {number}, the ending, {unlike}."
            yield Fault(min(max(number - 2, 0), last), what)
            return


def annotation_faults(record: OpenRecord) -> Iterator[Fault]:
    """The faults of a record's annotations, by step; of a record that has no fault else."""
    annotations = {annotation.annotates: annotation for annotation in record.annotations}
    if [*annotations] != sorted(annotations) or len(annotations) != len(record.annotations):
        yield Fault(0, "The annotations are not in the order of their steps, one for each.")
        return
    parents, winnable, lost = dict[int, int](), list[int](), dict[int, int]()
    game: Game | None = None
    for step in records_by_step(record.records):
        before, game = game, fold(step, game)
        if before is not None and game.live_step == game.step:
            parents[game.step] = before.live_step
        annotation = annotations.pop(game.step, None)
        if annotation is not None and (what := _fault(game, annotation)) is not None:
            yield Fault(game.step, what)
        elif annotation is not None and annotation.verdict == "impossible":
            lost[annotation.annotates] = game.live_step
        elif annotation is not None:
            winnable.append(game.live_step)
        if game.result is not None and game.result.ending == "won":
            winnable.append(game.live_step)
    yield from (Fault(number, f"There is no step {number} to be annotated.") for number in annotations)
    all_winnable = _with_those_before(winnable, parents)
    for number, position in lost.items():
        if position in all_winnable:
            yield Fault(number, "It is annotated as impossible to win, and what came later shows the opposite.")


def _fault(game: Game, annotation: Annotation) -> str | None:
    if game.state is None or len(game.players) != 1:
        return "What is annotated is no position of a dealt game for one."
    if annotation.verdict == "impossible":
        return "A position that cannot be won has no line." if annotation.line else None
    return None if _wins(game.type, game.state, annotation.line) else "The line that is annotated does not win."


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


def _with_those_before(positions: list[int], parents: dict[int, int]) -> set[int]:
    """These positions and all that led to them: what can be won after a move could be won before it."""
    winnable = set[int]()
    for position in positions:
        at: int | None = position
        while at is not None and at not in winnable:
            winnable.add(at)
            at = parents.get(at)
    return winnable
