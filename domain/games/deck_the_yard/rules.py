"""The rules of Deck the Yard: the deal, what is allowed and what it leads to, and how a game ends."""

from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard import state as yard
from domain.games.deck_the_yard.state import Cards, Options, State
from domain.kit import turns
from domain.view import Card, Seat

Course = turns.Course[State, ev.Event]


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options)


def deal(options: Options, chance: Chance, seats: int) -> tuple[ev.Dealt, ...]:
    """The patterns shuffled, and then the stock. A given deal names all 88 cards; each pile keeps its own order."""
    cards = chance.given
    if cards is not None:
        chance = replace(chance, given=tuple(card for card in cards if card in yard.PATTERNS))
    patterns = chance.shuffle(tuple(yard.PATTERNS))
    chance = patterns.chance
    if cards is not None:
        chance = replace(chance, given=tuple(card for card in cards if card not in yard.PATTERNS))
    stock = chance.shuffle(yard.STOCK)
    return (ev.Dealt(patterns.cards, stock.cards, stock.chance),)


def decide(state: State, seat: Seat, command: ev.Command) -> tuple[ev.Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise turns.not_the_player("Deck the Yard")
    now = yard.phase(state)
    if now in ("finished", "deal"):
        raise Illegal("game_over", "Nothing can be played any more.")
    if state.drawn is not None and not isinstance(command, ev.UsePlug):
        raise Illegal("plug_first", f"First say whether a plug is used for the {yard.call_card(state.drawn)}.")
    if now == "claim_pattern" and not isinstance(command, ev.UsePlug | ev.ClaimPattern):
        raise Illegal("claim_first", "First one of the completed patterns is to be claimed.")
    course = turns.Course(evolve, state)
    match command:
        case ev.PlayColour():
            card = command.card
            _check_held(state, card)
            if card not in yard.COLOUR:
                raise Illegal("not_a_colour_bulb", f"The {yard.call_card(card)} is no colour bulb.")
            if card not in yard.next_bulbs(state):
                raise Illegal("next_in_pattern", f"No pattern goes on with {yard.COLOUR[card]} after this line-up.")
            course = _complete_strand(course.then(ev.ColourPlayed(card)))
        case ev.Discard():
            _check_held(state, command.card)
            course = _refill_hand(course.then(ev.Discarded(command.card)))
        case ev.PlayBubble():
            _check_held(state, yard.BUBBLE)
            if state.bubble is not None:
                raise Illegal("one_bubble", "There is only one bubble bulb in a pattern.")
            if not yard.takes_bubble(state):
                raise Illegal("next_in_pattern", "This line-up begins no pattern that a bubble bulb could end.")
            course = _complete_strand(course.then(ev.BubblePlayed(yard.BUBBLE)))
        case ev.UsePlug():
            if state.drawn is None:
                raise Illegal("no_plug_asked", "No card has been drawn for which a plug could be used.")
            if command.use and not _asks_for_plug(state):
                raise Illegal("no_plug", "There is no plug in the hand that could be used.")
            course = _resolve_card(course, state.drawn, yard.PLUG if command.use else None)
        case ev.ClaimPattern():
            if yard.PLACE[command.source] not in yard.completed_places(state):
                raise Illegal("not_completed", "The line-up does not complete that pattern.")
            course = _claim_pattern(course, yard.PLACE[command.source])
        case ev.EndGame():
            if state.stock:
                raise Illegal("stock_not_empty", "The game can be ended only when the stock is empty.")
            course = course.then(ev.PlayEnded("ended_by_player"))
        case _:
            assert_never(command)
    return course.events


def evolve(state: State, event: ev.Event) -> State:
    """The position after the event. The commonest stand first: a class that does not match costs 0.1 microseconds."""
    match event:
        case ev.Drawn():
            stock = state.stock[:-1]
            if event.card in yard.KEPT:
                return replace(state, stock=stock, hand=(*state.hand, event.card))
            return replace(state, stock=stock, drawn=event.card)
        case ev.Discarded():
            return replace(state, hand=_without(state.hand, event.card), discard=(*state.discard, event.card))
        case ev.ColourPlayed():
            return replace(state, hand=_without(state.hand, event.card), bulbs=(*state.bulbs, event.card))
        case ev.CharacterResolved():
            if event.claimed:
                return _discard_plug(replace(state, drawn=None, claims=(*state.claims, event.card)), event.plug)
            return replace(state, drawn=None, discard=(*state.discard, event.card))
        case ev.BrokenBulbResolved():
            spent = replace(state, drawn=None, discard=(*state.discard, event.card))
            return _clear_lineup(spent, event.lineup) if event.lineup else _discard_plug(spent, event.plug)
        case ev.EventCardResolved():
            discard = (*state.discard, event.card, *event.hand)
            if event.power_outage:
                return replace(state, drawn=None, hand=(), discard=discard)
            return _discard_plug(replace(state, drawn=None, discard=discard), event.plug)
        case ev.StockShuffled():
            return replace(state, stock=event.stock, unshuffled=False, chance=event.chance)
        case ev.HandRedrawn():
            hand = yard.hand_from(event.cards[::-1])
            stock = hand.aside + state.stock[: len(state.stock) - len(event.cards)]
            return replace(state, hand=hand.kept, stock=stock, unshuffled=bool(hand.aside) or state.unshuffled)
        case ev.BubblePlayed():
            return replace(state, hand=_without(state.hand, event.card), bubble=event.card)
        case ev.PatternClaimed():
            cleared = _clear_lineup(state, event.lineup)
            return replace(_lay_pattern(cleared, event.source, None), claims=(*state.claims, event.pattern))
        case ev.PatternRevealed():
            return replace(_lay_pattern(state, event.target, event.pattern), pattern_stock=state.pattern_stock[:-1])
        case ev.PlayEnded():
            return replace(state, over=event.reason)
        case ev.Dealt():
            hand = yard.hand_from(event.cards[::-1])
            return replace(
                state,
                hand=hand.kept,
                stock=hand.aside + hand.left,
                unshuffled=bool(hand.aside),
                face_up=(event.patterns[0], event.patterns[1]),
                pattern_stock=event.patterns[:1:-1],
                chance=event.chance,
            )
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[ev.Command, ...]:
    """One command per kind of card: bulbs that can be played, then discards, then the end of the game."""
    if seat != 0:
        return ()
    match yard.phase(state):
        case "action":
            hand, playable = tuple(dict.fromkeys(state.hand)), yard.next_bulbs(state)
            commands: list[ev.Command] = [ev.PlayColour(card) for card in hand if card in playable]
            commands += [ev.PlayBubble()] * (yard.BUBBLE in hand and yard.takes_bubble(state))
            commands += [ev.Discard(card) for card in hand]
            return (*commands, *([] if state.stock else [ev.EndGame()]))
        case "use_plug":
            return (ev.UsePlug(True), ev.UsePlug(False)) if _asks_for_plug(state) else (ev.UsePlug(False),)
        case "claim_pattern":
            return tuple(ev.ClaimPattern(yard.FACE_UP[place]) for place in yard.completed_places(state))
    return ()


def result(state: State) -> Result | None:
    """Won with eight claimed cards or more, lost with fewer. The score is their number."""
    if state.over is None:
        return None
    if len(state.claims) >= yard.TO_WIN:
        return Result("won", "eight_claims", (0,), (score(state),))
    return Result("lost", state.over, (), (score(state),))


def score(state: State) -> int:
    """The number of claimed cards."""
    return len(state.claims)


def _check_held(state: State, card: Card) -> None:
    if card not in state.hand:
        raise Illegal("not_in_hand", "There is no such card in the hand.")


def _complete_strand(course: Course) -> Course:
    """A completed pattern is claimed at once and without asking, if there is only one (our ruling); then all draw."""
    places = yard.completed_places(course.state)
    if len(places) > 1:
        return course
    return _claim_pattern(course, places[0]) if places else _refill_hand(course)


def _claim_pattern(course: Course, place: int) -> Course:
    """The pattern goes to the claims and the five bulbs to the discards, for good; the next pattern is turned up."""
    pattern = course.state.face_up[place]
    if pattern is not None:
        course = course.then(ev.PatternClaimed(yard.FACE_UP[place], pattern, yard.lineup(course.state)))
        if course.state.pattern_stock:
            course = course.then(ev.PatternRevealed(yard.FACE_UP[place], course.state.pattern_stock[-1]))
    return _refill_hand(course)


def _refill_hand(course: Course) -> Course:
    """Draws until the hand is full, the stock is empty, a plug is asked for, or the game is over.

    It is over where the claims suffice; our ruling: at once, unless `play_on` was chosen.
    """
    if len(course.state.claims) >= yard.TO_WIN and not course.state.options.play_on:
        return course.then(ev.PlayEnded("eight_claims"))
    while len(course.state.hand) < yard.HAND_SIZE and course.state.stock:
        course = _shuffle_stock(course)
        course = course.then(ev.Drawn(course.state.stock[-1]))
        if course.state.drawn is not None:
            return course if _asks_for_plug(course.state) else _resolve_card(course, course.state.drawn, None)
    return _end_turn(course)


def _resolve_card(course: Course, card: Card, plug: Card | None) -> Course:
    """The card drawn, resolved with this plug or with none, and all that follows.

    An event is spent either way. Our rulings: without a plug the whole hand goes, unused plugs included; the cards that
    no hand may hold are shuffled back, and the turn's drawing ends. If the stock has too few cards, all of them are
    drawn; if it has none, the game is over.
    """
    if card == yard.EVENT and plug is None:
        course = course.then(ev.EventCardResolved(card, True, None, course.state.hand))
        drawn = course.state.stock[len(yard.hand_from(course.state.stock).left) :]
        if drawn:
            course = course.then(ev.HandRedrawn(drawn[::-1]))
        return _end_turn(_shuffle_stock(course))
    if card == yard.EVENT:
        return _refill_hand(course.then(ev.EventCardResolved(card, False, plug)))
    if card == yard.BROKEN:
        return _refill_hand(course.then(ev.BrokenBulbResolved(card, plug, () if plug else yard.lineup(course.state))))
    return _refill_hand(course.then(ev.CharacterResolved(card, plug is not None, plug)))


def _asks_for_plug(state: State) -> bool:
    """Whether the player may discard a plug for the card drawn.

    A broken bulb that meets an empty line-up does no harm, and no plug is asked for (our ruling). A bubble bulb alone
    is a line-up too.
    """
    if state.drawn is None or yard.PLUG not in state.hand:
        return False
    return state.drawn != yard.BROKEN or bool(yard.lineup(state))


def _shuffle_stock(course: Course) -> Course:
    """The stock shuffled if cards that were set aside have been put back.

    Our ruling: those of the opening hand lie under the stock until the first card is drawn, and are shuffled in then.
    """
    state = course.state
    if not state.unshuffled or state.chance is None:
        return course
    order = state.chance.shuffle(state.stock)
    return course.then(ev.StockShuffled(order.cards, order.chance))


def _end_turn(course: Course) -> Course:
    """The next turn, unless nothing is left in the hand: then the game is over."""
    return course if course.state.hand else course.then(ev.PlayEnded("hand_empty"))


def _without(cards: Cards, card: Card) -> Cards:
    left = list(cards)
    left.remove(card)
    return tuple(left)


def _discard_plug(state: State, plug: Card | None) -> State:
    """The state after a plug of the hand was discarded, if one was."""
    if plug is None:
        return state
    return replace(state, hand=_without(state.hand, plug), discard=(*state.discard, plug))


def _clear_lineup(state: State, cards: Cards) -> State:
    return replace(state, bulbs=(), bubble=None, discard=state.discard + cards)


def _lay_pattern(state: State, zone: str, pattern: Card | None) -> State:
    left, right = state.face_up
    return replace(state, face_up=(left, pattern) if yard.PLACE[zone] else (pattern, right))
