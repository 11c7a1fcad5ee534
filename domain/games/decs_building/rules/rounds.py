"""Decs Building: the deal, how rounds and turns follow each other, and the end."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from domain.chance import Chance, Shuffle
from domain.games.decs_building import events as ev
from domain.games.decs_building.rules.course import Course, evolve
from domain.games.decs_building.rules.grid import hand_size, score, winners
from domain.games.decs_building.state import Cards, Options, Player, State, clockwise, pack, piles
from domain.kit.cards import SUITS
from domain.view import Card, Seat


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return State(options, (Player(),) * seats)


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """`dealt`, then the first round with its draws; raises Illegal for a given deal that is not the pack.

    House rule, ours: the first player is the seat whose six comes first in the shuffled pack (spades for seat 0,
    hearts for seat 1, ...). Each starting deck has a shuffle of its own; in a given deal, which is the pack in any
    order, its cards lie as they do there.
    """
    order = chance.shuffle(pack(options, seats))
    stacks = _sort_stacks(piles(options, seats), order.cards)
    decks = [[stack[seat] for stack in stacks[:4]] for seat in range(seats)]
    given = chance.given is not None
    lying = [_pick(order.cards, sorted(deck)) for deck in decks] if given else _shuffle_decks(order, decks)
    left = [*(stack[seats:] for stack in stacks[:4]), *stacks[4:]]
    dealt = ev.Dealt(tuple(_pick(order.cards, stack[::-1]) for stack in left), tuple(lying))
    course = Course(evolve, initial(options, seats)).then(dealt)
    return begin_round(course, ev.RoundStarted(1, first_player(order.cards, seats))).events


def first_player(cards: Sequence[Card], seats: int) -> Seat:
    """Whose six comes first; there is one six of every suit, whatever the options."""
    return min(range(seats), key=lambda seat: cards.index("6" + SUITS[seat]))


def begin_round(course: Course, event: ev.RoundStarted) -> Course:
    """Everybody draws up to the hand size, clockwise from the token holder; then the start card is waited for.

    A deck that is too short gives what there is.
    """
    course = course.then(event)
    for seat in clockwise(course.state, event.token):
        player = course.state.players[seat]
        cards = player.deck[: max(0, hand_size(player.features) - len(player.hand))]
        if cards:
            course = course.then(ev.Drawn(seat, cards))
    return course if course.state.takers else first_turn(course)


def first_turn(course: Course) -> Course:
    """The turns begin with the token holder."""
    return _turn_from(course, course.state.token)


def next_turn(course: Course, seat: Seat) -> Course:
    """The turn goes clockwise from this seat to the next that has not passed."""
    return _turn_from(course, (seat + 1) % len(course.state.players))


def announce_end(course: Course) -> Course:
    """Three empty stacks announce the end; a stack that fills again does not take that back."""
    empty = sum(not cards for cards in course.state.stacks)
    if course.state.latched or empty < 3:
        return course
    return course.then(ev.EndAnnounced())


def _sort_stacks(stacks: Sequence[Cards], cards: Cards) -> list[list[int]]:
    """Each stack from the top, its cards by their places in the shuffled pack; of equal cards the first lies higher."""
    places = defaultdict[Card, list[int]](list)
    for place in reversed(range(len(cards))):
        places[cards[place]].append(place)
    return [[places[card].pop() for card in stack] for stack in stacks]


def _pick(cards: Cards, places: Iterable[int]) -> Cards:
    return tuple(cards[place] for place in places)


def _shuffle_decks(order: Shuffle, decks: list[list[int]]) -> Iterator[Cards]:
    chance = order.chance
    for deck in decks:
        cards, chance = chance.shuffle(_pick(order.cards, deck))
        yield cards


def _turn_from(course: Course, first: Seat) -> Course:
    """House rule, ours: an empty hand passes by itself."""
    for seat in clockwise(course.state, first):
        player = course.state.players[seat]
        if not player.passed and player.hand:
            return course.then(ev.TurnStarted(seat))
        if not player.passed:
            course = course.then(ev.Passed(seat))
    return _end_round(course)


def _end_round(course: Course) -> Course:
    """After the last round the grids are counted. The token goes anti-clockwise and passes absent seats by."""
    course = course.then(ev.RoundEnded())
    state = course.state
    if state.final:
        scores = tuple(score(state, seat) for seat in range(len(state.players)))
        return course.then(ev.Scored(scores, winners(state, scores)))
    token = clockwise(state, state.token)[-1]
    return begin_round(course, ev.RoundStarted(state.round + 1, token, state.latched))
