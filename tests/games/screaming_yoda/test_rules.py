"""The rules of Screaming Yoda: plays, shouts, penalties, options and resignations."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules, Resignation
from domain.chance import Chance
from domain.game_type import Result
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import COMMANDS, Call, Command, Flip, PickUp, Play, Ready, Shout, Swap
from domain.games.screaming_yoda.plays import clearing, fits
from domain.games.screaming_yoda.state import Options, State
from domain.games.screaming_yoda.view import MATERIAL
from domain.kit.cards import PACK, RANKS
from domain.play.deciding import Act, legal_commands
from domain.play.deciding import play as play_on
from domain.play.events import Resign, Sealed
from domain.play.table import Opening, open_game
from tests.domain.played import refusal

from .positions import SEED, YODA, After, dealt, flip, folded, given, held, play, plays, position, rule, say


@pytest.mark.parametrize(("seats", "columns", "left"), [(3, 4, 18), (4, 4, 7), (5, 3, 6)])
def test_every_table_is_dealt_its_columns_three_in_hand_and_one_card_turned_up(
    seats: int, columns: int, left: int
) -> None:
    state = dealt(seats, given("9S", seats)).state
    assert [len(laid) for laid in (*state.face_up, *state.face_down)] == [columns] * 2 * seats
    assert [len(hand) for hand in state.hands] == [3] * seats
    assert (state.pile, len(state.draw)) == (("9S",), left)


def test_a_ten_turned_up_is_removed_and_any_rank_may_be_led() -> None:
    after = dealt(4, given("TS", 4))
    assert after.kinds() == ["Dealt", "TurnedUp", "Cleared", "TurnStarted"]
    assert (after.state.removed, after.state.pile) == (("TS",), ())
    assert set(after.state.hands[0]) <= set(plays(after.state))


COMBINED = "pile: 8S\nhand_0: 9H\nup_0: 9D KD 4D\ndown_0: 3S 3H 3D 3C\n"
KING = "pile: KS\nhand_0: 2H TH 9H\nhand_1: 3C 4C 5C\ndraw: AS 8S"
PLAYABLE = {
    "on a six equal or higher cards, one or two at a time": (
        "pile: 6S\nhand_0: 5H 6H 6D", ["6D", "6H", "6H 6D", "PickUp"], {"5H": "too_low"},
    ),
    "a two and a ten on a king": (KING, ["2H", "PickUp", "TH"], {"9H": "too_low"}),
    "sixes that would make four are too low for a king": (
        "pile: 6S 6H 9S KS\nhand_0: 6D 6C", ["PickUp"], {"6D 6C": "too_low"},
    ),
    "the last hand card alone or with its match": (COMBINED, ["9H", "9H 9D", "PickUp"], {}),
    "a match waits while another card is in hand": (
        f"{COMBINED}hand_0: 9H JH", ["9H", "JH", "PickUp"], {"9H 9D": "whole_hand"},
    ),
    "a match waits while there is a draw pile": (
        f"{COMBINED}draw: 7C", ["9H", "PickUp"], {"9H 9D": "draw_pile_first"},
    ),
    "an empty hand plays face-up cards": ("pile: QS\nup_0: 3S 3H AS\ndown_0: 4S 4H 4D", ["AS", "PickUp"], {}),
    "face-up cards are locked by a hand": ("hand_0: QS\nup_0: 3S 3H AS", ["QS"], {"AS": "hand_first"}),
}  # fmt: skip


@pytest.mark.parametrize(("drawing", "playable", "refused"), PLAYABLE.values(), ids=PLAYABLE)
def test_what_may_be_played(drawing: str, playable: list[str], refused: dict[str, str]) -> None:
    state = position(drawing)
    assert plays(state) == playable
    assert {cards: rule(state, Play(tuple(cards.split()))) for cards in refused} == refused


SIXES = "4S 6S 6H 9S JS 2S"
AGAIN = ev.TurnStarted(0, again=True)
FOLLOWS: dict[str, tuple[str, str, list[str], dict[str, Any], list[str] | None]] = {
    "anything goes on a two": (KING, "2H", ["Played", "Drawn", "TurnStarted"], {}, ["3C", "4C", "5C", "PickUp"]),
    "a ten removes the pile and the same player leads": (
        "pile: 9S\nhand_0: TH 3H 4H\ndraw: 5D 6D", "TH", ["Played", "Cleared", "Drawn", "TurnStarted"],
        {"turn": 0, "pile": (), "removed": ("9S", "TH")}, ["3H", "4H", "5D"],
    ),
    "four sixes anywhere in the pile clear it": (
        f"pile: {SIXES}\nhand_0: 6D 6C QH", "6D 6C", ["Played", "Cleared", "OneLeft", "TurnStarted"],
        {"turn": 0, "pile": (), "removed": (*SIXES.split(), "6D", "6C")}, None,
    ),
    "four of a kind led at once": (
        "hand_0: 5S 5H 5D 5C\nup_0: 9S 8S", "5S 5H 5D 5C", ["Played", "Cleared", "TurnStarted"],
        {"turn": 0, "removed": ("5S", "5H", "5D", "5C")}, None,
    ),
    "the last card of the draw pile is drawn": (
        "hand_0: 7S 8S 9S\ndraw: KS", "7S", ["Played", "Drawn", "TurnStarted"],
        {"draw": (), "hands": (("8S", "9S", "KS"), (), (), ())}, None,
    ),
    "and then no more": ("hand_0: 8S 9S KS\npile: 7S", "8S", ["Played", "TurnStarted"], {}, None),
    "a hand of eight draws nothing": (
        "hand_0: 3S 4S 5S 6S 7S 8S 9S JS\ndraw: KS QS", "3S", ["Played", "TurnStarted"], {"draw": ("KS", "QS")}, None,
    ),
    "a match from the table": (
        COMBINED, "9D 9H", ["Played", "TurnStarted"], {"pile": ("8S", "9H", "9D")}, None,
    ),
    "a flip that is too low goes to the hand with the pile": (
        "pile: 7S 8S\ndown_0: JS 5S\nhand_1: 3H 4H", "column 1", ["Flipped", "PickedUp", "TurnStarted"],
        {"hands": (("7S", "8S", "5S"), ("3H", "4H"), (), ()), "pile": (), "turn": 1}, ["3H", "4H"],
    ),
    "a ten that is flipped clears and another card is flipped": (
        "pile: 8S\ndown_0: TS 5S 6S", "column 0", ["Flipped", "Cleared", "TurnStarted"], {},
        ["column_0_1", "column_0_2"],
    ),
    "picking up the pile": (
        "pile: QS\nup_0: 3S 3H AS\ndown_0: 4S 4H 4D", "PickUp", ["PickedUp", "TurnStarted"],
        {"hands": (("QS",), (), (), ())}, None,
    ),
    "a shout with a flip saves one card left": (
        "pile: 8S\ndown_0: JS 5S", "column 0 shout", ["Flipped", "Shouted", "TurnStarted"], {"exposed": ()}, None,
    ),
    "a shout with a flip that fails": (
        "pile: 8S\ndown_0: JS 5S", "column 1 shout", ["Flipped", "PickedUp", "TurnStarted"],
        {"hands": (("8S", "5S"), (), (), ())}, None,
    ),
    "the last card wins, from two cards without a shout": (
        "pile: 8S\nhand_0: 9S 9H\nhand_1: 4S", "9S 9H", ["Played", "WentOut"], {}, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("drawing", "said", "kinds", "left", "playable"), FOLLOWS.values(), ids=FOLLOWS)
def test_what_a_command_leads_to(
    drawing: str, said: str, kinds: list[str], left: dict[str, Any], playable: list[str] | None
) -> None:
    state = position(drawing)
    if said.startswith("column"):
        after = flip(state, int(said.split()[1]), shout=said.endswith("shout"))
    else:
        after = say(state, PickUp()) if said == "PickUp" else play(state, said)
    assert after.kinds() == kinds
    assert {name: getattr(after.state, name) for name in left} == left
    assert playable is None or plays(after.state) == playable
    if "Cleared" in kinds:
        assert after.events[-1] == AGAIN
    if "WentOut" in kinds:
        assert GAME.result(after.state) == Result("won", "last_card", (0,))


LEFT = """
    pile: 8S
    hand_0: JS 9S
    removed: 3S 3H 4S 4H 5S 5H 6S 6H 7H TS TH
    hand_1: QS QH QD
    hand_2: KS KH KD
    hand_3: AS AH AD
