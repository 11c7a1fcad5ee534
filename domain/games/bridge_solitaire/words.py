"""The events of Bridge Solitaire as sentences, and its rules in our own words."""

from typing import assert_never

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules.scoring import declarers_tricks, outcome
from domain.games.bridge_solitaire.state import Contract, Entry, Kind, Side, State, Strain
from domain.kit.cards import SUIT_NAMES, name, names
from domain.view import Viewer

SIDE_NAMES: dict[Side, str] = {"me": "the player", "it": "the house"}
KINDS: dict[Kind, str] = {
    "trick_score": "tricks",
    "overtricks": "overtricks",
    "insult": "the insult",
    "small_slam": "a small slam",
    "grand_slam": "a grand slam",
    "undertricks": "undertricks",
    "honours": "honours",
    "part_score_bonus": "a part score",
    "game_bonus": "a game",
    "rubber_premium": "the rubber",
    "unfinished_game": "the only game",
    "unfinished_part_score": "the only part score",
}
"""What points are for, as spoken."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_HOW = {"high_card": "", "trump": " with a trump", "joker": " by a joker", "no_answer": ", as no card answers it"}


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; nothing in it is hidden from anybody who may watch."""
    match event:
        case ev.CardPlayed():
            return f"The player {'plays' if state.trick else 'leads'} the {name(event.card)}."
        case ev.CardTurned():
            return _say_turn(event)
        case ev.TrickWon():
            return f"{SIDE_NAMES[event.side].capitalize()} wins the trick{_HOW[event.reason]}."
        case ev.HouseLed():
            return f"The house leads the {name(event.card)}."
        case ev.Dealt():
            return _say_deal(state, event)
        case ev.Selected():
            top = name(event.discarded[-1])
            return f"The player keeps {names(event.cards)}, and discards seven with the {top} on top."
        case ev.HandShown():
            return f"The hidden cards are turned up: {names(event.cards)}."
        case ev.HouseCalled():
            return f"The house bids {bid_name(event.level, event.strain)}." if event.strain else "The house passes."
        case ev.BidMade():
            return f"The player bids {bid_name(event.level, event.strain)}."
        case ev.Passed():
            return "The player passes."
        case ev.ContractMade():
            return f"The contract is {contract_name(event.contract)}."
        case ev.RemainingWon():
            count = len(event.cards)
            what = "card is a trick" if count == 1 else "cards are tricks"
            return f"The stock is out: the player's last {count} {what}."
        case ev.HandScored():
            return _say_score(state, event)
        case ev.RubberScored():
            return f"The rubber is complete: {entries_text(event.entries)}."
        case ev.RubberClosed():
            how = "given up" if event.reason == "resigned" else "closed early"
            return f"The game is {how}: {entries_text(event.entries)}."
        case ev.HandsVoided():
            return f"Hand {event.from_hand} and all later ones are void."
        case _:
            assert_never(event)


def bid_name(level: int, strain: Strain | None) -> str:
    """A bid as spoken: `one club`, `three no trump`."""
    if strain == "NT":
        return f"{_NUMBERS[level]} no trump"
    suit = SUIT_NAMES[strain or "C"]
    return f"{_NUMBERS[level]} {suit[:-1] if level == 1 else suit}"


def contract_name(contract: Contract) -> str:
    """A contract as spoken: `one club doubled, declared by the player`."""
    doubling = "" if contract.doubling == "undoubled" else f" {contract.doubling}"
    return f"{bid_name(contract.level, contract.strain)}{doubling}, declared by {SIDE_NAMES[contract.declarer]}"


def entries_text(entries: tuple[Entry, ...]) -> str:
    """Entries as they are read out: `ME 40 below for tricks; ME 150 above for honours`."""
    rows = (f"{row.side.upper()} {row.points} {row.place} for {KINDS[row.kind]}" for row in entries)
    return "; ".join(rows) or "no points"


def _say_deal(state: State, event: ev.Dealt) -> str:
    sides = " and ".join(side.upper() for side in state.vulnerable) or "nobody"
    what = f"Board {state.board} ({sides} vulnerable)" if state.board else f"Hand {event.hand}"
    return f"{what} is dealt: seven cards face down, thirteen face up, and 34 of stock."


def _say_turn(event: ev.CardTurned) -> str:
    card = name(event.card)
    if event.turn == "last_card":
        return f"The {card} is the last of the stock and so the house's card."
    return f"The house answers with the {card}." if event.turn == "answers" else f"The {card} is skipped."


