"""Decs Building: what an event does to the state, the deal, how rounds and turns follow each other, and the end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.decs_building import events as ev
from domain.games.decs_building import state as decs
from domain.games.decs_building.grid import hand_size, score, winners
from domain.games.decs_building.state import Cards, Options, Player, State
from domain.kit import turns
from domain.kit.cards import SUITS
from domain.kit.patience import with_value_at
from domain.view import Card, Seat

Course = turns.Course[State, ev.Event]


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return State(options, (Player(),) * seats)


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """`dealt`, then the first round with its draws; raises Illegal for a given deal that is not the pack.

    Each starting deck has a shuffle of its own; in a given deal, which is the pack in any order, its cards lie as they
    do there.
    """
    order = chance.shuffle(decs.pack(options, seats))
    # Each stack from the top, its cards by their places in the shuffled pack; of equal cards the first lies higher.
    places = defaultdict[Card, list[int]](list)
    for place in reversed(range(len(order.cards))):
        places[order.cards[place]].append(place)
    stacks, after = [[places[card].pop() for card in pile] for pile in decs.piles(options, seats)], order.chance
    decks = list[Cards]()
    for seat in range(seats):
        cards = _pick(order.cards, sorted(stack[seat] for stack in stacks[:4]))
        if chance.given is None:
            cards, after = after.shuffle(_pick(order.cards, [stack[seat] for stack in stacks[:4]]))
        decks.append(cards)
    left = [*(stack[seats:] for stack in stacks[:4]), *stacks[4:]]
    dealt = ev.Dealt(tuple(_pick(order.cards, stack[::-1]) for stack in left), tuple(decks))
    first = first_player(order.cards, seats)
    course = turns.Course(evolve, initial(options, seats)).then(dealt)
    return _begin_round(course, ev.RoundStarted(1, first)).events


def first_player(cards: Sequence[Card], seats: int) -> Seat:
    """The seat whose six comes first in the shuffled pack: spades for seat 0, hearts for seat 1 (house rule, ours).

    There is one six of every suit, under all options.
    """
    return min(range(seats), key=lambda seat: cards.index("6" + SUITS[seat]))


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event; refuses nothing, draws no lots. The most frequent events stand first."""
    match event:
        case ev.TurnStarted():
            return replace(state, turn=event.seat)
        case ev.Paid():  # pictures go on top of their stacks in order, other cards to the played pile
            player, gone = state.players[event.seat], () if event.removed is None else (event.removed,)
            stacks, played = state.stacks, player.played
            for card in event.cards:
                if card[0] in decs.PICTURE_STACK:
                    stack = decs.PICTURE_STACK[card[0]]
                    stacks = with_value_at(stacks, stack, (*stacks[stack], card))
                else:
                    played = (*played, card)
            hand = _remove_cards(player.hand, event.cards + gone)
            return replace(
                state,
                players=_change(state, event.seat, hand=hand, played=played),
                stacks=stacks,
                removed=state.removed + gone,
                placing=decs.SPACES[event.space].feature,
                extra=False,
            )
        case ev.Passed():
            return replace(state, players=_change(state, event.seat, passed=True))
        case ev.Drawn():
            player = state.players[event.seat]
            hand, deck = player.hand + event.cards, player.deck[len(event.cards) :]
            return replace(state, players=_change(state, event.seat, hand=hand, deck=deck))
        case ev.FeatureDrawn():
            features = (*state.players[event.seat].features, decs.Feature(event.feature, event.cells))
            return replace(state, players=_change(state, event.seat, features=features), placing=None)
        case ev.CardGained():
            played = (*state.players[event.seat].played, event.card)
            players = _change(state, event.seat, played=played)
            return replace(state, players=players, stacks=_take_top(state, event.stack))
        case ev.StartCardTaken():  # where no card is left to take, no seat waits for one (house rule, ours)
            players = _change(state, event.seat, hand=(*state.players[event.seat].hand, event.card))
            left = replace(state, players=players, stacks=_take_top(state, event.stack))
            return replace(left, takers=state.takers[1:] if decs.start_choices(left) else ())
        case ev.Discarded():
            player = state.players[event.seat]
            hand, played = _remove_cards(player.hand, event.cards), player.played + event.cards
            return replace(state, players=_change(state, event.seat, hand=hand, played=played))
        case ev.RoundStarted():
            players = tuple(replace(player, passed=False) if player.passed else player for player in state.players)
            begun = replace(
                state, players=players, round=event.number, token=event.token, final=event.final, turn=None, takers=()
            )
            return replace(begun, takers=_find_takers(begun))
        case ev.RoundEnded():  # the played piles go under the decks
            players = tuple(
                player
                if player.out or not player.played
                else replace(player, deck=player.deck + player.played, played=())
                for player in state.players
            )
            return replace(state, turn=None, players=players)
        case ev.PawnPlaced():
            pawns = (*state.players[event.seat].pawns, event.space)
            return replace(state, players=_change(state, event.seat, pawns=pawns))
        case ev.PawnReturned():
            pawns = tuple(space for space in state.players[event.seat].pawns if space != event.space)
            return replace(state, players=_change(state, event.seat, pawns=pawns))
        case ev.ExtraActionGranted():
            return replace(state, extra=True)
        case ev.ExtraActionDeclined():
            return replace(state, extra=False)
        case ev.Dealt():
            dealt = zip(state.players, event.decks, strict=True)
            players = tuple(replace(player, deck=deck) for player, deck in dealt)
            return replace(state, stacks=event.stacks, players=players)
        case ev.EndAnnounced():
            return replace(state, latched=True)
        case ev.SeatWithdrawn():
            return _withdraw(state, event.seat)
        case ev.Scored():
            return replace(state, over="most_points", winners=event.winners, scores=event.scores)
        case _:
            assert_never(event)


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


