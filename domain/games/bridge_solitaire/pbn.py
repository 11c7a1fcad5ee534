"""Hands of Bridge Solitaire in Portable Bridge Notation, version 2.1 (T. Veugen, K. G. Backas).

The player sits South; the house sits where Law 41 gives it, or South, the opening lead: West against the player's
contract, East in its own. North and the other seat have no cards and pass. PBN knows no jokers: a hand that held one
is left out, and where the house plays one the play ends before it. A remark says so, before the auction, for many
readers know none inside of auction and play. PBN knows neither the stock nor the discards: when a hand is read, the
cards that the house played lie on top of the stock in their order, and the text itself shuffles all others. A `-`
stands for the house's card where none answered. The play ends with `*` where tricks were awarded without cards. A
rubber tells no site, date or names.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import takewhile, zip_longest
from typing import NamedTuple

import msgspec

from domain.capabilities import Notation, Noted
from domain.chance import shuffle
from domain.game_type import Illegal
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire import state as bridge
from domain.games.bridge_solitaire.rules import NO_TRUMP_TURNS, board_initial, decide, fold
from domain.games.bridge_solitaire.scoring import declarers_tricks
from domain.kit.cards import PACK, SUITS, is_joker
from domain.kit.notations import unreadable_line
from domain.view import Card

_SEATS = "NESW"
_TOKEN = re.compile(
    r'\{[^}]*\}|;[^\n]*|^%[^\n]*|\[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]|(?P<word>[^\s\[{;]+|[\[{])', re.M
)
_CONTRACT = re.compile(r"([1-7])([CDHS]|NT?)X{0,2}", re.I)
_BOARDS = {"none": 1, "love": 1, "-": 1, "ns": 2, "ew": 3, "all": 4, "both": 4}
"""The board by its tag `Vulnerable`."""
_VULNERABLE: dict[tuple[bridge.Side, ...], str] = {(): "None", ("me",): "NS", ("it",): "EW", ("me", "it"): "All"}
_NO_CARD: Card = "-"


class _Tag(NamedTuple):
    """A tag's value, and the words of its section with their lines."""

    line: int
    value: str
    words: list[tuple[int, str]]


class _Trick(NamedTuple):
    """The player's card and the house's; None: the house had no answer."""

    line: int
    mine: Card
    house: Card | None


class _Step(NamedTuple):
    """A command and the house's answer by the text: its contract, its card, `-` for none."""

    line: int
    command: ev.Command
    answer: str


def read_hand(text: str) -> Noted:
    """The first hand of the text; raises Illegal with the line that cannot be read or played.

    If the text has one hand, as Kibitz writes it, the contract and the play are played again. Of a board with more
    hands, South's (else the first) is taken, and its player has still to call.
    """
    tags = _read_tags(text)
    if "Deal" not in tags:
        raise Illegal("unreadable_notation", 'The text has no tag `Deal`, such as [Deal "S:AKQ4.A92.KT3.Q72 - - -"].')
    hands = _read_deal(tags["Deal"])
    seat = "S" if "S" in hands else next(iter(hands))
    hand, steps = hands[seat], [_Step(tags["Deal"].line, ev.Select(hands[seat][: bridge.KEPT]), "")]
    calls = _read_call(tags, seat) if len(hands) == 1 else []
    tricks = _read_tricks(tags, seat) if calls else []
    steps += [*calls, *(_Step(trick.line, ev.Play(trick.mine), trick.house or _NO_CARD) for trick in tricks)]
    deal = _lay_out(hand, tricks, text)
    rubber = "Scoring" in tags and tags["Scoring"].value.lower() == "rubber"
    board = _BOARDS.get(tags["Vulnerable"].value.lower(), 1) if "Vulnerable" in tags else 1
    options = bridge.BoardOptions(length="hand", board=0 if rubber else board)
    _check_steps(fold(board_initial(options, 1), [ev.Dealt(1, deal)]), steps)
    return Noted(options=options, deal=deal, commands=tuple(step.command for step in steps))


def _read_tags(text: str) -> dict[str, _Tag]:
    tags: dict[str, _Tag] = {}
    section: list[tuple[int, str]] = []
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        line, at = line + text.count("\n", at, token.start()), token.start()
        if word := token["word"]:
            if word in "[{":
                raise unreadable_line(line, f"`{word}` opens no tag and no remark that is closed")
            section.append((line, word))
        elif (name := token["tag"]) and name != "Note":
            if name in tags:
                break
            section = []
            tags[name] = _Tag(line, token["value"], section)
    return tags


