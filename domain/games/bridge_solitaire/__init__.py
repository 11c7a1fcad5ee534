"""Bridge Solitaire: contract bridge for one player against the stock, by Stephen Rogers."""

from dataclasses import replace
from typing import Any

from domain.capabilities import DailyOptions, ForPoints, Notations, OptionRules, Resample, Resignation, Score, Spelling
from domain.game_type import GameType
from domain.games.bridge_solitaire.commands import Bid, CloseRubber, Command, NextHand, Pass, Play, Select
from domain.games.bridge_solitaire.decide import canonical, deal, decide, legal_commands, result
from domain.games.bridge_solitaire.events import (
    BidMade,
    CardPlayed,
    CardTurned,
    ContractMade,
    Dealt,
    Event,
    HandScored,
    HandShown,
    HandsVoided,
    HouseCalled,
    HouseLed,
    Passed,
    RemainingWon,
    RubberClosed,
    RubberScored,
    Selected,
    TrickWon,
)
from domain.games.bridge_solitaire.evolve import board_initial, evolve, initial
from domain.games.bridge_solitaire.hand_end import resign, score
from domain.games.bridge_solitaire.material import MATERIAL, MATERIAL_1
from domain.games.bridge_solitaire.options import BoardOptions, Options, on_day, settle
from domain.games.bridge_solitaire.pbn import PBN
from domain.games.bridge_solitaire.picture import Facts, look, redact, resample
from domain.games.bridge_solitaire.rules import RULES
from domain.games.bridge_solitaire.state import BoardState, State
from domain.games.bridge_solitaire.text import tell

BRIDGE_SOLITAIRE_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="bridge_solitaire",
    name="Bridge Solitaire",
    revision=1,
    seats=range(1, 2),
    rules=RULES,
    options=Options,
    state=State,
    commands=(Select, Bid, Pass, Play, NextHand, CloseRubber),
    events=(
        Dealt, Selected, HandShown, HouseCalled, BidMade, Passed, ContractMade, HouseLed, CardPlayed, CardTurned,
        TrickWon, RemainingWon, HandScored, RubberScored, RubberClosed, HandsVoided,
    ),
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
        Spelling(canonical), Resignation(resign), Score(score), ForPoints(), Notations((PBN,)), Resample(resample),
    ),
)  # fmt: skip

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = BRIDGE_SOLITAIRE_1

BRIDGE_SOLITAIRE: GameType[BoardOptions, BoardState, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=BoardOptions, state=BoardState, initial=board_initial,
    material=MATERIAL, capabilities=(OptionRules(settle), DailyOptions(on_day), *BRIDGE_SOLITAIRE_1.capabilities),
)  # fmt: skip
"""Revision 2 knows boards of duplicate bridge."""
