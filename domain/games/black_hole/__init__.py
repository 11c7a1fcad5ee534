"""Black Hole: 17 piles of three around one foundation (a game by David Parlett; rules after Denexa Games)."""

from domain.capabilities import Chip, Chips, Layout, Score, Undoing
from domain.game_type import GameType, show_everything
from domain.games.black_hole.events import COMMANDS, EVENTS, Command, Event
from domain.games.black_hole.rules import deal, decide, evolve, initial, legal_commands, result, score
from domain.games.black_hole.state import Facts, Options, State
from domain.games.black_hole.view import MATERIAL, boards, look
from domain.games.black_hole.words import RULES, tell

BLACK_HOLE: GameType[Options, State, Command, Event, Facts] = GameType(
    key="black_hole",
    name="Black Hole",
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
        Undoing(lambda options: options.undo),
        Score(score),
        Layout(boards),
        Chips((Chip(fact="score", label="Cards home"),)),
    ),
)
