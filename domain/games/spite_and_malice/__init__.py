"""Spite & Malice, the card game for two of Naglma's Spite & Malice, with its tables SNM A, PZ, PZ_NWIS and A-SHORT."""

from domain.capabilities import Counting, Layout, OptionRules, Presets, Resample, Spelling
from domain.game_type import GameType
from domain.games.spite_and_malice.evaluation import EVALUATOR, GREEDY
from domain.games.spite_and_malice.events import COMMANDS, EVENTS, Command, Event
from domain.games.spite_and_malice.rules import (
    canonical,
    deal,
    decide,
    evolve,
    initial,
    legal_commands,
    result,
    settle,
)
from domain.games.spite_and_malice.state import NAMED, Facts, Options, State
from domain.games.spite_and_malice.view import CHIPS, MATERIAL, boards, look, redact, resample, tell
from domain.kit.solo import read_rules

SPITE_AND_MALICE: GameType[Options, State, Command, Event, Facts] = GameType(
    key="spite_and_malice",
    name="Spite & Malice",
    revision=1,
    seats=range(2, 3),
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
    result=result,
    redact=redact,
    material=MATERIAL,
    capabilities=(
        OptionRules(settle),
        Spelling(canonical),
        Presets(NAMED),
        Counting(moves=6),
        Resample(resample),
        Layout(boards),
        CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)
