"""Megiddo, the board game by Steve Baldwin (1985), and Megi 9, reconstructed."""

from domain.capabilities import CardFaces, Counting, Presets, Reconstructed
from domain.game_type import GameType, show_everything
from domain.games.megiddo.commands import COMMANDS, Command
from domain.games.megiddo.deal import deal
from domain.games.megiddo.decide import decide
from domain.games.megiddo.events import EVENTS, Event
from domain.games.megiddo.evolve import evolve
from domain.games.megiddo.faces import FACES
from domain.games.megiddo.legal import legal_commands
from domain.games.megiddo.look import Facts, look
from domain.games.megiddo.material import MATERIAL
from domain.games.megiddo.options import Options
from domain.games.megiddo.presets import NAMED
from domain.games.megiddo.rules import RULES
from domain.games.megiddo.state import State, initial, result
from domain.games.megiddo.tell import tell

MEGIDDO: GameType[Options, State, Command, Event, Facts] = GameType(
    key="megiddo",
    name="Megiddo",
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
    redact=show_everything,
    tell=tell,
    result=result,
    material=MATERIAL,
    capabilities=(Reconstructed(), Presets(NAMED), CardFaces(FACES), Counting(moves=4)),
)
