"""What is special to the rules of Seahaven Towers."""

import pytest

from domain.chance import Chance
from domain.game_type import Result
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Moved, Options
from domain.kit.cards import PACK

from .positions import PLAIN, RULES, after, dealt, events, legal, move, position, sentences, standard, stuck

NO_UNDO, STRICT, ANY = Options(undo=False), Options(strict_single=True), Options(any_card=True)
UNSHUFFLED = RULES.deal(given=PACK)
LOST = Result("lost", "no_moves", (), (2,))


def test_rows_fill_the_columns_and_then_the_middle_towers():
    assert [len(column) for column in UNSHUFFLED.columns] == [5] * 10
    assert (UNSHUFFLED.towers, UNSHUFFLED.foundations) == ((None, PACK[50], PACK[51], None), (0,) * 4)
    assert UNSHUFFLED.columns[0] == (PACK[0], PACK[10], PACK[20], PACK[30], PACK[40])
    assert tuple(column[-1] for column in UNSHUFFLED.columns) == PACK[40:50]


TABLE = "towers 7H - TD -\nhome 3S\n0 2D 8C 7C\n1 8S\n2 KH QH\n3 8H\n4 TC 9C 8C 7C\n9 6D 9D"
FIVE = "0 9S 8S 7S 6S 5S\n1 TS\n2 2D\n3 2H\n4 2C\n5 3D\n6 3H\n7 3C\n8 4D\ntowers KH KD KC"
FOUR = FIVE.replace("9S ", "2S 4H ").replace("TS", "9S")
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "0 0": "same_zone", "a a": "same_zone", "b b": "same_zone", "5 0": "source_empty", "b 0": "source_empty",
        "a 3 x2": "one_card", "a 3": None, "2 5 x2": None, "2 5": "king_on_empty_column", "0 5 x3": "no_run",
        "1 5 x2": "no_run", "4 5 x4": "king_on_empty_column", "0 C x2": "one_card_home", "0 S": "own_foundation",
        "1 S": "next_in_suit", "1 3": "in_suit", "0 1": "in_suit", "1 c": "tower_occupied", "a b": "tower_to_tower",
        "a c": "tower_to_tower", "0 b x2": "one_card_in_a_tower", "0 4": "one_rank_lower", "3 a": "tower_occupied",
        "9 2": "in_suit",
    }),
    "five cards with one tower": ("0 TC 9C 8C 7C 6C\n1 JC\ntowers 7H 7D TD", PLAIN, {"0 1 x5": "run_limit"}),
    "two cards with one tower": ("0 TC 9C\n1 JC\ntowers 7H 7D TD", PLAIN, {"0 1 x2": None}),
    "on the five of its suit and on no other": ("0 4D\n1 5D\n2 5H\n3 5C", PLAIN, {
        "0 1": None, "0 2": "in_suit", "0 3": "in_suit",
    }),
    "a covered card": ("0 4S 6H\n1 5S\n2 7H", PLAIN, {"0 2": None, "0 1": "in_suit", "0 1 x2": "no_run"}),
    "two free towers do not carry four": ("0 9C 8C 7C 6C\n1 TC\ntowers KH KD", PLAIN, {"0 1 x4": "run_limit"}),
    "with all towers full": ("0 5H\ntowers AS KH KD KC", PLAIN, {"0 a": "tower_occupied", "a S": None}),
    "an empty column takes a king and no queen": ("0 2D QS\n1 2H KS\ntowers KH QD", PLAIN, {
        "0 5": "king_on_empty_column", "b 5": "king_on_empty_column", "1 5": None, "a 5": None,
    }),
    "a run that a king heads goes whole": ("0 2D KS QS JS\ntowers KH QD", PLAIN, {
        "0 5 x3": None, "0 5 x2": "king_on_empty_column",
    }),
    "a king's run and one tower": ("0 2D KS QS JS\ntowers KH QD 5H", PLAIN, {"0 5 x3": "run_limit"}),
    "an empty column does not help to carry": ("0 2D 9S 8S\n1 TS\ntowers KH KD QD JD", PLAIN, {"0 1 x2": "run_limit"}),
    "a foundation takes from a tower": ("home 3S\ntowers 4S", PLAIN, {"a S": None, "a b": "tower_to_tower"}),
    "strict single moves": ("0 6D 5D\n1 7D", STRICT, {"0 1 x2": "strict_single"}),
    "any card in an empty column": ("0 2D QS\ntowers 5H", ANY, {"0 5": None, "a 5": None}),
    "with any card an empty column carries, too": (FOUR, ANY, {"0 1 x4": None}),
    "with any card a run in part": (FIVE, ANY, {
        "0 1 x5": "run_limit", "0 9": None, "0 9 x2": None, "0 9 x3": "run_limit",
    }),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


