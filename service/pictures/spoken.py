"""One frame as sentences that can be read aloud: what happened, then the table zone by zone."""

import re
from itertools import groupby

from domain.game.frames import Frame
from domain.game_type import FACE_DOWN, Card, View, Zone
from domain.kit.cards import name, names
from service.pictures.facts import fact_sentences
from service.pictures.heading import ending, seats

_CARD = re.compile(r"(?<!\w)[A2-9TJQK][SHDC](?!\w)")
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def spoken(frame: Frame) -> str:
    """One sentence a line; ends with a line feed."""
    again = "" if frame.live_step == frame.step else f" The table of step {frame.live_step} stands again."
    lines = [f"Step {frame.step}.{again}", *frame.sentences]
    lines += [] if frame.view is None else _view(frame.view)
    lines += [] if frame.result is None else [f"The game is over, {ending(frame.result)}."]
    return "\n".join(lines) + "\n"


def _view(view: View[object]) -> list[str]:
    turn = [f"To act: {seats(view.to_act)}."] if view.to_act else []
    stuck = ["The game is stuck."] if view.stuck else []
    facts = [_CARD.sub(lambda card: name(card[0]), fact) for fact in fact_sentences(view.facts)]
    return [*map(_zone, view.zones), *turn, *stuck, *facts]


def _zone(zone: Zone) -> str:
    return f"{zone.label}: {_pile(zone) if zone.layout == 'pile' else _cards(zone)}."


def _pile(zone: Zone) -> str:
    """Of a pile the top alone matters: `queen of hearts, on top of five cards`."""
    under = len(zone.cards) + zone.face_down - 1
    if not zone.cards or under == 0:
        return _cards(zone)
    return f"{_run((zone.cards[-1],))}, on top of {_count(under)}"


def _cards(zone: Zone) -> str:
    """Bottom to top; cards face down are counted."""
    cards = (FACE_DOWN,) * zone.face_down + zone.cards
    runs = [_run(tuple(run)) for _, run in groupby(cards, key=lambda card: card == FACE_DOWN)]
    return ", then ".join(runs) or "empty"


def _run(cards: tuple[Card, ...]) -> str:
    """Cards all face down or all face up."""
    if cards[0] == FACE_DOWN:
        return f"{_count(len(cards))} face down"
    return name(cards[0]) if len(cards) == 1 else names(cards)


def _count(number: int) -> str:
    said = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{said} card" if number == 1 else f"{said} cards"
