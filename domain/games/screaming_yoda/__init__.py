"""Screaming Yoda, a game of the Shithead family for three to five, from a summer camp (originaltrilogy.com)."""

from dataclasses import replace
from typing import Any

from domain.capabilities import Counting, Layout, OptionRules, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.screaming_yoda.evaluation import EVALUATOR, GREEDY
from domain.games.screaming_yoda.events import COMMANDS, EVENTS, Command, Event
from domain.games.screaming_yoda.plays import result
from domain.games.screaming_yoda.rules import (
    canonical,
    deal,
    decide,
    evolve,
    initial,
    initial_2,
    legal_commands,
    resign,
    settle,
)
from domain.games.screaming_yoda.state import Facts, Options, Options2, State, State2
from domain.games.screaming_yoda.view import CHIPS, MATERIAL, boards, look, redact, resample, tell
from domain.kit.solo import read_rules

SCREAMING_YODA_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="screaming_yoda",
    name="Screaming Yoda",
    revision=1,
    seats=range(3, 6),
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
        OptionRules(settle, extra_seats=(2,)),
        Spelling(canonical),
        Resignation(resign),
        Counting(moves=6),
        Resample(resample),
        Layout(boards),
        CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = SCREAMING_YODA_1

SCREAMING_YODA: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=initial_2
)
"""Revision 2: the last card of the hand is joined by one face-up card, as the source says; more by option."""
