"""Pyramid: one bit for every card left, how far the talon has been drawn, the recycles left.

The talon keeps its order when cards leave it. Where any of its cards can come up at any time, the packed position
leaves out how far it has been drawn, and cards of one rank are alike unless two of the talon may go together. A draw is
a way only with the removal that it is for. Kings of the pyramid go at once; those of the talon, where draws are single,
whenever they come up, so they are left out. A position is lost where a card of the pyramid has only partners that lie
on it or under it.
"""

from collections.abc import Iterator
from typing import Any

import numpy

from domain.games import AnyGameType
from domain.games.pyramid import PYRAMID, Recycle, Remove, is_won, pile_removals
from domain.games.pyramid import State2 as State
from domain.kit.cards import RANK
from domain.kit.patience import DISCARD, KINGS
from domain.kit.pyramids import COVERING, IN_PYRAMID
from domain.kit.talon import recycles_left
from service.solving import Way, single_ways, state_after
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled

_CARDS, _UNLIMITED = 52, 127
# The rules are: ranks of all cards (the talon in the order of drawing, 0 for none), the two places that cover a place,
# the cards that could go with a card of the pyramid, the options, then the cards of the talon as numbers.
_COVER, _PARTNERS, _OPTIONS = 52, 108, 136
_DRAW, _FREE, _PAIRS, _CLEAR, _WAIT, _TOMB, _TOP_UP, _FRESH_PAIRS, _NO_KINGS, _NAMES = range(_OPTIONS, _OPTIONS + 10)
_DRAWN_AT, _FRESH_AT = 52, 57


def _rules(state: State) -> Numbers:
    options = state.options
    talon = state.waste + state.stock[::-1]
    ranks = [RANK.get(card, 0) for card in (*state.pyramid, *talon)]
    ranks += [0] * (_CARDS - len(ranks))
    cover = [place for covering in COVERING for place in (covering or (-1, -1))]
    partners = [_partners(ranks, place, options.tuts_tomb_pairing) for place in range(IN_PYRAMID)]
    pairs = options.waste_pairs or options.stock_top
    free = options.passes is None and options.draw == 1 and not options.draw_only_when_stuck
    flags: list[int] = [options.draw, free, pairs, options.clear_all, options.draw_only_when_stuck]
    flags += [options.tuts_tomb_pairing, options.stock_top, options.waste_pairs, _drops_kings(state)]
    return numpy.array([*ranks, *cover, *partners, *flags, *map(_number, talon)], numpy.int64)


def _drops_kings(state: State) -> bool:
    return state.options.draw == 1 and not state.options.clear_all


def _number(card: str) -> int:
    return list(RANK).index(card)


def _partners(ranks: list[int], place: int, any_place: bool) -> int:
    """The cards that could go with the one of this place, as bits."""
    related = set[int]() if any_place else _above(place) | {low for low in range(IN_PYRAMID) if place in _above(low)}
    partners = (card for card in range(_CARDS) if ranks[card] + ranks[place] == 13 and card not in related)
    return sum(1 << card for card in partners if ranks[card])


def _above(place: int) -> set[int]:
    """The places that lie on this one, directly or not."""
    return {place}.union(*map(_above, COVERING[place])) if COVERING[place] else {place}


def _pack(state: State, rules: Numbers) -> bytes:
    order = {int(card): IN_PYRAMID + place for place, card in enumerate(rules[_NAMES:])}
    left = sum(1 << place for place, card in enumerate(state.pyramid) if card)
    talon = sum(1 << order[_number(card)] for card in (*state.waste, *state.stock))
    drawn = order[_number(state.stock[-1])] - IN_PYRAMID if state.stock else _CARDS - IN_PYRAMID
    fresh = state.just_drawn and state.options.waste_pairs and not KINGS.intersection(state.waste[-2:])
    recycles = recycles_left(state)
    position = numpy.zeros(16, numpy.int8)
    _write(position, left | talon, drawn, int(fresh), _UNLIMITED if recycles is None else recycles, rules)
    return position.tobytes()


@compiled
def _write(position: Bytes, cards: int, drawn: int, fresh: int, recycles: int, rules: Numbers) -> None:
    """Of two positions that lead to each other one is written for both; `drawn` is the place of the next card.

    A recycle for every card is enough.
    """
    if rules[_NO_KINGS]:
        for card in range(28, _CARDS):
            if rules[card] == 13:
                cards &= ~(1 << card)
    while drawn < _CARDS - 28 and not (cards >> (28 + drawn)) & 1:
        drawn += 1
    if rules[_FREE]:
        drawn, fresh = 0, 0
        if not rules[_PAIRS]:
            cards = _first_of_rank(cards, rules)
    elif recycles != _UNLIMITED:
        count = 0
        for card in range(_CARDS):
            count += (cards >> card) & 1
        recycles = min(recycles, count)
    numbers = position.view(numpy.int64)
    numbers[0] = cards | (drawn << _DRAWN_AT) | (fresh << _FRESH_AT)
    numbers[1] = recycles


@compiled
def _first_of_rank(cards: int, rules: Numbers) -> int:
    """The same number of cards of every rank in the talon, those that come first."""
    counts = numpy.zeros(14, numpy.int64)
    for card in range(28, _CARDS):
        if (cards >> card) & 1:
            counts[rules[card]] += 1
    cards &= (1 << 28) - 1
    for card in range(28, _CARDS):
        if counts[rules[card]]:
            counts[rules[card]] -= 1
            cards |= 1 << card
    return cards


