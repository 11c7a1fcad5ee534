"""Megiddo, the board game by Steve Baldwin (1985), and Megi 9, reconstructed."""

from domain.capabilities import CardFaces, Counting, Layout, Presets, Reconstructed
from domain.game_type import GameType, show_everything
from domain.games.megiddo.evaluation import EVALUATOR, GREEDY
from domain.games.megiddo.events import COMMANDS, EVENTS, Command, Event
from domain.games.megiddo.rules import deal, decide, evolve, initial, legal_commands, result
from domain.games.megiddo.state import NAMED, Facts, Options, State
from domain.games.megiddo.view import CHIPS, FACES, MATERIAL, boards, look, tell
from domain.kit.solo import read_rules

MEGIDDO: GameType[Options, State, Command, Event, Facts] = GameType(
    key="megiddo",
    name="Megiddo",
    revision=1,
    seats=range(2, 3),
    rules=read_rules(__file__),
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
        Reconstructed(),
        Presets(NAMED),
        CardFaces(FACES),
        Counting(moves=4),
        Layout(boards),
        CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)