def _say_score(state: State, event: ev.HandScored) -> str:
    contract, written = event.contract, entries_text(event.entries)
    if state.board:
        margin = sum(entry.points if entry.side == "me" else -entry.points for entry in event.entries)
        return f"Board {state.board}: {outcome(contract, event.tricks_me, event.vulnerable, margin)}. {written}."
    tricks = declarers_tricks(contract, event.tricks_me)
    how = "is made" if tricks >= contract.needs else f"is {contract.needs - tricks} down"
    return f"Hand {event.hand}: {contract_name(contract)}, {how} with {tricks} tricks. {written}."


RULES = """\
# Bridge Solitaire

Contract bridge for one, against the stock, invented by Stephen Rogers and published by Denexa. Scored by the Laws
of Contract Bridge for rubber bridge (Laws 72 to 74, 80 and 81). The player's column is ME, the house's is IT.

**Deal.** 52 cards and two jokers: seven face down, thirteen face up, 34 as the stock, which plays for the house.
Aces are high. Of the thirteen the player keeps six, any joker among them, before seeing the seven. The rest is
discarded; only the top discard, which the player chooses (else the last dealt), may be seen from then on. Six and
seven make the hand.

**The house calls first.** In each suit the player's sure tricks are counted from the ace down: a rank the player
holds wins, any other is the house's and takes the player's lowest card. The house bids six less that many tricks,
or passes if nothing is left. It names the suit of which the player has fewest; a void is the fewest (our ruling),
and of equals it is the highest ranking suit (our ruling; option `house_tie`). Discards count as the house's cards
(our ruling; with `exclude_discards` they are nobody's).

**The player calls once.** After a pass the player must bid; otherwise a higher bid makes the player declarer, and a
pass leaves the house to declare. Suits rank clubs, diamonds, hearts, spades, then no trump, which needs a hand of
4-3-3-3, 3-3-3-3 with a joker or 3-3-3-2 with both. One joker in the hand doubles the contract, two redouble it,
whoever declares.

**Play.** The defender leads first, then whoever won. The house leads the top of the stock; the player follows suit,
or if void plays anything, jokers included. When the player leads, stock cards are turned until one can answer: the
suit led, a trump or a joker. The others are skipped to the discards, seen when turned and, but for the top one, not
after the player's next card (our ruling). At no trump at most four are turned (also skipped to the discards: our
ruling); if none answers, the player wins. The highest trump wins, else the highest of the suit led.

**Jokers.** The house wins any trick with a joker, unless it led one and the player answers with the other. To a
joker the house leads, the player may play any card. If the player leads one, the next stock card answers whatever
it is and the house wins, even with the other joker (our ruling).

**Stock out.** The last stock card is the house's card though it could not answer, at no trump too (our ruling).
With no stock left when a trick should start, each card in the hand is a trick for the player.

**Score.** Tricks bid and made go below the line: 20 in clubs and diamonds, 30 in hearts and spades, 40 then 30 at
no trump, doubled or redoubled. Above it: overtricks, 50 or 100 for making a doubled or redoubled contract, slams
500 and 1000 (vulnerable 750 and 1500), undertricks to the other side, and honours, which only the player can hold
(our ruling). Option `old_undertricks` scores doubled undertricks not vulnerable as before 1987. 100 below is a
game, which makes its side vulnerable and ends both part scores. Two games end the rubber and earn 700, or 500 if
the other side has one.

**The end.** More points win, whoever took the two games; equal points draw. Between hands the rubber may be closed:
300 to the only side with a game, 100 to the only side with a part score, and the game counts as abandoned.
Resigning loses it: a hand in play is scored with all unfinished tricks to the house, one without a contract not at
all, then the premiums follow (our ruling). With `length` `hand` one hand is played, not vulnerable and without
premiums of a rubber; its points decide (our ruling). Either way the score is ME less IT. There is no claiming and
no undo.

**Memory.** At a table the lower discards, the skipped cards and the tricks could not be inspected again. Here the
earlier steps of a hand are shown as they were seen: nothing has to be remembered, and option `memory`, which is
always false, says so (our ruling).

**Boards.** With `board` 1 to 4 the single hand is a board of duplicate bridge (Law 77): vulnerable are nobody, ME, IT,
both. A contract that is made earns 50, or 300 (vulnerable 500) if its tricks alone give 100, honours count nothing,
and all points are simply added up. So all players of one deal can be compared: the day's deal is such a board, the
four in turn from UTC day to UTC day, board 1 on 1970-01-01 (our ruling).
"""
