"""Screaming Yoda, a game of the Shithead family for three to five, from a summer camp (originaltrilogy.com)."""

from domain.capabilities import Counting, OptionRules, Resignation, Spelling
from domain.game_type import GameType
from domain.games.screaming_yoda.commands import COMMANDS, Command
from domain.games.screaming_yoda.deal import deal
from domain.games.screaming_yoda.decide import decide, resign
from domain.games.screaming_yoda.events import EVENTS, Event
from domain.games.screaming_yoda.evolve import evolve
from domain.games.screaming_yoda.legal import canonical, legal_commands
from domain.games.screaming_yoda.look import Facts, look
from domain.games.screaming_yoda.material import MATERIAL
from domain.games.screaming_yoda.options import Options, settle
from domain.games.screaming_yoda.rules import RULES
from domain.games.screaming_yoda.secrecy import redact
from domain.games.screaming_yoda.state import State, initial, result
from domain.games.screaming_yoda.tell import tell

SCREAMING_YODA: GameType[Options, State, Command, Event, Facts] = GameType(
    key="screaming_yoda",
    name="Screaming Yoda",
    revision=1,
    seats=range(3, 6),
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
    capabilities=(OptionRules(settle, extra_seats=(2,)), Spelling(canonical), Resignation(resign), Counting(moves=6)),
)
