"""Spite & Malice, the card game for two of Naglma's Spite & Malice, with its tables SNM A, PZ, PZ_NWIS and A-SHORT."""

from domain.capabilities import Counting, Layout, OptionRules, Presets, Resample, Spelling
from domain.game_type import GameType
from domain.games.spite_and_malice import rules, view
from domain.games.spite_and_malice.evaluation import EVALUATOR, GREEDY
from domain.games.spite_and_malice.events import COMMANDS, EVENTS, Command, Event
from domain.games.spite_and_malice.state import NAMED, Facts, Options, State
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
    deal=rules.deal,
    initial=rules.initial,
    decide=rules.decide,
    evolve=rules.evolve,
    legal_commands=rules.legal_commands,
    look=view.look,
    tell=view.tell,
    result=rules.result,
    redact=view.redact,
    material=view.MATERIAL,
    capabilities=(
        OptionRules(rules.settle),
        Spelling(rules.canonical),
        Presets(NAMED),
        Counting(moves=6),
        Resample(view.resample),
        Layout(view.boards),
        view.CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)
