"""Deck the Yard: Don Riddle's solitaire with the cards of Christmas Lights (rules after gamerules.com)."""

from domain.capabilities import CardFaces, ForPoints, Reconstructed, Score
from domain.game_type import GameType
from domain.games.deck_the_yard.commands import COMMANDS, Command
from domain.games.deck_the_yard.deal import deal, initial
from domain.games.deck_the_yard.decide import decide
from domain.games.deck_the_yard.ending import result, score
from domain.games.deck_the_yard.events import EVENTS, Event
from domain.games.deck_the_yard.evolve import evolve
from domain.games.deck_the_yard.faces import FACES
from domain.games.deck_the_yard.legal import legal_commands
from domain.games.deck_the_yard.material import MATERIAL
from domain.games.deck_the_yard.picture import look, redact
from domain.games.deck_the_yard.rules import RULES
from domain.games.deck_the_yard.state import Facts, Options, State
from domain.games.deck_the_yard.text import tell

DECK_THE_YARD: GameType[Options, State, Command, Event, Facts] = GameType(
    key="deck_the_yard",
    name="Deck the Yard",
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
    redact=redact,
    tell=tell,
    result=result,
    material=MATERIAL,
    capabilities=(Score(score), Reconstructed(), ForPoints(), CardFaces(FACES)),
)