"""


def test_a_player_who_forgets_to_shout_and_is_called_draws_three_removed_cards_and_loses_the_next_turn() -> None:
    exposed = play(position(LEFT), "9S").state
    assert exposed.exposed == (0,)
    after = say(exposed, Call(0), seat=2)
    assert after.kinds() == ["Caught", "Penalised"]
    assert (after.state.hands[0][0], len(after.state.hands[0])) == ("JS", 4)
    assert set(after.state.hands[0][1:]) | set(after.state.removed) == set(exposed.removed)
    assert held(after.state) == held(exposed)
    assert rule(after.state, Call(0), seat=1) == "false_call"
    for cards in ("QS", "KS", "AS"):
        after = play(after.state, cards)
    assert after.events[-2:] == (ev.Skipped(0), ev.TurnStarted(1))


@pytest.mark.parametrize(
    ("drawing", "penalty", "hand", "pile"),
    [
        ("pile: 4S 7S 9S\nremoved: TS\nhand_0: JS", (("TS",), ("4S", "7S"), ()), ("JS", "TS", "4S", "7S"), ("9S",)),
        ("pile: 4S 7S\nhand_0: JS", ((), ("4S",)), ("JS", "4S"), ("7S",)),
    ],
)
def test_a_penalty_is_made_up_from_under_the_top(drawing: str, penalty: Any, hand: Any, pile: Any) -> None:
    after = say(position(drawing, turn=1, exposed=(0,)), Call(0), seat=1)
    shuffled = {"chance": after.state.chance} if len(penalty) > 2 else {}
    assert after.events[1] == ev.Penalised(0, *penalty, **shuffled)
    assert (after.state.hands[0], after.state.pile, after.state.skips) == (hand, pile, (0,))


def test_caught_with_the_turn_come_round_a_player_loses_that_turn_and_not_the_one_after() -> None:
    after = say(position(LEFT, turn=0, exposed=(0,)), Call(0), seat=3)
    assert after.kinds() == ["Caught", "Penalised", "Skipped", "TurnStarted"]
    assert (after.state.turn, after.state.skips) == (1, ())
    for cards in ("QS", "KS", "AS"):
        after = play(after.state, cards)
    assert after.state.turn == 0


def test_an_exposed_player_who_shouts_in_time_cannot_be_caught() -> None:
    after = say(position(LEFT, turn=2, exposed=(0,)), Shout(), seat=0)
    assert after.kinds() == ["Shouted"]
    assert rule(after.state, Call(0), seat=1) == "false_call"


TABLE = "pile: 5S 7S\nremoved: TS\nhand_0: 9H 9D 6H 2C\nup_0: 9S KS KH 3S\ndown_0: QS QH QD QC\nhand_1: JH\nup_1: AH\n"
BLIND = "pile: 7S\ndown_0: QS - QD\ndown_1: 4S\n"
ALL_NINES = "pile: 7S\nhand_0: 9H 9D\nup_0: 9S KS 9C KH\n"


@pytest.mark.parametrize(("command", "slug"), [
    (Play(("9H", "6H")), "same_rank"), (Play(("9H", "9H")), "card_twice"), (Play(("9C",)), "not_yours_to_play"),
    (Play(("AH",)), "not_yours_to_play"), (Play(("QS",)), "not_yours_to_play"), (Play(("KS",)), "hand_first"),
    (Play(("KS", "KH")), "hand_first"), (Play(("9H", "9S")), "whole_hand"), (Play(("6H",)), "too_low"),
    (Play(("9H",), "column_0_0"), "other_source"), (Play(("9H",), "hand_1"), "other_source"),
    (Play(("9H",), None, "removed"), "pile_only"), (Play(("9H",), None, "hand_1"), "pile_only"),
    (Flip("column_0_0"), "hand_first"), (Flip("column_1_0"), "own_column"), (Flip("hand_0"), "own_column"),
    (Flip("column_0_9"), "own_column"), (Flip("column_0_0", "hand_0"), "pile_only"), (Shout(), "nothing_to_shout"),
    (Call(0), "own_call"), (Call(1), "false_call"), (Call(4), "not_in_play"),
    (Swap("9H", "column_0_0"), "no_swapping_now"), (Ready(), "no_swapping_now"),
])  # fmt: skip
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
        Play(("9H",), "hand_0", "pile"), Play(("9D",), "hand_0", "pile"), Play(("9H", "9D"), "hand_0", "pile"),
        Play(("2C",), "hand_0", "pile"), PickUp(),
    )  # fmt: skip


def test_a_shout_is_listed_where_one_card_will_be_left() -> None:
    assert GAME.legal_commands(position("hand_0: 9H 9D 6H\npile: 7S"), 0) == (
        Play(("9H",), "hand_0", "pile"), Play(("9D",), "hand_0", "pile"), Play(("9H", "9D"), "hand_0", "pile"),
        Play(("9H", "9D"), "hand_0", "pile", shout=True), PickUp(),
    )  # fmt: skip
    assert GAME.legal_commands(position(BLIND), 0) == (
        Flip("column_0_0", "pile"), Flip("column_0_0", "pile", shout=True), Flip("column_0_2", "pile"),
        Flip("column_0_2", "pile", shout=True), PickUp(),
    )  # fmt: skip


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
    assert YODA.spelt(state, spelled) == listed
    assert listed in GAME.legal_commands(state, 0)
    assert say(state, spelled).events == say(state, listed).events


@pytest.mark.parametrize(("drawing", "options"), [
    (TABLE, {}), (TABLE + "hand_0: 9H", {}), (ALL_NINES, {}), (ALL_NINES, {"combo_only_single": True}),
    (ALL_NINES + "hand_0:\nup_0: 9S 9H 9C KH", {}), (ALL_NINES + "draw: 3S", {}), (BLIND, {}), (BLIND + "pile:", {}),
])  # fmt: skip
def test_of_all_that_can_be_spelled_just_what_is_listed_is_accepted(drawing: str, options: dict[str, bool]) -> None:
    YODA.lists(position(drawing, **options), _everything())


def _everything() -> list[Command]:
    cards = ["9H", "9D", "9S", "9C", "6H", "2C", "KS", "KH", "3S"]
    named = [chosen for count in range(1, 4) for chosen in permutations(cards, count)]
    named += list(permutations(cards[:4], 4))
    zones = (None, "pile", "hand_0", "column_0_0", "column_0_2")
    plays = [Play(chosen, source, shout=shout) for chosen in named for source in zones for shout in (False, True)]
    targets = (None, "pile", "hand_0")
    flips = [Flip(f"column_0_{at}", to, shout) for at in range(4) for to in targets for shout in (False, True)]
    return [*plays, *flips, *(Call(seat) for seat in range(5)), PickUp(), Shout(), Ready()]


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


@pytest.mark.parametrize(
    ("seats", "counts"), [(3, [3, 9, 26, 75, 254]), (4, [4, 12, 34, 107, 319]), (5, [3, 10, 30, 84, 235])]
)
def test_the_lines_of_play_from_the_pack_dealt_in_its_order_are_counted(seats: int, counts: list[int]) -> None:
    state = dealt(seats, Chance(SEED, given=PACK)).state
    assert [YODA.paths(state, depth, seats) for depth in range(1, 6)] == counts


SHOUTING = "pile: 6S\nremoved: TS TH TD TC\nhand_0: 8S 9S\nhand_1: JH QH\nhand_2: JS QS KS\n"


def test_a_shout_with_the_play_leaves_nothing_to_call() -> None:
    after = play(position(SHOUTING), "8S", shout=True)
    assert after.events == (ev.Played(0, ("8S",)), ev.Shouted(0), ev.TurnStarted(1))
    assert (rule(after.state, Call(0), 1), rule(after.state, Shout(), 0)) == ("false_call", "nothing_to_shout")
    state = play(position(SHOUTING), "8S").state
    assert GAME.look(state, None).to_act == (0, 1, 2, 3)
    assert [GAME.legal_commands(state, seat) for seat in (0, 2)] == [(Shout(),), (Call(0),)]
    assert Call(0) in GAME.legal_commands(state, 1)
    assert GAME.look(state, None).facts.exposed == (0,)
    unneeded = position(f"{SHOUTING}hand_0: 8S 9S JD")
    assert play(unneeded, "8S", shout=True).events == play(unneeded, "8S").events


def test_cards_on_the_table_and_drawn_cards_count_too() -> None:
    assert play(position(f"{SHOUTING}down_0: 3S"), "8S").kinds() == ["Played", "TurnStarted"]
    assert play(position(f"{SHOUTING}draw: 3S"), "8S").kinds() == ["Played", "Drawn", "TurnStarted"]
    assert flip(position(f"{SHOUTING}hand_0:\ndown_0: 9S 3S"), 0).kinds() == ["Flipped", "OneLeft", "TurnStarted"]
    on_table = position(f"{SHOUTING}hand_0:\nup_0: 9S\ndown_0: 3S")
    assert play(on_table, "9S").kinds() == ["Played", "OneLeft", "TurnStarted"]


def test_the_danger_lasts_until_the_number_of_cards_changes() -> None:
    state = play(position(SHOUTING), "8S").state
    for seat in (1, 2):
        state = say(state, PickUp() if state.pile else Play(("JS",)), seat).state
        assert state.exposed == (0,)
    assert say(position("pile: AS\nhand_0: 3S\nhand_1: 4S", exposed=(0,)), PickUp()).state.exposed == ()
    won = play(position("pile: 6S\nhand_0: 9S\nhand_1: 4S", exposed=(0,)), "9S")
    assert won.kinds() == ["Played", "WentOut"]


def test_two_players_can_be_in_danger_at_once_and_call_each_other() -> None:
    state = play(play(position(SHOUTING), "8S").state, "JH").state
    assert state.exposed == (0, 1)
    assert GAME.legal_commands(state, 0) == (Shout(), Call(1))
    after = say(state, Call(1), 0)
    assert (after.state.exposed, after.state.skips) == ((0,), (1,))
    assert say(after.state, Call(0), 1).kinds() == ["Caught", "Penalised"]


def test_caught_before_the_bonus_play_a_player_loses_it_and_the_next_leads() -> None:
    state = play(position(f"{SHOUTING}hand_0: TS 9S\nremoved: 3S 3H 3D 3C"), "TS").state
    assert (state.turn, state.exposed, state.pile) == (0, (0,), ())
    after = say(state, Call(0), 2)
    assert after.kinds() == ["Caught", "Penalised", "Skipped", "TurnStarted"]
    assert (after.state.turn, len(after.state.hands[0]), after.state.skips) == (1, 4, ())


def test_the_penalty_shuffles_the_removed_cards_and_keeps_the_rest_of_them() -> None:
    state = play(position(SHOUTING), "8S").state
    after = say(state, Call(0), 1)
    penalty = after.events[1]
    assert len(penalty.drawn) == 3
    assert sorted(penalty.drawn + penalty.removed) == sorted(state.removed)
    assert after.state.removed == penalty.removed
    assert after.state.chance == penalty.chance != state.chance


def test_several_lose_their_turns_one_after_the_other() -> None:
    after = say(position(SHOUTING, turn=3, skips=(0, 1)), PickUp(), 3)
    assert after.events[1:] == (ev.Skipped(0), ev.Skipped(1), ev.TurnStarted(2))
    state = position(SHOUTING, turn=2, exposed=(0, 3))
    assert [say(state, said, seat).state.turn for seat, said in ((0, Shout()), (1, Call(0)), (3, Shout()))] == [2] * 3


def test_the_first_seat_is_dealt_to_first_and_is_on_turn() -> None:
    cards = given("9S", 4).given
    assert cards is not None
    for first in range(4):
        after = dealt(4, Chance(SEED, given=cards), first_seat=first)
        assert after.state.turn == first
        assert after.state.face_down[first][0] == cards[0]
        assert after.state.face_down[(first + 1) % 4][0] == cards[1]
        assert after.state.face_up[first][0] == cards[16]
        assert after.state.hands[first] == (cards[32], cards[36], cards[40])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_without_a_first_seat_lots_are_drawn(seats: int) -> None:
    firsts = [dealt(seats, Chance(bytes([number]) * 32)).state.first for number in range(40)]
    assert set(firsts) == set(range(seats))
    assert dealt(seats, Chance(SEED, given=PACK)).state.first == 0


def test_a_first_seat_that_is_none_of_the_tables_is_refused() -> None:
    settle = GAME.get(OptionRules).settle
    assert settle(Options(first_seat=4), 5).first_seat == 4
    assert refusal(settle, Options(first_seat=3), 3) == "first_seat"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"first_seat": 5}, Options)


def test_a_deal_that_is_given_is_dealt_as_it_lies() -> None:
    state = dealt(3, Chance(SEED, given=PACK)).state
    assert state.pile == (PACK[33],)
    assert state.draw == PACK[34:]


SWAPPING = """
    pile: 6S
    draw: 8C
    hand_0: 3H KH AD
    up_0: TS 4S 5S 6D
    hand_1: 3C 4C 5C
    up_1: 7S 8S 9S JS
    hand_2: 3D 4D 5D
    up_2: 7H 8H 9H JH
