"""Decs Building, a game of Jake Staines (2021) for two to four: deck building, worker placement and a drawn grid."""

from domain.capabilities import Counting, Layout, Reconstructed, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.decs_building import rounds, rules, view
from domain.games.decs_building.evaluation import GREEDY
from domain.games.decs_building.events import COMMANDS, EVENTS, Command, Event
from domain.games.decs_building.state import Facts, Options, State
from domain.kit.solo import read_rules

DECS_BUILDING: GameType[Options, State, Command, Event, Facts] = GameType(
    key="decs_building",
    name="Decs Building",
    revision=1,
    seats=range(2, 5),
    rules=read_rules(__file__),
    options=Options,
    state=State,
    commands=COMMANDS,
    events=EVENTS,
    facts=Facts,
    deal=rounds.deal,
    initial=rounds.initial,
    decide=rules.decide,
    evolve=rounds.evolve,
    legal_commands=rules.legal_commands,
    look=view.look,
    tell=view.tell,
    result=rules.result,
    redact=view.redact,
    material=view.MATERIAL,
    capabilities=(
        Spelling(rules.canonical),
        Resignation(rules.resign),
        Reconstructed(),
        Counting(moves=6),
        Resample(view.resample),
        Layout(view.boards),
        view.CHIPS,
        view.OFFERS,
        GREEDY,
    ),
)
