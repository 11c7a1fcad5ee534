"""Seahaven Towers: ten open columns built in suit, four towers (rules after Denexa Games)."""

from domain.capabilities import Autoplay, Chip, Chips, Layout, Notations, Score, Spelling, Undoing
from domain.game_type import GameType, show_everything
from domain.games.seahaven_towers.events import COMMANDS, EVENTS, Command, Event
from domain.games.seahaven_towers.notation import STANDARD
from domain.games.seahaven_towers.rules import canonical, deal, decide, evolve, initial, legal_commands, result
from domain.games.seahaven_towers.state import Facts, Options, State
from domain.games.seahaven_towers.view import MATERIAL, boards, look
from domain.games.seahaven_towers.words import RULES, tell
from domain.kit.patience import cards_home

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
    capabilities=(
        Spelling(canonical),
        Undoing(lambda options: options.undo),
        Score(cards_home),
        Notations((STANDARD,)),
        Autoplay("suit"),
        Layout(boards),
        Chips((Chip(fact="run_limit", label="Cards at once"), Chip(fact="run_limit_into_space", label="Into a space"))),
    ),
)
