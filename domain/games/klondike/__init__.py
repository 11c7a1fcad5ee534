"""Klondike: seven columns, a stock, four foundations; the best-known patience (rules after Denexa Games)."""

from domain.game_type import GameType
from domain.games.klondike.deal import deal, initial, settle
from domain.games.klondike.ending import result, score
from domain.games.klondike.events import COMMANDS, EVENTS, Command, Event
from domain.games.klondike.evolve import evolve
from domain.games.klondike.legal import legal_commands
from domain.games.klondike.moves import decide
from domain.games.klondike.picture import look, redact
from domain.games.klondike.state import Facts, Options, State
from domain.games.klondike.text import RULES, tell

KLONDIKE: GameType[Options, State, Command, Event, Facts] = GameType(
    key="klondike",
    name="Klondike",
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
    settle=settle,
    decide=decide,
    evolve=evolve,
    legal_commands=legal_commands,
    look=look,
    redact=redact,
    tell=tell,
    result=result,
    score=score,
    taps={"klondike/draw": "stock", "klondike/recycle": "stock"},
    undoable=lambda options: options.undo,
)
