"""Decs Building, a game of Jake Staines (2021) for two to four: deck building, worker placement and a drawn grid."""

from domain.capabilities import Counting, Reconstructed, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.decs_building.commands import COMMANDS, Command
from domain.games.decs_building.deal import deal
from domain.games.decs_building.decide import decide, resign
from domain.games.decs_building.events import EVENTS, Event
from domain.games.decs_building.evolve import evolve
from domain.games.decs_building.legal import canonical, legal_commands
from domain.games.decs_building.look import Facts, look
from domain.games.decs_building.material import MATERIAL
from domain.games.decs_building.options import Options
from domain.games.decs_building.rules import RULES
from domain.games.decs_building.secrecy import redact, resample
from domain.games.decs_building.state import State, initial, result
from domain.games.decs_building.tell import tell

DECS_BUILDING: GameType[Options, State, Command, Event, Facts] = GameType(
    key="decs_building",
    name="Decs Building",
    revision=1,
    seats=range(2, 5),
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
    tell=tell,
    result=result,
    redact=redact,
    material=MATERIAL,
    capabilities=(Spelling(canonical), Resignation(resign), Reconstructed(), Counting(moves=6), Resample(resample)),
)
