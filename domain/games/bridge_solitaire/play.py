"""Playing a card and all that follows from it: the answer, the trick, the next lead or the end of the hand."""

from domain.game_type import Illegal
from domain.games.bridge_solitaire import tricks
from domain.games.bridge_solitaire.contract import Contract
from domain.games.bridge_solitaire.events import CardPlayed, Event, HouseLed, RemainingWon
from domain.games.bridge_solitaire.evolve import evolve, fold
from domain.games.bridge_solitaire.hand_end import hand_end
from domain.games.bridge_solitaire.state import State
from domain.kit.cards import SUIT_NAMES, is_joker, suit
from domain.view import Card


def play(state: State, card: Card) -> tuple[Event, ...]:
    """The card, the house's answer if the player led, the trick, and what comes next; raises Illegal."""
    contract = contract_of(state)
    _check(state, card)
    played: tuple[Event, ...] = (CardPlayed(card), *_answer(state, card, contract))
    after = fold(state, played)
    won = tricks.winner("it" if state.trick else "me", after.trick, contract.strain)
    return (*played, won, *_next(evolve(after, won)))


def contract_of(state: State) -> Contract:
    if state.contract is None:
        raise ValueError("play without a contract")
    return state.contract


def _answer(state: State, lead: Card, contract: Contract) -> tuple[Event, ...]:
    return () if state.trick else tricks.turned(state.stock, lead, contract.strain)


def _next(state: State) -> tuple[Event, ...]:
    if not state.tricks_left:
        return hand_end(state, "played_out")
    if not state.stock:
        rest = RemainingWon(state.hand)
        return (rest, *hand_end(evolve(state, rest), "stock_out"))
    return (HouseLed(state.stock[0]),) if state.last_winner == "it" else ()


def _check(state: State, card: Card) -> None:
    if card not in state.hand:
        raise Illegal("card_not_held", "That card is not in the hand.")
    if card in tricks.playable(state.hand, state.trick):
        return
    if is_joker(card):
        raise Illegal("joker_while_following", "A joker may only be played when the suit led cannot be followed.")
    raise Illegal("follow_suit", f"The house led {SUIT_NAMES[suit(state.trick[0])]}, and the hand can follow.")