"""


def test_before_play_hand_cards_are_exchanged_for_face_up_cards_until_all_are_ready() -> None:
    opened = dealt(3, swap_phase=True)
    assert opened.state.turn is None
    assert opened.state.swapping == (0, 1, 2)
    state = position(SWAPPING, seats=3, swap_phase=True, swapping=(0, 1, 2))
    assert len(GAME.legal_commands(state, 1)) == 3 * 4 + 1
    after = say(state, Swap("3H", "column_0_0"), seat=0)
    assert after.events == (ev.Swapped(0, "3H", 0, "TS"),)
    assert (after.state.hands[0], after.state.face_up[0][0]) == (("TS", "KH", "AD"), "3H")
    state = after.state
    for seat in (1, 0):
        state = say(state, Ready(), seat).state
    last = say(state, Ready(), 2)
    assert last.events == (ev.BecameReady(2), ev.TurnStarted(0))
    assert held(last.state) == held(state)


def test_who_exchanges_cards_cannot_play_and_who_is_ready_exchanges_no_more() -> None:
    state = position(SWAPPING, seats=3, swap_phase=True, swapping=(0, 1, 2))
    refused = {
        Play(("KH",)): "swapping_first", Call(1): "swapping_first", Swap("KH", "column_1_0"): "own_column",
        Swap("KH", "pile"): "own_column", Swap("TS", "column_0_0"): "not_in_hand",
        Swap("KH", "column_0_0", "hand_1"): "not_in_hand",
    }  # fmt: skip
    assert {command: rule(state, command, 0) for command in refused} == refused
    ready = say(state, Ready(), 0).state
    assert rule(ready, Swap("KH", "column_0_0"), 0) == "no_swapping_now"
    assert rule(ready, Ready(), 0) == "no_swapping_now"
    assert GAME.legal_commands(ready, 0) == ()
    assert GAME.look(ready, None).to_act == (1, 2)


def test_without_a_swap_phase_nothing_is_exchanged() -> None:
    assert rule(position(SWAPPING, seats=3), Swap("3H", "column_0_0")) == "no_swapping_now"


JOINED = """
    pile: 8S
    hand_0: 9H 9C
    up_0: 9D 9S 4D
