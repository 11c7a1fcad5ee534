"""Golf: seven columns played onto one discard pile, up or down in rank (rules after Denexa Games)."""

from domain.capabilities import Chip, Chips, Layout, LowestScore, OptionRules, Resignation, Score, Taps, Undoing
from domain.game_type import GameType
from domain.games.golf.events import COMMANDS, EVENTS, Command, Event
from domain.games.golf.rules import deal, decide, evolve, initial, legal_commands, resign, result, score, settle
from domain.games.golf.state import Facts, Options, State
from domain.games.golf.view import MATERIAL, boards, look, redact
from domain.games.golf.words import RULES, tell

GOLF: GameType[Options, State, Command, Event, Facts] = GameType(
    key="golf",
    name="Golf",
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
    capabilities=(
        OptionRules(settle),
        Resignation(resign),
        Undoing(lambda options: options.undo),
        Score(score),
        LowestScore(),
        Taps({"golf/draw": "stock"}),
        Layout(boards),
        Chips((Chip(fact="score", label="Score"),)),
    ),
)
