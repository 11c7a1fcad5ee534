"""The board of Decs Building, what is seen and told at it, and its material."""

from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import Reconstructed
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building import state as decs
from domain.games.decs_building.events import COMMANDS, Command, Pass
from domain.games.decs_building.grid import PLACEMENTS, around, bits_of, orientations
from domain.games.decs_building.rules import KIND, offers
from domain.games.decs_building.state import State
from domain.games.decs_building.view import MATERIAL, OFFERS
from domain.view import ALL_SEEING, Viewer, Zone, player_name
from service.pictures.words import fact_sentences

from .positions import discard, opened, place, position, say, start, take


def test_the_board_says_that_it_is_reconstructed() -> None:
    assert GAME.has(Reconstructed)
    assert "reconstructed" in GAME.rules


def test_points_and_costs_are_those_that_the_text_gives_and_no_cost_is_larger_than_a_plain_hand() -> None:
    points = {feature: kind.points for feature, kind in decs.KINDS.items()}
    assert points == {
        "power_cable": 0, "power_source": 0, "small_star": 2, "snowflake": 1, "big_star": 14, "large_angel": 14,
        "candy_cane": 10, "banner_angels": 14, "santa": 0, "candle": 2, "santas_sleigh": 30, "comet": 30,
        "herald_angel": 30, "reindeer": 70,
    }  # fmt: skip
    assert [way.cost for way in decs.SPACES["small_star"].ways] == ["D?"]
    assert [way.cost for way in decs.SPACES["snowflake"].ways] == ["???"]
    assert max(len(way.cost) for space in decs.SPACES.values() for way in space.ways) == 3


def test_there_are_as_many_baubles_as_the_most_pawns() -> None:
    assert (
        sum(space.bauble for space in decs.SPACES.values())
        == max(seats * pawns for seats, pawns in decs.PAWNS.items())
        == 9
    )


def test_the_shapes_have_their_sizes_and_turns() -> None:
    sizes = {feature: (kind.shape.count("X"), len(orientations(kind))) for feature, kind in decs.KINDS.items()}
    assert sizes == {
        "power_cable": (1, 1), "power_source": (1, 1), "small_star": (1, 1), "snowflake": (1, 1), "candle": (1, 1),
        "big_star": (5, 1), "candy_cane": (4, 4), "comet": (7, 4), "santa": (4, 1), "large_angel": (6, 1),
        "banner_angels": (6, 1), "santas_sleigh": (8, 1), "herald_angel": (8, 1), "reindeer": (11, 1),
    }  # fmt: skip


def test_every_place_lies_in_the_grid_and_is_there_once() -> None:
    for short, rows in ((False, range(1, 9)), (True, range(3, 9))):
        for feature, places in PLACEMENTS[short].items():
            assert len({place.bits for place in places}) == len(places), feature
            assert all(row in rows and 1 <= column <= 8 for place in places for row, column in place.cells)
            assert all(place.bits.bit_count() == len(place.cells) for place in places)
    assert len(PLACEMENTS[False]["candy_cane"]) == 4 * 6 * 7
    assert len(PLACEMENTS[True]["small_star"]) == 48


def test_neighbours_are_side_by_side_and_do_not_run_round_the_edge() -> None:
    assert around(bits_of([(4, 8)])) == bits_of([(3, 8), (5, 8), (4, 7)])
    assert around(bits_of([(1, 1)])) == bits_of([(1, 2), (2, 1)])
    assert around(bits_of([(8, 8)])) == bits_of([(7, 8), (8, 7)])
    assert bits_of(decs.PRINTED_SOURCES).bit_count() == 3


def test_the_rules_in_prose_name_what_the_tables_hold() -> None:
    lines = dict(line.removeprefix("* ").split(": ", 1) for line in GAME.rules.splitlines() if line.startswith("* "))
    for space in decs.SPACES.values():
        line = lines[f"{space.name}{' (bauble)' if space.bauble else ''}"]
        assert line.startswith(f"{' or '.join(' '.join(way.cost) for way in space.ways)} - ")
        assert all(plate.gain in line for plate in OFFERS.plates if plate.name == space.name)
        if space.feature:
            kind = decs.KINDS[space.feature]
            assert line.endswith(f"; `{kind.shape}`{' upright' if kind.upright else ''}.")
    sources = ", ".join(f"row {row} column {column}" for row, column in decs.PRINTED_SOURCES)
    assert f"with power sources at {sources};" in GAME.rules
    assert all(" ".join(decs.RUNS[seats]) in GAME.rules for seats in (3, 4))
    assert f"Pawns: {decs.PAWNS[2]}, {decs.PAWNS[3]} or {decs.PAWNS[4]}\neach for 2, 3 or 4 players" in GAME.rules
    assert f"less {-decs.EMPTY_SPACE} for each empty space" in GAME.rules


