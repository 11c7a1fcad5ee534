"""Canfield: a reserve, four columns, foundations that begin anywhere (rules after Denexa Games)."""

from domain.game_type import GameType
from domain.games.canfield.deal import deal, initial
from domain.games.canfield.ending import result, score
from domain.games.canfield.events import COMMANDS, EVENTS, Command, Event
from domain.games.canfield.evolve import evolve
from domain.games.canfield.legal import legal_commands
from domain.games.canfield.moves import decide
from domain.games.canfield.picture import look, redact
from domain.games.canfield.state import Facts, Options, State
from domain.games.canfield.text import RULES, tell

CANFIELD: GameType[Options, State, Command, Event, Facts] = GameType(
    key="canfield",
    name="Canfield",
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
    score=score,
    taps={"canfield/draw": "stock", "canfield/recycle": "stock"},
    undoable=lambda options: options.undo,
)
