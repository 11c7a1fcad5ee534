"""Rubbers written hand by hand: each as its declarer, contract and the tricks taken, scored by the domain."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from msgspec import Struct
from projection_logs import ADA, AnyRecord, event_record, finish, game_id, opening_event

from domain.games.bridge_solitaire.events import HandScored, RubberClosed, RubberScored
from domain.games.bridge_solitaire.scoring import after, at_end, entries, rubber
from domain.games.bridge_solitaire.state import Contract, Sheet

KIND = "bridge_solitaire"
DOUBLING: Any = {"": "undoubled", "x": "doubled", "xx": "redoubled"}
FIVE_CLUB_HONOURS = ("AC", "KC", "QC", "JC", "TC", "8C", "QH", "8H", "7H", "9S", "4S", "3D", "*1")
NO_HONOURS = ("2C", "3C", "4C", "5C", "2D", "3D", "4D", "2H", "3H", "4H", "2S", "3S", "4S")


def hand(sheet: Sheet, written: str, cards: tuple[str, ...] = NO_HONOURS) -> HandScored:
    """The next hand of a sheet: `me 1Cx 7` is one club doubled by the player, seven tricks to the declarer."""
    declarer, bid, tricks = written.split()
    level, strain, doubling = int(bid[0]), bid[1:].rstrip("x"), DOUBLING[bid.lstrip("1234567CDHSNT")]
    contract = Contract(declarer, level, strain, doubling)  # type: ignore[arg-type]
    mine = int(tricks) if declarer == "me" else 13 - int(tricks)
    scored = entries(sheet.hands + 1, contract, int(tricks), cards, sheet.vulnerable)
    return HandScored(sheet.hands + 1, cards, contract, mine, 13 - mine, sheet.vulnerable, "played_out", scored)


def events(*hands: str, cards: tuple[str, ...] = NO_HONOURS, stop: str = "") -> Iterator[Struct]:
    """The sheet's events of these hands, with the premium of a rubber that they complete, or closed or resigned."""
    sheet = Sheet()
    for written in hands:
        yield (scored := hand(sheet, written, cards))
        sheet = after(sheet, scored)
    if stop:
        yield RubberClosed(stop, at_end(sheet))  # type: ignore[arg-type]
    elif sheet.complete:
        yield RubberScored(rubber(sheet))


def sheet_of(written: Iterable[Struct]) -> Sheet:
    """The sheet after these events."""
    sheet = Sheet()
    for event in written:
        sheet = after(sheet, event)
    return sheet


def rubber_game(
    number: int, *written: Struct, ended: bool = True, player: UUID = ADA, **opening: Any
) -> list[AnyRecord]:
    """The records of a game with these events of its sheet, and its finish by points."""
    kinds: dict[type, str] = {RubberScored: "rubber", RubberClosed: getattr(written[-1], "reason", "")}
    margin, reason = sheet_of(written).margin, kinds.get(type(written[-1]), "broken_off")
    ending: Any = "won" if margin > 0 else "lost" if margin else "drawn"
    end = finish(
        ending=ending if reason == "rubber" else "lost" if reason == "resigned" else "abandoned",
        reason=reason, winners=(0,) if margin > 0 else (), scores=(margin,), players=(player,),
        rated=opening.get("rated", True), contest=opening.get("contest"),
    )  # fmt: skip
    all_events = [opening_event(KIND, (player,), **opening), *written, *([end] if ended else [])]
    return [event_record(game_id(number), version, event, kind=KIND) for version, event in enumerate(all_events, 1)]


LOST_GAMES_BUT_NOT_POINTS = (
    "it 2H 8", "me 3NT 12", "it 3Dx 6", "it 4H 10", "it 4Sx 7", "me 2S 7", "it 3C 7", "it 5D 11",
)  # fmt: skip
"""The house takes two games and the player 1690 points to 880."""

LEVEL = ("it 3Cx 5", "it 5D 11", "it 2H 7", "it 5C 11")
"""The player's penalties come to 900, and so do the house's two games with the premium."""
