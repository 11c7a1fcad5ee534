"""Klondike and Canfield: the foundations, the waste, the stock, the reserve, then the columns.

Columns stand in the order of their lowest cards. The talon keeps its order, and holds the cards that lie nowhere else.
A draw is a way only with the move that it is for; where passes are not limited, the talon is written as turned over
wherever that can be reached and left again. A card that no card can need goes home at once. A position of Klondike is
lost where a card cannot go home even if every card that can be reached stays within reach.

A move that changes nothing but where cards lie can be put off until the move that needs it comes next: in between, the
position without it allows all that the position with it does. So it is a way only where that move may follow at once.
A line that is changed so has no more moves than before. A last pass that ends the game is left out, for there a move
may be needed before the last card is drawn.
"""

from collections.abc import Iterator
from typing import Any

import numpy

from domain.games import AnyGameType
from domain.games.klondike import KLONDIKE
from domain.games.klondike import State2 as Klondike2
from domain.kit.talon import WASTE, recycles_left
from service.solving import Way, single_ways, state_after
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled
from service.solving.games import columns as cards

_UNLIMITED, _WIDTH = 127, 64
_WASTE, _RECYCLES, _RESERVE, _LYING = 4, 5, 6, 8
_DRAW, _LAST, _CLOSED_EMPTY, _WHOLE, _RETURN, _KINGS, _BASE, _COLUMNS, _TALON, _IN_RESERVE, _CARDS = range(11)


def _rules(state: Any) -> Numbers:
    """The options, then the cards of the talon in the order of drawing, then the reserve from the bottom."""
    options, reserve, talon = state.options, getattr(state, "reserve", ()), state.waste + state.stock[::-1]
    klondike = state.__class__.__module__ == Klondike2.__module__
    last = klondike and options.end_on_last_pass
    whole = options.whole_run_only if klondike else options.whole_column_only
    flags = [options.draw, last, last and not isinstance(state, Klondike2), whole, options.foundation_return, klondike]
    sizes = [1 if klondike else state.base, len(state.columns), len(talon), len(reserve)]
    return numpy.array([*flags, *sizes, *[cards.NUMBER[card] for card in talon + reserve]], numpy.int64)


def _pack(state: Any, rules: Numbers) -> bytes:
    downs = getattr(state, "face_down", (0,) * len(state.columns))
    columns, heights = cards.list_columns(state.columns, 64)
    lying = columns, heights, numpy.array(downs, numpy.int64), numpy.array(state.foundations, numpy.int64)
    position, recycles, reserve = numpy.zeros(_WIDTH, numpy.int8), recycles_left(state), getattr(state, "reserve", ())
    waste, size = len(state.waste), len(state.waste) + len(state.stock)
    _write(position, *lying, len(reserve), waste, size, _UNLIMITED if recycles is None else recycles, rules)
    return position.tobytes()


@compiled
def _write(
    position: Bytes, columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, reserve: int, waste: int,
    size: int, recycles: int, rules: Numbers,
) -> None:  # fmt: skip
    position[:4] = home
    position[_RESERVE], position[7] = reserve, 0
    if recycles == _UNLIMITED:
        if waste == size or waste % rules[_DRAW] == 0:
            waste = 0
    else:
        recycles = min(recycles, size + 1)
    position[_WASTE], position[_RECYCLES] = waste, recycles
    cards.write_columns(position, _LYING, columns, heights, downs, cards.order_by_cards(columns, heights))


@compiled
def _read(
    position: Bytes, rules: Numbers, columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, talon: Numbers
) -> int:
    """Fills in what lies where and returns the size of the talon."""
    cards.read_columns(position, _LYING, columns, heights, downs)
    elsewhere = numpy.zeros(53, numpy.bool_)
    for column in range(heights.size):
        for depth in range(heights[column]):
            elsewhere[columns[column, depth]] = True
    for suit in range(4):
        home[suit] = position[suit]
        for count in range(home[suit]):
            elsewhere[13 * suit + (rules[_BASE] - 1 + count) % 13 + 1] = True
    size = 0
    for place in range(rules[_TALON]):
        card = rules[_CARDS + place]
        if not elsewhere[card]:
            talon[size] = card
            size += 1
    return size


@compiled
def _is_safe(home: Numbers, suit: int, rules: Numbers) -> bool:
    """Where columns go on from ace to king, a card of the base rank or above may be needed longer."""
    if not rules[_KINGS]:
        if home[suit] == 0 or (home[suit] > 1 and home[3 - suit] == 0):
            return False
        other = 1 if suit == 0 or suit == 3 else 0
        if home[other] == 0 or home[3 - other] == 0:
            return False
    return cards.no_card_needs(home, suit)


