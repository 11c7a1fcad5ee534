"""What is special to the rules of The Clock.

Deals are drawn as text or told by the order in which their cards show. A drawing has one line per pile, cards bottom to
top: `12 # # # 5H`. `#`, and the piles without a line, are any cards that are not drawn. An order is the cards as they
are turned up; cards left out of it lie where they are never reached."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from domain.capabilities import PureLuck
from domain.game_type import Result
from domain.games import the_clock
from domain.games.the_clock import Exchange, Exchanged, Options, Placed, RunToEnd, State, Step, Turned
from domain.kit.cards import PACK
from domain.view import Card
from tests.games.rules import Rules

RULES = Rules(the_clock.THE_CLOCK)
MATERIAL: Any = the_clock.THE_CLOCK.material
after, events, zones, sentences = RULES.after, RULES.events, RULES.zones, RULES.sentences
rule_against = RULES.answer


PLAIN = Options()
KINGS = ("KS", "KH", "KD", "KC")


def dealt(cards, options=PLAIN):
    """The table after the deal of these cards, in dealing order."""
    return RULES.deal(options, cards)


def position(text: str, options: Options = PLAIN) -> State:
    """The deal that the text draws."""
    drawn = {int(line.split()[0]): line.split()[1:] for line in text.strip().splitlines()}
    spare = iter([card for card in PACK if card not in text])
    piles = [[next(spare) if card == "#" else card for card in drawn.get(pile, "####")] for pile in range(13)]
    return dealt(in_dealing_order(piles, options), options)


def showing(order: Sequence[Card], options: Options = PLAIN) -> State:
    """The deal whose cards are turned up in this order."""
    taken: list[list[Card]] = [[] for _ in range(13)]
    for before, card in zip(("K?", *order[:-1]), order, strict=True):
        taken["A23456789TJQK".index(before[0])].append(card)
    never = iter([card for card in PACK if card not in order])
    piles = [[*pile, *(next(never) for _ in range(4 - len(pile)))] for pile in taken]
    return dealt(in_dealing_order([_laid(pile, options) for pile in piles], options), options)


def _laid(taken: list[Card], options: Options) -> list[Card]:
    return taken[::-1] if options.take_from == "top" else taken


def in_dealing_order(piles: Sequence[Sequence[Card]], options: Options) -> list[Card]:
    if options.pile_by_pile:
        return [card for pile in piles for card in pile]
    return [pile[row] for row in range(4) for pile in piles]


def turned(state: State, command: the_clock.Command) -> list[Card]:
    """The cards that the command turns up."""
    return [event.card for event in events(state, command) if isinstance(event, Turned)]


def ranks(text: str) -> list[Card]:
    """Cards of these ranks, each rank's four cards in the order of the suits."""
    seen: dict[str, int] = {}
    cards = []
    for rank in text:
        cards.append(rank + "SHDC"[seen.setdefault(rank, 0)])
        seen[rank] += 1
    return cards


ROUND = "A23456789TJQK" * 4
ALL_AT_ONCE = "12 AC AD AH AS\n" + "\n".join(
    f"{pile} {rank}C {rank}D {rank}H {rank}S" for pile, rank in enumerate("23456789TJQK")
)


def test_the_fourth_king_loses_at_once_with_what_is_in_its_place():
    state = position("12 KS KH KD KC")
    assert turned(state, RunToEnd()) == ["KC", "KD", "KH", "KS"]
    assert the_clock.THE_CLOCK.result(after(state, RunToEnd())) == Result("lost", "fourth_king", (), (0,))
    order = ranks(ROUND)
    state = showing([*order[:50], order[51]])
    assert len(turned(state, RunToEnd())) == 51
    assert the_clock.THE_CLOCK.result(after(state, RunToEnd())) == Result("lost", "fourth_king", (), (47,))


def test_piles_that_hold_the_next_rank_show_every_card_and_win():
    state = position(ALL_AT_ONCE)
    assert "".join(card[0] for card in turned(state, RunToEnd())) == ROUND
    assert the_clock.THE_CLOCK.result(after(state, RunToEnd())) == Result("won", "all_face_up", (0,), (48,))


def test_a_five_goes_under_the_pile_at_five_oclock_whose_top_card_is_next():
    state = position("12 # # # 5H\n4 # # # 9C")
    assert events(state, Step()) == (Turned("pile_12", "5H"), Placed("5H", "pile_4"))
    five = after(state, Step())
    assert zones(five)["shown_4"].cards == ("5H",)
    assert events(five, Step())[0] == Turned("pile_4", "9C")