"""


def test_by_default_the_last_card_is_joined_by_one_face_up_card_and_by_option_by_several() -> None:
    state = GAME.initial(GAME.options(), 4)
    state = replace(position(JOINED + "hand_0: 9C"), options=state.options)
    assert plays(state) == ["9C", "9C 9D", "9C 9S", "PickUp"]
    assert rule(state, Play(("9C", "9D", "9S"))) == "one_face_up_card"
    several = replace(state, options=replace(state.options, combo_one_face_up=False))
    assert plays(several) == ["9C", "9C 9D", "9C 9D 9S", "9C 9S", "PickUp"]
    joined = replace(position(JOINED), options=state.options)
    assert plays(joined) == ["9C", "9H", "9H 9C", "PickUp"]
    assert rule(joined, Play(("9H", "9C", "9D"))) == "single_hand_card"
    unbound = replace(joined, options=replace(state.options, combo_only_single=False, combo_one_face_up=False))
    assert plays(unbound) == plays(position(JOINED))


def test_in_revision_1_two_equal_last_cards_are_joined_by_face_up_cards_unless_only_a_single_one_may_be() -> None:
    assert plays(position(JOINED)) == [
        "9C", "9H", "9H 9C", "9H 9C 9D", "9H 9C 9D 9S", "9H 9C 9S", "PickUp",
    ]  # fmt: skip
    state = position(JOINED, combo_only_single=True)
    assert plays(state) == ["9C", "9H", "9H 9C", "PickUp"]
    assert rule(state, Play(("9H", "9C", "9D"))) == "single_hand_card"
    assert "9C 9D" in plays(position(JOINED + "hand_0: 9C", combo_only_single=True))


def test_a_joined_play_of_four_clears_the_pile() -> None:
    assert play(position(JOINED), "9H 9C 9D 9S").kinds() == ["Played", "Cleared", "OneLeft", "TurnStarted"]


CALLED = """
    pile: 3S 4S 7S 8S 9S
    removed: TS TH TD TC
    hand_0: JS
    hand_1: 3H 4H
