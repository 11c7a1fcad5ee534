"""Deck the Yard positions drawn as text, and what the tests say about them.

One line per place, cards by name: `hand RED PLUG`, `lineup RED GREEN BUBBLE` (a bubble bulb lies at the far right),
`patterns P01 P07` (these two if there is no line), `claims P02 SANTA`, and `stock BROKEN RED`, the next card first. The
patterns to come are all that are not drawn.
"""

from collections.abc import Iterable

from domain.chance import Chance
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import state as yard
from domain.games.deck_the_yard.events import Discard, PlayBubble, PlayColour
from domain.games.deck_the_yard.state import Options, State
from domain.view import Card
from tests.games.rules import Rules

RULES = Rules(DECK_THE_YARD)
after, events, legal, rule_against = RULES.after, RULES.events, RULES.legal, RULES.answer
zones, sentences = RULES.zones, RULES.sentences
PLAIN = Options()
SECRET = Chance(bytes(32), 2)

WRITTEN: dict[str, Card] = {
    **{colour.upper(): card for card, colour in yard.COLOUR.items()},
    **{number: card for card, number in yard.NUMBER.items()},
    **dict(zip(("SANTA", "MRS_CLAUS", "FROSTY", "RUDOLPH", "ELF_1", "ELF_2"), yard.CHARACTER, strict=True)),
    "BUBBLE": yard.BUBBLE,
    "PLUG": yard.PLUG,
    "BROKEN": yard.BROKEN,
    "EVENT": yard.EVENT,
}
NAMES = {card: name for name, card in WRITTEN.items()}


def cards(text: str) -> yard.Cards:
    """`RED PLUG`: these cards as they are written in commands and states."""
    return tuple(WRITTEN[word] for word in text.split())


def names(pile: Iterable[Card]) -> str:
    return " ".join(NAMES[card] for card in pile)


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; places without a line are empty."""
    lines = {name: cards(drawn) for name, _, drawn in (line.strip().partition(" ") for line in text.splitlines())}
    face_up, claims = lines.get("patterns", cards("P01 P07")), lines.get("claims", ())
    played = lines.get("lineup", ())
    return State(
        options,
        stock=lines.get("stock", ())[::-1],
        hand=lines.get("hand", ()),
        bulbs=tuple(card for card in played if card != yard.BUBBLE),
        bubble=yard.BUBBLE if yard.BUBBLE in played else None,
        face_up=(*face_up, None, None)[:2],
        pattern_stock=tuple(card for card in yard.PATTERNS if card not in face_up + claims),
        claims=claims,
        chance=SECRET,
    )


def play(colour: str) -> PlayColour | PlayBubble:
    return PlayBubble() if colour == "BUBBLE" else PlayColour(WRITTEN[colour])


def discard(name: str) -> Discard:
    return Discard(WRITTEN[name])


def dealt(given: Iterable[Card] | None = None, options: Options = PLAIN, seed: bytes = bytes(32)) -> State:
    """The table after the deal."""
    return RULES.deal(options, None if given is None else tuple(given), seed)
