"""The laws themselves: each planted fault is noticed by its law, and a broken undo of any game too."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games import AnyGameType
from domain.play import aggregate
from domain.play import events as ev

from . import secrecy, undoing
from .broken import LawBroken
from .faults import FAULTS
from .registry import registered
from .test_laws import LAWS
from .toy import TOY
from .toy.values import Options
from .walks import Plan, Style, Walk, walk

CHECKS: dict[str, Callable[[Any, Walk], None]] = {
    **LAWS,
    "secrecy": lambda game_type, path: secrecy.check(game_type, path.plan, secrecy.Tally()),
    "resampled": lambda game_type, path: secrecy.resampled(game_type, path, secrecy.Tally()),
}
STYLES = get_args(Style)
PLANS = [
    *(Plan(Options(), 2, number, number, 40, STYLES[number % 3], False) for number in range(6)),
    *(Plan(Options(undo=True), 1, number, number, 40, STYLES[number % 3], False) for number in range(3)),
]


def keep(game_type: AnyGameType, law: str) -> None:
    """Every plan, or LawBroken."""
    for plan in PLANS:
        with registered(game_type):
            CHECKS[law](game_type, walk(game_type, plan))


@pytest.mark.parametrize("law", CHECKS)
def test_the_toy_without_a_fault_keeps_every_law(law: str) -> None:
    keep(TOY, law)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed_by_its_law(fault: str) -> None:
    law, faulty = FAULTS[fault]
    with pytest.raises(LawBroken) as noticed:
        keep(faulty(), law)
    assert noticed.value.law == law


UNDO = aggregate._undo
WRONG_UNDOS: dict[str, Callable[[aggregate.Game, ev.Undone], aggregate.Game]] = {
    "restores nothing": lambda game, event: replace(game, live_step=event.live_step),
    "names no live step": lambda game, event: replace(UNDO(game, event), live_step=game.step),
    "goes back once only": lambda game, event: replace(UNDO(game, event), past=game.past),
}


@pytest.mark.parametrize("wrong", WRONG_UNDOS)
def test_a_wrong_undo_is_noticed(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregate, "_undo", WRONG_UNDOS[wrong])
    with registered(TOY), pytest.raises(LawBroken):
        undone_to_the_deal()


def undone_to_the_deal() -> None:
    for plan in PLANS[-3:]:
        undoing.check(TOY, walk(TOY, plan._replace(steps=6)))