@compiled
def _fits(card: int, target: int, columns: Numbers, heights: Numbers, reserve: int, rules: Numbers) -> bool:
    if heights[target] == 0:
        return cards.rank_of(card) == 13 if rules[_KINGS] else reserve == 0
    below = columns[target, heights[target] - 1]
    if cards.is_red(card) == cards.is_red(below):
        return False
    return cards.rank_of(card) + 1 == cards.rank_of(below) or (
        not rules[_KINGS] and cards.rank_of(card) == 13 and cards.rank_of(below) == 1
    )


@compiled
def _take(
    columns: Numbers, heights: Numbers, downs: Numbers, source: int, count: int, reserve: int, rules: Numbers
) -> int:
    """Takes cards from a column, turns the next one up or fills the space from the reserve; returns its size."""
    heights[source] -= count
    if heights[source]:
        if downs[source] == heights[source]:
            downs[source] -= 1
    elif reserve:
        columns[source, 0] = rules[_CARDS + rules[_TALON] + reserve - 1]
        heights[source] = 1
        reserve -= 1
    return reserve


@compiled
def _is_lost(columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, rules: Numbers) -> bool:
    """Whether a card of Klondike can never go home, even if all that can once be done could be done from then on.

    Cards of the talon and home are within reach. `up`: it can be moved; `lies`: it is or can come into a column; `off`:
    it can leave what it lies on at first, for another card, a space or home; `goes`: it can go home.
    """
    below, above = numpy.zeros(53, numpy.int64), numpy.zeros(53, numpy.int64)
    up, lies, off = numpy.ones(53, numpy.bool_), numpy.zeros(53, numpy.bool_), numpy.zeros(53, numpy.bool_)
    goes, space, left, changed = numpy.zeros(53, numpy.bool_), False, 52, True
    for column in range(heights.size):
        space = space or heights[column] == 0
        for depth in range(heights[column]):
            card = columns[column, depth]
            up[card], lies[card], below[card] = depth >= downs[column], True, -1
            if depth:
                below[card] = columns[column, depth - 1]
                above[below[card]] = card
    for suit in range(4):
        left -= home[suit]
        for card in range(13 * suit + 1, 13 * suit + 1 + home[suit]):
            goes[card], up[card] = True, rules[_RETURN]
    while changed and left:
        changed = False
        for card in range(1, 53):
            if not up[card]:
                continue
            rank = cards.rank_of(card)
            if not goes[card] and (rank == 1 or goes[card - 1]) and (above[card] == 0 or off[above[card]]):
                goes[card], changed = True, True
                left -= 1
            if lies[card] and (off[card] or below[card] == 0):
                continue
            able = (goes[card] and lies[card]) or (rank == 13 and space)
            if rank < 13:
                for suit in range(4):
                    parent = 13 * suit + rank + 1
                    if (
                        cards.is_red(parent) != cards.is_red(card)
                        and parent != below[card]
                        and up[parent]
                        and lies[parent]
                    ):
                        able = able or above[parent] == 0 or off[above[parent]]
            if not able:
                continue
            changed = True
            if not lies[card]:
                lies[card] = True
                continue
            off[card] = True
            if below[card] > 0:
                up[below[card]] = True
            else:
                space = True
    return left > 0


@compiled
def _king_waits(
    columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, returns: int, talon: Numbers
) -> bool:
    """Whether a king could go to a space, and none is there: only then is a column of Klondike worth emptying.

    Until then its cards lie at the bottom of a column as freely as anywhere else.
    """
    waits = False
    for column in range(heights.size):
        if heights[column] == 0:
            return False
        down = downs[column]
        waits = waits or (down > 0 and cards.rank_of(columns[column, down]) == 13)
    for card in talon:
        waits = waits or cards.rank_of(card) == 13
    return bool(waits or (returns and home.max() == 13))


