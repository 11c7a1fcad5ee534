"""The events of Bridge Solitaire as sentences."""

from collections.abc import Callable
from typing import Any

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.contract import Contract, Side, Strain
from domain.games.bridge_solitaire.duplicate import outcome
from domain.games.bridge_solitaire.entries import Entry, Kind
from domain.games.bridge_solitaire.scoring import declarers_tricks
from domain.games.bridge_solitaire.state import State
from domain.kit.cards import SUIT_NAMES, name, names
from domain.view import Viewer

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
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


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; nothing in it is hidden from anybody who may watch."""
    return _SENTENCES[type(event)](state, event)


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


def _dealt(state: State, event: ev.Dealt) -> str:
    what = f"Board {state.board} ({_vulnerable(state)})" if state.board else f"Hand {event.hand}"
    return f"{what} is dealt: seven cards face down, thirteen face up, and 34 of stock."


def _vulnerable(state: State) -> str:
    return (
        " and ".join(side.upper() for side in state.vulnerable) + " vulnerable"
        if state.vulnerable
        else "nobody vulnerable"
    )


def _selected(state: State, event: ev.Selected) -> str:
    top = name(event.discarded[-1])
    return f"The player keeps {names(event.cards)}, and discards seven with the {top} on top."


def _house_called(state: State, event: ev.HouseCalled) -> str:
    return f"The house bids {bid_name(event.level, event.strain)}." if event.strain else "The house passes."


def _contract_made(state: State, event: ev.ContractMade) -> str:
    return f"The contract is {contract_name(event.contract)}."


def _card_played(state: State, event: ev.CardPlayed) -> str:
    return f"The player {'plays' if state.trick else 'leads'} the {name(event.card)}."


def _card_turned(state: State, event: ev.CardTurned) -> str:
    card = name(event.card)
    if event.turn == "last_card":
        return f"The {card} is the last of the stock and so the house's card."
    return f"The house answers with the {card}." if event.turn == "answers" else f"The {card} is skipped."


def _trick_won(state: State, event: ev.TrickWon) -> str:
    how = {"high_card": "", "trump": " with a trump", "joker": " by a joker", "no_answer": ", as no card answers it"}
    return f"{SIDE_NAMES[event.side].capitalize()} wins the trick{how[event.reason]}."


def _remaining_won(state: State, event: ev.RemainingWon) -> str:
    count = len(event.cards)
    return f"The stock is out: the player's last {count} {'card is a trick' if count == 1 else 'cards are tricks'}."


def _hand_scored(state: State, event: ev.HandScored) -> str:
    if state.board:
        return f"Board {state.board}: {_outcome(event)}. {entries_text(event.entries)}."
    tricks = declarers_tricks(event.contract, event.tricks_me)
    needed = event.contract.needs
    outcome = "is made" if tricks >= needed else f"is {needed - tricks} down"
    contract = contract_name(event.contract)
    return f"Hand {event.hand}: {contract}, {outcome} with {tricks} tricks. {entries_text(event.entries)}."


def _outcome(event: ev.HandScored) -> str:
    margin = sum(entry.points if entry.side == "me" else -entry.points for entry in event.entries)
    return outcome(event.contract, event.tricks_me, event.vulnerable, margin)


def _rubber_closed(state: State, event: ev.RubberClosed) -> str:
    how = "given up" if event.reason == "resigned" else "closed early"
    return f"The game is {how}: {entries_text(event.entries)}."


_SENTENCES: dict[type, Callable[[State, Any], str]] = {
    ev.Dealt: _dealt,
    ev.Selected: _selected,
    ev.HandShown: lambda state, event: f"The hidden cards are turned up: {names(event.cards)}.",
    ev.HouseCalled: _house_called,
    ev.BidMade: lambda state, event: f"The player bids {bid_name(event.level, event.strain)}.",
    ev.Passed: lambda state, event: "The player passes.",
    ev.ContractMade: _contract_made,
    ev.HouseLed: lambda state, event: f"The house leads the {name(event.card)}.",
    ev.CardPlayed: _card_played,
    ev.CardTurned: _card_turned,
    ev.TrickWon: _trick_won,
    ev.RemainingWon: _remaining_won,
    ev.HandScored: _hand_scored,
    ev.RubberScored: lambda state, event: f"The rubber is complete: {entries_text(event.entries)}.",
    ev.RubberClosed: _rubber_closed,
    ev.HandsVoided: lambda state, event: f"Hand {event.from_hand} and all later ones are void.",
}
