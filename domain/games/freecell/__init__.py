"""FreeCell: eight open columns, four free cells, nearly always to be won (rules after Denexa Games)."""

from domain.capabilities import Autoplay, Chip, Chips, Layout, Notations, NumberedDeals, Score, Spelling, Undoing
from domain.game_type import GameType, show_everything
from domain.games.freecell.events import COMMANDS, EVENTS, Command, Event
from domain.games.freecell.notation import STANDARD
from domain.games.freecell.rules import (
    canonical,
    deal,
    decide,
    evolve,
    initial,
    legal_commands,
    result,
    shuffle_by_number,
)
from domain.games.freecell.state import CELLS, TABLEAU, Facts, Options, State
from domain.games.freecell.view import MATERIAL, look
from domain.games.freecell.words import RULES, tell
from domain.kit.boards import cell_boards
from domain.kit.patience import cards_home

FREECELL: GameType[Options, State, Command, Event, Facts] = GameType(
    key="freecell",
    name="FreeCell",
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
        NumberedDeals(shuffle_by_number),
        Score(cards_home),
        Notations((STANDARD,)),
        Autoplay("alternate"),
        Layout(lambda options, seats: cell_boards(CELLS, len(TABLEAU))),
        Chips((Chip(fact="run_limit", label="Cards at once"), Chip(fact="run_limit_into_space", label="Into a space"))),
    ),
)
