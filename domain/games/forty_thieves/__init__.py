"""Forty Thieves: two packs, ten columns of four, eight foundations, one card at a time (as it is commonly played)."""

from domain.capabilities import Chips, Layout, Score, Spelling, Taps, Undoing
from domain.game_type import GameType
from domain.games.forty_thieves.events import COMMANDS, EVENTS, Command, Event
from domain.games.forty_thieves.rules import canonical, deal, decide, evolve, initial, legal_commands, result, score
from domain.games.forty_thieves.state import Facts, Options, State
from domain.games.forty_thieves.view import MATERIAL, boards, look, redact
from domain.games.forty_thieves.words import RULES, tell
from domain.kit.talon import TALON_CHIPS

FORTY_THIEVES: GameType[Options, State, Command, Event, Facts] = GameType(
    key="forty_thieves",
    name="Forty Thieves",
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
        Spelling(canonical),
        Undoing(lambda options: options.undo),
        Score(score),
        Taps({"forty_thieves/draw": "stock", "forty_thieves/recycle": "stock"}),
        Layout(boards),
        Chips(TALON_CHIPS),
    ),
)