def test_a_king_that_comes_first_stays_in_the_middle_which_gives_the_next_card_too():
    state = position("12 # # QD KS")
    assert events(state, Step()) == (Turned("pile_12", "KS"), Placed("KS", "pile_12"))
    assert events(after(state, Step()), Step())[0] == Turned("pile_12", "QD")


@pytest.mark.parametrize(("card", "pile"), [("QS", 11), ("JS", 10), ("AS", 0), ("TS", 9), ("2S", 1), ("KS", 12)])
def test_a_card_belongs_at_the_hour_of_its_rank(card, pile):
    assert events(position(f"12 # # # {card}"), Step())[1] == Placed(card, f"pile_{pile}")


def test_the_deal_goes_round_the_clock_with_the_middle_last_and_the_last_card_on_top():
    piles = [zone.cards for zone in the_clock.THE_CLOCK.look(dealt(PACK), -1).zones[:13]]
    assert piles[0] == (PACK[0], PACK[13], PACK[26], PACK[39])
    assert piles[11] == (PACK[11], PACK[24], PACK[37], PACK[50])
    assert piles[12] == (PACK[12], PACK[25], PACK[38], PACK[51])


def test_running_to_the_end_shows_what_single_steps_show():
    state = position(ALL_AT_ONCE)
    steps = state
    for _ in range(52):
        steps = after(steps, Step())
    assert steps == after(state, RunToEnd())
    halfway = after(state, *[Step()] * 20)
    assert after(halfway, RunToEnd()) == steps


@pytest.mark.parametrize("command", [Step(), RunToEnd()])
def test_a_finished_game_turns_up_nothing_more(command):
    lost = after(position("12 KS KH KD KC"), RunToEnd())
    assert rule_against(lost, command) == "game_over"
    assert the_clock.THE_CLOCK.legal_commands(lost, 0) == ()
    won = after(position(ALL_AT_ONCE), RunToEnd())
    assert rule_against(won, command) == "game_over"


def test_before_the_deal_nothing_is_legal_and_nothing_has_ended():
    start = the_clock.THE_CLOCK.initial(the_clock.THE_CLOCK.options(), 1)
    assert rule_against(start, Step()) == "game_over"
    assert the_clock.THE_CLOCK.result(start) is None
    assert the_clock.THE_CLOCK.look(start, 0).phase == "deal"


WATCH = Options(watch=True)


def test_taken_from_the_bottom_the_lowest_card_is_next_and_a_king_still_replaces_the_top_one():
    state = position("12 5H # # #\n4 9C # # 2D", Options(take_from="bottom"))
    assert [events(state, Step())[0], turned(after(state, Step()), Step())] == [Turned("pile_12", "5H"), ["9C"]]
    assert zones(after(state, Step(), Step()), -1)["pile_4"].cards[-1] == "2D"
    state = kings_shown(Options(watch=True, take_from="bottom"))
    top = zones(state, -1)["pile_3"].cards[-1]
    assert events(state, Exchange("pile_3"))[0] == Exchanged("KC", "pile_3", top)


def test_dealt_pile_by_pile_four_cards_in_a_row_make_a_pile():
    state = dealt(PACK, Options(pile_by_pile=True))
    assert [zones(state, -1)[f"pile_{pile}"].cards for pile in (0, 12)] == [PACK[:4], PACK[48:]]


@pytest.mark.parametrize("options", [Options(), Options(take_from="bottom"), Options(pile_by_pile=True)])
def test_nothing_is_to_be_exchanged_without_watch(options):
    state = showing(KINGS, options)
    assert rule_against(state, Exchange("pile_3")) == "no_king_to_exchange"
    assert the_clock.THE_CLOCK.result(after(state, RunToEnd())).reason == "fourth_king"


def kings_shown(options=WATCH):
    return after(showing(KINGS, options), RunToEnd())


def test_watching_the_run_stops_at_the_fourth_king_which_lies_in_hand():
    state = kings_shown()
    assert the_clock.THE_CLOCK.result(state) is None
    assert zones(state)["active"].cards == ("KC",)
    assert the_clock.THE_CLOCK.look(state, 0).phase == "exchange"
    assert the_clock.THE_CLOCK.legal_commands(state, 0) == tuple(Exchange(f"pile_{pile}") for pile in range(12))
    assert [rule_against(state, command) for command in (Step(), RunToEnd())] == ["exchange_first"] * 2
    assert rule_against(state, Exchange("pile_12")) == "pile_face_up"


