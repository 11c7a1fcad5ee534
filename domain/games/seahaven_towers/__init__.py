"""Seahaven Towers: ten open columns built in suit, four towers (rules after Denexa Games)."""

from domain.capabilities import Notations, Score, Spelling, Undoing
from domain.game_type import GameType, show_everything
from domain.games.seahaven_towers.deal import deal, initial
from domain.games.seahaven_towers.ending import result, score
from domain.games.seahaven_towers.events import COMMANDS, EVENTS, Command, Event
from domain.games.seahaven_towers.evolve import evolve
from domain.games.seahaven_towers.legal import legal_commands
from domain.games.seahaven_towers.material import MATERIAL
from domain.games.seahaven_towers.move_list import STANDARD
from domain.games.seahaven_towers.moves import decide
from domain.games.seahaven_towers.notation import canonical
from domain.games.seahaven_towers.picture import look
from domain.games.seahaven_towers.state import Facts, Options, State
from domain.games.seahaven_towers.text import RULES, tell

SEAHAVEN_TOWERS: GameType[Options, State, Command, Event, Facts] = GameType(
    key="seahaven_towers",
    name="Seahaven Towers",
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
    redact=show_everything,
    tell=tell,
    result=result,
    material=MATERIAL,
    capabilities=(Spelling(canonical), Undoing(lambda options: options.undo), Score(score), Notations((STANDARD,))),
)
