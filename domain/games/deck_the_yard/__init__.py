"""Deck the Yard: Don Riddle's solitaire with the cards of Christmas Lights (rules after gamerules.com)."""

from domain.capabilities import CardFaces, Chip, Chips, ForPoints, Layout, Reconstructed, Score
from domain.game_type import GameType
from domain.games.deck_the_yard.events import COMMANDS, EVENTS, Command, Event
from domain.games.deck_the_yard.rules import deal, decide, evolve, initial, legal_commands, result, score
from domain.games.deck_the_yard.state import Facts, Options, State
from domain.games.deck_the_yard.view import FACES, MATERIAL, boards, look, redact, tell
from domain.kit.solo import read_rules

DECK_THE_YARD: GameType[Options, State, Command, Event, Facts] = GameType(
    key="deck_the_yard",
    name="Deck the Yard",
    revision=1,
    seats=range(1, 2),
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
    redact=redact,
    tell=tell,
    result=result,
    material=MATERIAL,
    capabilities=(
        Score(score),
        Reconstructed(),
        ForPoints(),
        CardFaces(FACES),
        Layout(boards),
        Chips(
            (
                Chip(fact="claimed", label="Claimed"),
                Chip(fact="next_colours", label="Next", shown="words"),
                *(Chip(fact=fact, shown="elsewhere") for fact in ("claims", "drawn", "hand", "lineup", "patterns")),
            )
        ),
    ),
)
