"""One frame as sentences that can be read aloud: what happened, then the table zone by zone."""

from collections.abc import Callable
from itertools import groupby

from domain.kit.cards import name
from domain.play.frames import Frame
from domain.play.sentences import source_sentence
from domain.view import FACE_DOWN, Card, View, Zone
from service.pictures.text import CARD, NO_FACES, Faces
from service.pictures.words import ending, fact_sentences, players

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SPREAD = ("column", "row", "fan", "score")
Naming = Callable[[Card], str]


def speak_frame(frame: Frame, faces: Faces = NO_FACES) -> str:
    """One sentence a line; ends with a line feed. `faces` are what cards stand for that are no playing cards."""
    again = "" if frame.live_step == frame.step else f" The table of step {frame.live_step} stands again."
    source = [] if frame.source is None or frame.step == 0 else [source_sentence(frame.source)]
    lines = [f"Step {frame.step}.{again}", *source, *frame.sentences]
    lines += [] if frame.view is None else _view(frame.view, naming(faces))
    lines += [] if frame.result is None else [f"The game is over, {ending(frame.result)}."]
    return "\n".join(lines) + "\n"


def naming(faces: Faces) -> Naming:
    """How cards are called in a game whose cards stand for these faces."""
    return lambda card: faces[card].name if card in faces else name(card)


def _view(view: View[object], call: Naming) -> list[str]:
    turn = [f"To act: {players(view.to_act)}."] if view.to_act else []
    stuck = ["The game is stuck."] if view.stuck else []
    facts = [CARD.sub(lambda card: call(card[0]), fact) for fact in fact_sentences(view.facts)]
    return [*(speak_zone(zone, call) for zone in view.zones), *turn, *stuck, *facts]


def speak_zone(zone: Zone, call: Naming) -> str:
    """`Waste: queen of hearts, on top of five cards.`"""
    return f"{zone.label}: {_cards(zone, call) if zone.layout in _SPREAD else _pile(zone, call)}."


def _pile(zone: Zone, call: Naming) -> str:
    """Of a pile the top alone matters."""
    under = len(zone.cards) + zone.face_down - 1
    if not zone.cards or under == 0:
        return _cards(zone, call)
    return f"{_run((zone.cards[-1],), call)}, on top of {_count(under)}"


def _cards(zone: Zone, call: Naming) -> str:
    """Bottom to top; cards face down are counted."""
    cards = (FACE_DOWN,) * zone.face_down + zone.cards
    runs = [_run(tuple(run), call) for _, run in groupby(cards, key=lambda card: card == FACE_DOWN)]
    return ", then ".join(runs) or "empty"


def _run(cards: tuple[Card, ...], call: Naming) -> str:
    """Cards all face down or all face up."""
    return f"{_count(len(cards))} face down" if cards[0] == FACE_DOWN else ", ".join(map(call, cards))


def _count(number: int) -> str:
    said = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{said} card" if number == 1 else f"{said} cards"