def test_a_standard_move_is_refused_by_the_rule_that_refuses_the_move_it_spells():
    spelt = {
        "61": "source_empty", "b10": "source_empty", "bh": "source_empty", "1010": "same_zone", "14": "in_suit",
        "2h": "next_in_suit", "2c": "tower_occupied", "16v3": "no_run", "103": "in_suit", "110": "in_suit",
        "36v1": "king_on_empty_column", "2hv2": "no_run",
    }  # fmt: skip
    assert {text: RULES.rule_against(position(TABLE), *standard(text)) for text in spelt} == spelt


def test_a_run_goes_by_way_of_towers_and_columns():
    three = position("0 2H 9C 8C 7C\n1 TC\ntowers KH KD")
    assert events(three, move("0 1 x3")) == (Moved(("9C", "8C", "7C"), "tableau_0", "tableau_1", "12"),)
    done = after(three, move("0 1 x3"))
    assert done.columns[:2] == (("2H",), ("TC", "9C", "8C", "7C"))
    assert after(three, *map(move, ("0 c", "0 d", "0 1", "d 1", "c 1"))) == done
    four = position(FOUR, ANY)
    singly = ("0 d", "0 9", "d 9", "0 d", "0 1", "d 1", "9 d", "9 1", "d 1")
    assert after(four, *map(move, singly)) == after(four, move("0 1 x4"))
    state = position("0 6D 5D\n1 7D", STRICT)
    assert RULES.rule_against(state, *standard("12")) == "strict_single"
    assert after(state, *map(move, ("0 a", "0 1", "a 1"))).columns[1] == ("7D", "6D", "5D")
    assert {command.count for command in SEAHAVEN_TOWERS.legal_commands(state, 0)} == {1}


def test_what_moves_leave():
    assert legal(after(position("0 4S 6H\n1 5S\n2 7H"), move("0 2")), move("0 1"))
    assert after(position("0 2D KS QS JS\ntowers KH QD"), move("0 5 x3")).columns[5] == ("KS", "QS", "JS")
    assert after(position("home 3S\ntowers 4S"), move("a S")).foundations == (4, 0, 0, 0)
    state = position(FIVE, ANY)
    assert events(state, move("0 9"))[0].standard == "110v1"
    assert events(state, *standard("110")) == events(state, move("0 9 x2"))


def test_the_facts_tell_how_many_cards_can_move_at_once():
    facts = RULES.facts(position("0 9S\ntowers KS KH"))
    assert (facts.run_limit, facts.run_limit_into_space) == (3, 3)
    limits = [RULES.facts(position(FIVE, options)).run_limit for options in (PLAIN, STRICT, ANY)]
    assert limits == [2, 1, 4]


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_the_game_is_won_with_52_cards_home(options):
    state = position("home KS KH KD QC\n3 KC", options)
    assert SEAHAVEN_TOWERS.result(state) is None
    assert SEAHAVEN_TOWERS.result(after(state, move("3 C"))) == Result("won", "all_home", (0,), (52,))


BLOCKED = "0 9S\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 3C\n8 {}\n9 {}\nhome 2D\ntowers {}"
"""Black odd cards everywhere: no column takes another's top card."""
TOWERS = "9H 7H 5H 3H"
STUCK = {
    "no card can move": (True, "JS", "JC", TOWERS, NO_UNDO, LOST),
    "no card can move, with undo": (True, "JS", "JC", TOWERS, PLAIN, None),
    "an empty column without a king": (True, "JS", "", TOWERS, NO_UNDO, LOST),
    "a king's column that only changes places": (True, "KH", "", TOWERS, NO_UNDO, None),
    "a king that uncovers a card": (False, "JS KH", "", TOWERS, NO_UNDO, None),
    "a free tower": (False, "JS", "JC", "9H 7H 5H", NO_UNDO, None),
    "a king for the empty column": (False, "JS", "", "9H 7H 5H KH", NO_UNDO, None),
    "a tower's card goes home": (False, "JS", "JC KC", "9H 7H 5H 3D", NO_UNDO, None),
    "a column's top goes home": (False, "JS", "3D", TOWERS, NO_UNDO, None),
    "a column takes another's top": (False, "JS", "TS", TOWERS, NO_UNDO, None),
    "a tower's card fits a column": (False, "JS", "JC", "9H 7H 5H 8C", NO_UNDO, None),
    "an empty column for any card": (False, "JS", "", TOWERS, Options(any_card=True, undo=False), None),
}


