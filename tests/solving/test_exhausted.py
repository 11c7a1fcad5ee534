"""Small positions, told by the solvers and by a plain search that leaves nothing out: they must agree."""

from random import Random

import pytest

from domain.games import GAME_TYPES, black_hole, canfield, forty_thieves, freecell, golf, klondike, pyramid, spider
from domain.games import seahaven_towers as seahaven
from domain.kit.cards import PACK, RANK
from service.solving import verdict

from .deals import ending


def winnable(key, state):
    """Whether a won position can be reached; recycles do not count where passes are unlimited."""
    game_type = GAME_TYPES[key]
    waiting, seen = [state], set()
    while waiting:
        state = waiting.pop()
        result = game_type.result(state)
        if result is not None and result.ending == "won":
            return True
        for command in game_type.legal_commands(state, 0):
            after = state
            for event in game_type.decide(state, 0, command):
                after = game_type.evolve(after, event)
            if (place := _place(key, after)) not in seen:
                seen.add(place)
                waiting.append(after)
    return False


def _place(key, state):
    """All that the state holds, in Klondike, FreeCell, Spider and Forty Thieves the columns in any order."""
    if key == "freecell":
        return frozenset(state.columns), frozenset(state.cells), state.foundations
    if key == "black_hole":
        return state.piles, state.foundation[-1][0]
    if key == "golf":
        return state.columns, state.stock, state.discard[-1]
    fields = {field: getattr(state, field) for field in state.__struct_fields__ if field not in ("options", "discard")}
    if key in ("klondike", "spider"):
        fields["columns"] = tuple(sorted(zip(fields["columns"], fields.pop("face_down"), strict=True)))
    if key == "forty_thieves":
        fields["columns"] = tuple(sorted(state.columns))
    if getattr(state.options, "passes", None) is None:
        fields.pop("recycles", None)
    return tuple(fields.values())


def last_cards(lots, count):
    """The highest cards of the pack, shuffled."""
    cards = sorted(PACK, key=lambda card: RANK[card])[-count:]
    lots.shuffle(cards)
    return cards


def piles(cards, number, size):
    return tuple(tuple(cards[size * place : size * (place + 1)]) for place in range(number))


def small_klondike(lots, **options):
    """Twenty-four cards: seven columns with two cards face down in each, and a stock of three."""
    cards = last_cards(lots, 24)
    settled = klondike.Options2(**{"foundation_return": False, **options})
    return klondike.State2(settled, piles(cards, 7, 3), (2,) * 7, (7,) * 4, tuple(cards[21:]))


def deep_klondike(lots, **options):
    """Twenty-four cards: two columns of nine with one face up, five of one, and a stock of one."""
    cards = last_cards(lots, 24)
    columns = (*piles(cards, 2, 9), *piles(cards[18:], 5, 1))
    settled = klondike.Options2(**{"foundation_return": False, **options})
    return klondike.State2(settled, columns, (8, 8, 0, 0, 0, 0, 0), (7,) * 4, tuple(cards[23:]))


def lopsided_klondike(lots, **options):
    """Twelve to thirty-six cards, most of them in three to seven columns, in each all but one face down."""
    ranks = lots.randint(3, 9)
    cards = last_cards(lots, 4 * ranks)
    stock, columns, number = cards[: lots.randint(0, 9)], [[] for _ in range(7)], lots.choice((3, 5, 7))
    for card in cards[len(stock) :]:
        columns[lots.randrange(number)].append(card)
    downs = tuple(max(0, len(column) - 1) for column in columns)
    settled = klondike.Options2(**options)
    return klondike.State2(settled, tuple(map(tuple, columns)), downs, (13 - ranks,) * 4, tuple(stock))


def small_canfield(lots, **options):
    """Twenty cards: four columns of one, a reserve of eight, a stock of eight."""
    cards = last_cards(lots, 20)
    reserve, stock = tuple(cards[4:12]), tuple(cards[12:])
    return canfield.State2(canfield.Options2(**options), piles(cards, 4, 1), (8,) * 4, 1, reserve, 7, stock)


def small_freecell(lots, **options):
    """Twenty cards: eight columns of two; the cells are full."""
    cards = last_cards(lots, 20)
    return freecell.State(freecell.Options(**options), piles(cards, 8, 2), tuple(cards[16:]), (8,) * 4)


