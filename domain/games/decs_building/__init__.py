"""Decs Building, a game of Jake Staines (2021) for two to four: deck building, worker placement and a drawn grid."""

from domain.capabilities import Counting, Layout, Reconstructed, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.decs_building.evaluation import GREEDY
from domain.games.decs_building.events import COMMANDS, EVENTS, Command, Event
from domain.games.decs_building.rounds import deal, evolve, initial
from domain.games.decs_building.rules import canonical, decide, legal_commands, resign, result
from domain.games.decs_building.state import Facts, Options, State
from domain.games.decs_building.view import CHIPS, MATERIAL, OFFERS, boards, look, redact, resample, tell
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
        Spelling(canonical),
        Resignation(resign),
        Reconstructed(),
        Counting(moves=6),
        Resample(resample),
        Layout(boards),
        CHIPS,
        OFFERS,
        GREEDY,
    ),
)
