"""Seahaven Towers as a move list: the board, the moves, and what cannot be read."""

import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, STANDARD, Options, Standard
from tests.laws.goldens import folder, found, read

from .positions import after, begun, events


def played(name: str) -> tuple[Options, list, list]:
    """The options, the deal's events and the moves' of a golden game."""
    lines = read(folder("seahaven_towers") / name)
    options, chance = Options(**lines[0]["options"]), Chance(bytes.fromhex(lines[0]["seed"]))
    state, line = begun(chance, options), []
    for step in lines[2:]:
        word = Standard(step["events"][0]["standard"])
        state, line = after(state, word), [*line, *events(state, word)]
    return options, list(SEAHAVEN_TOWERS.deal(options, chance, 1)), line


@pytest.mark.parametrize("name", [path.name for path in found("seahaven_towers")])
def test_a_golden_game_is_written_and_read_as_the_same_deal_and_the_same_moves(name: str) -> None:
    options, deal, line = played(name)
    text = STANDARD.write(options, deal, line)
    noted = STANDARD.read(text)
    assert (noted.options, noted.deal, noted.number) == (options, deal[0].cards, None)
    assert noted.commands == tuple(Standard(event.standard) for event in line)


def test_the_board_is_that_of_freecell_solver_with_the_two_towers_of_the_deal() -> None:
    deal = SEAHAVEN_TOWERS.deal(Options(), Chance(bytes(32)), 1)
    shown = STANDARD.write(Options(), deal, [])
    state = begun(Chance(bytes(32)))
    towers = " ".join(card or "-" for card in state.towers)
    assert shown == f"FC: {towers}\n" + "".join(f": {' '.join(column)}\n" for column in state.columns)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("FC: - TD 2D -", "FC: TD 2D - -", "the second and the third tower"),
        ("FC: - TD 2D -", "FC: - TD - -", "the second and the third tower"),
        ("FC: - TD 2D -", "#5", "have no numbers here"),
        (" AH\n", "\n", "columns of 5 5 5 5 5 5 5 5 5 5 cards"),
        ("1d", "1e", "Line 13: `1e` is no move"),
        ("1d", "1v", "Line 13: `1v` is no move"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(old: str, new: str, what: str) -> None:
    assert old in STANDARD.example
    with pytest.raises(Illegal, match=what) as refusal:
        STANDARD.read(STANDARD.example.replace(old, new))
    assert refusal.value.rule == "unreadable_notation"


def test_the_towers_are_read_as_freecell_solver_prints_them() -> None:
    printed = STANDARD.example.replace("FC: - TD 2D -", "Freecells:      TD  2D")
    assert STANDARD.read(printed) == STANDARD.read(STANDARD.example)
    assert STANDARD.read(printed.replace("TD", "10D").replace("    10D", "   10D")) == STANDARD.read(STANDARD.example)
    wrong = STANDARD.example.replace("FC: - TD 2D -", "Freecells:  TD  2D")
    with pytest.raises(Illegal, match="the second and the third tower"):
        STANDARD.read(wrong)


def test_the_example_is_read_and_its_moves_are_legal() -> None:
    noted = STANDARD.read(STANDARD.example)
    state = after(begun(Chance(b"", given=noted.deal)), *noted.commands)
    assert state.towers.count(None) == 1
