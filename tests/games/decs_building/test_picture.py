"""What each viewer sees and hears."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import COMMANDS, Command, Pass
from domain.games.decs_building.state import State
from domain.games.decs_building.view import MATERIAL
from domain.view import ALL_SEEING, Viewer, Zone, player_name
from service.pictures.words import fact_sentences

from .positions import SEED, discard, opened, place, position, say, start, take


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


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_resampled_state_looks_the_same_to_its_viewer(viewer: Viewer) -> None:
    state = opened(4).state
    assert GAME.has(Resample)
    other = GAME.get(Resample).draw(state, viewer, Chance(SEED))
    assert GAME.look(other, viewer) == GAME.look(state, viewer)
    assert other != state


def test_no_repr_shows_a_card() -> None:
    after = opened()
    assert [repr(after.state), repr(after.state.players[0]), repr(after.events[0])] == [
        "<State>",
        "<Player>",
        "<Dealt>",
    ]


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
