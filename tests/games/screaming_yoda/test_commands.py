"""What can be said, how it may be spelled, and by which rule the rest is refused."""

from itertools import permutations

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda.events import COMMANDS, Call, Command, Flip, PickUp, Play, Ready, Shout, Swap
from domain.games.screaming_yoda.state import State
from domain.kit.cards import PACK

from .positions import SEED, dealt, folded, play, position, rule, say

TABLE = """
    pile: 5S 7S
    removed: TS
    hand_0: 9H 9D 6H 2C
    up_0: 9S KS KH 3S
    down_0: QS QH QD QC
    hand_1: JH
    up_1: AH
"""

BLIND = """
    pile: 7S
    down_0: QS - QD
    down_1: 4S
"""

ALL_NINES = """
    pile: 7S
    hand_0: 9H 9D
    up_0: 9S KS 9C KH
"""


@pytest.mark.parametrize(
    ("command", "slug"),
    [
        (Play(("9H", "6H")), "same_rank"),
        (Play(("9H", "9H")), "card_twice"),
        (Play(("9C",)), "not_yours_to_play"),
        (Play(("AH",)), "not_yours_to_play"),
        (Play(("QS",)), "not_yours_to_play"),
        (Play(("KS",)), "hand_first"),
        (Play(("KS", "KH")), "hand_first"),
        (Play(("9H", "9S")), "whole_hand"),
        (Play(("6H",)), "too_low"),
        (Play(("9H",), "column_0_0"), "other_source"),
        (Play(("9H",), "hand_1"), "other_source"),
        (Play(("9H",), None, "removed"), "pile_only"),
        (Play(("9H",), None, "hand_1"), "pile_only"),
        (Flip("column_0_0"), "hand_first"),
        (Flip("column_1_0"), "own_column"),
        (Flip("hand_0"), "own_column"),
        (Flip("column_0_9"), "own_column"),
        (Flip("column_0_0", "hand_0"), "pile_only"),
        (Shout(), "nothing_to_shout"),
        (Call(0), "own_call"),
        (Call(1), "false_call"),
        (Call(4), "not_in_play"),
        (Swap("9H", "column_0_0"), "no_swapping_now"),
        (Ready(), "no_swapping_now"),
    ],
)
def test_what_cannot_be_done_is_refused_by_the_rule_it_breaks(command: Command, slug: str) -> None:
    assert rule(position(TABLE), command) == slug


@pytest.mark.parametrize("command", [Play(("JH",)), Flip("column_1_0"), PickUp()])
def test_another_seat_waits_for_its_turn(command: Command) -> None:
    assert rule(position(TABLE), command, seat=1) == "not_your_turn"


def test_face_down_cards_wait_for_the_face_up_ones_and_an_empty_column_has_none() -> None:
    assert rule(position(BLIND + "up_0: 3S"), Flip("column_0_0")) == "face_up_first"
    assert rule(position(BLIND), Flip("column_0_1")) == "empty_column"


def test_an_empty_pile_cannot_be_picked_up() -> None:
    assert rule(position("hand_0: 9H"), PickUp()) == "empty_pile"


def test_nothing_is_accepted_once_the_game_is_over() -> None:
    over = play(position("hand_0: 9H\nhand_1: 3H"), "9H").state
    for command in (Play(("3H",)), Call(0), PickUp(), Ready()):
        assert rule(over, command, seat=1) == "game_over"


def test_every_set_of_cards_is_listed_once() -> None:
    assert GAME.legal_commands(position(TABLE), 0) == (
        Play(("9H",), "hand_0", "pile"),
        Play(("9D",), "hand_0", "pile"),
        Play(("9H", "9D"), "hand_0", "pile"),
        Play(("2C",), "hand_0", "pile"),
        PickUp(),
    )


def test_a_shout_is_listed_where_one_card_will_be_left() -> None:
    assert GAME.legal_commands(position("hand_0: 9H 9D 6H\npile: 7S"), 0) == (
        Play(("9H",), "hand_0", "pile"),
        Play(("9D",), "hand_0", "pile"),
        Play(("9H", "9D"), "hand_0", "pile"),
        Play(("9H", "9D"), "hand_0", "pile", shout=True),
        PickUp(),
    )
    assert GAME.legal_commands(position(BLIND), 0) == (
        Flip("column_0_0", "pile"),
        Flip("column_0_0", "pile", shout=True),
        Flip("column_0_2", "pile"),
        Flip("column_0_2", "pile", shout=True),
        PickUp(),
    )


def test_no_shout_is_listed_where_the_hand_will_be_filled() -> None:
    listed = GAME.legal_commands(position("hand_0: 9H 6H\npile: 7S\ndraw: 3H"), 0)
    assert listed == (Play(("9H",), "hand_0", "pile"), PickUp())


