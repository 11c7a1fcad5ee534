"""A hand of Portable Bridge Notation as a single hand of Bridge Solitaire, in the standard's import format.

PBN knows neither the house's stock nor the discards: the cards that the house played lie on top of the stock in their
order, all others are shuffled by the text itself.
"""

import re
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

from domain.capabilities import Noted
from domain.chance import shuffle
from domain.game_type import Illegal
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules import decide
from domain.games.bridge_solitaire.rules.play import NO_TRUMP_TURNS
from domain.games.bridge_solitaire.rules.table import board_initial, fold
from domain.games.bridge_solitaire.state import CARDS, KEPT, STRAINS, TRICKS, BoardOptions, State
from domain.kit.cards import PACK, SUITS, is_joker
from domain.kit.move_list import unreadable_line
from domain.view import Card

_SEATS = "NESW"
_TOKEN = re.compile(
    r'\{[^}]*\}|;[^\n]*|^%[^\n]*|\[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]|(?P<word>[^\s\[{;]+|[\[{])', re.M
)
_CONTRACT = re.compile(r"([1-7])([CDHS]|NT?)X{0,2}", re.I)
_VULNERABLE = {"none": 1, "love": 1, "-": 1, "ns": 2, "ew": 3, "all": 4, "both": 4}
_NO_CARD = ("-", "+", "*")


class _Tag(NamedTuple):
    """A tag's value, and the words of its section with the lines that they stand in."""

    line: int
    value: str
    words: list[tuple[int, str]]


class _Row(NamedTuple):
    """One trick: the player's card and the house's; None: the house had no answer."""

    line: int
    mine: Card
    house: Card | None


class _Said(NamedTuple):
    """A command and what the house says to it by the text: its contract, its card, `-` for none."""

    line: int
    command: ev.Command
    answer: str


def read_hand(text: str) -> Noted:
    """The first hand of the text; raises Illegal with the line that cannot be read or played.

    With one hand given, as Kibitz writes it, the contract and the play are played again. Of a board with more hands
    that of South (else the first) is taken, and its player has still to call.
    """
    tags = _first_game(text)
    if "Deal" not in tags:
        raise Illegal("unreadable_notation", 'The text has no tag `Deal`, such as [Deal "S:AKQ4.A92.KT3.Q72 - - -"].')
    hands = _hands(tags["Deal"])
    seat = "S" if "S" in hands else next(iter(hands))
    mine, call = hands[seat], _call(tags, seat) if len(hands) == 1 else []
    rows = _rows(tags, seat) if call else []
    deal = _deal(mine, rows, text)
    rubber = tags["Scoring"].value.lower() == "rubber" if "Scoring" in tags else False
    board = _VULNERABLE.get(tags["Vulnerable"].value.lower(), 1) if "Vulnerable" in tags else 1
    options = BoardOptions(length="hand", board=0 if rubber else board)
    said = [_Said(tags["Deal"].line, ev.Select(mine[:KEPT]), ""), *call]
    said += [_Said(row.line, ev.Play(row.mine), row.house or "-") for row in rows]
    _check(fold(board_initial(options, 1), [ev.Dealt(1, deal)]), said)
    return Noted(options=options, deal=deal, commands=tuple(one.command for one in said))


def _first_game(text: str) -> dict[str, _Tag]:
    tags: dict[str, _Tag] = {}
    section: list[tuple[int, str]] = []
    line, at = 1, 0
    for found in _TOKEN.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        if word := found["word"]:
            if word in "[{":
                raise unreadable_line(line, f"`{word}` opens no tag and no remark that is closed")
            section.append((line, word))
        elif (name := found["tag"]) and name != "Note":
            if name in tags:
                break
            section = []
            tags[name] = _Tag(line, found["value"], section)
    return tags


