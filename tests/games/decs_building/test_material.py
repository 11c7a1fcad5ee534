"""The board as data: what is printed agrees with what the rules do."""

from itertools import permutations

from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building.rules import KIND, offers
from domain.games.decs_building.state import SPACES, Options, piles
from domain.games.decs_building.view import MATERIAL

SYMBOLS = {str(symbol.id): symbol for symbol in MATERIAL.symbols}


def test_the_board_of_the_game_type_is_this_one() -> None:
    assert GAME.material is MATERIAL
    assert [space.id for space in MATERIAL.spaces] == list(SPACES)
    reindeer = next(space for space in MATERIAL.spaces if space.id == "reindeer")
    assert (reindeer.name, reindeer.bauble, reindeer.draws) == ("Reindeer", True, "reindeer")
    assert [price.cost for price in reindeer.prices] == [("K", "C", "S")]
    gain_card = next(space for space in MATERIAL.spaces if space.id == "gain_card")
    assert gain_card.prices[0].gains_from == ("stack_spades", "stack_hearts", "stack_diamonds", "stack_clubs")


def test_shapes_are_printed_rows_and_all_their_turnings() -> None:
    shapes = {kind.id: kind for kind in MATERIAL.features}
    assert shapes["candy_cane"].shape == ("XX", "X.", "X.")
    assert len(shapes["candy_cane"].turnings) == 4
    assert shapes["candy_cane"].turnings[0] == ((0, 0), (0, 1), (1, 0), (2, 0))
    assert len(shapes["big_star"].turnings) == len(shapes["reindeer"].turnings) == 1
    assert (shapes["santa"].hand, shapes["santa"].each_alike, shapes["candle"].each_two_away) == (1, -2, 2)


def test_prices_and_symbols_say_which_cards_pay() -> None:
    """Every two and three cards of some: the data alone tells the spaces that they pay for."""
    some = ("4S", "5H", "6C", "7D", "JH", "QS", "KC", "AH", "*1")
    for size in (1, 2, 3):
        for cards in permutations(some, size):
            for extra in (False, True):
                paid = set(offers("".join(sorted(KIND[card] for card in cards)), extra))
                assert {choice for choice, cost in _prices() if _pays(cards, cost, extra)} <= paid
                if cards == tuple(sorted(cards)):
                    told = {
                        choice
                        for choice, cost in _prices()
                        if any(_pays(order, cost, extra) for order in permutations(cards))
                    }
                    assert told == paid


def _prices() -> list[tuple[tuple[str, str | None], tuple[str, ...]]]:
    return [((space.id, price.alternative), price.cost) for space in MATERIAL.spaces for price in space.prices]


def _pays(cards: tuple[str, ...], cost: tuple[str, ...], extra: bool) -> bool:
    if len(cards) != len(cost):
        return False
    pairs = [(card, SYMBOLS[symbol]) for card, symbol in zip(cards, cost, strict=True)]
    matched = all(card in (symbol.extra_cards if extra else symbol.cards) for card, symbol in pairs)
    colours = {card[1] in "HD" for card, symbol in pairs if symbol.one_colour and card not in MATERIAL.wilds}
    return matched and (extra or len(colours) < 2)


def test_every_setup_holds_the_cards_that_are_dealt() -> None:
    assert len(MATERIAL.setups) == 12
    for setup in MATERIAL.setups:
        options = Options(short=setup.short, two_player_tens=setup.two_player_tens)
        assert tuple(stack.cards for stack in setup.stacks) == piles(options, setup.seats)
    plain = MATERIAL.setups[0]
    assert (plain.seats, plain.short, plain.two_player_tens, plain.pawns) == (2, False, True, 4)
    assert [grid.first_row for grid in MATERIAL.grids] == [1, 3]
