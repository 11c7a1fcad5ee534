"""Bridge Solitaire with its stock open: as many tricks as a search through the rules finds, and the costs add up."""

from typing import cast

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.games.bridge_solitaire.rules import decide, legal_commands
from domain.games.bridge_solitaire.rules.table import fold
from domain.games.bridge_solitaire.state import STRAINS, Contract, State, Strain, other
from domain.play.aggregate import fold as fold_records
from domain.play.form import records_by_step
from service.analysis.hands import HandReport, hand_reports
from service.analysis.open_stock import OpenStock
from tests.corpus.files import Records, stored

GAMES = stored(GAME_TYPES["bridge_solitaire"])
LEFT = 4


def late_states(records: Records) -> list[State]:
    """The positions of this game where so many cards or fewer are left to play."""
    game, states = None, list[State]()
    for step in records_by_step(records):
        game = fold_records(step, game)
        state = cast(State, game.state)
        if state is not None and state.phase == "play" and len(state.hand) <= LEFT:
            states.append(state)
    return states


def most_by_rules(state: State) -> int:
    """The most tricks from here, by saying every legal command."""
    if state.phase != "play":
        return state.tricks_me
    return max(most_by_rules(fold(state, decide(state, 0, command))) for command in legal_commands(state, 0))


@pytest.mark.parametrize("strain", STRAINS)
def test_the_tricks_are_those_that_a_search_through_the_rules_finds(strain: Strain) -> None:
    leads = set()
    for state in [state for records in GAMES[:6] for state in late_states(records)]:
        contract = cast(Contract, state.contract)
        leader = state.last_winner or other(contract.declarer)
        state = replace(state, contract=replace(contract, strain=strain))
        found = OpenStock(state.hand, (*state.trick, *state.stock), strain)
        most = state.tricks_me + found.most_tricks(state.hand, state.stock, state.trick, leader)
        assert most == most_by_rules(state), state
        leads.add((leader, bool(state.trick)))
    assert leads == {("it", True), ("me", False)}


@pytest.fixture(scope="module")
def hands() -> list[HandReport]:
    return [hand for records in GAMES[:6] for hand in hand_reports(records_by_step(records))]


def test_what_the_cards_have_cost_adds_up_to_what_was_missed(hands: list[HandReport]) -> None:
    assert len(hands) > 3
    for hand in hands:
        assert hand.called.tricks - sum(card.tricks for card in hand.cards) == hand.tricks
        assert all(card.tricks > 0 for card in hand.cards)
        assert hand.worst_card is None or hand.worst_card in hand.cards


def test_the_par_is_the_call_worth_most_and_no_cards_bring_more_points(hands: list[HandReport]) -> None:
    for hand in hands:
        assert hand.par in hand.calls
        assert hand.called in hand.calls
        assert all(call.points <= hand.par.points for call in hand.calls)
        assert hand.points <= hand.called.points