def _hands(tag: _Tag) -> dict[str, tuple[Card, ...]]:
    """The hands that are given, by seat, each from its spades down."""
    first, _, listed = tag.value.upper().partition(":")
    hands = listed.split()
    if first not in _SEATS or len(hands) != len(_SEATS) or not first:
        raise unreadable_line(tag.line, "a deal is a seat, a colon and four hands, `-` for one that is not given")
    found: dict[str, tuple[Card, ...]] = {}
    for at, hand in enumerate(hands, _SEATS.index(first)):
        if hand != "-":
            suits = hand.replace("10", "T").split(".")
            cards = tuple(rank + suit for suit, ranks in zip_longest(SUITS, suits) for rank in ranks or () if suit)
            if len(suits) != len(SUITS) or len({*cards} & {*PACK}) != TRICKS or len(cards) != TRICKS:
                raise unreadable_line(tag.line, f"`{hand}` is no hand of thirteen cards, S.H.D.C")
            found[_SEATS[at % 4]] = cards
    dealt = [card for cards in found.values() for card in cards]
    if not found or len(set(dealt)) != len(dealt):
        raise unreadable_line(tag.line, "a card lies in two hands, or no hand is given")
    return found


def _call(tags: dict[str, _Tag], seat: str) -> list[_Said]:
    """The player's call by the tags; none where they have no contract."""
    tag = tags.get("Contract")
    if tag is None or (bid := _CONTRACT.fullmatch(tag.value)) is None:
        return []
    strain = next(one for one in STRAINS if one[0] == bid[2][0].upper())
    if "Declarer" in tags and tags["Declarer"].value.upper().lstrip("^") != seat:
        return [_Said(tag.line, ev.Pass(), f"{bid[1]}{strain}")]
    return [_Said(tag.line, ev.Bid(int(bid[1]), strain), "")]


def _rows(tags: dict[str, _Tag], seat: str) -> list[_Row]:
    """The tricks of the play, whose columns begin with the seat of the opening lead."""
    play = tags.get("Play")
    if play is None:
        return []
    leader = play.value.upper()
    if leader not in _SEATS or not leader:
        raise unreadable_line(play.line, 'the play begins with a seat, such as [Play "W"]')
    words = [(line, word.rstrip("!?").upper()) for line, word in play.words if word[0] not in "=$^!?"]
    at, rows = (_SEATS.index(seat) - _SEATS.index(leader)) % 4, list[_Row]()
    for first in range(0, len(words), 4):
        cards = [_card(line, word) for line, word in words[first : first + 4]]
        if len(cards) < 4 or cards[at] is None:
            break
        others = [card for place, card in enumerate(cards) if place != at and card]
        if len(others) > 1:
            raise unreadable_line(words[first][0], "the house has one card in a trick")
        rows.append(_Row(words[first][0], cards[at] or "", others[0] if others else None))
    return rows


def _card(line: int, word: str) -> Card | None:
    if word in _NO_CARD:
        return None
    card = word[1:].replace("10", "T") + word[0]
    if card not in PACK:
        raise unreadable_line(line, f"`{word}` is no card, such as S5")
    return card


def _deal(mine: tuple[Card, ...], rows: list[_Row], text: str) -> tuple[Card, ...]:
    """The 54 cards: seven hidden, six to keep and seven to discard, the stock."""
    played = {row.house for row in rows}
    left = [card for card in CARDS if card not in played and card not in mine]
    rest = list(shuffle(left, sha256(text.encode()).digest(), 0))
    stock: list[Card] = []
    for row in rows:
        if row.house:
            stock.append(row.house)
        else:
            skipped = [card for card in rest if card[1] != row.mine[1] and not is_joker(card)][:NO_TRUMP_TURNS]
            stock += skipped
            rest = [card for card in rest if card not in skipped]
    discards = [card for card in rest if not is_joker(card)][: TRICKS - KEPT]
    return (*mine[KEPT:], *mine[:KEPT], *discards, *stock, *(card for card in rest if card not in discards))


def _check(state: State, said: list[_Said]) -> None:
    """Raises Illegal where the rules refuse a command, or the house answers otherwise than the text says."""
    for line, command, answer in said:
        led = state.trick
        try:
            events = decide(state, 0, command)
        except Illegal as illegal:
            raise Illegal(illegal.rule, f"Line {line}: {illegal.message}") from illegal
        contracts = [f"{one.contract.level}{one.contract.strain}" for one in events if isinstance(one, ev.ContractMade)]
        turned = [one.card for one in events if isinstance(one, ev.CardTurned) and one.turn != "skipped"]
        house = (contracts or [*led, *turned] or ["-"])[0]
        if answer and house != answer:
            raise unreadable_line(line, f"by the rules the house says {house} and not {answer}")
        state = fold(state, events)
