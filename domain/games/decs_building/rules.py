"""Decs Building: what may be said, what a command leads to, which cards pay which cost, and what a resignation brings.

A card pays by its kind alone: `*` wild, the suit of a number, or a picture's rank, small where it is black. A listed
action names the cards of its payment once and leaves their order and the place of what is drawn open: the places are
listed when they are asked for.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import assert_never

from msgspec.structs import replace

from domain.game_type import Illegal, Result
from domain.games.decs_building import events as ev
from domain.games.decs_building import state as decs
from domain.games.decs_building.grid import check_cells, fits, free_places
from domain.games.decs_building.rounds import Course, announce_end, evolve, first_turn, next_turn
from domain.games.decs_building.state import Cards, SpaceId, StackId, State, Way
from domain.kit import turns
from domain.kit.cards import JOKERS, PACK, is_joker, is_red
from domain.view import Card, Cells, Seat

ANY, WILD, SUITED = "?", "*", "SHDC"
_RED = "HDJQK"

Choice = tuple[SpaceId, decs.Alternative | None]
"""What is paid for: a space, and the alternative where it has two."""


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if state.over is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != decs.to_act(state):
        raise Illegal("not_your_turn", "It is another seat's turn.")
    if bool(state.takers) != isinstance(command, ev.TakeStartCard):
        raise Illegal("start_card", "Before the turns, and only then, a card is taken from a stack.")
    if state.placing is not None and not isinstance(command, ev.Place):
        raise Illegal("draw_first", "The feature that was paid for has to be drawn first.")
    if state.extra and not isinstance(command, ev.TakeAction | ev.DeclineExtra | ev.Place):
        raise Illegal("extra_action", "Take the extra action or decline it.")
    course = turns.Course(evolve, state)
    match command:
        case ev.TakeStartCard():
            if command.source not in decs.start_choices(state):
                if state.final:
                    raise Illegal("empty_stack", "There is no card left to take from that stack.")
                raise Illegal("lowest_rank", "Take a card of the lowest rank that shows on the suit stacks.")
            card = state.stacks[decs.STACK[command.source]][-1]
            course = announce_end(course.then(ev.StartCardTaken(seat, command.source, card)))
            if not course.state.takers:
                course = first_turn(course)
        case ev.TakeAction():
            course = _take_action(state, seat, command)
        case ev.Place():
            if state.placing is None:
                raise Illegal("nothing_to_draw", "There is nothing to draw.")
            cells = check_cells(state, seat, state.placing, command.cells)
            course = next_turn(course.then(ev.FeatureDrawn(seat, state.placing, cells)), seat)
        case ev.Discard():
            cards = _find_in_hand(state, seat, (command.card, *(command.more or ())))
            course = next_turn(course.then(ev.Discarded(seat, cards)), seat)
        case ev.DeclineExtra():
            if not state.extra:
                raise Illegal("no_extra_action", "There is no extra action to decline.")
            course = next_turn(course.then(ev.ExtraActionDeclined(seat)), seat)
        case ev.Pass():
            course = next_turn(course.then(ev.Passed(seat)), seat)
        case _:
            assert_never(command)
    return course.events


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out, and play goes on where it had been waited for."""
    if state.over is not None or state.players[seat].out:
        return ()
    course = turns.Course(evolve, state).then(ev.SeatWithdrawn(seat))
    if course.state.over is not None:
        return course.events
    if state.turn == seat and not state.takers:
        course = next_turn(course, seat)
    elif state.takers and not course.state.takers:
        course = first_turn(course)
    return course.events


def result(state: State) -> Result | None:
    """Won by most points, or by the last seat left; None while it goes on. Equal points win together."""
    if state.over is None:
        return None
    return Result("won", state.over, state.winners, state.scores)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """What the seat may say, one command per meaning: start cards, places, or actions and other ways to end a turn.

    What can be meant is more than can be listed: a listed discard names its first card and leaves the others open.
    """
    if seat != decs.to_act(state):
        return ()
    if state.takers:
        return tuple(ev.TakeStartCard(stack) for stack in decs.start_choices(state))
    if state.placing is not None:
        return tuple(ev.Place(place.cells) for place in free_places(state, seat, state.placing))
    if state.extra:
        return (*_list_actions(state, seat), ev.DeclineExtra())
    discards = (ev.Discard(card) for card in dict.fromkeys(sorted(state.players[seat].hand)))
    return (*_list_actions(state, seat), *discards, ev.Pass())


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """The spelling that is listed: cells in reading order, the payment sorted, with the order it is spent in."""
    if isinstance(command, ev.Place):
        return ev.Place(tuple(sorted(command.cells)))
    if not isinstance(command, ev.TakeAction):
        return command
    order = command.order or command.payment
    cells = None if command.cells is None else tuple(sorted(command.cells))
    if decs.SPACES[command.space].removes_second:
        return replace(command, payment=order, cells=cells, order=None)
    cards = tuple(sorted(order))
    return replace(command, payment=cards, cells=cells, order=None if order == cards else order)


