"""Spider: two packs, ten columns, eight runs in suit to be removed (rules after Denexa Games)."""

from domain.capabilities import Chip, Chips, Layout, Score, Taps, Undoing
from domain.game_type import GameType
from domain.games.spider.events import COMMANDS, EVENTS, Command, Event
from domain.games.spider.rules import deal, decide, evolve, initial, legal_commands, result, score
from domain.games.spider.state import Facts, Options, State
from domain.games.spider.view import MATERIAL, boards, look, redact
from domain.games.spider.words import RULES, tell

SPIDER: GameType[Options, State, Command, Event, Facts] = GameType(
    key="spider",
    name="Spider",
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
        Score(score),
        Taps({"spider/deal": "stock"}),
        Layout(boards),
        Chips(
            (
                Chip(fact="deals_left", label="Deals left"),
                Chip(fact="runs_removed", label="Runs home"),
                Chip(fact="suits", label="Suits"),
            )
        ),
    ),
)