"""


@pytest.mark.parametrize(
    ("pile", "taken", "left"),
    [("3S 4S 7S 8S 9S", "7S 8S 9S", "3S 4S"), ("8S 9S", "8S 9S", ""), ("3S 4S 7S", "3S 4S 7S", "")],
)
def test_the_penalty_may_come_from_the_top_of_the_pile(pile: str, taken: str, left: str) -> None:
    state = position(CALLED + f"pile: {pile}", turn=1, exposed=(0,), yoda_penalty_source="pile")
    after = say(state, Call(0), seat=1)
    assert after.events == (ev.Caught(0, 1), ev.Penalised(0, (), tuple(taken.split())))
    assert after.state.pile == tuple(left.split())
    assert after.state.removed == state.removed


def test_with_no_pile_to_draw_from_being_caught_costs_the_turn_alone() -> None:
    state = position(CALLED + "pile:", turn=1, exposed=(0,), yoda_penalty_source="pile")
    after = say(state, Call(0), seat=1)
    assert after.events == (ev.Caught(0, 1),)
    assert (after.state.skips, after.state.exposed) == ((0,), ())
    assert rule(after.state, Call(0), 2) == "false_call"


def test_a_false_call_is_refused_or_costs_its_caller_cards() -> None:
    assert rule(position(CALLED, turn=1), Call(0), 1) == "false_call"
    state = position(CALLED, turn=1, false_call_penalty=2)
    after = say(state, Call(0), seat=2)
    assert after.kinds() == ["FalselyCalled", "Penalised"]
    assert len(after.state.hands[2]) == 2
    assert set(after.state.hands[2] + after.state.removed) == set(state.removed)
    assert (after.state.turn, after.state.skips) == (1, ())


def test_a_false_call_is_refused_while_nothing_can_be_drawn_for_it() -> None:
    state = position("hand_0: JS\npile: 9S", turn=1, false_call_penalty=2)
    assert rule(state, Call(0), 1) == "nothing_to_draw"
    assert GAME.look(state, None).to_act == (1,)
    from_the_pile = position("hand_0: JS\npile: 9S", turn=1, false_call_penalty=2, yoda_penalty_source="pile")
    assert say(from_the_pile, Call(0), 1).state.hands[1] == ("9S",)


def test_a_false_call_ends_the_danger_of_its_own_caller() -> None:
    state = position(CALLED, turn=1, exposed=(0,), false_call_penalty=1)
    assert say(state, Call(1), seat=0).state.exposed == ()


PLACES = """
    pile: 8S
    hand_0: 9S
    hand_1: JS
    hand_2: 4S 5S
