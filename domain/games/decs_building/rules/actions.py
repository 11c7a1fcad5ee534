"""Decs Building: an action: its payment, its pawn, its reward; which cards pay which cost, which actions are listed.

A card pays by its kind alone: `*` wild, the suit of a number, or a picture's rank, small where it is black. A listed
action names the cards of its payment once and leaves their order and the place of what is drawn open: the places are
listed when they are asked for.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games.decs_building import events as ev
from domain.games.decs_building.rules.course import Course, evolve
from domain.games.decs_building.rules.grid import check_cells, fits
from domain.games.decs_building.rules.rounds import announce_end, next_turn
from domain.games.decs_building.state import STACK, SUIT_STACKS, Cards, State, spare_pawns
from domain.games.decs_building.state.board import SPACES, Alternative, FeatureId, SpaceId, StackId, Way
from domain.kit.cards import JOKERS, PACK, is_joker, is_red
from domain.view import Card, Cells, Seat

ANY, WILD, SUITED = "?", "*", "SHDC"
_RED = "HDJQK"

Choice = tuple[SpaceId, Alternative | None]
"""What is paid for: a space, and the alternative where it has two."""


def take_action(state: State, seat: Seat, command: ev.TakeAction) -> Course:
    """Pawns, payment and reward in this order; raises Illegal.

    What is to be drawn is waited for unless the command says where. House rule, ours: with an empty hand an extra
    action is declined by itself.
    """
    space, cards = SPACES[command.space], _find_payment(state, seat, command)
    way = _find_way(state, command, cards)
    if not _can_stand(state, seat, command.space):
        raise Illegal("spare_pawn", "A space with a bauble needs a spare pawn of yours, or one that stands there.")
    stack = _find_reward(state, command, way)
    cells = _check_drawing(state, seat, command)
    kept, removed = (cards[:1], cards[1]) if space.removes_second else (cards, None)
    course = _move_pawns(Course(evolve, state), seat, command.space).then(ev.Paid(seat, command.space, kept, removed))
    if stack is not None:
        course = course.then(ev.CardGained(seat, stack, course.state.stacks[STACK[stack]][-1]))
    if space.feature is not None:
        return course if cells is None else draw_feature(course, seat, space.feature, cells)
    if not space.extra_action:
        return next_turn(announce_end(course), seat)
    course = course.then(ev.ExtraActionGranted(seat))
    return course if course.state.players[seat].hand else decline_extra(course, seat)


def draw_feature(course: Course, seat: Seat, feature: FeatureId, cells: Cells) -> Course:
    """The feature is drawn in these cells, and the turn ends."""
    return next_turn(course.then(ev.FeatureDrawn(seat, feature, cells)), seat)


def decline_extra(course: Course, seat: Seat) -> Course:
    """The turn ends without the extra action."""
    return next_turn(course.then(ev.ExtraActionDeclined(seat)), seat)


def find_in_hand(state: State, seat: Seat, named: Cards) -> Cards:
    """These cards as they are in the hand of the seat; raises Illegal."""
    hand, found = list(state.players[seat].hand), list[Card]()
    for card in named:
        if card not in hand:
            raise Illegal("not_in_hand", "You can spend only cards of your own hand, each once.")
        found.append(hand.pop(hand.index(card)))
    return tuple(found)


def list_actions(state: State, seat: Seat) -> Iterator[ev.TakeAction]:
    """The actions that the seat can take, in board order: each payment once, sorted."""
    paid = _find_payments(state, seat)
    for space, entry in SPACES.items():
        for way in {way.alternative: way for way in entry.ways}.values():
            payments = paid.get((space, way.alternative))
            if payments and _is_open(state, seat, space, way):
                yield from _list_ways(state, space, way, payments)


def spell_action(command: ev.TakeAction) -> ev.TakeAction:
    """Cells in reading order; the cards of the payment sorted, and the order they are spent in beside them."""
    order = command.order or command.payment
    cells = None if command.cells is None else tuple(sorted(command.cells))
    if SPACES[command.space].removes_second:
        return replace(command, payment=order, cells=cells, order=None)
    cards = tuple(sorted(order))
    return replace(command, payment=cards, cells=cells, order=None if order == cards else order)


def kinds(cards: tuple[Card, ...]) -> str:
    """The kinds of these cards, sorted."""
    return "".join(sorted(KIND[card] for card in cards))


@cache
def offers(paid: str, eased: bool) -> tuple[Choice, ...]:
    """The spaces, with their alternatives, that cards of these kinds pay for.

    `eased`: any number pays any suit symbol, and the `?` need not share a colour (after Everyone Pitch In).
    """
    ways = [(space, way) for space, entry in SPACES.items() for way in entry.ways]
    return tuple(dict.fromkeys((space, way.alternative) for space, way in ways if pays(paid, way.cost, eased)))


def payers(symbol: str, eased: bool) -> tuple[Card, ...]:
    """The cards that pay this symbol of a cost."""
    return tuple(card for card, kind in KIND.items() if _pays_symbol(kind, symbol, eased))


def pays(paid: str, cost: str, eased: bool) -> bool:
    """Whether these kinds can be matched to the symbols of the cost, one each."""
    if len(paid) != len(cost):
        return False
    return any(_matches(order, cost, eased) for order in set(permutations(paid)))


def _find_payment(state: State, seat: Seat, command: ev.TakeAction) -> Cards:
    """The hand cards of the payment in the order they are spent; raises Illegal."""
    named = command.order or command.payment
    if sorted(named) != sorted(command.payment):
        raise Illegal("order_of_payment", "The order names the cards of the payment and no others.")
    return find_in_hand(state, seat, named)


def _find_way(state: State, command: ev.TakeAction, cards: Cards) -> Way:
    """The way of the space that is paid for; raises Illegal."""
    ways = [way for way in SPACES[command.space].ways if way.alternative == command.alternative]
    if not ways:
        raise Illegal("alternative", "Name one of the alternatives where the space has two, and only there.")
    paid = next((way for way in ways if pays(kinds(cards), way.cost, state.extra)), None)
    if paid is None:
        raise _refuse_payment(command.space, ways[0].cost, cards)
    return paid


def _refuse_payment(space: SpaceId, cost: str, cards: Cards) -> Illegal:
    name = SPACES[space].name
    if len(cards) != len(cost):
        return Illegal("cards_to_pay", f"{name} costs {len(cost)} card{'s' if len(cost) > 1 else ''}.")
    if _pays_but_for_colour(cost, cards):
        return Illegal("one_colour", "The cards that pay for several ? of one action must share a colour.")
    return Illegal("matching_cards", f"These cards do not match the cost of {name}.")


def _pays_but_for_colour(cost: str, cards: Cards) -> bool:
    """Whether the cards would pay if those for the `?` could be of any colour."""
    named = cost.replace("?", "")
    return any(pays(kinds(chosen), named, False) for chosen in combinations(cards, len(named)))


def _can_stand(state: State, seat: Seat, space: SpaceId) -> bool:
    """Whether the space has no bauble, or the seat has a pawn there or one to place."""
    return not SPACES[space].bauble or space in state.players[seat].pawns or spare_pawns(state, seat) > 0


def _find_reward(state: State, command: ev.TakeAction, way: Way) -> StackId | None:
    """The stack whose top is gained; raises Illegal. House rule, ours: it is looked at before the payment moves."""
    chosen = SPACES[command.space].any_suit
    if chosen != (command.source is not None) or (chosen and command.source not in SUIT_STACKS):
        raise Illegal("suit_stack", "Gain a Card names one of the suit stacks; no other space has a choice of stack.")
    stack = command.source if chosen else way.stack
    if stack is not None and not state.stacks[STACK[stack]]:
        raise Illegal("empty_stack", "There is no card left to gain from that stack.")
    return stack


def _check_drawing(state: State, seat: Seat, command: ev.TakeAction) -> Cells | None:
    feature = SPACES[command.space].feature
    if feature is None and command.cells is not None:
        raise Illegal("nothing_to_draw", "This space brings nothing to draw.")
    if feature is None:
        return None
    if not fits(state, seat, feature):
        raise Illegal("no_room", "There is no room for this feature in your grid.")
    return None if command.cells is None else check_cells(state, seat, feature, command.cells)


def _move_pawns(course: Course, seat: Seat, space: SpaceId) -> Course:
    """Another seat's pawn goes home, then one's own is placed, where it does not stand there already."""
    players = course.state.players
    if not SPACES[space].bauble or space in players[seat].pawns:
        return course
    others = [ev.PawnReturned(other, space) for other, player in enumerate(players) if space in player.pawns]
    return course.then(*others, ev.PawnPlaced(seat, space))


def _find_payments(state: State, seat: Seat) -> dict[Choice, list[Cards]]:
    """By what they pay for, the different cards that pay it, sorted."""
    hand, paid = sorted(state.players[seat].hand), dict[Choice, list[Cards]]()
    for size in (1, 2, 3):
        for cards in dict.fromkeys(combinations(hand, size)):
            for choice in offers(kinds(cards), state.extra):
                paid.setdefault(choice, []).append(cards)
    return paid


def _is_open(state: State, seat: Seat, space: SpaceId, way: Way) -> bool:
    """Whether the pawn, the stack and the room are there."""
    feature = SPACES[space].feature
    stacked = way.stack is None or bool(state.stacks[STACK[way.stack]])
    return _can_stand(state, seat, space) and stacked and (feature is None or fits(state, seat, feature))


def _list_ways(state: State, space: SpaceId, way: Way, payments: list[Cards]) -> Iterator[ev.TakeAction]:
    """Which of two cards is the second matters where it leaves the game."""
    if SPACES[space].removes_second:
        payments = list(dict.fromkeys(order for cards in payments for order in (cards, cards[::-1])))
    sources: list[StackId | None] = [None]
    if SPACES[space].any_suit:
        sources = [stack for stack in SUIT_STACKS if state.stacks[STACK[stack]]]
    for source in sources:
        for cards in payments:
            yield ev.TakeAction(space, cards, way.alternative, source)


def _matches(order: tuple[str, ...], cost: str, eased: bool) -> bool:
    pairs = list(zip(order, cost, strict=True))
    if not all(_pays_symbol(kind, symbol, eased) for kind, symbol in pairs):
        return False
    return eased or len({kind in _RED for kind, symbol in pairs if symbol == ANY and kind != WILD}) < 2


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
