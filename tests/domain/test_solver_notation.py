"""Solutions of solvers of Klondike, Golf, Black Hole and Pyramid, deals of Solvitaire: read, played, written again."""

import re
from dataclasses import dataclass
from random import Random

import pytest

from domain.capabilities import Notation, Notations, Noted
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.kit.notations import MOST_WORDS


def notation(key: str) -> Notation:
    (found,) = GAME_TYPES[key].get(Notations).notations
    return found


@dataclass(frozen=True)
class Played:
    """A game as its notation writes it, and where it stands."""

    text: str
    ending: str | None
    state: object


def played(key: str, noted: Noted) -> Played:
    """What was read, decided by the rules."""
    game: AnyGameType = GAME_TYPES[key]
    options = noted.options
    deal = game.deal(options, Chance(b"", given=noted.deal), 1)
    state, line = game.initial(options, 1), list[object]()
    for event in deal:
        state = game.evolve(state, event)
    for command in noted.commands:
        for event in game.decide(state, 0, command):
            state, line = game.evolve(state, event), [*line, event]
    result = game.result(state)
    return Played(notation(key).write(options, deal, line), result and result.ending, state)


DECK = (
    "042031094013012043033041072074064083044063021023022034112104134052014111113051061132"
    "092101024121133054091011123122084062071093114124081053102032131073082103"
)
PYSOL = """\
Talon: 9D TC 2S QC KH 5S 9C AC QH QD 8S 6D 7C 9H JS QS 8C 5H TD 3D KC 7H 8D TH
4D
<3C> 4C
<9S> <7D> 6H
<AH> <7S> <2C> JD
<AD> <6S> <2H> <TS> AS
<4H> <8H> <2D> <KS> <JC> 5C
<3H> <4S> <3S> <5D> <JH> <6C> KD
"""
SOLVITAIRE = """\
{"tableau piles": [["4D"], ["3c", "4C"], ["9s", "7d", "6H"], ["ah", "7s", "2c", "JD"], ["ad", "6s", "2h", "10s", "AS"],
["4h", "8h", "2d", "ks", "jc", "5C"], ["3h", "4s", "3s", "5d", "jh", "6c", "KD"]], "stock": ["10H", "8D", "7H", "KC",
"3D", "10D", "5H", "8C", "QS", "JS", "9H", "7C", "6D", "8S", "QD", "QH", "AC", "9C", "5S", "KH", "QC", "2S", "10C", "9D"
]}
"""
DRAW_1 = (
    "5S F5 54 F5 DR1 W4 DR2 WS 63 F6 DR1 W7 47-3 F4 13 DR1 W1 DR3 WC 4C F4 DR3 W7 34-3 F3 37 F3 DR5 W1 DR3 W6 36 73-7 "
    "F7 73 F7 71 F7 27 F2 2C 73-2 F7 7S F7 7S F7 DR1 W3 DR1 W2 DR2 W6 46-4 F4 4H 5H F5 7H DR1 NEW DR2 WS 5S F5 5D DR2 "
    "W2 62-8 F6 64 F6 6D F6 3D 2D 3C 3D DR2 WD 2C 3C DR1 WC DR3 WC 3D 26-2 2D 62-3 F6 6H DR1 WH 2H 2S DR1 WH 2H 3S 2S "
    "3D 3S WS WH DR1 WH 2D 3D WD WC WC 1H 2C 1S 2H 3C 1H 2C 3D 4S"
)
DRAW_3 = (
    "5S F5 DR1 WS 63 F6 13 71 F7 DR5 W7 27 F2 23 DR1 W2 W7 54 F5 53 F5 W6 DR1 NEW DR1 W1 DR2 W2 62-2 F6 41-2 F4 W6 WC "
    "4C F4 34-5 F3 53 F5 5D 65-2 F6 6D F6 7D 46-6 F4 4H 6H 6C 7C 6D 6C 73 7C F7 W2 W6 W4 DR1 WC 62-4 F6 DR1 W4 W5 74 "
    "F7 7D F7 7S F7 7S F7 7H 6H 2S 3H 2H 3S 2S W1 WD 3D F3 DR1 WD WH 2H WC WS 1H 2C 3S DR1 WH WC WD 1S 2D 1D 2C 4H 5S "
    "1C 2D 4S 5H 1D 2C 4H 5S"
)
"""What pyksolve 0.0.15 finds for `shuffle1(1)`, drawing one and three."""


@pytest.mark.parametrize(("options", "moves"), [("", DRAW_1), ("options: draw=3\n", DRAW_3)])
@pytest.mark.parametrize("deal", [f"{DECK}\n", PYSOL])
def test_a_solution_of_pyksolve_wins_and_is_written_as_it_was(options: str, moves: str, deal: str) -> None:
    game = played("klondike", notation("klondike").read(f"# pyksolve\n{deal}{options}{moves} \n"))
    assert game.ending == "won"
    assert game.text.split() == [DECK, *options.split(), *moves.split()]
    assert played("klondike", notation("klondike").read(game.text)) == game
    assert played("klondike", notation("klondike").read(f"{deal}{options}{moves.lower()}")) == game


def test_a_deal_of_solvitaires_is_the_same_deal() -> None:
    deals = {notation("klondike").read(text).deal for text in (DECK, PYSOL, SOLVITAIRE)}
    assert len(deals) == 1
    golf = notation("golf").read(notation("golf").example)
    piles = [[golf.deal[at + 7 * row] for row in range(5)] for at in range(7)]
    told = {"tableau piles": piles, "stock": [*golf.deal[:35:-1]], "hole card": golf.deal[35]}
    assert notation("golf").read(str(told).replace("'", '"')).deal == golf.deal


