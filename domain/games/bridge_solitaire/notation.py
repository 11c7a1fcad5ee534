"""Finished hands of a rubber in Portable Bridge Notation, version 2.1 (T. Veugen, K. G. Backas).

The player sits South; the house sits where Law 41 gives it, or South, the opening lead: West against the player's
contract, East in its own. North and the other seat have no cards and pass. PBN knows no jokers: a hand that held
one cannot be said, and where the house plays one the play ends before it. A remark says so, before the auction, for
many readers know none inside of auction and play. Nor can it say the house's
stock and what was skipped of it, the discards, and the lead that no card answered: a `-` stands for the house's card
there. The play ends with `*` where tricks were awarded without cards. A rubber tells no site, date or names.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec

from domain.capabilities import Notation
from domain.game_type import Illegal
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.pbn import read_hand
from domain.games.bridge_solitaire.rules.scoring import declarers_tricks
from domain.games.bridge_solitaire.state import HIGH_TO_LOW, TRICKS, Options, Side
from domain.kit.cards import SUITS, is_joker
from domain.view import Card

_VULNERABLE: dict[tuple[Side, ...], str] = {(): "None", ("me",): "NS", ("it",): "EW", ("me", "it"): "All"}
_NOTHING: Card = "-"


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
    def sayable(self) -> bool:
        """Whether the player held no joker."""
        return not any(map(is_joker, self.score.cards))

    @property
    def sayable_tricks(self) -> tuple[tuple[Card, Card], ...]:
        """The tricks before the house's first joker."""
        return tuple(takewhile(lambda trick: not is_joker(trick[1]), self.tricks))


def _write_hands(options: Options, deal: Sequence[ev.Event], line: Sequence[ev.Event]) -> str:
    hands = _hands([*deal, *line])
    if not hands:
        raise Illegal("no_hand_finished", "No hand of this game is finished.")
    if not any(hand.sayable for hand in hands):
        raise Illegal("jokers_in_pbn", "PBN knows no jokers, and the player held one in every finished hand.")
    board = getattr(options, "board", 0)
    return "% PBN 2.1\n% EXPORT\n" + "\n".join(_game(hand, board) for hand in hands)


def _hands(events: Sequence[ev.Event]) -> list[Hand]:
    """The scored hands; those that were declared void later are left out."""
    told: list[Hand] = []
    since: list[ev.Event] = []
    for event in events:
        since.append(event)
        if isinstance(event, ev.Dealt):
            since = []
        elif isinstance(event, ev.HandScored):
            told.append(_hand(since, event))
        elif isinstance(event, ev.HandsVoided):
            told = [hand for hand in told if hand.score.hand < event.from_hand]
    return told


def _hand(events: Sequence[ev.Event], score: ev.HandScored) -> Hand:
    call = next(event for event in events if isinstance(event, ev.HouseCalled))
    return Hand(call, tuple(_tricks(events)), score)


def _tricks(events: Sequence[ev.Event]) -> Iterator[tuple[Card, Card]]:
    """The player's card and the house's, whoever led; `-` where the house had none."""
    mine = theirs = _NOTHING
    for event in events:
        if isinstance(event, ev.CardPlayed):
            mine = event.card
        elif isinstance(event, ev.HouseLed) or (isinstance(event, ev.CardTurned) and event.turn != "skipped"):
            theirs = event.card
        elif isinstance(event, ev.TrickWon):
            yield mine, theirs
            mine = theirs = _NOTHING


def _game(hand: Hand, board: int) -> str:
    if not hand.sayable:
        return f"; Hand {hand.score.hand} is left out: the player held a joker, and PBN knows none.\n"
    return "\n".join([*_tags(hand, board), *_remark(hand), *_auction(hand), *_play(hand)]) + "\n"


def _tags(hand: Hand, board: int) -> Iterator[str]:
    contract, score = hand.score.contract, hand.score
    tags = {
        "Event": "Bridge Solitaire", "Site": "?", "Date": "????.??.??", "Board": str(board or score.hand),
        "West": "The house" if hand.house == "W" else "", "North": "",
        "East": "The house" if hand.house == "E" else "", "South": "The player",
        "Dealer": hand.house, "Vulnerable": _VULNERABLE[score.vulnerable],
        "Deal": f"S:{_cards(score.cards)} - - -", "Scoring": "Chicago" if board else "Rubber",
        "Declarer": "S" if contract.declarer == "me" else hand.house, "Contract": _bid(contract.level, contract.strain),
        "Result": str(declarers_tricks(contract, score.tricks_me)),
    }  # fmt: skip
    return (f'[{name} "{value}"]' for name, value in tags.items())


def _cards(cards: Sequence[Card]) -> str:
    """A hand: its spades, hearts, diamonds and clubs, each from the ace down."""
    falling = sorted(cards, key=lambda card: HIGH_TO_LOW.index(card[0]))
    return ".".join("".join(card[0] for card in falling if card[1] == suit) for suit in SUITS)


def _bid(level: int, strain: str | None) -> str:
    return f"{level}{strain}" if strain else "Pass"


def _remark(hand: Hand) -> Iterator[str]:
    if len(hand.sayable_tricks) < len(hand.tricks):
        yield f"; The house plays a joker to trick {len(hand.sayable_tricks) + 1}."


def _auction(hand: Hand) -> Iterator[str]:
    """The house calls first. In its own contract South passes, and that is all; else South bids, and all pass."""
    call, contract = _bid(hand.call.level, hand.call.strain), hand.score.contract
    yield f'[Auction "{hand.house}"]'
    if contract.declarer == "it":
        yield f"{call} AP"
    else:
        yield f"{call} Pass Pass {_bid(contract.level, contract.strain)}"
        yield "AP"


def _play(hand: Hand) -> Iterator[str]:
    """A row for each trick, its columns from the opening leader's seat on, whoever led to it."""
    defends = hand.house == "W"
    yield f'[Play "{"W" if defends else "S"}"]'
    for first, last in (trick[::-1] if defends else trick for trick in hand.sayable_tricks):
        yield f"{first[::-1]} - - {last[::-1]}"
    if len(hand.sayable_tricks) < TRICKS:
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
"""Revision 1's: games are brought here under the newest."""