@compiled
def _is_next(card: int, home: Numbers, base: int) -> bool:
    """Whether its foundation takes this card now."""
    return bool(home[(card - 1) // 13] == (cards.rank_of(card) - base) % 13)


@compiled
def _worth_returning(
    columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, kings: int, base: int, loose: Numbers
) -> Numbers:
    """By suit, whether the foundation's top card would be of use in a column: another card may be put upon it at once.

    That card is loose (in the talon, or the reserve's top), or in a column, or in turn worth returning; or the next one
    down may come back as well, and is worth it. A card of a column counts if it is the lowest face up, or if the card
    below it then goes home: else it lies as well where it is. In Canfield every card of a column counts, for there a
    column goes on from ace to king, and the cards that a part has left may come to lie on that very part.
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
            reach[columns[column, depth]] = begins or _is_next(columns[column, depth - 1], home, base)
        if height:
            open_top[columns[column, height - 1]] = True
    for count in range(1, 14):
        rank = (base + count - 2) % 13 + 1
        for suit in range(4):
            if home[suit] < count or (kings and rank == 1):
                continue
            worth[suit, count] = worth[suit, count - 1] and space and not kings
            for other in range(4):
                if cards.is_red(13 * other + 1) == cards.is_red(13 * suit + 1):
                    continue
                if count > 1 and home[other] == count - 1:
                    useful = worth[other, count - 1]
                else:
                    useful = reach[13 * other + (rank - 2) % 13 + 1] or (count == 1 and home[other] == 13)
                useful = useful or (worth[suit, count - 1] and open_top[13 * other + rank])
                worth[suit, count] = worth[suit, count] or useful
    return numpy.array([worth[suit, home[suit]] for suit in range(4)])


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    number = rules[_COLUMNS]
    columns, heights = numpy.empty((number, 64), numpy.int64), numpy.empty(number, numpy.int64)
    downs, home, talon = numpy.empty(number, numpy.int64), numpy.empty(4, numpy.int64), numpy.empty(52, numpy.int64)
    size = _read(position, rules, columns, heights, downs, home, talon)
    waste, recycles, reserve = position[_WASTE], position[_RECYCLES], position[_RESERVE]
    closing, safe, count, base = rules[_LAST] and recycles == 0, False, 0, rules[_BASE]
    if rules[_KINGS] and _is_lost(columns, heights, downs, home, rules):
        return 0
    if closing and waste == size:
        is_useful = size == 0 and not rules[_CLOSED_EMPTY]
        if size:
            card = talon[size - 1]
            is_useful = _is_next(card, home, base)
            for target in range(number):
                is_useful = is_useful or _fits(card, target, columns, heights, reserve, rules)
        if not is_useful:
            return 0
    waits, emptying = not rules[_LAST], True
    worth: Any = numpy.ones(4, numpy.bool_)
    if waits:
        emptying = not rules[_KINGS] or _king_waits(columns, heights, downs, home, rules[_RETURN], talon[:size])
    if waits and rules[_RETURN]:
        talon[size] = rules[_CARDS + rules[_TALON] + reserve - 1] if reserve else 0
        worth = _worth_returning(columns, heights, downs, home, rules[_KINGS], base, talon[: size + 1])
    # From the foundations.
    if rules[_RETURN]:
        for suit in range(4):
            if home[suit] and worth[suit]:
                card = 13 * suit + (rules[_BASE] + home[suit] - 2) % 13 + 1
                tried = False
                for target in range(number):
                    if _fits(card, target, columns, heights, reserve, rules) and not (heights[target] == 0 and tried):
                        tried = tried or heights[target] == 0
                        columns[target, heights[target]] = card
                        heights[target] += 1
                        home[suit] -= 1
                        _write(children[count], columns, heights, downs, home, reserve, waste, size, recycles, rules)
                        home[suit] += 1
                        heights[target] -= 1
                        count += 1
    # From the talon: what is on top now, what draws bring up, and what they bring up after turning over.
    turned, left = waste, recycles
    fresh = turned == 0
    while size:
        if turned:
            card = talon[turned - 1]
            suit = (card - 1) // 13
            if _is_next(card, home, base):
                at_once = rules[_DRAW] == 1 and (turned == waste or recycles == _UNLIMITED)
                safe = at_once and not closing and _is_safe(home, suit, rules)
                if safe:
                    count = 0
                home[suit] += 1
                _write(children[count], columns, heights, downs, home, reserve, turned - 1, size - 1, left, rules)
                home[suit] -= 1
                count += 1
                if safe:
                    return 1
            tried = False
            for target in range(number):
                if _fits(card, target, columns, heights, reserve, rules) and not (heights[target] == 0 and tried):
                    tried = tried or heights[target] == 0
                    columns[target, heights[target]] = card
                    heights[target] += 1
                    _write(children[count], columns, heights, downs, home, reserve, turned - 1, size - 1, left, rules)
                    heights[target] -= 1
                    count += 1
        if turned < size:
            turned = min(turned + rules[_DRAW], size)
        elif fresh or left == 0:
            break
        else:
            fresh, turned = True, min(rules[_DRAW], size)
            left -= left != _UNLIMITED
    # From the reserve.
    if reserve:
        card = rules[_CARDS + rules[_TALON] + reserve - 1]
        suit = (card - 1) // 13
        for target in range(number):
            if _fits(card, target, columns, heights, reserve, rules):
                columns[target, heights[target]] = card
                heights[target] += 1
                _write(children[count], columns, heights, downs, home, reserve - 1, waste, size, recycles, rules)
                heights[target] -= 1
                count += 1
        if _is_next(card, home, base):
            safe = not closing and _is_safe(home, suit, rules)
            if safe:
                count = 0
            home[suit] += 1
            _write(children[count], columns, heights, downs, home, reserve - 1, waste, size, recycles, rules)
            home[suit] -= 1
            if safe:
                return 1
            count += 1
    # From columns.
    for source in range(number):
        height, down = heights[source], downs[source]
        if height == 0:
            continue
        lowest, tried = columns[source, 0], False
        for target in range(number):
            if target == source or (heights[target] == 0 and tried):
                continue
            tried = tried or heights[target] == 0
            for run in range(height - down if rules[_WHOLE] else 1, height - down + 1):
                if heights[target] == 0 and run == height:
                    continue
                if not _fits(columns[source, height - run], target, columns, heights, reserve, rules):
                    continue
                part = rules[_KINGS] and run < height - down
                if part and waits and heights[target] and not _is_next(columns[source, height - run - 1], home, base):
                    continue
                if run == height and not emptying:
                    continue
                for card in range(run):
                    columns[target, heights[target] + card] = columns[source, height - run + card]
                heights[target] += run
                rest = _take(columns, heights, downs, source, run, reserve, rules)
                _write(children[count], columns, heights, downs, home, rest, waste, size, recycles, rules)
                heights[target] -= run
                heights[source], downs[source], columns[source, 0] = height, down, lowest
                count += 1
        card = columns[source, height - 1]
        if _is_next(card, home, base):
            suit = (card - 1) // 13
            safe = not closing and _is_safe(home, suit, rules)
            if safe:
                count = 0
            home[suit] += 1
            rest = _take(columns, heights, downs, source, 1, reserve, rules)
            _write(children[count], columns, heights, downs, home, rest, waste, size, recycles, rules)
            home[suit] -= 1
            heights[source], downs[source], columns[source, 0] = height, down, lowest
            if safe:
                return 1
            count += 1
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    """Cards not home, face down, in talon and reserve, and those that lie over a lower one of their suit, face down."""
    home = position[0] + position[1] + position[2] + position[3]
    if home == 52:
        return -1
    lowest = numpy.full(4, 14, numpy.int64)
    size, down, blocked = 0, 0, 0
    for place in range(_LYING, _WIDTH):
        card = abs(position[place])
        if card == 0:
            break
        if card >= cards.BOTTOM:
            card -= cards.BOTTOM
            lowest[:] = 14
        size += 1
        suit, rank = (card - 1) // 13, cards.rank_of(card)
        blocked += lowest[suit] < rank
        if position[place] < 0:
            down += 1
            lowest[suit] = min(lowest[suit], rank)
    reserve = position[_RESERVE]
    talon = 52 - home - size - reserve
    cost = 4 * (52 - home + reserve) + 10 * down + (blocked if rules[_KINGS] else 0) + talon
    return int(home * 1024 + min(cost, 1023))


def _ways(game_type: AnyGameType, state: Any) -> Iterator[Way]:
    """The moves, now or after drawing and turning over."""
    yield from single_ways(game_type, state)
    commands, turned_over = list[Any](), 0
    while turn := next((turn for turn in game_type.legal_commands(state, 0) if not hasattr(turn, "source")), None):
        commands.append(turn)
        state = state_after(game_type, state, turn)
        turned_over += not state.waste
        if turned_over > 1:
            return
        for move in game_type.legal_commands(state, 0):
            if getattr(move, "source", None) == WASTE:
                yield Way((*commands, move), state_after(game_type, state, move))


def talon_solver(game_type: AnyGameType) -> Solver:
    """The solver of Klondike or Canfield."""
    game = Game("talon", _WIDTH, _expand, _weigh, stages=53, costs=1024)
    return Solver(game_type, game, 2_000_000, _pack, _rules, _ways)


SOLVER = talon_solver(KLONDIKE)
