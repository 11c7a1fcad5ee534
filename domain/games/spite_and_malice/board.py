"""Spite & Malice's table: who looks sits below, the other above, the play decks between them."""

from msgspec.structs import replace

from domain.board import GAP, Board, Boards, Place, Seating, frame_board
from domain.capabilities import Chip, Chips
from domain.games.spite_and_malice.state import DRAW, PLAY, REMOVED, Options
from domain.kit.boards import beside, pile

_STEP, _WIDTH, _FAR = 1 + GAP, 7.44, 0.7
"""From card to card, the width of a phone in cards, and the size of the other's cards."""

CHIPS = Chips((
    Chip(fact="stock_left.@", label="Stock", seat=True),
    Chip(fact="next_ranks", label="Next", shown="words"), Chip(fact="minimum_wild", label="Wild from", shown="words"),
    Chip(fact="idle_turns", label="Turns without a play"),
    Chip(fact="finish", label="Complete at"), *(Chip(fact=fact, shown="elsewhere") for fact in ("hand", "played")),
))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """For the number of play decks, discard piles and cards of a hand in these options, which are settled."""
    decks, discards, hand = options.play_decks or 4, options.discards or 4, options.hand or 5
    return Boards(_wide(decks, discards, min(hand, 5)), _tall(decks, discards))


def _wide(decks: int, discards: int, hand: int) -> Board:
    """Stocks, hands and play decks on the left, discard piles on the right."""
    right = _STEP * max(decks + 2, 1 + hand) + 0.2
    own = Place("", right, 1.72, "down", 2.43, label=False)
    other = Place("", right, 0, "down", 1.56, scale=_FAR, label=False)
    return frame_board(
        [
            Place("stock_@1", 0, 0, scale=_FAR, label=False),
            Place("hand_@1", _FAR + GAP, 0, "right", 0.78 * hand, scale=_FAR, label=False),
            *_discards(1, discards, other), *_place_shared(decks, Place("", 0, 1.5)),
            pile("stock_@0", 0, 3.15),
            Place("hand_@0", _STEP, 3.15, "right", _STEP * hand, label=False), *_discards(0, discards, own),
        ],
        (Seating("@1", 0, 0.76, _STEP * (hand + 1), 0.22), Seating("@0", 0, 2.87, _STEP * (hand + 1), 0.22)),
    )  # fmt: skip


def _tall(decks: int, discards: int) -> Board:
    near, shared = (min(1.0, _WIDTH / (count * _STEP)) for count in (discards, decks + 2))
    far = min(0.64, 3 / (discards * _STEP))
    own = Place("", (_WIDTH - discards * near * _STEP) / 2, 3.1, "down", 2.6, label=False)
    return frame_board(
        [
            Place("stock_@1", 0, 0.3, scale=_FAR, label=False),
            Place("hand_@1", _FAR + GAP, 0.3, "right", 3.5, scale=_FAR, label=False),
            *_discards(1, discards, Place("", 4.5, 0, "down", 1.5, scale=far, label=False)),
            *_place_shared(decks, Place("", 0, 1.84, scale=shared)),
            *_discards(0, discards, replace(own, scale=near)),
            pile("stock_@0", 0, 6.1), Place("hand_@0", _STEP + 0.1, 6.1, "right", _WIDTH - _STEP - 0.1, label=False),
        ],
        (Seating("@1", 0, 0, 4.3, 0.24), Seating("@0", 0, 5.8, _WIDTH, 0.24)),
    )  # fmt: skip


def _discards(seat: int, count: int, first: Place) -> list[Place]:
    return beside((f"discard_@{seat}_{number}" for number in range(count)), first, GAP * first.scale)


def _place_shared(decks: int, first: Place) -> list[Place]:
    """The play decks, then what is drawn from and what is out."""
    return beside((*PLAY[:decks], DRAW, REMOVED), first, GAP * first.scale)