def _take_action(state: State, seat: Seat, command: ev.TakeAction) -> Course:
    """Pawns, payment and reward in this order; raises Illegal.

    Another seat's pawn goes home, then one's own is placed. What is to be drawn is waited for unless the command says
    where. House rule, ours: with an empty hand an extra action is declined by itself.
    """
    space, order = decs.SPACES[command.space], command.order or command.payment
    if sorted(order) != sorted(command.payment):
        raise Illegal("order_of_payment", "The order names the cards of the payment and no others.")
    cards = _find_in_hand(state, seat, order)
    way = _find_way(state, command, cards)
    if not _can_stand(state, seat, command.space):
        raise Illegal("spare_pawn", "A space with a bauble needs a spare pawn of yours, or one that stands there.")
    stack = _find_reward(state, command, way)
    cells = _check_drawing(state, seat, command)
    course = turns.Course(evolve, state)
    if space.bauble and command.space not in state.players[seat].pawns:
        for other, player in enumerate(state.players):
            if command.space in player.pawns:
                course = course.then(ev.PawnReturned(other, command.space))
        course = course.then(ev.PawnPlaced(seat, command.space))
    paid, removed = (cards[:1], cards[1]) if space.removes_second else (cards, None)
    course = course.then(ev.Paid(seat, command.space, paid, removed))
    if stack is not None:
        course = course.then(ev.CardGained(seat, stack, course.state.stacks[decs.STACK[stack]][-1]))
    if space.feature is not None:
        return course if cells is None else next_turn(course.then(ev.FeatureDrawn(seat, space.feature, cells)), seat)
    if not space.extra_action:
        return next_turn(announce_end(course), seat)
    course = course.then(ev.ExtraActionGranted(seat))
    if course.state.players[seat].hand:
        return course
    return next_turn(course.then(ev.ExtraActionDeclined(seat)), seat)


def _find_in_hand(state: State, seat: Seat, named: Cards) -> Cards:
    hand, cards = list(state.players[seat].hand), list[Card]()
    for card in named:
        if card not in hand:
            raise Illegal("not_in_hand", "You can spend only cards of your own hand, each once.")
        cards.append(hand.pop(hand.index(card)))
    return tuple(cards)


def _find_way(state: State, command: ev.TakeAction, cards: Cards) -> Way:
    """The way of the space that is paid for; raises Illegal."""
    space = decs.SPACES[command.space]
    ways = [way for way in space.ways if way.alternative == command.alternative]
    if not ways:
        raise Illegal("alternative", "Name one of the alternatives where the space has two, and only there.")
    for way in ways:
        if _pays(_kinds(cards), way.cost, state.extra):
            return way
    cost = ways[0].cost
    if len(cards) != len(cost):
        raise Illegal("cards_to_pay", f"{space.name} costs {len(cost)} card{'s' if len(cost) > 1 else ''}.")
    symbols = cost.replace("?", "")
    if any(_pays(_kinds(chosen), symbols, False) for chosen in combinations(cards, len(symbols))):
        raise Illegal("one_colour", "The cards that pay for several ? of one action must share a colour.")
    raise Illegal("matching_cards", f"These cards do not match the cost of {space.name}.")


def _can_stand(state: State, seat: Seat, space: SpaceId) -> bool:
    """Whether the space has no bauble, or the seat has a pawn there or one to place."""
    return not decs.SPACES[space].bauble or space in state.players[seat].pawns or decs.spare_pawns(state, seat) > 0


