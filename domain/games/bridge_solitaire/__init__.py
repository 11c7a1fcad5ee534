"""Bridge Solitaire: contract bridge for one player against the stock, by Stephen Rogers."""

from dataclasses import replace
from typing import Any

from domain.capabilities import (
    DailyOptions,
    ForPoints,
    Layout,
    Notations,
    OptionRules,
    Resample,
    Resignation,
    Score,
    Spelling,
)
from domain.game_type import GameType
from domain.games.bridge_solitaire import pbn, rules, view
from domain.games.bridge_solitaire.events import COMMANDS, EVENTS, Command, Event
from domain.games.bridge_solitaire.state import BoardOptions, BoardState, Facts, Options, State
from domain.kit.solo import read_rules

BRIDGE_SOLITAIRE_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="bridge_solitaire", name="Bridge Solitaire", revision=1, seats=range(1, 2), rules=read_rules(__file__),
    options=Options, state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rules.deal,
    initial=rules.initial, decide=rules.decide, evolve=rules.evolve, legal_commands=rules.legal_commands,
    look=view.look, tell=view.tell, redact=view.redact, result=rules.result, material=view.MATERIAL_1,
    capabilities=(
        Spelling(rules.canonical), Resignation(rules.resign), Score(rules.score), ForPoints(),
        Notations((pbn.PBN_1,)), Resample(view.resample), Layout(view.boards), view.CHIPS,
    ),
)  # fmt: skip

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = BRIDGE_SOLITAIRE_1

BRIDGE_SOLITAIRE: GameType[BoardOptions, BoardState, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=BoardOptions, state=BoardState, initial=rules.board_initial, material=view.MATERIAL
).with_capabilities(OptionRules(rules.settle), DailyOptions(rules.on_day), Notations((pbn.PBN,)))
"""Revision 2 knows boards of duplicate bridge."""
