"""Screaming Yoda, a game of the Shithead family for three to five, from a summer camp (originaltrilogy.com)."""

from dataclasses import replace
from typing import Any

from domain.capabilities import Counting, Layout, OptionRules, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.screaming_yoda import plays, rules, view
from domain.games.screaming_yoda.evaluation import EVALUATOR, GREEDY
from domain.games.screaming_yoda.events import COMMANDS, EVENTS, Command, Event
from domain.games.screaming_yoda.state import Facts, Options, Options2, State, State2
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
    deal=rules.deal,
    initial=rules.initial,
    decide=rules.decide,
    evolve=rules.evolve,
    legal_commands=rules.legal_commands,
    look=view.look,
    tell=view.tell,
    result=plays.result,
    redact=view.redact,
    material=view.MATERIAL,
    capabilities=(
        OptionRules(rules.settle, extra_seats=(2,)),
        Spelling(rules.canonical),
        Resignation(rules.resign),
        Counting(moves=6),
        Resample(view.resample),
        Layout(view.boards),
        view.CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = SCREAMING_YODA_1

SCREAMING_YODA: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=rules.initial_2
)
"""Revision 2: the last card of the hand is joined by one face-up card, as the source says; more by option."""