GOLF_MOVES = "d 1 d 3 d 1 d 5 6 5 3 d d d 1 5 d 2 4 6 4 2 d 0 6 0 1 3 6 2 4 d d 6 d 4 4 d d 0 2 3 5 2 0 0 d 3 d 1 5"
BLACK_HOLE_MOVES = (
    "16 13 16 13 2 3 13 15 11 16 14 3 5 5 12 0 9 14 7 7 8 0 9 10 7 14 10 8 15 6 1 4 11 1 4 6 15 12 4 0 8 3 2 5 10 6 1 "
    "2 9 11 12"
)
"""The solutions in the tests of Black Hole Solver (906.golf, 26464608654870335080.bh); `d` deals from the talon."""


def solution(key: str) -> str:
    """As the solver prints it: the board before every move."""
    board = notation(key).example.partition("\n\n")[0]
    said = [
        "Deal talon" if at == "d" else f"Move a card from stack {at} to the foundations"
        for at in {"golf": GOLF_MOVES, "black_hole": BLACK_HOLE_MOVES}[key].split()
    ]
    shown = "[START BOARD]\nFoundations: 6D\n: 9D TS\n:\n[END BOARD]\n\n"
    between = f"\n\nInfo: Card moved is 6D\n\n\n====================\n\n{shown}"
    end = "\n\n--------------------\nTotal number of states checked is 8636.\nThis scan generated 8672 states.\n"
    return f"Solved!\n\n[START BOARD]\n{board}\n[END BOARD]\n\n" + between.join(said) + end


@pytest.mark.parametrize("key", ["golf", "black_hole"])
def test_a_solution_of_black_hole_solver_wins_and_comes_back_the_same(key: str) -> None:
    game = played(key, notation(key).read(solution(key)))
    assert game.ending == "won"
    assert played(key, notation(key).read(game.text)) == game


PYRAMID = """\
remove 9s and 4s, remove Kd, draw, remove 2c and Jc, remove Ah and Qh, remove 6d and 7c, draw, draw, draw, \
remove 8s and 5d, remove Kc, remove Kh, draw, draw, remove Tc and 3d, draw, draw, remove 8c and 5s, remove Ks, \
remove 3s and Ts, remove 6h and 7d, draw, remove 6c and 7s, draw, draw, draw, remove 8d and 5h, remove Td and 3h, \
remove 4h and 9d, remove Qs and As, draw, draw, recycle, remove 9h and 4c, draw, remove 5c and 8h, draw, draw, draw, \
remove Qd and Ac, remove Jh and 2d, remove 9c and 4d, remove Js and 2s, remove Th and 3c"""
"""The solution in the description of M. Chung's pyramid-service."""


def test_a_solution_of_a_pyramid_solver_wins_and_comes_back_the_same() -> None:
    deal = notation("pyramid").example.partition("\n\n")[0]
    moves = [move[0].upper() + move[1:] for move in PYRAMID.split(", ")]
    game = played("pyramid", notation("pyramid").read("\n".join([deal, "", *moves])))
    assert game.ending == "won"
    assert [{*line.split()} for line in game.text.splitlines()[3:]] == [{*move.split()} for move in moves]
    assert played("pyramid", notation("pyramid").read(game.text)) == game


def test_a_pyramids_deal_is_read_as_rows_of_cards_too() -> None:
    deck = notation("pyramid").read(notation("pyramid").example).deal
    rows = [deck[row * (row + 1) // 2 :][: row + 1] for row in range(7)]
    assert notation("pyramid").read("\n".join(" ".join(row) for row in [*rows, deck[28:]])).deal == deck


@pytest.mark.parametrize("key", ["klondike", "golf", "black_hole", "pyramid"])
def test_a_random_game_is_written_and_read_as_itself(key: str) -> None:
    game, lots = GAME_TYPES[key], Random(7)
    for seed in range(20):
        options = game.options(draw=lots.choice([1, 3])) if key in ("klondike", "pyramid") else game.options()
        deal = game.deal(options, Chance(bytes([seed]) * 32), 1)
        state, line = game.initial(options, 1), list[object]()
        for event in deal:
            state = game.evolve(state, event)
        for _ in range(60):
            if not (commands := game.legal_commands(state, 0)):
                break
            for event in game.decide(state, 0, lots.choice(commands)):
                state, line = game.evolve(state, event), [*line, event]
        text, result = notation(key).write(options, deal, line), game.result(state)
        assert played(key, notation(key).read(text)) == Played(text, result and result.ending, state)


@pytest.mark.parametrize(
    ("key", "old", "new", "what"),
    [
        ("klondike", "F5 54", "X5 54", "Line 3: `X5` is no deck in 156 digits and no move, such as DR2 or 47-3"),
        ("klondike", "042", "152", "Line 1: `152"),
        ("klondike", DECK, "4D\n3C 4C", "columns of 1 2 3 4 5 6 7 cards"),
        ("golf", "Deal talon", "Deal", "Line 12: `Deal` is no move of Black Hole Solver's"),
        ("golf", "stack 1", "stack 7", "Line 13: "),
        ("golf", "6D", "6X", "Line 1: `6X` is no card"),
        ("pyramid", "Remove Kd", "Remove Kx", "Line 5: `Remove Kx` is no move, such as Draw or Remove 9s and 4s"),
        ("black_hole", "2D\n", "\n", "17 piles of three cards"),
        ("black_hole", "Foundations: AS\n", "", "a card under `Foundations:`"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(key: str, old: str, new: str, what: str) -> None:
    with pytest.raises(Illegal, match=re.escape(what)):
        notation(key).read(notation(key).example.replace(old, new, 1))


def test_counted_draws_end_where_no_game_is_so_long() -> None:
    noted = notation("klondike").read(f"{DECK}\n{'DR99 ' * 100_000}")
    assert len(noted.commands) == MOST_WORDS + 1
