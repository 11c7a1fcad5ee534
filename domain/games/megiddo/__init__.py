"""Megiddo, the board game by Steve Baldwin (1985), and Megi 9, reconstructed."""

from domain.capabilities import CardFaces, Counting, Layout, Presets, Reconstructed
from domain.game_type import GameType, show_everything
from domain.games.megiddo import rules, view
from domain.games.megiddo.evaluation import EVALUATOR, GREEDY
from domain.games.megiddo.events import COMMANDS, EVENTS, Command, Event
from domain.games.megiddo.state import NAMED, Facts, Options, State
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
    deal=rules.deal,
    initial=rules.initial,
    decide=rules.decide,
    evolve=rules.evolve,
    legal_commands=rules.legal_commands,
    look=view.look,
    redact=show_everything,
    tell=view.tell,
    result=rules.result,
    material=view.MATERIAL,
    capabilities=(
        Reconstructed(),
        Presets(NAMED),
        CardFaces(view.FACES),
        Counting(moves=4),
        Layout(view.boards),
        view.CHIPS,
        GREEDY,
        EVALUATOR,
    ),
)
