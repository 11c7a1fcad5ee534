"""What can be chosen when a game of Bridge Solitaire is opened."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


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