def small_seahaven(lots, **options):
    """Twenty-four cards: ten columns of two, and the towers are full."""
    cards = last_cards(lots, 24)
    return seahaven.State(seahaven.Options(**options), piles(cards, 10, 2), tuple(cards[20:]), (7,) * 4)


def small_pyramid(lots, **options):
    """The upper three rows of a pyramid and a talon of eight, of ranks that often make thirteen."""
    cards = lots.sample([card for card in PACK if RANK[card] in range(4, 10)], 14)
    settled = pyramid.Options2(**options)
    gone = tuple(card for card in PACK if card not in cards)
    up = settled.stock_top
    return pyramid.State2(settled, (*cards[:6], *[""] * 22), tuple(cards[6:]), (), gone, stock_up=up)


def pyramid_with_kings(lots, **options):
    """Three rows and eleven cards of a talon, of which three lie in the waste, one just drawn; kings among them."""
    cards = lots.sample([card for card in PACK if RANK[card] in (2, 3, 5, 6, 7, 8, 10, 11, 13)], 17)
    gone, settled = tuple(card for card in PACK if card not in cards), pyramid.Options2(**options)
    stock, waste, up = tuple(cards[6:14]), tuple(cards[14:]), settled.stock_top
    return pyramid.State2(settled, (*cards[:6], *[""] * 22), stock, waste, gone, stock_up=up, just_drawn=True)


def buried_king(lots, **options):
    """The top of the pyramid alone, and an ace just drawn upon a king: it does not lie on the queen beneath that."""
    waste, settled = ("8S", "QS", "KS", "AS"), pyramid.Options2(**options)
    gone = tuple(card for card in PACK if card not in (*waste, "5S"))
    return pyramid.State2(settled, ("5S", *[""] * 27), (), waste, gone, just_drawn=True)


def small_golf(lots, **options):
    """Four columns of three and a stock of five, of few ranks."""
    cards = lots.sample([card for card in PACK if RANK[card] in (1, 2, 3, 4, 12, 13)], 18)
    return golf.State(golf.Options(**options), (*piles(cards, 4, 3), (), (), ()), tuple(cards[13:]), (cards[12],))


def small_black_hole(lots):
    """Five piles of two, of four ranks, so that many are alike; the other cards are on the foundation."""
    cards = lots.sample([card for card in PACK if RANK[card] in (6, 7, 8, 9)], 11)
    below = tuple(card for card in PACK if card not in cards)
    return black_hole.State(black_hole.Options(), (*piles(cards, 5, 2), *[()] * 12), (*below, cards[10]))


def small_spider(lots, **options):
    """The last run, king to six in order, its other cards in three columns, and six aces in the way; no stock."""
    cards = [card for card in PACK if card[1] == "S" and RANK[card] < 6]
    lots.shuffle(cards)
    head, aces = tuple(f"{rank}S" for rank in "KQJT9876"), [(ace,) for ace in ("AH", "AD", "AC") * 2]
    columns = (head, tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:]), *aces)
    return spider.State(spider.Options(**options), columns, (0, 1, 1, *[0] * 7), (), ("S",) * 7)


def small_forty_thieves(lots, **options):
    """Seven to king of two suits, twice, in six columns, in the stock and the waste; four columns are in the way."""
    cards = [card for card in PACK * 2 if RANK[card] > 6 and card[1] in "SH"]
    lots.shuffle(cards)
    columns, stock, waste = (*piles(cards, 6, 4), *(("QD", "KD"), ("QC", "KC")) * 2), cards[24:26], cards[26:]
    home = (6,) * 4 + (11,) * 4
    return forty_thieves.State(forty_thieves.Options(**options), columns, home, tuple(stock), tuple(waste))