@compiled
def _lies_free(cards: int, place: int, rules: Numbers) -> bool:
    if not (cards >> place) & 1:
        return False
    left, right = rules[_COVER + 2 * place], rules[_COVER + 2 * place + 1]
    return left < 0 or not ((cards >> left) & 1 or (cards >> right) & 1)


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    numbers = position.view(numpy.int64)
    cards = numbers[0] & ((1 << _CARDS) - 1)
    drawn, fresh, recycles = (numbers[0] >> _DRAWN_AT) & 31, (numbers[0] >> _FRESH_AT) & 1, numbers[1]
    free = numpy.empty(28, numpy.int64)
    count, frees, ways = 0, 0, 0
    for place in range(28):
        if (cards >> place) & 1 and rules[place] != 13 and not rules[_PARTNERS + place] & cards:
            return 0
        if _lies_free(cards, place, rules):
            free[frees] = place
            frees += 1
            if rules[place] == 13 and not fresh:
                _write(children[0], cards ^ (1 << place), drawn, 0, recycles, rules)
                return 1
    if rules[_FREE]:
        before = -1
        for card in range(28, _CARDS):
            if (cards >> card) & 1:
                count = _remove(
                    cards, card, before if rules[_PAIRS] else -1, 0, recycles, free[:frees], rules, children, count
                )
                before = card
    for number in range(frees):
        place = free[number]
        if rules[place] == 13:
            _write(children[count], cards ^ (1 << place), drawn, 0, recycles, rules)
            count, ways = count + 1, ways + 1
        for further in range(number + 1, frees):
            if rules[place] + rules[free[further]] == 13:
                rest = cards ^ (1 << place) ^ (1 << free[further])
                _write(children[count], rest, drawn, 0, recycles, rules)
                count, ways = count + 1, ways + 1
    if rules[_TOMB]:
        for place in range(21):
            left, right = rules[_COVER + 2 * place], rules[_COVER + 2 * place + 1]
            on = (cards >> left) & 1, (cards >> right) & 1
            if (cards >> place) & 1 and on[0] != on[1]:
                other = left if on[0] else right
                if rules[place] + rules[other] == 13 and _lies_free(cards, other, rules):
                    _write(children[count], cards ^ (1 << place) ^ (1 << other), drawn, 0, recycles, rules)
                    count, ways = count + 1, ways + 1
    if not rules[_FREE]:
        count = _draw(cards, drawn, fresh, recycles, bool(ways and rules[_WAIT]), free[:frees], rules, children, count)
    return count


@compiled
def _draw(
    cards: int, drawn: int, fresh: int, recycles: int, stays: bool, free: Numbers, rules: Numbers, children: Bytes,
    count: int,
) -> int:  # fmt: skip
    """The removals from the talon as it lies, then from what further draws bring up, to the end of the next pass."""
    turned, over = drawn, drawn == 0
    while True:
        waste, under, ahead = -1, -1, -1
        for card in range(28, _CARDS):
            if (cards >> card) & 1:
                if card < 28 + turned:
                    waste, under = card, waste
                elif ahead < 0:
                    ahead = card
        if waste >= 0:
            count = _remove(cards, waste, under if fresh else -1, turned, recycles, free, rules, children, count)
        if ahead >= 0 and rules[_TOP_UP]:
            count = _remove(cards, ahead, waste, ahead - 27, recycles, free, rules, children, count)
        if stays:
            return count
        if ahead >= 0:
            turned, fresh = _draw_after(cards, turned, rules), rules[_FRESH_PAIRS]
        elif waste < 0 or over or recycles == 0:
            return count
        else:
            turned, fresh, over = 0, 0, True
            recycles -= recycles != _UNLIMITED


@compiled
def _remove(
    cards: int, card: int, before: int, drawn: int, recycles: int, free: Numbers, rules: Numbers, children: Bytes,
    count: int,
) -> int:  # fmt: skip
    """The removals of a card of the talon, with the one `before` it too unless that is -1."""
    if rules[card] == 13:
        _write(children[count], cards ^ (1 << card), drawn, 0, recycles, rules)
        return count + 1
    if before >= 0 and rules[before] + rules[card] == 13:
        _write(children[count], cards ^ (1 << card) ^ (1 << before), drawn, 0, recycles, rules)
        count += 1
    for place in free:
        if rules[place] + rules[card] == 13:
            _write(children[count], cards ^ (1 << card) ^ (1 << place), drawn, 0, recycles, rules)
            count += 1
    return count


@compiled
def _draw_after(cards: int, drawn: int, rules: Numbers) -> int:
    """The place to which the talon is drawn after the next draw."""
    turned = 0
    for card in range(28 + drawn, _CARDS):
        if (cards >> card) & 1:
            turned, drawn = turned + 1, card - 27
            if turned == rules[_DRAW]:
                break
    return drawn


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    cards, count = position.view(numpy.int64)[0], 0
    for card in range(_CARDS if rules[_CLEAR] else 28):
        count += (cards >> card) & 1
    return count if count else -1


def _ways(game_type: AnyGameType, state: Any) -> Iterator[Way]:
    """The removals, now or after drawing and turning over; kings that come up are removed on the way."""
    yield from single_ways(game_type, state)
    commands, turned_over = list[Any](), 0
    while command := _next_command(state):
        commands.append(command)
        state = state_after(PYRAMID, state, command)
        turned_over += isinstance(command, Recycle)
        if turned_over > 1:
            return
        for removal in pile_removals(state):
            yield Way((*commands, removal), state_after(PYRAMID, state, removal))


def _next_command(state: State) -> Any:
    if is_won(state):
        return None
    kings = (removal for removal in pile_removals(state) if removal.target == DISCARD and _drops_kings(state))
    return next(kings, None) or next(
        (command for command in PYRAMID.legal_commands(state, 0) if not isinstance(command, Remove)), None
    )


SOLVER = Solver(PYRAMID, Game("pyramid", 16, _expand, _weigh, costs=53, fan=512), 10_000_000, _pack, _rules, _ways)
