"""What can be chosen when a game of Bridge Solitaire is opened."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games.bridge_solitaire.duplicate import BOARDS


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """The defaults are the game as its inventor's text tells it, with our rulings where that text is silent."""

    length: Annotated[
        Literal["rubber", "hand"],
        Meta(description="A rubber, until one side has two games, or a single hand."),
    ] = "rubber"
    house_tie: Annotated[
        Literal["highest", "lowest"],
        Meta(description="Which of equally short suits the house names: the highest or the lowest ranking."),
    ] = "highest"
    exclude_discards: Annotated[
        bool,
        Meta(description="Leave the seven discards out of the winner count instead of taking them as the house's."),
    ] = False
    old_undertricks: Annotated[
        bool,
        Meta(description="Doubled undertricks not vulnerable as before 1987: 100, then 200 each however many."),
    ] = False


class BoardOptions(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: a single hand may be a board of duplicate bridge, and nothing has to be remembered."""

    board: Annotated[
        int,
        Meta(
            ge=0, le=4,
            description="Play one hand as this board of duplicate bridge: 1 nobody vulnerable, 2 ME, 3 IT, 4 both."
            " 0: no board, the hand is scored as in a rubber.",
        ),
    ] = 0  # fmt: skip
    memory: Annotated[
        bool,
        Meta(
            description="Whether cards that may no longer be inspected have to be remembered. Always false: the earlier"
            " steps of a hand are shown as they were seen, with its discards, skipped cards and tricks.",
            extra_json_schema={"const": False},
        ),
    ] = False


def settle(options: BoardOptions, seats: int) -> BoardOptions:
    """A board is a single hand; raises Illegal where cards should have to be remembered."""
    if options.memory:
        raise Illegal("memory", "Earlier steps of a hand can be looked at again: `memory` is always false.")
    return replace(options, length="hand") if options.board else options


def on_day(options: BoardOptions, day: int) -> BoardOptions:
    """The board of a UTC day, counted from 1970-01-01: the four in turn, the first on that day (our ruling)."""
    return replace(options, length="hand", board=1 + day % len(BOARDS))
