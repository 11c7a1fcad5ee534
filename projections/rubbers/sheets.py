"""The score sheet of one rubber of Bridge Solitaire: as a document that follows from the recorded events, and on paper.

On paper it has two columns, ME and IT, and a thick line across. Above the line entries are written upwards, the first
next to it; below they run downwards, and a thin line right across is drawn under each game won (rubber bridge custom).
When the rubber is over each column is added at the foot.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire.events import Finish, HandScored, HandsVoided, RubberClosed, RubberScored
from domain.games.bridge_solitaire.scoring import after, declarers_tricks, find_unfinished, to_game
from domain.games.bridge_solitaire.state import GAME, SIDES, Contract, Entry, Sheet, Side
from domain.play import events as ev
from domain.record import Micros
from domain.rulings import GamesVoided, VoidsWithdrawn
from projections.engine.contract import Recorded

Status = Literal["open", "completed", "closed", "resigned"]


class HandLine(Struct, frozen=True):
    """One scored hand; `result` counts the declarer's tricks above or below what the contract needed."""

    hand: int
    contract: Contract
    tricks_me: int
    tricks_it: int
    result: int
    vulnerable: tuple[Side, ...]
    finish: Finish


class GameWon(Struct, frozen=True):
    """A game of the rubber: who won it, and the hand after which its line was drawn."""

    side: Side
    hand: int


class ToGame(Struct, frozen=True):
    """Points below the line that each side still needs for the open game."""

    me: int
    it: int


class RubberSheet(Struct, frozen=True, kw_only=True):
    """A rubber and its sheet. `net` is ME less IT.

    `to_game` and `if_stopped` (the premiums of a rubber that is left now, Law 80) are told while it is open.
    `ended_position` is the finish in the log. A contest's sheet is nobody else's business until `revealed`.
    """

    game: UUID
    player: UUID | None = None
    length: Literal["rubber", "hand"] = "rubber"
    rated: bool = True
    visibility: ev.Visibility = "private"
    contest: UUID | None = None
    revealed: bool = False
    opened_at: Micros = 0
    opened_position: int = 0
    ended_at: Micros | None = None
    ended_position: int | None = None
    status: Status = "open"
    voided: bool = False
    sheet: Sheet = Sheet()
    net: int = 0
    hands: tuple[HandLine, ...] = ()
    games: tuple[GameWon, ...] = ()
    to_game: ToGame | None = None
    if_stopped: tuple[Entry, ...] = ()

    @property
    def told(self) -> bool:
        """Whether the rubber is listed: not voided, and in a contest revealed."""
        return self.length == "rubber" and not self.voided and (self.contest is None or self.revealed)

    @property
    def counts(self) -> bool:
        """Whether its points count for the player: listed, rated, public and over."""
        return self.told and self.rated and self.visibility == "public" and self.ended_position is not None


def evolve(rubber: RubberSheet, recorded: Recorded) -> RubberSheet:
    """The rubber after one more event of its game.

    Hands that are voided open the rubber again. The first finish counts; if the sheet is still open, it was a single
    hand or the rubber was broken off.
    """
    position, time, status = recorded.position, recorded.record.time, rubber.status
    match recorded.record.event:
        case ev.Opened() as event:
            return _with_derived(replace(
                rubber, player=event.players[0], length=event.options.get("length", "rubber"), rated=event.rated,
                visibility=event.visibility, contest=event.contest, opened_at=time, opened_position=position,
            ))  # fmt: skip
        case ev.Finished() as event:
            if rubber.ended_position is not None:
                return rubber
            if status == "open":
                status = "completed" if event.reason == "hand" else "closed"
            return _with_derived(replace(rubber, status=status, ended_at=time, ended_position=position))
        case HandScored() | RubberScored() | RubberClosed() | HandsVoided() as event:
            hands = rubber.hands
            if isinstance(event, HandScored):
                over = declarers_tricks(event.contract, event.tricks_me) - event.contract.needs
                tricks = event.tricks_me, event.tricks_it
                hands = (*hands, HandLine(event.hand, event.contract, *tricks, over, event.vulnerable, event.finish))
            elif isinstance(event, HandsVoided):
                hands, status = tuple(line for line in hands if line.hand < event.from_hand), "open"
            elif status == "open":
                status = event.reason if isinstance(event, RubberClosed) else "completed"
            ended = {"ended_at": None, "ended_position": None} if status == "open" else {}
            return _with_derived(replace(rubber, sheet=after(rubber.sheet, event), hands=hands, status=status, **ended))
        case ev.Joined() as event:
            return replace(rubber, player=event.player)
        case ev.Left():
            return replace(rubber, player=None)
        case ev.Revealed():
            return replace(rubber, revealed=True)
        case ev.Voided() | GamesVoided():
            return _with_derived(replace(rubber, voided=True))
        case VoidsWithdrawn():
            return _with_derived(replace(rubber, voided=False))
    return rubber


def _with_derived(rubber: RubberSheet) -> RubberSheet:
    sheet = rubber.sheet
    going_on = rubber.status == "open" and rubber.length == "rubber" and not rubber.voided
    return replace(
        rubber,
        net=sheet.margin,
        games=tuple(games_won(sheet)),
        to_game=ToGame(to_game(sheet, "me"), to_game(sheet, "it")) if going_on else None,
        if_stopped=find_unfinished(sheet) if going_on and not sheet.complete else (),
    )


def games_won(sheet: Sheet) -> Iterator[GameWon]:
    """Who won each game: the side with 100 or more below the line in it (Law 73)."""
    for hand, written in zip(sheet.lines, games(sheet), strict=False):
        for side in SIDES:
            if sum(entry.points for entry in written if entry.side == side) >= GAME:
                yield GameWon(side, hand)


_WIDTH = 8
_THICK, _THIN, _FOOT = ("━", "┿"), ("─", "┼"), ("═", "╪")


def paper(sheet: Sheet) -> str:
    """The sheet as text, one line of writing per line, with a line under each game won; totals once it is closed."""
    above = list(_rows(entry for entry in sheet.entries if entry.place == "above"))[::-1]
    rows = [_row("ME", "IT"), *above, _rule(*_THICK)]
    for number, game in enumerate(games(sheet)):
        rows += [*_rows(game), *([_rule(*_THIN)] if number < len(sheet.lines) else ())]
    if sheet.closed:
        rows += [_rule(*_FOOT), _row(str(sheet.me.total), str(sheet.it.total))]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def games(sheet: Sheet) -> Iterator[list[Entry]]:
    """The entries below the line, game by game; the last is the open game, possibly without any."""
    written = [entry for entry in sheet.entries if entry.place == "below"]
    starts = (0, *sheet.lines)
    for start, end in zip_longest(starts, sheet.lines):
        yield [entry for entry in written if start < entry.hand and (end is None or entry.hand <= end)]


def _rows(entries: Iterable[Entry]) -> Iterator[str]:
    """Each column by itself without gaps, from the thick line outwards."""
    written = list(entries)
    columns = [[str(entry.points) for entry in written if entry.side == side] for side in SIDES]
    return (_row(*pair) for pair in zip_longest(*columns, fillvalue=""))


def _row(me: str, it: str) -> str:
    return f"{me:>{_WIDTH - 1}} │{it:>{_WIDTH - 1}}"


def _rule(line: str, crossing: str) -> str:
    return line * _WIDTH + crossing + line * _WIDTH
