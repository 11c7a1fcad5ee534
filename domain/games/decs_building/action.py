"""Decs Building: taking an action: its cost, its pawn, its reward."""

from domain.game_type import Illegal
from domain.games.decs_building import events as ev
from domain.games.decs_building.board import SPACES, SpaceId, StackId, Way
from domain.games.decs_building.commands import Place, TakeAction
from domain.games.decs_building.course import Course
from domain.games.decs_building.grid import Cells
from domain.games.decs_building.payments import kinds, pays
from domain.games.decs_building.places import checked, fits
from domain.games.decs_building.rounds import end_announced, next_turn
from domain.games.decs_building.state import STACK, SUIT_STACKS, Cards, State, spare_pawns
from domain.view import Card, Seat


def take_action(state: State, seat: Seat, command: TakeAction) -> Course:
    """Pawns, payment and reward in this order; raises Illegal."""
    cards = spent(state, seat, command)
    way = _way(state, command, cards)
    _check_pawn(state, seat, command.space)
    stack = _reward_stack(state, command, way)
    cells = _checked_cells(state, seat, command)
    course = _pawns(Course((), state), seat, command.space).then(_paid(seat, command.space, cards))
    if stack is not None:
        course = course.then(ev.CardGained(seat, stack, course.state.stacks[STACK[stack]][-1]))
    return _finished(course, seat, command.space) if cells is None else _drawn(course, seat, cells)


def spent(state: State, seat: Seat, command: TakeAction) -> Cards:
    """The hand cards of the payment in the order they are spent; raises Illegal."""
    named = command.order or command.payment
    if sorted(named) != sorted(command.payment):
        raise Illegal("order_of_payment", "The order names the cards of the payment and no others.")
    return held(state, seat, named)


def held(state: State, seat: Seat, named: Cards) -> Cards:
    """These cards as they are in the hand of the seat; raises Illegal."""
    hand, found = list(state.players[seat].hand), list[Card]()
    for card in named:
        if card not in hand:
            raise Illegal("not_in_hand", "You can spend only cards of your own hand, each once.")
        found.append(hand.pop(hand.index(card)))
    return tuple(found)


def _way(state: State, command: TakeAction, cards: Cards) -> Way:
    """The way of the space that is paid for; raises Illegal."""
    ways = [way for way in SPACES[command.space].ways if way.alternative == command.alternative]
    if not ways:
        raise Illegal("alternative", "Name one of the alternatives where the space has two, and only there.")
    paid = next((way for way in ways if pays(kinds(cards), way.cost, state.extra)), None)
    if paid is None:
        raise _underpaid(command.space, ways[0].cost, cards)
    return paid


def _underpaid(space: SpaceId, cost: str, cards: Cards) -> Illegal:
    name = SPACES[space].name
    if len(cards) != len(cost):
        return Illegal("cards_to_pay", f"{name} costs {len(cost)} card{'s' if len(cost) > 1 else ''}.")
    if _but_for_colour(cost, cards):
        return Illegal("one_colour", "The cards that pay for several ? of one action must share a colour.")
    return Illegal("matching_cards", f"These cards do not match the cost of {name}.")


def _but_for_colour(cost: str, cards: Cards) -> bool:
    """Whether the cards would pay if those for the `?` could be of any colour."""
    named = cost.replace("?", "")
    return any(pays(kinds(tuple(card for at, card in enumerate(cards) if mask >> at & 1)), named, False)
               for mask in range(1 << len(cards)))  # fmt: skip


def _check_pawn(state: State, seat: Seat, space: SpaceId) -> None:
    if not can_stand(state, seat, space):
        raise Illegal("spare_pawn", "A space with a bauble needs a spare pawn of yours, or one that stands there.")


def can_stand(state: State, seat: Seat, space: SpaceId) -> bool:
    """Whether the space has no bauble, or the seat has a pawn there or one to place."""
    return not SPACES[space].bauble or space in state.players[seat].pawns or spare_pawns(state, seat) > 0


def _reward_stack(state: State, command: TakeAction, way: Way) -> StackId | None:
    """The stack whose top is gained; raises Illegal. House rule, ours: it is looked at before the payment moves."""
    chosen = SPACES[command.space].any_suit
    if chosen != (command.source is not None) or (chosen and command.source not in SUIT_STACKS):
        raise Illegal("suit_stack", "Gain a Card names one of the suit stacks; no other space has a choice of stack.")
    stack = command.source if chosen else way.stack
    if stack is not None and not state.stacks[STACK[stack]]:
        raise Illegal("empty_stack", "There is no card left to gain from that stack.")
    return stack


def _checked_cells(state: State, seat: Seat, command: TakeAction) -> Cells | None:
    feature = SPACES[command.space].feature
    if feature is None and command.cells is not None:
        raise Illegal("nothing_to_draw", "This space brings nothing to draw.")
    if feature is None:
        return None
    if not fits(state, seat, feature):
        raise Illegal("no_room", "There is no room for this feature in your grid.")
    return None if command.cells is None else checked(state, seat, feature, command.cells)


def _pawns(course: Course, seat: Seat, space: SpaceId) -> Course:
    """Another seat's pawn goes home, then one's own is placed, where it does not stand there already."""
    players = course.state.players
    if not SPACES[space].bauble or space in players[seat].pawns:
        return course
    others = [ev.PawnReturned(other, space) for other, player in enumerate(players) if space in player.pawns]
    return course.then(*others, ev.PawnPlaced(seat, space))


def _paid(seat: Seat, space: SpaceId, cards: Cards) -> ev.Paid:
    if SPACES[space].removes_second:
        return ev.Paid(seat, space, cards[:1], cards[1])
    return ev.Paid(seat, space, cards)


def place(state: State, seat: Seat, command: Place) -> Course:
    """The feature that was paid for is drawn; raises Illegal."""
    if state.placing is None:
        raise Illegal("nothing_to_draw", "There is nothing to draw.")
    return _drawn(Course((), state), seat, checked(state, seat, state.placing, command.cells))


def _drawn(course: Course, seat: Seat, cells: Cells) -> Course:
    feature = course.state.placing
    if feature is None:
        raise ValueError("nothing to draw")
    return next_turn(course.then(ev.FeatureDrawn(seat, feature, cells)), seat)


def _finished(course: Course, seat: Seat, space: SpaceId) -> Course:
    """Something to draw and an extra action are waited for; otherwise the turn ends."""
    if course.state.placing is not None:
        return course
    if SPACES[space].extra_action:
        return _extra(course.then(ev.ExtraActionGranted(seat)), seat)
    return next_turn(end_announced(course), seat)


def _extra(course: Course, seat: Seat) -> Course:
    """House rule, ours: with an empty hand the extra action is declined by itself."""
    return course if course.state.players[seat].hand else declined(course, seat)


def declined(course: Course, seat: Seat) -> Course:
    """The turn ends without the extra action."""
    return next_turn(course.then(ev.ExtraActionDeclined(seat)), seat)
