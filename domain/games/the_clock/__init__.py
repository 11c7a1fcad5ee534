"""The Clock: thirteen piles of four and no choice at all (rules after Denexa Games)."""

from domain.capabilities import Chip, Chips, Layout, PureLuck, Taps
from domain.game_type import GameType
from domain.games.the_clock.events import COMMANDS, EVENTS, Command, Event
from domain.games.the_clock.rules import deal, decide, evolve, initial, legal_commands, result
from domain.games.the_clock.state import Facts, Options, State
from domain.games.the_clock.view import MATERIAL, boards, look, redact
from domain.games.the_clock.words import RULES, tell

THE_CLOCK: GameType[Options, State, Command, Event, Facts] = GameType(
    key="the_clock",
    name="The Clock",
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
        PureLuck(),
        Taps({"the_clock/step": "active"}),
        Layout(boards),
        Chips(
            (
                Chip(fact="kings", label="Kings"),
                Chip(fact="revealed", label="Cards face up"),
                Chip(fact="next_pile", label="Next", shown="words"),
            )
        ),
    ),
)