POSITIONS = [
    ("forty_thieves", small_forty_thieves, {}), ("forty_thieves", small_forty_thieves, {"runs": True}),
    ("forty_thieves", small_forty_thieves, {"build": "alternating"}),
    ("forty_thieves", small_forty_thieves, {"build": "alternating", "runs": True}),
    ("forty_thieves", small_forty_thieves, {"passes": 2}), ("golf", small_golf, {}),
    ("golf", small_golf, {"wrap": True}), ("golf", small_golf, {"queens_on_kings": True, "draw_only_when_stuck": True}),
    ("black_hole", small_black_hole, {}), ("spider", small_spider, {}),
    ("spider", small_spider, {"manual_removal": True}),
    ("klondike", small_klondike, {"passes": 2, "end_on_last_pass": True, "whole_run_only": True}),
    ("klondike", small_klondike, {"draw": 3, "passes": 2, "end_on_last_pass": True, "whole_run_only": True}),
    ("canfield", small_canfield, {"draw": 3, "passes": 2, "whole_column_only": True}),
    ("seahaven_towers", small_seahaven, {"strict_single": True}), ("freecell", small_freecell, {"strict_single": True}),
    ("pyramid", small_pyramid, {"waste_pairs": True, "clear_all": True}),
    ("pyramid", small_pyramid, {"stock_top": True, "passes": 3}),
    ("pyramid", small_pyramid, {"stock_top": True, "draw_only_when_stuck": True}),
    ("pyramid", small_pyramid, {"draw": 3, "waste_pairs": True, "passes": 3}),
    ("pyramid", small_pyramid, {"tuts_tomb_pairing": True, "passes": 1}),
    ("pyramid", small_pyramid, {"clear_all": True}), ("pyramid", buried_king, {"passes": 1, "waste_pairs": True}),
    ("pyramid", pyramid_with_kings, {"passes": 1}), ("pyramid", pyramid_with_kings, {"passes": 2, "waste_pairs": True}),
    ("pyramid", pyramid_with_kings, {"passes": 2, "stock_top": True}),
    ("pyramid", pyramid_with_kings, {"passes": 2, "stock_top": True, "draw": 3}),
    ("pyramid", pyramid_with_kings, {"passes": 2, "draw_only_when_stuck": True}),
    ("pyramid", pyramid_with_kings, {"passes": 2, "clear_all": True, "waste_pairs": True}),
    ("pyramid", pyramid_with_kings, {"waste_pairs": True}), ("pyramid", pyramid_with_kings, {"stock_top": True}),
    ("klondike", lopsided_klondike, {"foundation_return": False}), ("klondike", deep_klondike, {}),
    ("klondike", deep_klondike, {"draw": 3, "passes": 1}), ("klondike", deep_klondike, {"whole_run_only": True}),
    ("klondike", small_klondike, {"whole_run_only": True}),
    ("klondike", small_klondike, {"draw": 3, "whole_run_only": True}),
    ("klondike", small_klondike, {"draw": 3, "passes": 1, "whole_run_only": True}), ("canfield", small_canfield, {}),
    ("canfield", small_canfield, {"draw": 3}), ("canfield", small_canfield, {"passes": 1}),
    ("freecell", small_freecell, {}), ("seahaven_towers", small_seahaven, {}), ("pyramid", small_pyramid, {}),
    ("pyramid", small_pyramid, {"draw": 3}), ("pyramid", small_pyramid, {"passes": 2}),
    ("pyramid", small_pyramid, {"waste_pairs": True}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "small", "options"), POSITIONS)
def test_an_exhausted_search_left_nothing_out(key, small, options):
    for seed in range(8):
        state = small(Random(seed), **options)
        finding = verdict(key, state.options, state, 100_000)
        assert finding.verdict == ("won" if winnable(key, state) else "impossible"), seed


def test_a_golf_game_that_was_resigned_is_not_won_any_more():
    for resigned, result in ((False, "won"), (True, "impossible")):
        state = golf.State(golf.Options(), (("2S",), *[()] * 6), (), ("AS",), resigned)
        assert verdict("golf", state.options, state).verdict == result


def test_a_card_that_lies_at_home_counts_where_it_may_come_back():
    """The nine of spades lies upon its eight and upon the only red ten that is not at home."""
    columns = (("8S", "TD", "9S"), ("JS",), ("QS",), ("TS",), ("KS",), ("KD", "QD", "JD"), ("KH", "QH", "JH"))
    for back in (True, False):
        options = klondike.Options2(foundation_return=back)
        state = klondike.State2(options, columns, (2, 0, 0, 0, 0, 2, 2), (7, 10, 9, 13))
        assert verdict("klondike", options, state).verdict == ("won" if back else "impossible")