def _read_deal(tag: _Tag) -> dict[str, tuple[Card, ...]]:
    """The hands of the deal, by seat, each from its spades down."""
    first, _, listed = tag.value.upper().partition(":")
    texts = listed.split()
    if first not in _SEATS or len(texts) != len(_SEATS) or not first:
        raise unreadable_line(tag.line, "a deal is a seat, a colon and four hands, `-` for one that is not given")
    hands: dict[str, tuple[Card, ...]] = {}
    for at, hand in enumerate(texts, _SEATS.index(first)):
        if hand != "-":
            suits = hand.replace("10", "T").split(".")
            cards = tuple(rank + suit for suit, ranks in zip_longest(SUITS, suits) for rank in ranks or () if suit)
            if len(suits) != len(SUITS) or len({*cards} & {*PACK}) != bridge.TRICKS or len(cards) != bridge.TRICKS:
                raise unreadable_line(tag.line, f"`{hand}` is no hand of thirteen cards, S.H.D.C")
            hands[_SEATS[at % 4]] = cards
    dealt = [card for cards in hands.values() for card in cards]
    if not hands or len(set(dealt)) != len(dealt):
        raise unreadable_line(tag.line, "a card lies in two hands, or no hand is given")
    return hands


def _read_call(tags: dict[str, _Tag], seat: str) -> list[_Step]:
    """The player's call by the tags; none where they have no contract."""
    tag = tags.get("Contract")
    if tag is None or (bid := _CONTRACT.fullmatch(tag.value)) is None:
        return []
    strain = next(strain for strain in bridge.STRAINS if strain[0] == bid[2][0].upper())
    if "Declarer" in tags and tags["Declarer"].value.upper().lstrip("^") != seat:
        return [_Step(tag.line, ev.Pass(), f"{bid[1]}{strain}")]
    return [_Step(tag.line, ev.Bid(int(bid[1]), strain), "")]


def _read_tricks(tags: dict[str, _Tag], seat: str) -> list[_Trick]:
    """The tricks of the play, whose columns begin with the seat of the opening lead."""
    play = tags.get("Play")
    if play is None:
        return []
    leader = play.value.upper()
    if leader not in _SEATS or not leader:
        raise unreadable_line(play.line, 'the play begins with a seat, such as [Play "W"]')
    words = [(line, word.rstrip("!?").upper()) for line, word in play.words if word[0] not in "=$^!?"]
    at, tricks = (_SEATS.index(seat) - _SEATS.index(leader)) % 4, list[_Trick]()
    for first in range(0, len(words), 4):
        cards = [_read_card(line, word) for line, word in words[first : first + 4]]
        if len(cards) < 4 or cards[at] is None:
            break
        others = [card for place, card in enumerate(cards) if place != at and card]
        if len(others) > 1:
            raise unreadable_line(words[first][0], "the house has one card in a trick")
        tricks.append(_Trick(words[first][0], cards[at] or "", others[0] if others else None))
    return tricks


def _read_card(line: int, word: str) -> Card | None:
    if word in ("-", "+", "*"):
        return None
    card = word[1:].replace("10", "T") + word[0]
    if card not in PACK:
        raise unreadable_line(line, f"`{word}` is no card, such as S5")
    return card


def _lay_out(hand: tuple[Card, ...], tricks: list[_Trick], text: str) -> tuple[Card, ...]:
    """The 54 cards: seven hidden, six to keep and seven to discard, the stock."""
    played = {trick.house for trick in tricks}
    left = [card for card in bridge.CARDS if card not in played and card not in hand]
    rest = list(shuffle(left, sha256(text.encode()).digest(), 0))
    stock: list[Card] = []
    for trick in tricks:
        if trick.house:
            stock.append(trick.house)
        else:
            skipped = [card for card in rest if card[1] != trick.mine[1] and not is_joker(card)][:NO_TRUMP_TURNS]
            stock += skipped
            rest = [card for card in rest if card not in skipped]
    discards = [card for card in rest if not is_joker(card)][: bridge.TRICKS - bridge.KEPT]
    return (
        *hand[bridge.KEPT :],
        *hand[: bridge.KEPT],
        *discards,
        *stock,
        *(card for card in rest if card not in discards),
    )


def _check_steps(state: bridge.State, steps: list[_Step]) -> None:
    """Raises Illegal where the rules refuse a command, or the house answers otherwise than the text says."""
    for line, command, answer in steps:
        led = state.trick
        try:
            events = decide(state, 0, command)
        except Illegal as illegal:
            raise Illegal(illegal.rule, f"Line {line}: {illegal.message}") from illegal
        contracts = [event.contract for event in events if isinstance(event, ev.ContractMade)]
        answers = [f"{contract.level}{contract.strain}" for contract in contracts]
        turned = [event.card for event in events if isinstance(event, ev.CardTurned) and event.turn != "skipped"]
        house = (answers or [*led, *turned] or [_NO_CARD])[0]
        if answer and house != answer:
            raise unreadable_line(line, f"by the rules the house says {house} and not {answer}")
        state = fold(state, events)