def _find_reward(state: State, command: ev.TakeAction, way: Way) -> StackId | None:
    """The stack whose top is gained; raises Illegal. House rule, ours: it is looked at before the payment moves."""
    chosen = decs.SPACES[command.space].any_suit
    if chosen != (command.source is not None) or (chosen and command.source not in decs.SUIT_STACKS):
        raise Illegal("suit_stack", "Gain a Card names one of the suit stacks; no other space has a choice of stack.")
    stack = command.source if chosen else way.stack
    if stack is not None and not state.stacks[decs.STACK[stack]]:
        raise Illegal("empty_stack", "There is no card left to gain from that stack.")
    return stack


def _check_drawing(state: State, seat: Seat, command: ev.TakeAction) -> Cells | None:
    feature = decs.SPACES[command.space].feature
    if feature is None:
        if command.cells is not None:
            raise Illegal("nothing_to_draw", "This space brings nothing to draw.")
        return None
    if not fits(state, seat, feature):
        raise Illegal("no_room", "There is no room for this feature in your grid.")
    return None if command.cells is None else check_cells(state, seat, feature, command.cells)


def _list_actions(state: State, seat: Seat) -> Iterator[ev.TakeAction]:
    """The actions that the seat can take, in board order: each payment once, sorted.

    Which of two cards is the second matters where it leaves the game.
    """
    hand, paid = sorted(state.players[seat].hand), dict[Choice, list[Cards]]()
    for size in (1, 2, 3):
        for cards in dict.fromkeys(combinations(hand, size)):
            for choice in offers(_kinds(cards), state.extra):
                paid.setdefault(choice, []).append(cards)
    for space, entry in decs.SPACES.items():
        for way in {way.alternative: way for way in entry.ways}.values():
            payments = paid.get((space, way.alternative))
            if not payments or not _can_stand(state, seat, space):
                continue
            if way.stack is not None and not state.stacks[decs.STACK[way.stack]]:
                continue
            if entry.feature is not None and not fits(state, seat, entry.feature):
                continue
            if entry.removes_second:
                payments = list(dict.fromkeys(order for cards in payments for order in (cards, cards[::-1])))
            sources: list[StackId | None] = [None]
            if entry.any_suit:
                sources = [stack for stack in decs.SUIT_STACKS if state.stacks[decs.STACK[stack]]]
            for source in sources:
                for cards in payments:
                    yield ev.TakeAction(space, cards, way.alternative, source)


def _kinds(cards: tuple[Card, ...]) -> str:
    return "".join(sorted(KIND[card] for card in cards))


@cache
def offers(paid: str, eased: bool) -> tuple[Choice, ...]:
    """The spaces, with their alternatives, that cards of these kinds pay for.

    `eased`: any number pays any suit symbol, and the `?` need not share a colour (after Everyone Pitch In).
    """
    ways = [(space, way) for space, entry in decs.SPACES.items() for way in entry.ways]
    return tuple(dict.fromkeys((space, way.alternative) for space, way in ways if _pays(paid, way.cost, eased)))


def payers(symbol: str, eased: bool) -> tuple[Card, ...]:
    """The cards that pay this symbol of a cost."""
    return tuple(card for card, kind in KIND.items() if _pays_symbol(kind, symbol, eased))


def _pays(paid: str, cost: str, eased: bool) -> bool:
    """Whether these kinds can be matched to the symbols of the cost, one each."""
    if len(paid) != len(cost):
        return False
    for order in set(permutations(paid)):
        pairs = list(zip(order, cost, strict=True))
        if all(_pays_symbol(kind, symbol, eased) for kind, symbol in pairs):
            colours = {kind in _RED for kind, symbol in pairs if symbol == ANY and kind != WILD}
            if eased or len(colours) < 2:
                return True
    return False


def _pays_symbol(kind: str, symbol: str, eased: bool) -> bool:
    """Wild cards pay anything but a king; pictures pay their own letter, never a suit (the latter our ruling)."""
    if symbol == ANY:
        return True
    if kind == WILD:
        return symbol != "K"
    if symbol in SUITED:
        return kind in SUITED if eased else kind == symbol
    return kind.upper() == symbol


def _find_kind(card: Card) -> str:
    if is_joker(card) or card[0] == "A":
        return WILD
    if card[0] in "JQK":
        return card[0] if is_red(card) else card[0].lower()
    return card[1]


KIND: dict[Card, str] = {card: _find_kind(card) for card in (*PACK, *JOKERS)}