@pytest.mark.parametrize(("seed", "options"), [
    pytest.param(128, {}, id="part of a column"), pytest.param(150, {"draw": 3}, id="a whole column, for a king"),
    pytest.param(179, {"passes": 1}, id="from a foundation"),
])  # fmt: skip
def test_a_move_that_waits_is_made_when_it_is_wanted(seed, options):
    """These are lost where such a move is never made."""
    state = lopsided_klondike(Random(seed), **options)
    assert verdict("klondike", state.options, state).verdict == "won"


RUNS = [
    ("KH", "QS", "JH", "TS", "9H", "8S", "7H"),
    ("KD", "QC", "JD", "TC", "9D", "8C"),
]


@pytest.mark.parametrize(
    ("home", "columns", "downs"),
    [
        pytest.param(
            (6, 5, 6, 2),
            (*RUNS, ("6H", "7D", "7S", "6C", "5C", "3C", "4C"), ("KS", "QH", "JC", "TH", "9C", "8H", "7C"),
             ("KC", "QD", "JS", "TD", "9S", "8D"), (), ()),
            (0, 0, 6, 0, 0, 0, 0),
            id="another comes back upon it, and then the four of clubs",
        ),
        pytest.param(
            (6, 2, 4, 4),
            (RUNS[0], ("5C", "5D", "5H", "6C", "6H", "7S", "3H", "4H"),
             ("KC", "QD", "JC", "TD", "9C", "8D", "7C", "6D"),
             ("KS", "QH", "JS", "TH", "9S", "8H"), ("KD", "QC", "JD", "TC", "9D", "8C", "7D"), (), ()),
            (0, 7, 0, 0, 0, 0, 0),
            id="the next one down comes back too, and then the four of hearts",
        ),
        pytest.param(
            (6, 3, 5, 5),
            (*RUNS, ("8H", "8D", "6D", "7S", "6H", "4H", "7C"), ("7D", "6C", "5H"), ("KS", "QH", "JC", "TH", "9C"),
             ("KC", "QD", "JS", "TD", "9S"), ()),
            (0, 0, 6, 0, 0, 0, 0),
            id="the five of hearts, for what it lay on goes home",
        ),
    ],
)  # fmt: skip
def test_a_card_comes_back_for_what_can_then_be_put_upon_it(home, columns, downs):
    """The six of spades comes back: nothing else helps."""
    for back in (True, False):
        options = klondike.Options2(foundation_return=back)
        state = klondike.State2(options, columns, downs, home)
        assert verdict("klondike", options, state).verdict == ("won" if back else "impossible"), back


def test_in_freecell_too_a_card_comes_back_from_a_foundation():
    """All cells are full: the eight of spades comes back for the seven of hearts, under which the six lies."""
    columns = ("6H 7H", "9S 9D", "9H 8H", "9C TH", "8D JH", "TS TC QH", "JS JC TD", "8C 7C QS QC QD JD")
    for back in (True, False):
        piles_of_cards = tuple(tuple(column.split()) for column in columns)
        options = freecell.Options(foundation_return=back)
        state = freecell.State(options, piles_of_cards, ("KS", "KC", "KH", "KD"), (8, 5, 7, 6))
        finding = verdict("freecell", options, state)
        assert finding.verdict == ("won" if back else "impossible")
        assert ending("freecell", state, finding.commands) == ("won" if back else None)


def test_what_a_part_of_a_column_has_left_may_come_to_lie_on_that_part():
    """In Canfield, where a column goes on from ace to king: the seven of hearts and all upon it make way for that."""
    long = "8D 7S 6H 5S 4H 3S 2D AS KH QS JH TS 9D 8C 7H 6C 5H 4C 3H 2C AD KC QH JC TD 9S"
    columns = ("QC JD TC 9H 8S", long, "KS QD JS TH 9C 8H 7C", "3C 2H")
    state = canfield.State2(
        canfield.Options2(), tuple(tuple(column.split()) for column in columns), (1, 0, 3, 0), 4,
        ("7D", "3D", "KD", "AH"), 3, (), ("AC", "6S", "2S", "5C"), 15,
    )  # fmt: skip
    assert verdict("canfield", state.options, state).verdict == "won"
