"""Spite & Malice, the card game for two of Naglma's Spite & Malice, with its tables SNM A, PZ, PZ_NWIS and A-SHORT."""

from domain.capabilities import Counting, OptionRules, Presets, Resample, Spelling
from domain.game_type import GameType
from domain.games.spite_and_malice.commands import COMMANDS, Command
from domain.games.spite_and_malice.deal import deal
from domain.games.spite_and_malice.decide import decide
from domain.games.spite_and_malice.events import EVENTS, Event
from domain.games.spite_and_malice.evolve import evolve
from domain.games.spite_and_malice.legal import canonical, legal_commands
from domain.games.spite_and_malice.look import Facts, look
from domain.games.spite_and_malice.material import MATERIAL
from domain.games.spite_and_malice.options import Options, settle
from domain.games.spite_and_malice.presets import NAMED
from domain.games.spite_and_malice.rules import RULES
from domain.games.spite_and_malice.secrecy import redact, resample
from domain.games.spite_and_malice.state import State, initial, result
from domain.games.spite_and_malice.tell import tell

SPITE_AND_MALICE: GameType[Options, State, Command, Event, Facts] = GameType(
    key="spite_and_malice",
    name="Spite & Malice",
    revision=1,
    seats=range(2, 3),
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
    capabilities=(OptionRules(settle), Spelling(canonical), Presets(NAMED), Counting(moves=6), Resample(resample)),
)
