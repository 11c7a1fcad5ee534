"""The tables of the sheet as data: a client that scores with them alone writes what the game writes."""

from itertools import product

from hypothesis import HealthCheck, given, settings

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE_1, scoring
from domain.games.bridge_solitaire.state import BOARDS, Contract, Entry, other
from domain.games.bridge_solitaire.view import MATERIAL

from .scored import deals, folded, rows
from .scored import ended as with_premiums

Points = dict[tuple[str, str], int]
"""By side and kind."""

UNHURRIED = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is no fault
VULNERABILITIES = tuple(product(BOARDS, (False, True)))


def _made(contract: Contract, tricks: int, exposed: bool) -> Points:
    row = next(one for one in MATERIAL.tricks if (one.strain, one.doubling) == (contract.strain, contract.doubling))
    doubling = next(one for one in MATERIAL.doublings if one.id == contract.doubling)
    over = tricks - MATERIAL.book - contract.level
    points = {
        "trick_score": row.first + (contract.level - 1) * row.further,
        "overtricks": over * (row.overtrick_vulnerable if exposed else row.overtrick),
        "insult": doubling.insult,
    }
    slams = [one for one in MATERIAL.slams if one.level == contract.level]
    points |= {str(one.id): one.points_vulnerable if exposed else one.points for one in slams}
    return {(contract.declarer, kind): value for kind, value in points.items()}


def _down(contract: Contract, tricks: int, exposed: bool, old: bool) -> Points:
    case = (contract.doubling, exposed, old)
    row = next(one for one in MATERIAL.undertricks if (one.doubling, one.vulnerable, one.old_undertricks) == case)
    missing = MATERIAL.book + contract.level - tricks
    return {(other(contract.declarer), "undertricks"): row.points[missing - 1]}


def _hand(contract: Contract, tricks: int, exposed: bool, old: bool) -> Points:
    made = tricks >= MATERIAL.book + contract.level
    return _made(contract, tricks, exposed) if made else _down(contract, tricks, exposed, old)


def _honours(contract: Contract, held: tuple[str, ...]) -> Points:
    rows = [one for one in MATERIAL.honours if one.strain == contract.strain]
    return {("me", "honours"): sum(one.points for one in rows if len(set(one.cards) & set(held)) == one.held)}


def _bonus(contract: Contract, tricks: int, exposed: bool) -> Points:
    boards = MATERIAL.boards
    assert boards is not None
    below = _made(contract, tricks, exposed)[contract.declarer, "trick_score"]
    if tricks < MATERIAL.book + contract.level:
        return {}
    if below < boards.game:
        return {(contract.declarer, "part_score_bonus"): boards.part_score_bonus}
    return {(contract.declarer, "game_bonus"): boards.game_bonus_vulnerable if exposed else boards.game_bonus}


def _written(entries: tuple[Entry, ...]) -> Points:
    return {(entry.side, entry.kind): entry.points for entry in entries}


def _entered(points: Points) -> Points:
    return {key: value for key, value in points.items() if value}


@UNHURRIED
@given(deals())
def test_a_hand_of_a_rubber_is_scored_by_the_tables(deal: tuple[Contract, int, tuple[str, ...]]) -> None:
    contract, tricks, held = deal
    below = {line.id: line.place for line in MATERIAL.lines}
    for vulnerable, old in VULNERABILITIES:
        entries = scoring.entries(1, contract, tricks, held, vulnerable, old)
        told = _hand(contract, tricks, contract.declarer in vulnerable, old) | _honours(contract, held)
        assert _written(entries) == _entered(told)
        assert all(entry.place == below[entry.kind] for entry in entries)


@UNHURRIED
@given(deals())
def test_a_board_is_scored_by_the_tables(deal: tuple[Contract, int, tuple[str, ...]]) -> None:
    contract, tricks, _ = deal
    for vulnerable, old in VULNERABILITIES:
        exposed = contract.declarer in vulnerable
        told = _hand(contract, tricks, exposed, old) | _bonus(contract, tricks, exposed)
        assert _written(scoring.board_entries(1, contract, tricks, vulnerable, old)) == _entered(told)


def test_the_premiums_of_a_rubber_are_those_that_are_entered() -> None:
    rubber, game = MATERIAL.rubber, "me 4S 10"
    assert (rubber.game, rubber.games) == (100, 2)
    for hands, premium in (((game, game), rubber.premium[0]), (("it 4S 10", game, game), rubber.premium[1])):
        assert rows(with_premiums(folded(*hands)).entries)[-1] == ("me", "rubber_premium", premium)
    unfinished = rows(with_premiums(folded(game, "it 1C 7")).entries)[-2:]
    assert unfinished == [
        ("me", "unfinished_game", rubber.unfinished_game),
        ("it", "unfinished_part_score", rubber.unfinished_part_score),
    ]


def test_what_a_score_sheet_prints_is_told_in_its_figures() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    assert (len(value), value["AS"], value["KS"], value["2C"], value["*1"]) == (54, 14, 13, 2, 0)
    assert [(one.id, one.name) for one in MATERIAL.strains][0::4] == [("C", "clubs"), ("NT", "no trump")]
    plain = {one.strain: (one.first, one.further) for one in MATERIAL.tricks if one.doubling == "undoubled"}
    assert plain == {"C": (20, 20), "D": (20, 20), "H": (30, 30), "S": (30, 30), "NT": (40, 30)}
    assert [(one.points, one.points_vulnerable) for one in MATERIAL.slams] == [(500, 750), (1000, 1500)]
    assert [one.insult for one in MATERIAL.doublings] == [0, 50, 100]
    down = {(one.doubling, one.vulnerable, one.old_undertricks): one.points[:4] for one in MATERIAL.undertricks}
    assert down["doubled", False, False] == (100, 300, 500, 800)
    assert down["doubled", True, False] == (200, 500, 800, 1100)
    assert down["doubled", False, True] == (100, 300, 500, 700)


def test_the_first_revision_knows_no_boards() -> None:
    material = BRIDGE_SOLITAIRE_1.material
    assert isinstance(material, type(MATERIAL))
    assert material.boards is None
