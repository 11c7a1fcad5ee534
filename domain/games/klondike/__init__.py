"""Klondike: seven columns, a stock, four foundations; the best-known patience (rules after Denexa Games)."""

from dataclasses import replace
from typing import Any

from domain.capabilities import Autoplay, Chips, Layout, OptionRules, Score, Taps, Undoing
from domain.game_type import GameType
from domain.games.klondike.events import COMMANDS, EVENTS, Command, Event
from domain.games.klondike.rules import deal, decide, evolve, initial, initial_2, legal_commands, result, settle
from domain.games.klondike.state import COLUMNS, Facts, Options, Options2, State, State2
from domain.games.klondike.view import MATERIAL, look, redact
from domain.games.klondike.words import RULES, tell
from domain.kit.boards import talon_boards
from domain.kit.patience import cards_home
from domain.kit.talon import TALON_CHIPS

KLONDIKE_1: GameType[Options, State, Command, Event, Facts] = GameType(
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
        Undoing(lambda options: options.undo),
        Score(cards_home),
        Taps({"klondike/draw": "stock", "klondike/recycle": "stock"}),
        Autoplay("alternate"),
        Layout(lambda options, seats: talon_boards(COLUMNS, options.draw)),
        Chips(TALON_CHIPS),
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = KLONDIKE_1

KLONDIKE: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=initial_2
)
"""Revision 2: up to a hundred passes; a last pass with the waste empty does not end the game."""