def zone(state: State, viewer: Viewer, name: str) -> Zone:
    return next(one for one in GAME.look(state, viewer).zones if one.id == name)


def test_hand_and_deck_are_seen_by_their_owner_alone_and_the_rest_by_all() -> None:
    state = position("hand_0: 4S 5S\ndeck_0: 6S 7S\nplayed_0: 8S 9S\nremoved: 2C")
    assert zone(state, 0, "hand_0").cards == ("4S", "5S")
    assert (zone(state, 0, "deck_0").cards, zone(state, 0, "deck_0").face_down) == (("7S", "6S"), 0)
    for viewer in (1, None):
        assert zone(state, viewer, "hand_0").cards == ("#", "#")
        assert (zone(state, viewer, "deck_0").cards, zone(state, viewer, "deck_0").face_down) == ((), 2)
        assert zone(state, viewer, "played_0").cards == ("8S", "9S")
        assert zone(state, viewer, "removed").cards == ("2C",)
        assert zone(state, viewer, "stack_kings").cards == ("KC", "KD", "KH", "KS")
    assert zone(state, ALL_SEEING, "deck_0").cards == ("7S", "6S")


def test_the_grid_is_drawn_in_letters() -> None:
    state = position("grid_1: reindeer 1,3; candy_cane 6,1; power_cable 8,3")
    assert GAME.look(state, 0).facts.seats[1].grid == (
        "..R.R...",
        "..RRR...",
        "...RRRR.",
        "...R..R.",
        "...o....",
        "CC......",
        "C.......",
        "Co+...o.",
    )


def test_the_facts_tell_what_works_and_what_it_is_worth() -> None:
    state = position("grid_0: santa 6,1; small_star 1,1\npawns_0: santa comet", token=1, latched=True)
    facts = GAME.look(state, None).facts
    own = facts.seats[0]
    assert [one.works for one in own.features] == [True, False]
    assert (own.score, own.empty_spaces, own.hand_size) == (-2 - 2 * 56, 56, 4)
    assert (own.pawns, own.spare_pawns, own.passed, own.out) == (("santa", "comet"), 2, False, False)
    assert (facts.token, facts.round, facts.final_round, facts.last_round_next) == (1, 3, False, True)


def test_a_deck_is_told_to_its_owner_card_by_card_and_to_nobody_else() -> None:
    state = position("deck_0: 6S 7S\ndeck_1: 2C 3D")
    decks = {
        viewer: [seat.deck for seat in GAME.look(state, viewer).facts.seats] for viewer in (0, 1, None, ALL_SEEING)
    }
    assert decks[0] == [("6S", "7S"), ()]
    assert decks[1] == [(), ("2C", "3D")]
    assert decks[None] == [(), ()]
    assert decks[ALL_SEEING] == [("6S", "7S"), ("2C", "3D")]
    assert b"deck" not in msgspec.json.encode(GAME.look(state, None).facts)
    assert "deck 6S, 7S" in "\n".join(fact_sentences(GAME.look(state, 0).facts))


def test_a_feature_to_be_drawn_has_its_outlines_and_the_places_of_each() -> None:
    state = position("hand_0: 4C 5C 6H\nhand_1: 3C\ngrid_0: reindeer 1,1; comet 5,1; herald_angel 3,5; large_angel 6,6")
    assert GAME.look(state, None).facts.outlines == ()
    placing = say(state, take("candy_cane", "4C 5C 6H")).state
    outlines = GAME.look(placing, None).facts.outlines
    turnings = next(kind for kind in MATERIAL.features if kind.id == "candy_cane").turnings
    assert tuple(one.cells for one in outlines) == turnings
    told = {
        tuple((top + row, left + column) for row, column in one.cells) for one in outlines for top, left in one.anchors
    }
    assert told == {command.cells for command in GAME.legal_commands(placing, 0)}  # type: ignore[union-attr]
    assert told