class Hand(NamedTuple):
    """One scored hand: the house's call, the player's and the house's card of each trick won, and the score."""

    call: ev.HouseCalled
    tricks: tuple[tuple[Card, Card], ...]
    score: ev.HandScored

    @property
    def house(self) -> str:
        """The house's seat."""
        return "W" if self.score.contract.declarer == "me" else "E"

    @property
    def has_joker(self) -> bool:
        """Whether the player held a joker."""
        return any(map(is_joker, self.score.cards))

    @property
    def tricks_before_joker(self) -> tuple[tuple[Card, Card], ...]:
        """The tricks before the house's first joker."""
        return tuple(takewhile(lambda trick: not is_joker(trick[1]), self.tricks))


def _write_hands(options: bridge.Options, deal: Sequence[ev.Event], line: Sequence[ev.Event]) -> str:
    hands = _list_hands([*deal, *line])
    if not hands:
        raise Illegal("no_hand_finished", "No hand of this game is finished.")
    if all(hand.has_joker for hand in hands):
        raise Illegal("jokers_in_pbn", "PBN knows no jokers, and the player held one in every finished hand.")
    board = getattr(options, "board", 0)
    return "% PBN 2.1\n% EXPORT\n" + "\n".join("\n".join(_write_hand(hand, board)) + "\n" for hand in hands)


def _list_hands(events: Sequence[ev.Event]) -> list[Hand]:
    """The scored hands; those that were declared void later are left out."""
    hands: list[Hand] = []
    since_deal: list[ev.Event] = []
    for event in events:
        since_deal.append(event)
        if isinstance(event, ev.Dealt):
            since_deal = []
        elif isinstance(event, ev.HandScored):
            call = next(event for event in since_deal if isinstance(event, ev.HouseCalled))
            hands.append(Hand(call, tuple(_list_tricks(since_deal)), event))
        elif isinstance(event, ev.HandsVoided):
            hands = [hand for hand in hands if hand.score.hand < event.from_hand]
    return hands


def _list_tricks(events: Sequence[ev.Event]) -> Iterator[tuple[Card, Card]]:
    """The player's card and the house's, whoever led; `-` where the house had none."""
    mine = theirs = _NO_CARD
    for event in events:
        if isinstance(event, ev.CardPlayed):
            mine = event.card
        elif isinstance(event, ev.HouseLed) or (isinstance(event, ev.CardTurned) and event.turn != "skipped"):
            theirs = event.card
        elif isinstance(event, ev.TrickWon):
            yield mine, theirs
            mine = theirs = _NO_CARD


def _write_hand(hand: Hand, board: int) -> Iterator[str]:
    """Tags, a remark on the house's joker, the auction and the play; a row of it begins with the opening leader's card.

    The house calls first. In its own contract South passes, and all pass; else South bids, and all pass.
    """
    contract, score, tricks = hand.score.contract, hand.score, hand.tricks_before_joker
    if hand.has_joker:
        yield f"; Hand {score.hand} is left out: the player held a joker, and PBN knows none."
        return
    falling = sorted(score.cards, key=lambda card: bridge.HIGH_TO_LOW.index(card[0]))
    suits = ".".join("".join(card[0] for card in falling if card[1] == suit) for suit in SUITS)
    bid = f"{contract.level}{contract.strain}"
    tags = {
        "Event": "Bridge Solitaire", "Site": "?", "Date": "????.??.??", "Board": str(board or score.hand),
        "West": "The house" if hand.house == "W" else "", "North": "",
        "East": "The house" if hand.house == "E" else "", "South": "The player",
        "Dealer": hand.house, "Vulnerable": _VULNERABLE[score.vulnerable],
        "Deal": f"S:{suits} - - -", "Scoring": "Chicago" if board else "Rubber",
        "Declarer": "S" if contract.declarer == "me" else hand.house, "Contract": bid,
        "Result": str(declarers_tricks(contract, score.tricks_me)),
    }  # fmt: skip
    yield from (f'[{name} "{value}"]' for name, value in tags.items())
    if len(tricks) < len(hand.tricks):
        yield f"; The house plays a joker to trick {len(tricks) + 1}."
    yield f'[Auction "{hand.house}"]'
    call = f"{hand.call.level}{hand.call.strain}" if hand.call.strain else "Pass"
    yield from [f"{call} AP"] if contract.declarer == "it" else [f"{call} Pass Pass {bid}", "AP"]
    defends = hand.house == "W"
    yield f'[Play "{"W" if defends else "S"}"]'
    for first, last in (trick[::-1] if defends else trick for trick in tricks):
        yield f"{first[::-1]} - - {last[::-1]}"
    if len(tricks) < bridge.TRICKS:
        yield "*"


_EXAMPLE = """\
[Dealer "W"]
[Deal "S:AKQ4.A92.KT3.Q72 - - -"]
[Declarer "S"]
[Contract "2S"]
[Play "W"]
S5 - - SA
"""

PBN = Notation(
    key="pbn",
    name="Portable Bridge Notation",
    media_type="application/x-pbn",
    example=_EXAMPLE,
    write=_write_hands,
    read=read_hand,
)
PBN_1 = msgspec.structs.replace(PBN, read=None)
"""Revision 1's: a game that is imported is played under the newest revision."""
