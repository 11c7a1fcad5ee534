"""The score of one hand by itself: Law 77 of duplicate bridge, without honours, on boards of four vulnerabilities."""

from domain.games.bridge_solitaire.contract import Contract, Side, Strain, other
from domain.games.bridge_solitaire.entries import Entry, Kind
from domain.games.bridge_solitaire.scoring import declarers_tricks, down, made, trick_score

BOARDS: tuple[tuple[Side, ...], ...] = ((), ("me",), ("it",), ("me", "it"))
"""The sides that are vulnerable on boards 1, 2, 3 and 4."""

GAME = 100
"""Points for tricks that make a game."""

PART_SCORE_BONUS = 50
GAME_BONUS, VULNERABLE_GAME_BONUS = 300, 500

_STRAINS: dict[Strain, str] = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}


def entries(
    hand: int, contract: Contract, tricks: int, vulnerable: tuple[Side, ...], old_undertricks: bool = False
) -> tuple[Entry, ...]:
    """The entries of a board in which the declarer took `tricks`; there is no line for them to stand below."""
    exposed = contract.declarer in vulnerable
    if tricks >= contract.needs:
        scores, side = (*made(contract, tricks, exposed), bonus(contract, exposed)), contract.declarer
    else:
        scores, side = down(contract, contract.needs - tricks, exposed, old_undertricks), other(contract.declarer)
    return tuple(Entry(hand, side, "above", kind, points) for kind, points in scores if points)


def bonus(contract: Contract, vulnerable: bool) -> tuple[Kind, int]:
    """Law 77, for making a contract: 300 for a game (vulnerable 500), 50 for less; a game is 100 for tricks."""
    if trick_score(contract) < GAME:
        return ("part_score_bonus", PART_SCORE_BONUS)
    return ("game_bonus", VULNERABLE_GAME_BONUS if vulnerable else GAME_BONUS)


def outcome(contract: Contract, tricks_me: int, vulnerable: tuple[Side, ...], margin: int) -> str:
    """A board in a few words: `4 spades, made, vulnerable: 620`; points are ME less IT."""
    tricks = declarers_tricks(contract, tricks_me)
    how = "made" if tricks >= contract.needs else f"{contract.needs - tricks} down"
    over = f" with {tricks - contract.needs} over" if tricks > contract.needs else ""
    exposed = "vulnerable" if contract.declarer in vulnerable else "not vulnerable"
    return f"{_bid(contract)}, {how}{over}, {exposed}: {margin}"


def _bid(contract: Contract) -> str:
    """`4 spades`, `1 diamond doubled by the house`."""
    strain = "no trump" if contract.strain == "NT" else _STRAINS[contract.strain] + ("s" if contract.level > 1 else "")
    doubling = "" if contract.doubling == "undoubled" else f" {contract.doubling}"
    return f"{contract.level} {strain}{doubling}{' by the house' if contract.declarer == 'it' else ''}"