def test_the_phase_says_what_is_waited_for_and_from_whom() -> None:
    state = position("hand_0: JS 4S 6H 7D\nhand_1: 3C")
    looks = [
        GAME.look(GAME.initial(state.options, 2), None),
        GAME.look(opened().state, None),
        GAME.look(state, None),
        GAME.look(say(state, take("candle", "6H 7D")).state, None),
        GAME.look(say(state, take("everyone_pitch_in", "JS")).state, None),
        GAME.look(replace(state, over="most_points"), None),
    ]
    assert [view.phase for view in looks] == ["deal", "start_card", "turns", "placing", "extra_action", "finished"]
    assert [view.to_act for view in looks] == [(), (opened().state.token,), (0,), (0,), (0,), ()]


def test_decks_and_draws_of_others_are_backs_in_events_and_counts_in_sentences() -> None:
    after = opened()
    dealt, drawn = after.events[0], after.events[2]
    assert isinstance(dealt, ev.Dealt)
    assert isinstance(drawn, ev.Drawn)
    seat, other, state = drawn.seat, 1 - drawn.seat, after.state
    shown = GAME.redact(state, dealt, other)
    assert isinstance(shown, ev.Dealt)
    assert shown.decks[seat] == ("#",) * 4
    assert shown.decks[other] == dealt.decks[other]
    assert GAME.redact(state, dealt, ALL_SEEING) == dealt
    assert GAME.redact(state, drawn, other) == ev.Drawn(seat, ("#",) * 3)
    assert GAME.redact(state, drawn, seat) == drawn
    assert GAME.tell(state, drawn, other) == f"{player_name(seat)} draws 3 cards."
    assert drawn.cards[0][0] == "23"[seat]
    assert "of " in GAME.tell(state, drawn, seat)


def told(state: State, command: Command) -> list[str]:
    return [GAME.tell(state, event, None) for event in say(state, command).events]


def test_what_happens_is_told_in_sentences() -> None:
    state = position("hand_0: QS 4D *1 5C\nhand_1: 3C\npawns_1: comet")
    assert told(state, take("comet", "QS 4D *1", cells=place("comet", "1,1").cells))[:4] == [
        "The pawn of Player 2 goes home from Comet.",
        "Player 1 places a pawn on Comet.",
        "Player 1 takes Comet and pays queen of spades, four of diamonds, joker, pictures back to their stacks.",
        "Player 1 draws Comet at row 1 column 1, row 1 column 2, row 2 column 1, row 2 column 2, row 2 column 3, "
        "row 2 column 4, row 2 column 5.",
    ]
    assert told(state, take("stop_messing_around", "QS 5C"))[0] == (
        "Player 1 takes Stop Messing Around and pays queen of spades and five of clubs, which leaves the game, "
        "pictures back to their stacks."
    )
    assert told(state, discard("4D 5C")) == [
        "Player 1 discards four of diamonds, five of clubs.",
        "Player 2 is on turn.",
    ]
    assert told(state, Pass())[0] == "Player 1 passes."


def test_commands_are_read_from_json_by_their_tags() -> None:
    decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
    spoken = b'{"type":"decs_building/take_action","space":"snowflake","payment":["4S","5S","6S"],"cells":[[1,2]]}'
    assert decoder.decode(spoken) == take("snowflake", "4S 5S 6S", cells=((1, 2),))
    for command in (start("stack_clubs"), Pass(), discard("4S 5S"), place("santa", "1,1")):
        assert decoder.decode(msgspec.json.encode(command)) == command
    for wrong in (b'{"type":"decs_building/place","cells":[[0,9]]}', b'{"type":"decs_building/discard","card":"#"}'):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(wrong)
    assert len({command.__struct_config__.tag for command in COMMANDS}) == 6


SYMBOLS = {str(symbol.id): symbol for symbol in MATERIAL.symbols}


def test_the_board_of_the_game_type_is_this_one() -> None:
    assert GAME.material is MATERIAL
    assert [space.id for space in MATERIAL.spaces] == list(decs.SPACES)
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
        options = decs.Options(short=setup.short, two_player_tens=setup.two_player_tens)
        assert tuple(stack.cards for stack in setup.stacks) == decs.piles(options, setup.seats)
    plain = MATERIAL.setups[0]
    assert (plain.seats, plain.short, plain.two_player_tens, plain.pawns) == (2, False, True, 4)
    assert [grid.first_row for grid in MATERIAL.grids] == [1, 3]
