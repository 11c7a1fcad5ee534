"""Bridge Solitaire's table: the hand below, the trick in the middle above it, what is chosen from at the top."""

from domain.board import Board, Boards, Place, frame_board
from domain.capabilities import Chip, Chips
from domain.games.bridge_solitaire.state import Options
from domain.kit.boards import beside

_STRAINS = {"S": " spades", "H": " hearts", "D": " diamonds", "C": " clubs", "NT": " no trump"}
_SIDES = {"me": "player", "it": "house"}

CHIPS = Chips((
    Chip(
        fact="contract", label="Contract", shown="words", form="{level}{strain}{doubling}, {declarer}",
        words=_STRAINS | _SIDES | {"undoubled": "", "doubled": " doubled", "redoubled": " redoubled"},
    ),
    Chip(fact="tricks_me", label="Player's tricks"),
    Chip(fact="tricks_it", label="House's tricks"),
    Chip(fact="vulnerable", label="Vulnerable", shown="words", words=_SIDES),
    Chip(fact="house_call", label="House calls", shown="words", form="{level}{strain}", words=_STRAINS | {"0": "pass"}),
    Chip(fact="hand", label="Hand"),
    *(Chip(fact=fact, shown="elsewhere") for fact in ("board", "discard_top", "last_winner", "length", "sheet")),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """The cards to choose from lie where tricks are played afterwards: never at the same time."""
    return Boards(_wide(), _tall())


def _wide() -> Board:
    return frame_board([
        *beside(("stock", "discard"), Place("", 0, 0)), Place("skipped", 2.24, 0, "right", 1.7, 0.3),
        Place("hidden_seven", 4.14, 0, "right", 2, outline=False),
        Place("last_trick", 6.4, 0.2, "right", 0.98, 0.6, scale=0.6),
        *beside(("tricks_won_0", "tricks_house"), Place("", 7.6, 0), 0.4), *_middle(4, 9.9, 1.22),
        Place("hand_0", 0, 2.42, "right", 9.9, label=False),
    ])  # fmt: skip


def _tall() -> Board:
    return frame_board([
        *beside(("stock", "discard"), Place("", 0, 0)), Place("skipped", 2.24, 0, "right", 1.9, 0.3),
        *beside(("tricks_won_0", "tricks_house"), Place("", 4.8, 0), 0.4),
        Place("hidden_seven", 0, 1.22, "right", 4.4, outline=False),
        Place("last_trick", 4.8, 1.3, "right", 1.22, 0.62, scale=0.6), *_middle(2.68, 7.44, 2.3),
        Place("hand_0", 0, 3.5, "right", 7.44, label=False),
    ])  # fmt: skip


def _middle(x: float, width: float, y: float) -> list[Place]:
    """The trick, and across the whole board the cards that are offered."""
    trick = Place("trick", x, y, "right", 2.08, label=False)
    return [trick, Place("offered", 0, y, "right", width, label=False, outline=False)]