"""


def test_for_places_the_others_play_on_until_one_is_left() -> None:
    state = position(PLACES, seats=3, play_for_places=True)
    first = play(state, "9S")
    assert first.kinds() == ["Played", "WentOut", "TurnStarted"]
    assert GAME.result(first.state) is None
    assert rule(first.state, PickUp(), 0) == "out_of_game"
    second = play(first.state, "JS")
    assert second.kinds() == ["Played", "WentOut"]
    assert GAME.result(second.state) == Result("won", "last_card", (0,), (2, 1, 0))


def test_who_goes_out_with_a_ten_leaves_the_lead_to_the_next_seat() -> None:
    state = position(PLACES + "hand_0: TS", seats=3, play_for_places=True)
    after = play(state, "TS")
    assert after.kinds() == ["Played", "Cleared", "WentOut", "TurnStarted"]
    assert plays(after.state) == ["JS"]


def test_for_places_turns_pass_those_who_are_out() -> None:
    state = position(PLACES, seats=3, turn=2, play_for_places=True, out=(0,))
    assert say(state, PickUp(), 2).events[-1] == ev.TurnStarted(1)
    assert rule(state, Call(0), 1) == "not_in_play"


def test_without_places_the_game_ends_with_the_first_player_out() -> None:
    ended = play(position(PLACES, seats=3), "9S")
    assert GAME.result(ended.state) == Result("won", "last_card", (0,))


def test_two_play_only_where_the_option_allows_it() -> None:
    assert refusal(GAME.get(OptionRules).settle, Options(), 2) == "two_seats"
    after = dealt(2, Chance(SEED), allow_two=True).state
    assert [len(hand) for hand in after.hands] == [3, 3]
    assert sum(map(len, (*after.hands, *after.face_down, *after.face_up))) == 22


def test_a_table_of_two_is_played_to_its_end_through_the_game_itself() -> None:
    players = (UUID(int=1), UUID(int=2))
    opening = Opening(type=GAME, options=Options(allow_two=True), players=players)
    game = open_game(UUID(int=9), opening, Sealed(bytes(32), bytes(32)), Act(players[0], None, 1)).game
    lots = Random(4)
    for _ in range(5000):
        if game.status == "finished":
            break
        seat = game.type.look(game.state, 0).to_act[0]
        listed = [said for said in legal_commands(game, seat) if not isinstance(said, Resign)]
        game = play_on(game, lots.choice(listed), Act(players[seat], seat, 2)).game
    assert game.result is not None
    assert game.result.winners in ((0,), (1,))


RESIGNING = """
    pile: 6S 8S
    removed: TS
    hand_0: 9S JS
    up_0: KS
    down_0: 3S 4S
    hand_1: JH
    hand_2: QH QD
    hand_3: KH KD
