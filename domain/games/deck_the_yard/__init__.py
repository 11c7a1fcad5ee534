"""Deck the Yard: Don Riddle's solitaire with the cards of Christmas Lights (rules after gamerules.com)."""

from domain.capabilities import CardFaces, Chip, Chips, ForPoints, Layout, Reconstructed, Score
from domain.game_type import GameType
from domain.games.deck_the_yard import rules, view
from domain.games.deck_the_yard.events import COMMANDS, EVENTS, Command, Event
from domain.games.deck_the_yard.state import Facts, Options, State
from domain.kit.solo import read_rules

DECK_THE_YARD: GameType[Options, State, Command, Event, Facts] = GameType(
    key="deck_the_yard", name="Deck the Yard", revision=1, seats=range(1, 2), rules=read_rules(__file__),
    options=Options, state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rules.deal,
    initial=rules.initial, decide=rules.decide, evolve=rules.evolve, legal_commands=rules.legal_commands,
    look=view.look, redact=view.redact, tell=view.tell, result=rules.result, material=view.MATERIAL,
    capabilities=(
        Score(rules.score), Reconstructed(), ForPoints(), CardFaces(view.FACES), Layout(view.boards),
        Chips((
            Chip(fact="claimed", label="Claimed"), Chip(fact="next_colours", label="Next", shown="words"),
            *(Chip(fact=fact, shown="elsewhere") for fact in ("claims", "drawn", "hand", "lineup", "patterns")),
        ), {"use_plug": "Discard a plug for the card drawn?", "claim_pattern": "Choose the pattern to claim"}),
    ),
)  # fmt: skip