def _turn_from(course: Course, first: Seat) -> Course:
    """House rule, ours: an empty hand passes by itself. When all have passed, the round ends.

    After the last round the grids are counted. The token goes anti-clockwise and passes absent seats by.
    """
    for seat in decs.clockwise(course.state, first):
        player = course.state.players[seat]
        if not player.passed and player.hand:
            return course.then(ev.TurnStarted(seat))
        if not player.passed:
            course = course.then(ev.Passed(seat))
    course = course.then(ev.RoundEnded())
    state = course.state
    if state.final:
        scores = tuple(score(state, seat) for seat in range(len(state.players)))
        return course.then(ev.Scored(scores, winners(state, scores)))
    token = decs.clockwise(state, state.token)[-1]
    return _begin_round(course, ev.RoundStarted(state.round + 1, token, state.latched))


def _begin_round(course: Course, event: ev.RoundStarted) -> Course:
    """Every seat draws up to the hand size, clockwise from the token holder; then the start card is waited for.

    A deck that is too short gives what there is.
    """
    course = course.then(event)
    for seat in decs.clockwise(course.state, event.token):
        player = course.state.players[seat]
        cards = player.deck[: max(0, hand_size(player.features) - len(player.hand))]
        if cards:
            course = course.then(ev.Drawn(seat, cards))
    return course if course.state.takers else first_turn(course)


def _pick(cards: Cards, places: Iterable[int]) -> Cards:
    return tuple(cards[place] for place in places)


def _remove_cards(cards: Cards, gone: Iterable[Card]) -> Cards:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _change(state: State, seat: Seat, **changes: Any) -> tuple[Player, ...]:
    return with_value_at(state.players, seat, replace(state.players[seat], **changes))


def _take_top(state: State, stack: str) -> tuple[Cards, ...]:
    return with_value_at(state.stacks, decs.STACK[stack], state.stacks[decs.STACK[stack]][:-1])


def _find_takers(state: State) -> tuple[Seat, ...]:
    """The token holder, in the last round every seat; house rule, ours: for an absent holder the next one clockwise."""
    if not decs.start_choices(state):
        return ()
    return tuple(decs.clockwise(state, state.token)[: None if state.final else 1])


def _withdraw(state: State, seat: Seat) -> State:
    left = replace(state, players=_change(state, seat, out=True, pawns=()))
    if seat in state.takers:
        others = tuple(taker for taker in state.takers if taker != seat)
        left = replace(left, takers=others if state.final else _find_takers(left))
    if state.turn == seat:
        left = replace(left, turn=None, placing=None, extra=False)
    playing = decs.clockwise(left, 0)
    return replace(left, over="resigned", winners=tuple(playing)) if len(playing) == 1 else left
