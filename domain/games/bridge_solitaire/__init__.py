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
from domain.games.bridge_solitaire.events import COMMANDS, EVENTS, Command, Event
from domain.games.bridge_solitaire.pbn import PBN, PBN_1
from domain.games.bridge_solitaire.rules import (
    board_initial,
    canonical,
    deal,
    decide,
    evolve,
    initial,
    legal_commands,
    on_day,
    resign,
    result,
    score,
    settle,
)
from domain.games.bridge_solitaire.state import BoardOptions, BoardState, Facts, Options, State
from domain.games.bridge_solitaire.view import CHIPS, MATERIAL, MATERIAL_1, boards, look, redact, resample, tell
from domain.kit.solo import read_rules

BRIDGE_SOLITAIRE_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="bridge_solitaire",
    name="Bridge Solitaire",
    revision=1,
    seats=range(1, 2),
    rules=read_rules(__file__),
    options=Options,
    state=State,
    commands=COMMANDS,
    events=EVENTS,
    facts=Facts,
    deal=deal,
    initial=initial,
    decide=decide,
    evolve=evolve,
    legal_commands=legal_commands,
    look=look,
    tell=tell,
    redact=redact,
    result=result,
    material=MATERIAL_1,
    capabilities=(
        Spelling(canonical),
        Resignation(resign),
        Score(score),
        ForPoints(),
        Notations((PBN_1,)),
        Resample(resample),
        Layout(boards),
        CHIPS,
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = BRIDGE_SOLITAIRE_1

BRIDGE_SOLITAIRE: GameType[BoardOptions, BoardState, Command, Event, Facts] = replace(
    _REVISION_1,
    revision=2,
    options=BoardOptions,
    state=BoardState,
    initial=board_initial,
    material=MATERIAL,
).with_capabilities(OptionRules(settle), DailyOptions(on_day), Notations((PBN,)))
"""Revision 2 knows boards of duplicate bridge."""
