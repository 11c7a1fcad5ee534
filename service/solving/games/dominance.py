"""Moves that can wait: of Klondike, and of Canfield those from a foundation.

A move that changes nothing but where cards lie can be put off until the move that needs it comes next: in between, the
position without it allows all that the position with it does. So it is a way only where that move may follow at once.
A line that is changed so has no more moves than before, and a last pass that ends the game is left out, for there a
move may be wanted before the last card is drawn.
"""

import numpy

from service.solving.compiled import compiled
from service.solving.engine import Numbers
from service.solving.games.foundations import is_red, rank_of


@compiled
def king_waits(columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, returns: int, talon: Numbers) -> bool:
    """Whether a king could go to a space, and none is there: only then is a column of Klondike worth emptying.

    Until then its cards lie at the bottom of a column as freely as anywhere else.
    """
    waits = False
    for column in range(heights.size):
        if heights[column] == 0:
            return False
        down = downs[column]
        waits = waits or (down > 0 and rank_of(columns[column, down]) == 13)
    for card in talon:
        waits = waits or rank_of(card) == 13
    return bool(waits or (returns and home.max() == 13))


@compiled
def is_next(card: int, home: Numbers, base: int) -> bool:
    """Whether its foundation takes this card now."""
    return bool(home[(card - 1) // 13] == (rank_of(card) - base) % 13)


@compiled
def worth_returning(
    columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, kings: int, base: int, loose: Numbers
) -> Numbers:
    """By suit, whether the foundation's top card would be of use in a column: another card may be put upon it at once.

    That card is loose (in the talon, or the reserve's top), or in a column, or in turn worth returning; or the next one
    down may come back as well, and is worth it. A card of a column counts where it begins what lies face up, or where
    what it lies on then goes home: else it lies as well where it is. In Canfield every card of a column counts, for
    there a column goes on from ace to king, and what a part has left may come to lie on that very part.
    """
    reach, open_top = numpy.zeros(53, numpy.bool_), numpy.zeros(53, numpy.bool_)
    space, worth = False, numpy.zeros((4, 14), numpy.bool_)
    for card in loose:
        reach[card] = True
    for column in range(heights.size):
        height, down = heights[column], downs[column]
        space = space or height == 0
        for depth in range(down, height):
            begins = not kings or depth == down
            reach[columns[column, depth]] = begins or is_next(columns[column, depth - 1], home, base)
        if height:
            open_top[columns[column, height - 1]] = True
    for count in range(1, 14):
        rank = (base + count - 2) % 13 + 1
        for suit in range(4):
            if home[suit] < count or (kings and rank == 1):
                continue
            worth[suit, count] = worth[suit, count - 1] and space and not kings
            for other in range(4):
                if is_red(13 * other + 1) == is_red(13 * suit + 1):
                    continue
                if count > 1 and home[other] == count - 1:
                    useful = worth[other, count - 1]
                else:
                    useful = reach[13 * other + (rank - 2) % 13 + 1] or (count == 1 and home[other] == 13)
                useful = useful or (worth[suit, count - 1] and open_top[13 * other + rank])
                worth[suit, count] = worth[suit, count] or useful
    return numpy.array([worth[suit, home[suit]] for suit in range(4)])