def test_the_king_takes_the_place_of_the_top_card_which_is_played_instead():
    state = kings_shown()
    card = zones(state, -1)["pile_3"].cards[-1]
    exchanged, placed = events(state, Exchange("pile_3"))
    assert exchanged == Exchanged("KC", "pile_3", card)
    assert placed == Placed(card, f"pile_{'A23456789TJQ'.index(card[0])}")
    after_it = after(state, Exchange("pile_3"))
    assert zones(after_it, -1)["pile_3"].cards[-1] == "KC"
    assert zones(after_it)["pile_3"].face_down == 4
    assert the_clock.THE_CLOCK.look(after_it, 0).facts.king_at == "pile_3"
    assert the_clock.THE_CLOCK.look(after_it, 0).facts.revealed == 4


def test_the_exchanged_king_decides_the_game_when_it_shows_again():
    state = position("12 KS KH KD KC\n0 # # # 2S\n1 # # # AS", WATCH)
    state = after(state, RunToEnd(), Exchange("pile_0"), Step())
    assert [card for pile in (0, 1) for card in zones(state)[f"shown_{pile}"].cards] == ["AS", "2S"]
    lost = after(state, Step())
    assert the_clock.THE_CLOCK.result(lost) == Result("lost", "fourth_king", (), (2,))


def test_an_exchange_can_win():
    results = []
    for seed in range(40):
        cards = list(PACK)
        Random(seed).shuffle(cards)
        state = after(dealt(cards, WATCH), RunToEnd())
        if the_clock.THE_CLOCK.result(state) is None:
            ends = [
                the_clock.THE_CLOCK.result(after(state, choice, RunToEnd()))
                for choice in the_clock.THE_CLOCK.legal_commands(state, 0)
            ]
            assert all(end is not None for end in ends)
            results += ends
    assert Result("won", "all_face_up", (0,), (48,)) in results


def test_watching_a_fourth_king_that_comes_last_wins_without_an_exchange():
    order = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    assert the_clock.THE_CLOCK.result(after(showing(order, WATCH), RunToEnd())).ending == "won"


def test_every_card_belongs_to_the_hour_of_its_value() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    assert [hour.hour for hour in MATERIAL.hours] == [*range(1, 13), None]
    assert sorted(card for hour in MATERIAL.hours for card in hour.cards) == sorted(PACK)
    for hour in MATERIAL.hours:
        assert {value[card] for card in hour.cards} == {hour.hour or 13}
        assert (hour.id, hour.shown) == (f"pile_{(hour.hour or 13) - 1}", f"shown_{(hour.hour or 13) - 1}")


def test_the_piles_lie_as_the_hours_do():
    seen = zones(dealt(PACK))
    x, y = zip(*[(seen[f"pile_{place}"].x, seen[f"pile_{place}"].y) for place in range(13)], strict=True)
    assert y[11] == min(y) == 0
    assert y[5] == max(y)
    assert y[2] == y[8] == y[12]
    assert x[2] == max(x)
    assert x[8] == min(x)
    assert x[11] == x[5] == x[12]


def test_the_facts_count_what_is_shown_and_say_where_the_next_card_comes_from():
    state = after(position("12 # # # KH"), Step())
    facts = the_clock.THE_CLOCK.look(state, 0).facts
    assert (facts.revealed, facts.kings, facts.next_pile, facts.king_at) == (1, 1, "pile_12", None)
    over = the_clock.THE_CLOCK.look(after(showing(KINGS), RunToEnd()), 0)
    assert (over.facts.revealed, over.facts.kings, over.facts.next_pile) == (4, 4, None)
    assert (over.phase, over.to_act, over.stuck) == ("finished", (), False)


def test_a_king_that_waits_to_be_exchanged_is_counted():
    facts = the_clock.THE_CLOCK.look(after(showing(KINGS, Options(watch=True)), RunToEnd()), 0).facts
    assert (facts.revealed, facts.kings, facts.next_pile) == (4, 4, None)


def test_an_exchange_is_told():
    state = after(position("12 KS KH KD KC\n0 # # # 2S", Options(watch=True)), RunToEnd())
    assert sentences(state, Exchange("pile_0")) == [
        "The player lays the king of spades face down on the pile at 1 o'clock and turns up the two of spades for it.",
        "The two of spades goes face up under the pile at 2 o'clock.",
    ]


def test_the_deal_and_every_turn_are_told_and_there_is_no_ranking():
    assert the_clock.THE_CLOCK.tell(the_clock.THE_CLOCK.initial(PLAIN, 1), the_clock.Dealt(PACK), 0).startswith(
        "Thirteen piles"
    )
    assert the_clock.THE_CLOCK.has(PureLuck)
    assert sentences(position("12 # # # 5H"), Step()) == [
        "The player turns up the five of hearts from the pile in the middle.",
        "The five of hearts goes face up under the pile at 5 o'clock.",
    ]
