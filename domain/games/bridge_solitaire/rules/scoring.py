"""The score of one hand: Laws 72 and 81 of rubber bridge (the Laws of Contract Bridge, American edition).

A board of duplicate bridge is scored by itself: Law 77 of duplicate bridge, without honours.
"""

from domain.games.bridge_solitaire.state import GAME, TRICKS, Contract, Entry, Kind, Place, Side, Strain, other
from domain.view import Card

Score = tuple[Kind, int]

_MULTIPLIER = {"undoubled": 1, "doubled": 2, "redoubled": 4}
_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}

HONOURS = "AKQJT"
HONOUR_POINTS = {4: 100, 5: 150}
"""Points of so many honours of the trump suit in one hand."""

ACE_POINTS = {4: 150}
"""Points of so many aces in one hand at no trump."""

PART_SCORE_BONUS = 50
GAME_BONUS, VULNERABLE_GAME_BONUS = 300, 500

# Doubled undertricks one by one; the last figure goes on.
_VULNERABLE = (200, 300)
_MODERN = (100, 200, 200, 300)
_OLD = (100, 200)  # not vulnerable, until 1987

_STRAINS: dict[Strain, str] = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}


def entries(
    hand: int,
    contract: Contract,
    tricks: int,
    cards: tuple[Card, ...],
    vulnerable: tuple[Side, ...] = (),
    old_undertricks: bool = False,
) -> tuple[Entry, ...]:
    """The entries of a hand in which the declarer took `tricks` and the player held `cards`."""
    side, scores = _score_tricks(contract, tricks, vulnerable, old_undertricks)
    honours = honour_points(cards, contract.strain)
    rows = tuple(Entry(hand, side, place_of(kind), kind, points) for kind, points in scores if points)
    return (*rows, Entry(hand, "me", "above", "honours", honours)) if honours else rows


def board_entries(
    hand: int, contract: Contract, tricks: int, vulnerable: tuple[Side, ...], old_undertricks: bool = False
) -> tuple[Entry, ...]:
    """The entries of a board in which the declarer took `tricks`; there is no line for them to stand below."""
    side, scores = _score_tricks(contract, tricks, vulnerable, old_undertricks)
    if side == contract.declarer:
        scores = (*scores, bonus(contract, contract.declarer in vulnerable))
    return tuple(Entry(hand, side, "above", kind, points) for kind, points in scores if points)


def place_of(kind: Kind) -> Place:
    """Where a rubber's sheet has points of this kind: tricks bid and made stand below the line."""
    return "below" if kind == "trick_score" else "above"


def trick_score(contract: Contract) -> int:
    """Law 81, odd tricks bid and made: 20 in a minor, 30 in a major, 40 then 30 in no trump; x2 or x4 doubled."""
    first = 10 if contract.strain == "NT" else 0
    return (contract.level * _TRICK[contract.strain] + first) * _MULTIPLIER[contract.doubling]


def overtrick(contract: Contract, vulnerable: bool) -> int:
    """Law 81, each overtrick: its trick value; 100 doubled and 200 redoubled, twice that when vulnerable."""
    if contract.doubling == "undoubled":
        return _TRICK[contract.strain]
    return 50 * _MULTIPLIER[contract.doubling] * (2 if vulnerable else 1)


def insult(contract: Contract) -> int:
    """Law 81, for making a contract: 50 doubled, 100 redoubled, whatever the vulnerability."""
    return {"undoubled": 0, "doubled": 50, "redoubled": 100}[contract.doubling]


def slam(contract: Contract, vulnerable: bool) -> tuple[Score, ...]:
    """Law 81, slams bid and made: small 500 (vulnerable 750), grand 1000 (vulnerable 1500), never multiplied."""
    if contract.level == 6:
        return (("small_slam", 750 if vulnerable else 500),)
    if contract.level == 7:
        return (("grand_slam", 1500 if vulnerable else 1000),)
    return ()


def penalty(contract: Contract, undertricks: int, vulnerable: bool, old: bool = False) -> int:
    """Law 81, undertricks: 50 each, 100 vulnerable; doubled as below; redoubled twice the doubled figure."""
    if contract.doubling == "undoubled":
        return undertricks * (100 if vulnerable else 50)
    rates = _VULNERABLE if vulnerable else _OLD if old else _MODERN
    doubled = sum(rates[min(nth, len(rates) - 1)] for nth in range(undertricks))
    return doubled * _MULTIPLIER[contract.doubling] // 2


def honour_points(cards: tuple[Card, ...], strain: Strain) -> int:
    """Law 81, honours in one hand: four trump honours 100, five 150, four aces at no trump 150.

    Only the player holds a hand; the house's suit is the player's shortest, so only a declaring player has them.
    """
    if strain == "NT":
        return ACE_POINTS.get(sum(card[0] == "A" for card in cards), 0)
    return HONOUR_POINTS.get(sum(card[1] == strain and card[0] in HONOURS for card in cards), 0)


def bonus(contract: Contract, vulnerable: bool) -> Score:
    """Law 77, for making a contract: 300 for a game (vulnerable 500), 50 for less; a game is 100 for tricks."""
    if trick_score(contract) < GAME:
        return ("part_score_bonus", PART_SCORE_BONUS)
    return ("game_bonus", VULNERABLE_GAME_BONUS if vulnerable else GAME_BONUS)


def declarers_tricks(contract: Contract, tricks_me: int) -> int:
    """The declarer's tricks of the thirteen, from the player's."""
    return tricks_me if contract.declarer == "me" else TRICKS - tricks_me


def outcome(contract: Contract, tricks_me: int, vulnerable: tuple[Side, ...], margin: int) -> str:
    """A board in a few words: `4 spades, made, vulnerable: 620`; points are ME less IT."""
    tricks = declarers_tricks(contract, tricks_me)
    how = "made" if tricks >= contract.needs else f"{contract.needs - tricks} down"
    over = f" with {tricks - contract.needs} over" if tricks > contract.needs else ""
    exposed = "vulnerable" if contract.declarer in vulnerable else "not vulnerable"
    return f"{_name_contract(contract)}, {how}{over}, {exposed}: {margin}"


def _score_tricks(
    contract: Contract, tricks: int, vulnerable: tuple[Side, ...], old: bool
) -> tuple[Side, tuple[Score, ...]]:
    """Who earns what by the tricks, the declarer or the defender; zeros are not entered."""
    exposed, over = contract.declarer in vulnerable, tricks - contract.needs
    if over < 0:
        return other(contract.declarer), (("undertricks", penalty(contract, -over, exposed, old)),)
    return contract.declarer, (
        ("trick_score", trick_score(contract)),
        ("overtricks", over * overtrick(contract, exposed)),
        ("insult", insult(contract)),
        *slam(contract, exposed),
    )


def _name_contract(contract: Contract) -> str:
    """`4 spades`, `1 diamond doubled by the house`."""
    strain = "no trump" if contract.strain == "NT" else _STRAINS[contract.strain] + ("s" if contract.level > 1 else "")
    doubling = "" if contract.doubling == "undoubled" else f" {contract.doubling}"
    return f"{contract.level} {strain}{doubling}{' by the house' if contract.declarer == 'it' else ''}"