@pytest.mark.parametrize(
    ("drawing", "spelled", "listed"),
    [
        (TABLE, Play(("9D", "9H")), Play(("9H", "9D"), "hand_0", "pile")),
        (TABLE, Play(("2C",), "hand_0", shout=True), Play(("2C",), "hand_0", "pile")),
        (ALL_NINES, Play(("9C", "9D", "9S", "9H")), Play(("9H", "9D", "9S", "9C"), "hand_0", "pile")),
        (ALL_NINES, Play(("9S", "9D", "9H"), "column_0_0"), Play(("9H", "9D", "9S"), "hand_0", "pile")),
        (BLIND, Flip("column_0_2", shout=True), Flip("column_0_2", "pile", shout=True)),
        (BLIND + "down_0: QS QH QD", Flip("column_0_2", shout=True), Flip("column_0_2", "pile")),
    ],
)
def test_a_spelling_means_what_is_listed(drawing: str, spelled: Command, listed: Command) -> None:
    state = position(drawing)
    assert GAME.get(Spelling).canonical(state, 0, spelled) == listed
    assert listed in GAME.legal_commands(state, 0)
    assert say(state, spelled).events == say(state, listed).events


@pytest.mark.parametrize(
    ("drawing", "options"),
    [
        (TABLE, {}),
        (TABLE + "hand_0: 9H", {}),
        (ALL_NINES, {}),
        (ALL_NINES, {"combo_only_single": True}),
        (ALL_NINES + "hand_0:\nup_0: 9S 9H 9C KH", {}),
        (ALL_NINES + "draw: 3S", {}),
        (BLIND, {}),
        (BLIND + "pile:", {}),
    ],
)
def test_of_all_that_can_be_spelled_just_what_is_listed_is_accepted(drawing: str, options: dict[str, bool]) -> None:
    state = position(drawing, **options)
    listed = set(GAME.legal_commands(state, 0))
    accepted = {command for command in _everything() if _accepted(state, command)}
    assert {GAME.get(Spelling).canonical(state, 0, command) for command in accepted} == listed
    assert all(
        command in accepted or GAME.get(Spelling).canonical(state, 0, command) not in listed
        for command in _everything()
    )


def _everything() -> list[Command]:
    cards = ["9H", "9D", "9S", "9C", "6H", "2C", "KS", "KH", "3S"]
    named = [chosen for count in range(1, 4) for chosen in permutations(cards, count)]
    named += list(permutations(cards[:4], 4))
    zones = (None, "pile", "hand_0", "column_0_0", "column_0_2")
    plays = [Play(chosen, source, shout=shout) for chosen in named for source in zones for shout in (False, True)]
    targets = (None, "pile", "hand_0")
    flips = [Flip(f"column_0_{at}", to, shout) for at in range(4) for to in targets for shout in (False, True)]
    return [*plays, *flips, *(Call(seat) for seat in range(5)), PickUp(), Shout(), Ready()]


def _accepted(state: State, command: Command) -> bool:
    try:
        GAME.decide(state, 0, command)
    except Illegal:
        return False
    return True


def test_commands_are_read_from_json_and_what_cannot_be_one_is_not() -> None:
    decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
    spoken = b'{"type":"screaming_yoda/play","cards":["6H","6D"],"shout":true}'
    assert decoder.decode(spoken) == Play(("6H", "6D"), shout=True)
    for command in (*_everything()[::97], Swap("6H", "column_0_1"), Flip("column_0_1", shout=True)):
        assert decoder.decode(msgspec.json.encode(command)) == command
    for wrong in (
        b'{"type":"screaming_yoda/play","cards":[]}',
        b'{"type":"screaming_yoda/play","cards":["6H","6D","6S","6C","6H"]}',
        b'{"type":"screaming_yoda/play","cards":["#"]}',
        b'{"type":"screaming_yoda/flip","source":"COLUMN"}',
        b'{"type":"screaming_yoda/call","seat":5}',
        b'{"type":"screaming_yoda/call","seat":1,"loud":true}',
    ):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(wrong)
    assert len({command.__struct_config__.tag for command in COMMANDS}) == 7


def lines_of_play(state: State, depth: int) -> int:
    """How many different sequences of so many commands there are."""
    if depth == 0:
        return 1
    choices = [(seat, command) for seat in range(len(state.hands)) for command in GAME.legal_commands(state, seat)]
    after = (folded(state, GAME.decide(state, seat, command)) for seat, command in choices)
    return sum(lines_of_play(one, depth - 1) for one in after)


@pytest.mark.parametrize(
    ("seats", "counts"), [(3, [3, 9, 26, 75, 254]), (4, [4, 12, 34, 107, 319]), (5, [3, 10, 30, 84, 235])]
)
def test_the_lines_of_play_from_the_pack_dealt_in_its_order_are_counted(seats: int, counts: list[int]) -> None:
    state = dealt(seats, Chance(SEED, given=PACK)).state
    assert [lines_of_play(state, depth) for depth in range(1, 6)] == counts
