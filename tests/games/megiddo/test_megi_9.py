"""Megi 9, reconstructed: Megiddo on nine rings and nine spokes."""

from domain.capabilities import Reconstructed
from domain.chance import Chance
from domain.game_type import Result
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import GameStarted
from domain.games.megiddo.state import MEGI_9_ARBATTA, MEGI_9_SIZE

from .positions import drawn, place, position


def nine(drawing: str = "", **fields):
    return position(drawing, variant="megi_9", **fields)


def test_megi_9_is_not_played_unless_it_is_asked_for_and_is_told_to_be_reconstructed() -> None:
    assert MEGIDDO.options().variant == "megiddo"
    assert MEGIDDO.has(Reconstructed)
    assert "**reconstructed**" in MEGIDDO.rules


def test_the_board_has_nine_rings_and_nine_spokes() -> None:
    assert len(MEGIDDO.legal_commands(nine(), 0)) == MEGI_9_SIZE**2 == 81


def test_six_stones_in_a_row_are_nothing_and_nine_a_megiddo() -> None:
    assert place(nine("2: XXXXX...."), "2.5").kinds() == ["StonePlaced"]
    after = place(nine("2: XXXXXXXX."), "2.8")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (6, 0))


def test_nine_stones_on_a_spiral_are_a_megiddo() -> None:
    rings = [f"{ring}: {'.' * (ring - 1)}X{'.' * (9 - ring)}" for ring in range(1, 9)]
    assert place(nine("\n".join(rings)), "9.8").kinds() == ["StonePlaced", "LineCompleted", "GameScored"]


def test_captures_go_round_the_ring() -> None:
    after = place(nine("5: O......XO"), "5.1")
    assert after.waves() == ["5.0 5.8"]
    assert drawn(after.state) == {5: "XX.....XX"}


def test_an_arbatta_takes_nine_captured_stones_in_practice_ten() -> None:
    assert MEGI_9_ARBATTA == 9
    assert MEGIDDO.result(place(nine("3: XOO......", captured=(6, 0)), "3.3").state) is None
    after = place(nine("3: XOO......", captured=(8, 0)), "3.3")
    assert MEGIDDO.result(after.state) == Result("won", "arbatta", (0,), (10, 0))


def test_every_seat_has_as_many_stones_as_there_are_points() -> None:
    bowls = MEGIDDO.look(nine(), None).zones[-2:]
    assert [len(bowl.cards) for bowl in bowls] == [81, 81]
    given = tuple(stone for bowl in bowls for stone in bowl.cards)
    assert MEGIDDO.deal(nine().options, Chance(bytes(32), given=given[::-1]), 2) == (GameStarted(1),)
