"""Screaming Yoda: low cards and many at once, twos and tens kept, every shout and every call that is due."""

from collections.abc import Callable

from service.bots.choosing import Command, Position

_RANKS = "23456789TJQKA"
_KEPT = {"2": 20.0, "T": 10.0}


def judge(position: Position) -> Callable[[Command], float]:
    """The worth of a command; a call without cause is worth less than nothing."""

    def worth(command: Command) -> float:
        return _WORTHS[command["type"].partition("/")[2]](position, command)

    return worth


def _play(position: Position, command: Command) -> float:
    cards, shouted = command["cards"], 200 if command.get("shout") else 0
    if _completes_four(position, cards):
        return 150 + shouted
    rank = cards[0][0]
    plain = 100 - 3 * _RANKS.index(rank) + 5 * len(cards)
    return _KEPT.get(rank, plain) - (4 * len(cards) if rank in _KEPT else 0) + shouted


def _completes_four(position: Position, cards: list[str]) -> bool:
    """Whether these cards clear the pile as the last of four."""
    return [card[0] for card in (*position.cards("pile"), *cards)].count(cards[0][0]) == 4


def _swap(position: Position, command: Command) -> float:
    """Strong cards lie face up for the end, weak ones are played from the hand."""
    taken = position.cards(command["target"])
    return _strength(command["card"]) - _strength(taken[-1]) - 0.5 if taken else -1


def _strength(card: str) -> int:
    return {"2": 14, "T": 15}.get(card[0], _RANKS.index(card[0]))


def _call(position: Position, command: Command) -> float:
    return 500 if command["seat"] in position.facts["exposed"] else -1


_WORTHS: dict[str, Callable[[Position, Command], float]] = {
    "play": _play,
    "flip": lambda position, command: 50 + (200 if command.get("shout") else 0),
    "pick_up": lambda position, command: 0,
    "shout": lambda position, command: 600,
    "call": _call,
    "swap": _swap,
    "ready": lambda position, command: 0,
}
