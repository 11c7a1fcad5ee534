"""The score of a hand and a rubber's sheet, by the Laws of Contract Bridge (American edition).

A hand: Laws 72 and 81 of rubber bridge; a board of duplicate bridge: Law 77, without honours. The sheet is a fold over
the scored hands, for the game and for any reader of its events; then the premiums at its end, finished or not.
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.games.bridge_solitaire import state as bridge
from domain.games.bridge_solitaire.events import HandScored, HandsVoided, RubberClosed, RubberScored
from domain.games.bridge_solitaire.state import Column, Contract, Entry, Kind, Sheet, Side, Strain, column
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


def place_of(kind: Kind) -> bridge.Section:
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
    """Law 81, for making a contract: 50 doubled, 100 redoubled, vulnerable or not."""
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
    if trick_score(contract) < bridge.GAME:
        return ("part_score_bonus", PART_SCORE_BONUS)
    return ("game_bonus", VULNERABLE_GAME_BONUS if vulnerable else GAME_BONUS)


def declarers_tricks(contract: Contract, tricks_me: int) -> int:
    """The declarer's tricks of the thirteen, from the player's."""
    return tricks_me if contract.declarer == "me" else bridge.TRICKS - tricks_me


def outcome(contract: Contract, tricks_me: int, vulnerable: tuple[Side, ...], margin: int) -> str:
    """A board in a few words: `4 spades, made, vulnerable: 620`, `1 diamond doubled by the house, ...`; ME less IT."""
    tricks = declarers_tricks(contract, tricks_me)
    how = "made" if tricks >= contract.needs else f"{contract.needs - tricks} down"
    over = f" with {tricks - contract.needs} over" if tricks > contract.needs else ""
    exposed = "vulnerable" if contract.declarer in vulnerable else "not vulnerable"
    strain = "no trump" if contract.strain == "NT" else _STRAINS[contract.strain] + ("s" if contract.level > 1 else "")
    doubling = "" if contract.doubling == "undoubled" else f" {contract.doubling}"
    name = f"{contract.level} {strain}{doubling}{' by the house' if contract.declarer == 'it' else ''}"
    return f"{name}, {how}{over}, {exposed}: {margin}"


def _score_tricks(
    contract: Contract, tricks: int, vulnerable: tuple[Side, ...], old: bool
) -> tuple[Side, tuple[Score, ...]]:
    """Who earns what by the tricks, the declarer or the defender; zeros are not entered."""
    exposed, over = contract.declarer in vulnerable, tricks - contract.needs
    if over < 0:
        return bridge.other(contract.declarer), (("undertricks", penalty(contract, -over, exposed, old)),)
    return contract.declarer, (
        ("trick_score", trick_score(contract)),
        ("overtricks", over * overtrick(contract, exposed)),
        ("insult", insult(contract)),
        *slam(contract, exposed),
    )


RUBBER = (700, 500)
"""Law 74: the rubber premium by the games of the other side."""

UNFINISHED_GAME, UNFINISHED_PART_SCORE = 300, 100
"""Law 80: to the only side with a game, and to the only side with a part score in the open game."""

_PREMIUMS: frozenset[Kind] = frozenset({"rubber_premium", "unfinished_game", "unfinished_part_score"})


def after(sheet: Sheet, event: object) -> Sheet:
    """The sheet after one recorded event of the game; events that do not touch it leave it as it is."""
    match event:
        case HandScored():
            return with_hand(sheet, event.hand, event.entries)
        case RubberScored() | RubberClosed():
            return sheet if sheet.closed else replace(_write_entries(sheet, event.entries), closed=True)
        case HandsVoided():
            return _without_hands(sheet, event.from_hand)
        case _:
            return sheet


def with_hand(sheet: Sheet, hand: int, entries: tuple[Entry, ...]) -> Sheet:
    """The sheet with one more hand; a complete or closed sheet stays as it is.

    Law 73: at 100 below the line a game is won, a line is drawn and neither part score counts on.
    """
    if sheet.complete or sheet.closed:
        return sheet
    sheet = replace(_write_entries(sheet, entries), hands=hand)
    if max(sheet.me.part_score, sheet.it.part_score) < bridge.GAME:
        return sheet
    return replace(sheet, me=_open_game(sheet.me), it=_open_game(sheet.it), lines=(*sheet.lines, hand))


def at_end(sheet: Sheet) -> tuple[Entry, ...]:
    """What a rubber earns that ends now: the rubber premium, or those of an unfinished one."""
    return rubber(sheet) if sheet.complete else find_unfinished(sheet)


def rubber(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 74: two games earn 700 against none and 500 against one."""
    winner: Side = "me" if sheet.me.games == bridge.GAMES else "it"
    points = RUBBER[column(sheet, bridge.other(winner)).games]
    return (Entry(sheet.hands, winner, "above", "rubber_premium", points),)


def find_unfinished(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 80: 300 to the only side with a game, and 100 to the only side with a part score in the open game."""
    return (
        *_to_the_only(sheet, lambda side: side.games, "unfinished_game", UNFINISHED_GAME),
        *_to_the_only(sheet, lambda side: side.part_score, "unfinished_part_score", UNFINISHED_PART_SCORE),
    )


def to_game(sheet: Sheet, side: Side) -> int:
    """The points below the line that this side still needs for the open game."""
    return bridge.GAME - column(sheet, side).part_score


def back_score(margin: int) -> int:
    """A rubber's margin in whole hundreds; an odd fifty counts as a further hundred (a custom of rubber bridge)."""
    return (abs(margin) + 50) // 100 * (1 if margin >= 0 else -1)


def _write_entries(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    return replace(
        sheet,
        entries=sheet.entries + entries,
        me=_add_points(sheet.me, [entry for entry in entries if entry.side == "me"]),
        it=_add_points(sheet.it, [entry for entry in entries if entry.side == "it"]),
    )


def _add_points(column: Column, entries: list[Entry]) -> Column:
    if not entries:
        return column
    below = sum(entry.points for entry in entries if entry.place == "below")
    above = sum(entry.points for entry in entries if entry.place == "above")
    return replace(
        column,
        part_score=column.part_score + below,
        above=column.above + above,
        below=column.below + below,
        total=column.total + above + below,
    )


def _without_hands(sheet: Sheet, from_hand: int) -> Sheet:
    """The sheet as it stood before that hand: it, all later hands and any premium of the end are gone."""
    if from_hand > sheet.hands:
        return sheet
    rebuilt, earned = Sheet(), [entry for entry in sheet.entries if entry.kind not in _PREMIUMS]
    for hand in range(1, from_hand):
        rebuilt = with_hand(rebuilt, hand, tuple(entry for entry in earned if entry.hand == hand))
    return rebuilt


def _open_game(column: Column) -> Column:
    games = column.games + (column.part_score >= bridge.GAME)
    return replace(column, games=games, part_score=0, vulnerable=games > 0)


def _to_the_only(sheet: Sheet, has: Callable[[Column], int], kind: Kind, points: int) -> tuple[Entry, ...]:
    holders = [side for side in bridge.SIDES if has(column(sheet, side))]
    return tuple(Entry(sheet.hands, side, "above", kind, points) for side in holders if len(holders) == 1)
