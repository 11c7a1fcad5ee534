"""Spite & Malice: the stock first and what leads to it, wilds kept, discards in falling runs."""

from collections.abc import Callable
from typing import NamedTuple

from service.bots.choosing import Command, Position

_RANKS = "A23456789TJQK"


def value(card: str) -> int:
    """Ace 1 to king 13, a joker 14."""
    return 14 if card[0] == "*" else _RANKS.index(card[0]) + 1


class _Table(NamedTuple):
    """The table in values: what each play deck takes next, the tops of both stocks, own hand and discard piles."""

    wild: int
    following: dict[str, int]
    ours: int
    theirs: int
    hand: list[int]
    piles: dict[str, list[int]]

    @property
    def wilds(self) -> int:
        return sum(card >= self.wild for card in self.hand)

    def after(self, deck: str) -> int:
        """What this deck takes once a card is played there: a finished deck starts again with an ace."""
        return self.following[deck] % (self.wild - 1) + 1

    def lacking(self, deck: str) -> int:
        """How many values between this deck and the own stock's top are neither in hand nor on top of a pile."""
        at_hand = {*self.hand, *(pile[-1] for pile in self.piles.values() if pile)}
        return sum(wanted not in at_hand for wanted in range(self.following[deck], self.ours))

    def leads(self, deck: str) -> bool:
        """Whether the own stock's top can be reached on this deck now, with wilds for what is lacking."""
        return self.following[deck] <= self.ours < self.wild and self.lacking(deck) <= self.wilds


def judge(position: Position) -> Callable[[Command], float]:
    """The worth of a command: the stock 1000, the way to it some 500, other plays up to 150, discards below 60."""
    table = _read_table(position)

    def worth(command: Command) -> float:
        if command["type"] == "spite_and_malice/play":
            return _play(table, command)
        return _discard(table, command) if command["type"] == "spite_and_malice/discard" else 0

    return worth


def _read_table(position: Position) -> _Table:
    facts, seat = position.facts, position.seat
    following = {zone["id"]: len(zone.get("cards", ())) + 1 for zone in position.zones("play_")}
    return _Table(
        wild=facts["finish"] + 1,
        following=following,
        ours=_top(position, seat),
        theirs=_top(position, 1 - seat),
        hand=[value(card) for card in position.cards(f"hand_{seat}")],
        piles={zone["id"]: [*map(value, zone.get("cards", ()))] for zone in position.zones(f"discard_{seat}_")},
    )


def _top(position: Position, seat: int) -> int:
    cards = position.cards(f"stock_{seat}")
    return value(cards[-1]) if cards else 0


def _play(table: _Table, command: Command) -> float:
    deck, source = command["target"], command["source"]
    gift = _gift(table, deck)
    if source.startswith("stock"):
        return 1000 - gift
    card = value(command["card"]) if source.startswith("hand") else table.piles[source][-1]
    on_the_way = table.leads(deck) and table.following[deck] < table.ours
    if card >= table.wild:
        return _wild(table, deck, on_the_way) - gift
    return _plain(table, deck, source, on_the_way) - gift


def _gift(table: _Table, deck: str) -> float:
    """What it costs to let the other seat play its stock there: little, for a card in hand is dearer."""
    opens = table.after(deck) == table.theirs
    return 20 if opens and not (table.leads(deck) and table.ours > table.following[deck]) else 0


def _plain(table: _Table, deck: str, source: str, on_the_way: bool) -> float:
    """The way to the stock; blocking the other's stock; else a hand card, whose place is filled again."""
    if on_the_way:
        return 500 - 20 * table.lacking(deck) - (0 if source.startswith("hand") else 1)
    blocks = 60 if table.following[deck] == table.theirs else 0
    return (80 if source.startswith("hand") else 65) + blocks


def _wild(table: _Table, deck: str, on_the_way: bool) -> float:
    """For a value that is lacking on the way to the stock, or as the last card of the hand; else it is kept."""
    if on_the_way and table.following[deck] not in table.hand:
        return 400 - 20 * table.lacking(deck)
    return 70 if len(table.hand) == 1 else -20


def _discard(table: _Table, command: Command) -> float:
    """High plain cards, on a pile whose top is one higher or the same; a card that the stock wants is kept."""
    card, pile = value(command["card"]), table.piles[command["target"]]
    if card >= table.wild:
        return -30
    double = 6 if table.hand.count(card) > 1 else 0
    near = 8 if 0 < table.ours - card <= 3 else 0
    return 10 + card / 2 + double - near + _pile_bonus(pile, card)


def _pile_bonus(pile: list[int], card: int) -> float:
    if not pile:
        return 12
    if pile[-1] in (card, card + 1):
        return 20 - (pile[-1] == card)
    return -5 if pile[-1] < card else 2
