"""The thirteen tricks: what may be played, how the stock answers, who wins, what comes next, the end of the hand."""

from domain.game_type import Illegal
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules import scoring, sheet
from domain.games.bridge_solitaire.rules.table import evolve, fold
from domain.games.bridge_solitaire.state import HIGH_TO_LOW, TRICKS, Contract, Side, State, Strain, other
from domain.kit.cards import SUIT_NAMES, is_joker, suit
from domain.view import Card

NO_TRUMP_TURNS = 4
"""At no trump the house turns at most four cards for one lead."""


def play_card(state: State, card: Card) -> tuple[ev.Event, ...]:
    """The card, the house's answer if the player led, the trick, and what comes next; raises Illegal."""
    strain = _contract(state).strain
    _check_card(state, card)
    answer = () if state.trick else turn_cards(state.stock, card, strain)
    trick = (*state.trick, card, *[turned.card for turned in answer if turned.turn != "skipped"])
    won = win_trick("it" if state.trick else "me", trick, strain)
    events: tuple[ev.Event, ...] = (ev.CardPlayed(card), *answer, won)
    stock = state.stock[len(answer) :]
    if stock and state.tricks_left > 1:
        return (*events, ev.HouseLed(stock[0])) if won.side == "it" else events
    return (*events, *_finish_hand(fold(state, events)))


def playable(hand: tuple[Card, ...], trick: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that may be played: any to lead or to a joker; else the suit led, or any where that is void."""
    if not trick or is_joker(trick[0]):
        return hand
    led = suit(trick[0])
    return tuple([card for card in hand if card[1] == led]) or hand


def score_hand(state: State, finish: ev.Finish) -> ev.HandScored:
    """The hand as the sheet needs it; every trick that the player has not won is the house's."""
    contract, vulnerable = _contract(state), state.vulnerable
    taken = scoring.declarers_tricks(contract, state.tricks_me)
    old, lost = state.options.old_undertricks, TRICKS - state.tricks_me
    if state.board:
        entries = scoring.board_entries(state.hand_number, contract, taken, vulnerable, old)
    else:
        entries = scoring.entries(state.hand_number, contract, taken, state.held, vulnerable, old)
    return ev.HandScored(state.hand_number, state.held, contract, state.tricks_me, lost, vulnerable, finish, entries)


def _contract(state: State) -> Contract:
    if state.contract is None:
        raise ValueError("play without a contract")
    return state.contract


def _check_card(state: State, card: Card) -> None:
    if card not in state.hand:
        raise Illegal("card_not_held", "That card is not in the hand.")
    if card in playable(state.hand, state.trick):
        return
    if is_joker(card):
        raise Illegal("joker_while_following", "A joker may only be played when the suit led cannot be followed.")
    raise Illegal("follow_suit", f"The house led {SUIT_NAMES[suit(state.trick[0])]}, and the hand can follow.")


def turn_cards(stock: tuple[Card, ...], lead: Card, strain: Strain) -> tuple[ev.CardTurned, ...]:
    """The stock cards turned for the player's lead, the answer last if there is one.

    The last card of the stock is the house's card, answer or not, also as the fourth at no trump (house rule, ours).
    """
    turns: list[ev.CardTurned] = []
    for card in stock[:NO_TRUMP_TURNS] if strain == "NT" else stock:
        if _answers(card, lead, strain):
            return (*turns, ev.CardTurned(card, "answers"))
        turns.append(ev.CardTurned(card, "skipped"))
    return (*turns[:-1], ev.CardTurned(turns[-1].card, "last_card")) if len(turns) == len(stock) else tuple(turns)


def _answers(card: Card, lead: Card, strain: Strain) -> bool:
    """Whether a turned card answers the player's lead: a joker, the suit led or a trump does; to a joker any card."""
    return is_joker(card) or is_joker(lead) or suit(card) in (suit(lead), strain)


def win_trick(leader: Side, trick: tuple[Card, ...], strain: Strain) -> ev.TrickWon:
    """Who takes the trick of a lead and its answer; a lead without an answer is the player's."""
    if len(trick) == 1:
        return ev.TrickWon("me", "no_answer")
    lead, answer = trick
    if is_joker(lead) or is_joker(answer):
        return ev.TrickWon("me" if leader == "it" and is_joker(lead) and is_joker(answer) else "it", "joker")
    if _height(answer, lead, strain) > _height(lead, lead, strain):
        best, winner = answer, other(leader)
    else:
        best, winner = lead, leader
    reason: ev.Reason = "trump" if suit(best) == strain != suit(lead) else "high_card"
    return ev.TrickWon(winner, reason)


def _height(card: Card, lead: Card, strain: Strain) -> int:
    """What a card is worth in the trick: trumps above the suit led, both by rank; any other card 0."""
    rank = len(HIGH_TO_LOW) - HIGH_TO_LOW.index(card[0])
    return 100 + rank if suit(card) == strain else rank if suit(card) == suit(lead) else 0


def _finish_hand(state: State) -> tuple[ev.Event, ...]:
    """What follows the last trick, or the one that used the stock up."""
    if not state.tricks_left:
        return _end_hand(state, "played_out")
    rest = ev.RemainingWon(state.hand)
    return (rest, *_end_hand(evolve(state, rest), "stock_out"))


def _end_hand(state: State, finish: ev.Finish) -> tuple[ev.Event, ...]:
    """The hand's score, and the rubber premium if it brought a side its second game."""
    scored = score_hand(state, finish)
    after = sheet.after(state.sheet, scored)
    return (scored, ev.RubberScored(sheet.rubber(after))) if after.complete else (scored,)