@pytest.mark.parametrize(("told", "eighth", "last", "towers", "options", "result"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_card_can_move(told, eighth, last, towers, options, result):
    state = position(BLOCKED.format(eighth, last, towers), options)
    assert (stuck(state), SEAHAVEN_TOWERS.result(state)) == (told, result)
    assert bool(SEAHAVEN_TOWERS.legal_commands(state, 0)) is (not told or eighth == "KH")


def test_the_last_move_into_the_last_tower_may_be_the_end():
    state = position(BLOCKED.format("JS", "JC QH", "9H 7H 5H"), NO_UNDO)
    assert SEAHAVEN_TOWERS.result(state) is None
    assert SEAHAVEN_TOWERS.result(after(state, move("9 d"))) == LOST


def test_foundations_and_towers_stand_above_the_columns_that_the_rules_name():
    assert [round(zone.x / 1.25) for zone in list(RULES.zones(dealt(1)).values())[:8]] == [3, 4, 5, 6, 0, 1, 8, 9]
    seen = RULES.zones(position("towers - QH\nhome 3D"))
    assert (seen["tower_0"].cards, seen["tower_1"].cards) == ((), ("QH",))
    assert seen["foundation_diamonds"].cards == ("AD", "2D", "3D")


def test_moves_are_told_with_their_standard_notation():
    deal = SEAHAVEN_TOWERS.deal(PLAIN, Chance(b"", given=PACK), 1)[0]
    assert SEAHAVEN_TOWERS.tell(SEAHAVEN_TOWERS.initial(PLAIN, 1), deal, None) == (
        "Ten columns are dealt face up, and the queen of clubs and the king of clubs to the middle towers."
    )
    state = position("0 QS JS\n1 KS\n2 AH\n9 TC\ntowers - 9C")
    assert [sentences(state, said) for said in (move("0 1 x2"), *standard("b10"), move("2 H"))] == [
        ["The player moves the queen of spades and the jack of spades from column 1 to column 2 (12)."],
        ["The player moves the nine of clubs from tower b to column 10 (b10)."],
        ["The player moves the ace of hearts from column 3 to the foundation of hearts (3h)."],
    ]


SEAHAVEN_1977 = """
    QH TS 6D TH 2C  JD 7H 8D 5H 2S  AD 6C 3H 4D AC  TC QC 5D QD 3S  5C AH 8S 9S 8C
    JS QS 9C 2H 6S  3D 7D 3C TD AS  KC KS KD 7S KH  JC 9D 4C 4H 2D  JH 4S 7C 9H 8H
"""
"""The columns of deal 1977 in the sample solutions of Games::Solitaire::Verify; its towers hold 5S and 6H."""
CARDS_1977 = [SEAHAVEN_1977.split()[5 * column + row] for row in range(5) for column in range(10)]
DEAL_1977 = RULES.deal(given=(*CARDS_1977, "5S", "6H"))


def key(state):
    """A position, apart from which tower and which column is which."""
    return tuple(sorted(state.columns)), tuple(sorted(filter(None, state.towers))), state.foundations


@pytest.mark.parametrize(("state", "paths", "reached"), [
    (DEAL_1977, [26, 478, 6298], [16, 137, 592, 1826]), (UNSHUFFLED, [29, 618, 9780], [19, 192, 1039, 3703]),
])  # fmt: skip
def test_move_sequences_and_positions_of_two_deals_are_counted(state, paths, reached):
    assert [RULES.paths(state, depth) for depth in (1, 2, 3)] == paths
    assert RULES.reached(state, 4, key) == reached
