"""Pyramid: 28 cards taken away in pairs that make thirteen (rules after Denexa Games)."""

from dataclasses import replace
from typing import Any

from domain.capabilities import Chip, Chips, Layout, LowestScore, Score, Spelling, Taps, Undoing
from domain.game_type import GameType
from domain.games.pyramid.events import COMMANDS, EVENTS, Command, Event
from domain.games.pyramid.rules import (
    canonical,
    deal,
    decide,
    evolve,
    initial,
    initial_2,
    legal_commands,
    result,
    score,
)
from domain.games.pyramid.state import Facts, Options, Options2, State, State2
from domain.games.pyramid.view import MATERIAL, boards, look, redact
from domain.games.pyramid.words import RULES, tell
from domain.kit.talon import TALON_CHIPS

PYRAMID_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="pyramid",
    name="Pyramid",
    revision=1,
    seats=range(1, 2),
    rules=RULES,
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
    redact=redact,
    tell=tell,
    result=result,
    material=MATERIAL,
    capabilities=(
        Spelling(canonical),
        Undoing(lambda options: options.undo),
        Score(score),
        LowestScore(),
        Taps({"pyramid/draw": "stock", "pyramid/recycle": "stock"}),
        Layout(boards),
        Chips((Chip(fact="score", label="Score"), *TALON_CHIPS)),
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = PYRAMID_1

PYRAMID: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=initial_2
)
"""Revision 2: up to a hundred passes."""