"""


def resign(state: State, seat: int) -> After:
    """What follows when a seat resigns."""
    assert GAME.has(Resignation)
    events: Sequence[ev.Event] = GAME.get(Resignation).events(state, seat)
    return After(tuple(events), folded(state, events))


SWAPS = {"swap_phase": True, "turn": None}
GONE: dict[str, tuple[dict[str, Any], int, tuple[Any, ...], dict[str, Any]]] = {
    "on turn, the pile is left to the next seat": ({}, 0, (ev.TurnStarted(1),), {"pile": ("6S", "8S")}),
    "out of turn, nobody's turn changes": ({"turn": 2}, 1, (), {"turn": 2}),
    "nobody can catch the seat": ({"exposed": (1,)}, 1, (), {"exposed": ()}),
    "its lost turn is forgotten": ({"skips": (1,)}, 1, (), {"skips": ()}),
    "exchanging cards, the seat counts as ready": (SWAPS | {"swapping": (0, 3)}, 0, (), {"swapping": (3,)}),
    "play begins with the last seat to be ready": (
        SWAPS | {"swapping": (0,), "resigned": (3,)}, 0, (ev.TurnStarted(1),), {"swapping": ()},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "seat", "events", "left"), GONE.values(), ids=GONE)
def test_what_follows_a_resignation(
    fields: dict[str, Any], seat: int, events: tuple[Any, ...], left: dict[str, Any]
) -> None:
    after = resign(position(RESIGNING, **fields), seat)
    assert after.events == (ev.Withdrawn(seat), *events)
    assert {name: getattr(after.state, name) for name in left} == left
    assert GAME.result(after.state) is None
    assert resign(after.state, seat).events == GAME.legal_commands(after.state, seat) == ()


def test_turns_pass_a_resigned_seat_by_which_can_say_nothing() -> None:
    state = resign(position(RESIGNING), 1).state
    assert say(state, PickUp()).events[-1] == ev.TurnStarted(2)
    assert [rule(state, said, 1) for said in (Shout(), Play(("JH",)), Call(0))] == ["out_of_game"] * 3
    assert rule(state, Call(1), 2) == "not_in_play"


def test_what_a_resigned_seat_held_stays_hidden_and_out_of_play() -> None:
    before = position(RESIGNING)
    after = resign(before, 0).state
    assert held(after) == held(before)
    assert (after.removed, after.pile) == (before.removed, before.pile)
    for viewer in (1, None):
        shown = {zone.id: zone for zone in GAME.look(after, viewer).zones}
        assert shown["hand_0"].cards == ("#", "#")
        assert (shown["column_0_0"].face_down, shown["column_0_0"].cards) == (1, ("KS",))
        assert (shown["column_0_1"].face_down, shown["column_0_1"].cards) == (1, ())


def test_the_last_seat_left_wins() -> None:
    state = position(RESIGNING)
    for seat in (0, 2):
        state = resign(state, seat).state
        assert GAME.result(state) is None
    last = resign(state, 3)
    assert last.events == (ev.Withdrawn(3),)
    assert GAME.result(last.state) == Result("won", "resigned", (1,))
    assert resign(last.state, 1).events == ()


def test_for_places_who_resigned_first_comes_last() -> None:
    state = position(RESIGNING, play_for_places=True, out=(2,))
    state = resign(state, 3).state
    assert GAME.result(state) is None
    assert GAME.result(resign(state, 0).state) == Result("won", "last_card", (2,), (1, 2, 3, 0))
    assert resign(state, 2).events == ()


def test_the_game_goes_on_after_a_resignation_and_is_finished_when_one_seat_is_left() -> None:
    players = tuple(UUID(int=seat + 1) for seat in range(3))
    opening = Opening(type=GAME, options=GAME.options(), players=players)
    game = open_game(UUID(int=99), opening, Sealed(bytes(32), bytes(32)), Act(players[0], 0, 1)).game
    game = play_on(game, Resign(), Act(players[1], 1, 2)).game
    assert (game.status, game.result) == ("playing", None)
    assert [command for command in legal_commands(game, 1) if not isinstance(command, Resign)] == []
    game = play_on(game, Resign(), Act(players[2], 2, 2)).game
    assert (game.status, game.result) == ("finished", Result("won", "resigned", (0,)))


SPECIAL = {special.rank: special for special in MATERIAL.special}


def test_the_data_tells_what_goes_on_what() -> None:
    value = {card.id[0]: card.value for card in MATERIAL.cards}
    for top in RANKS:
        for rank in RANKS:
            on_anything = rank in SPECIAL and "goes_on_anything" in SPECIAL[rank].effects
            takes_anything = top in SPECIAL and "takes_anything" in SPECIAL[top].effects
            told = on_anything or takes_anything or value[rank] >= value[top]
            assert told == fits(State(pile=(top + "S",)), rank), (top, rank)


def test_the_data_tells_what_clears() -> None:
    assert {rank for rank in RANKS if clearing((rank + "S",))} == {
        rank for rank, special in SPECIAL.items() if "clears" in special.effects
    }
    four = tuple("5" + suit for suit in "SHDC")
    assert clearing(four[: MATERIAL.alike]) == "four_of_a_kind"
    assert clearing(four[: MATERIAL.alike - 1]) is None
    assert [(table.seats, table.columns) for table in MATERIAL.tables] == [(2, 4), (3, 4), (4, 4), (5, 3)]
