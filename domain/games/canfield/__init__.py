"""Canfield: a reserve, four columns, foundations that begin anywhere (rules after Denexa Games)."""

from dataclasses import replace
from typing import Any

from domain.capabilities import Chip, Chips, Layout, Score, Taps, Undoing
from domain.game_type import GameType
from domain.games.canfield.events import COMMANDS, EVENTS, Command, Event
from domain.games.canfield.rules import deal, decide, evolve, initial, initial_2, legal_commands, result
from domain.games.canfield.state import Facts, Options, Options2, State, State2
from domain.games.canfield.view import MATERIAL, boards, look, redact
from domain.games.canfield.words import RULES, tell
from domain.kit.patience import cards_home
from domain.kit.talon import TALON_CHIPS

CANFIELD_1: GameType[Options, State, Command, Event, Facts] = GameType(
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
    material=MATERIAL,
    capabilities=(
        Undoing(lambda options: options.undo),
        Score(cards_home),
        Taps({"canfield/draw": "stock", "canfield/recycle": "stock"}),
        Layout(boards),
        Chips((Chip(fact="base", label="Foundations from", shown="words"), *TALON_CHIPS)),
    ),
)

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = CANFIELD_1

CANFIELD: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=initial_2
)
"""Revision 2: up to a hundred passes."""
