"""Bridge Solitaire with its stock open: as many tricks as a search through the rules finds, and the costs add up."""

from functools import cache
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.games.bridge_solitaire.rules import decide, fold, legal_commands
from domain.games.bridge_solitaire.state import STRAINS, Contract, State, Strain, other
from domain.play.aggregate import fold as fold_records
from domain.play.verify import records_by_step
from service.analysis.hands import BridgeReport, HandReport, OpenStock, expected_hands, hand_reports, report_hands
from tests.analysis import planted
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


@cache
def reports(number: int) -> list[HandReport]:
    """The reports on the hands of one of the games."""
    return [*hand_reports(records_by_step(GAMES[number]))]


@pytest.fixture
def hands() -> list[HandReport]:
    return [hand for number in range(6) for hand in reports(number)]


def test_what_the_cards_have_cost_adds_up_to_what_was_missed(hands: list[HandReport]) -> None:
    assert len(hands) > 3
    for hand in hands:
        assert hand.called.tricks - sum(card.tricks for card in hand.cards) == hand.tricks
        assert hand.called.points - sum(card.points or 0 for card in hand.cards) == hand.points
        assert all(card.tricks > 0 and (card.points or 0) > 0 for card in hand.cards)
        assert hand.worst_card == max(hand.cards, key=lambda card: card.points or 0, default=None)


def test_the_par_is_the_call_worth_most_and_no_cards_bring_more_points(hands: list[HandReport]) -> None:
    for hand in hands:
        assert hand.par in hand.calls
        assert hand.called in hand.calls
        assert all(call.points <= hand.par.points for call in hand.calls)
        assert hand.points <= hand.called.points


def first_hand(seed: str, **options: str) -> tuple[HandReport, dict[tuple[int, str | None], int]]:
    """A game's first hand, and what each call was worth."""
    game, said = planted.opened("bridge_solitaire", seed, **options), list[Any]()
    while game.state.phase != "hand_scored":
        said.append(planted.moves(game)[0])
        game = planted.after(game, said[-1])
    (hand,) = hand_reports(records_by_step(planted.records("bridge_solitaire", seed, said, **options)))
    return hand, {(call.level, call.strain): call.points for call in hand.calls}


def test_in_a_rubber_a_game_is_worth_more_than_a_part_score_of_as_many_tricks() -> None:
    hand, worth = first_hand("game 21")
    assert [worth[level, "S"] for level in (2, 3, 4, 5)] == [120 + 100, 120 + 100, 120 + 300, -50]
    assert (hand.par.level, hand.par.strain) == (4, "S")
    seen = set()
    for number, kept in enumerate(GAMES):
        state = cast(State | None, fold_records(kept).state)
        ended = state is not None and state.closed in ("rubber", "closed") and state.sheet.hands <= 5
        if ended and len(reports(number)) == state.sheet.hands:
            seen.add(state.closed)
            assert sum(hand.points for hand in reports(number)) == state.sheet.margin, "with the premium at its end"
    assert seen == {"rubber", "closed"}


def test_a_single_hand_is_worth_its_points_and_of_as_many_the_game_is_par() -> None:
    hand, worth = first_hand("game 21", length="hand")
    assert [worth[level, "S"] for level in (2, 3, 4, 5)] == [120, 120, 120, -50]
    assert (hand.par.level, hand.par.strain) == (4, "S")
    assert (first_hand("game 56")[0].par.level, first_hand("game 56", length="hand")[0].par.level) == (4, 4)


def test_what_was_not_looked_at_is_told_as_open_and_what_was_is_not_looked_at_again() -> None:
    steps = [*records_by_step(GAMES[4])]
    hands = reports(4)
    assert ([*hand_reports(steps, hands[:-1])], expected_hands(steps)) == (hands[-1:], len(hands))
    some, none = report_hands(hands[:1], complete=False), report_hands((), complete=False)
    for told in (some, none):
        assert not told.complete
        assert told.sentences[2].endswith("The search was ended before it was done; asked for again, it goes on.")
    assert "No call cost anything." not in none.sentences
    assert "No card cost a trick." in report_hands(()).sentences
    older = b'{"kind":"bridge","hands":[],"sentences":["","",""]}'
    assert msgspec.json.decode(older, type=BridgeReport).complete is False, "so it may be asked for again"
