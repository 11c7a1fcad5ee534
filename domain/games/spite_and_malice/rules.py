"""Spite & Malice: the table and its deal, what a command leads to, what each event changes, and what may be said."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar, assert_never

from msgspec.structs import replace

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal, Result
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice import state as spite
from domain.games.spite_and_malice.state import Cards, Options, Settings, State
from domain.kit import turns
from domain.kit.patience import with_value_at
from domain.view import Card, Seat

T = TypeVar("T")
Course = turns.Course[State, ev.Event]


class Source(NamedTuple):
    """A card that can be lifted; `named`: the card that a play from here names, None from the top of a pile."""

    zone: str
    card: Card
    named: Card | None


class Move(NamedTuple):
    """A card, where it comes from and the play deck that it goes to."""

    source: str
    card: Card
    deck: int


def settle(options: Options, seats: int) -> Options:
    """The options with every gap filled from the preset; raises Illegal where no game could be dealt so."""
    preset = spite.PRESETS[options.preset]
    names = [name for name in Settings.__struct_fields__ if getattr(options, name) is None]
    settled = replace(options, **{name: getattr(preset, name) for name in names})
    _check_table(spite.settings_of(settled))
    return settled


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return _clear_table(State(settings=spite.settings_of(settle(options, seats))))


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """One or more `dealt`, then the first turn with its draw; raises Illegal for a given deal that cannot be."""
    course = turns.Course(evolve, initial(options, seats))
    settings = course.state.settings
    dealt = _deal_stocks(settings, chance)
    while (first := first_player(settings, dealt)) is None:
        course = course.then(dealt)
        dealt = _deal_stocks(settings, dealt.chance or chance)
    return _fill_hand(course.then(dealt, ev.TurnStarted(first)), first).events


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != state.turn:
        raise Illegal("not_your_turn", "It is the other seat's turn.")
    course = turns.Course(evolve, state)
    match command:
        case ev.Play():
            return _play_card(course, seat, _find_move(state, seat, command)).events
        case ev.Discard():
            _check_ace(state, seat)
            return _begin_turn(course.then(_find_discard(state, seat, command)), 1 - seat).events
        case ev.EndTurn():
            _check_ace(state, seat)
            if state.hands[seat]:
                raise Illegal("discard_to_end", "A turn ends with a discard while there are cards in hand.")
            return _begin_turn(course.then(ev.TurnEnded(seat)), 1 - seat).events
        case _:
            assert_never(command)


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event: refuses nothing, draws no lots. The most frequent events stand first."""
    match event:
        case ev.Played():
            return _put_card(state, event)
        case ev.Drawn():
            hands = _with_seat(state.hands, event.seat, state.hands[event.seat] + event.cards)
            return replace(state, draw=state.draw[len(event.cards) :], hands=hands)
        case ev.TurnStarted():
            return replace(state, turn=event.seat, played=False)
        case ev.Discarded():
            seat, pile = spite.DISCARD_PLACE[event.target]
            piles = with_value_at(state.discards[seat], pile, (*state.discards[seat][pile], event.card))
            hands, discards = _hands_without(state, event), _with_seat(state.discards, seat, piles)
            return replace(state, hands=hands, discards=discards, idle=0)
        case ev.StockTurned():
            return replace(state, turned=_with_seat(state.turned, event.seat, True))
        case ev.DeckRemoved():
            decks = with_value_at(state.play_decks, spite.PLAY_INDEX[event.deck], ())
            if event.draw is not None:
                return replace(state, play_decks=decks, draw=event.draw, chance=event.chance)
            if state.settings.shuffle_type == "any_draw":
                return replace(state, play_decks=decks, draw=state.draw + event.cards)
            return replace(state, play_decks=decks, removed=state.removed + event.cards)
        case ev.Reshuffled():
            return replace(state, draw=event.draw, removed=(), chance=event.chance)
        case ev.TurnEnded():
            return replace(state, idle=0 if state.played else state.idle + 1)
        case ev.Dealt():
            return replace(_clear_table(state), stocks=event.stocks, draw=event.draw, chance=event.chance)
        case ev.Redealt():
            cleared, redeals = _clear_table(state), state.redeals + 1
            return replace(cleared, draw=event.draw, removed=(), chance=event.chance, redeals=redeals)
        case ev.Exhausted():
            return replace(state, over="cannot_draw")
        case ev.Deadlocked():
            return replace(state, over=event.reason)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """Plays of the stock, the hand and the discard tops, then the ways to end the turn; equal hand cards once."""
    if seat != state.turn or result(state) is not None:
        return ()
    sources = _list_sources(state, seat)
    plays = [
        ev.Play(zone, named, spite.PLAY[deck]) for zone, card, named in sources for deck in _list_takers(state, card)
    ]
    if state.settings.must_play_ace and _ace_waits(state, seat):
        return tuple(plays)
    if not state.hands[seat]:
        return (*plays, ev.EndTurn())
    piles, hand = spite.DISCARD[seat][: state.settings.discards], spite.HAND[seat]
    return (*plays, *[ev.Discard(card, pile, hand) for card in dict.fromkeys(state.hands[seat]) for pile in piles])


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """A play with its target and without the card of a pile, a discard with its source; an illegal play as it is."""
    match command:
        case ev.Play():
            try:
                move = _find_move(state, seat, command)
            except Illegal:
                return command
            return ev.Play(move.source, move.card if move.source == spite.HAND[seat] else None, spite.PLAY[move.deck])
        case ev.Discard():
            return ev.Discard(command.card, command.target, command.source or spite.HAND[seat])
        case _:
            return command


def result(state: State) -> Result | None:
    """Won with the last stock card; otherwise as the cards or the plays ran out; None while it goes on."""
    if state.over is None:
        if state.turn is None or all(state.stocks):
            return None
        return Result("won", "stock_played", (state.stocks.index(()),))
    left = [len(stock) for stock in state.stocks]
    if state.over != "cannot_draw" or state.settings.on_exhaustion != "fewest_stock_wins":
        return Result("drawn", str(state.over))
    if left[0] == left[1]:
        return Result("drawn", "equal_stocks")
    return Result("won", "fewest_stock_cards", (left.index(min(left)),))


def _check_table(settings: Settings) -> None:
    """Raises Illegal where no game can be dealt with these settings, or none would ever begin."""
    cards, stocked = spite.pack(settings), 2 * settings.stock
    if stocked + settings.hand > len(cards):
        raise Illegal("too_many_cards", f"Two stocks and a hand need more than the {len(cards)} cards there are.")
    if settings.wilds_in_stock:
        return
    plain = sum(not settings.is_wild(card) for card in cards)
    if stocked > plain:
        raise Illegal("stocks_without_wilds", f"Two stocks without wilds need more than the {plain} cards there are.")
    if settings.finish == 1:
        raise Illegal("first_cards_equal", "With nothing but aces in the stocks no first card is ever the higher one.")


def _clear_table(state: State) -> State:
    decks, piles = ((),) * state.settings.play_decks, ((),) * state.settings.discards
    return replace(state, play_decks=decks, discards=(piles, piles), hands=spite.NO_HANDS)


def _deal_stocks(settings: Settings, chance: Chance) -> ev.Dealt:
    """Both stocks, dealt alternately from seat 0 on, and the draw deck; raises Illegal for a given deal that cannot be.

    Stocks without wilds come from the plain cards; the wilds are then shuffled into the rest.
    """
    cards, stocked = spite.pack(settings), 2 * settings.stock
    if settings.wilds_in_stock or chance.given is not None:
        order = chance.shuffle(cards)
        wilds = [card for card in order.cards[:stocked] if settings.is_wild(card)]
        if wilds and not settings.wilds_in_stock:
            message = f"The given deal puts wild cards into the stocks: {' '.join(wilds)}."
            raise Illegal("given_deal", message, "/deal")
    else:
        plain = chance.shuffle([card for card in cards if not settings.is_wild(card)])
        mixed = plain.cards[stocked:] + tuple(card for card in cards if settings.is_wild(card))
        rest = plain.chance.shuffle(mixed)
        order = Shuffle(plain.cards[:stocked] + rest.cards, rest.chance)
    stocks = (order.cards[0:stocked:2], order.cards[1:stocked:2])
    return ev.Dealt(stocks, order.cards[stocked:], order.chance)


def first_player(settings: Settings, dealt: ev.Dealt) -> Seat | None:
    """The seat with the higher stock card, None where both are equal; with `wild_lowest` every wild is equally low."""
    ours, theirs = (
        0 if settings.wild_lowest and settings.is_wild(stock[-1]) else spite.VALUE[stock[-1]] for stock in dealt.stocks
    )
    return None if ours == theirs else int(theirs > ours)


def _fill_hand(course: Course, seat: Seat) -> Course:
    """The seat draws up to a full hand; where even the removed heap is too small, the option says what follows."""
    state = course.state
    needed = state.settings.hand - len(state.hands[seat])
    within_reach = len(state.draw) + len(state.removed)
    if needed <= within_reach:
        return _take_cards(course, seat, needed)
    match state.settings.on_exhaustion:
        case "drawn" | "fewest_stock_wins":
            return course.then(ev.Exhausted(seat))
        case "partial_draw":
            return _take_cards(course, seat, within_reach)
        case "redeal_hands_and_discards":
            return _redeal(course, seat)
        case _:
            assert_never(state.settings.on_exhaustion)


def _take_cards(course: Course, seat: Seat, count: int) -> Course:
    """Takes from the draw deck; where that is too small, recycles the removed heap and takes the rest."""
    if course.state.settings.shuffle_type == "any_draw" and course.state.draw:
        course = _reshuffle(course, course.state.draw)
    first = min(count, len(course.state.draw))
    course = _draw(course, seat, first)
    return course if first == count else _draw(_reshuffle(course, course.state.removed), seat, count - first)


def _reshuffle(course: Course, cards: Cards) -> Course:
    order = turns.shuffle_cards(course.state.chance, cards)
    return course.then(ev.Reshuffled(order.cards, order.chance))


def _draw(course: Course, seat: Seat, count: int) -> Course:
    return course.then(ev.Drawn(seat, course.state.draw[:count])) if count else course


def _redeal(course: Course, seat: Seat) -> Course:
    """House rule, ours: only stock cards bring the end nearer, so after three redeals without one the game is drawn."""
    state = course.state
    if state.redeals == 3:
        return course.then(ev.Deadlocked("three_idle_redeals"))
    piles = (*state.play_decks, *state.discards[0], *state.discards[1], *state.hands)
    cards = state.draw + state.removed + tuple(card for pile in piles for card in pile)
    order = turns.shuffle_cards(state.chance, cards)
    return _draw(course.then(ev.Redealt(order.cards, order.chance)), seat, state.settings.hand)


def _begin_turn(course: Course, seat: Seat) -> Course:
    if course.state.idle == 2:
        return course.then(ev.Deadlocked("two_idle_turns"))
    return _fill_hand(course.then(ev.TurnStarted(seat)), seat)


def _list_sources(state: State, seat: Seat) -> list[Source]:
    """The stock top, each different hand card, the discard tops."""
    tops = [Source(spite.STOCK[seat], stock[-1], None) for stock in [_face_up_stock(state, seat)] if stock]
    tops += [Source(spite.HAND[seat], card, card) for card in dict.fromkeys(state.hands[seat])]
    piles = zip(spite.DISCARD[seat], state.discards[seat], strict=False)
    return tops + [Source(zone, pile[-1], None) for zone, pile in piles if pile]


def _face_up_stock(state: State, seat: Seat) -> Cards:
    """The stock while its top lies face up: between a play and the turning the next card is secret."""
    return state.stocks[seat] if state.turned[seat] else ()


def _list_takers(state: State, card: Card) -> list[int]:
    """The play decks that take this card, lowest first: the next in sequence, or any for a wild."""
    value = spite.VALUE[card]
    if value >= state.settings.wild_from:
        return list(range(len(state.play_decks)))
    return [deck for deck, cards in enumerate(state.play_decks) if len(cards) + 1 == value]


def _ace_waits(state: State, seat: Seat) -> bool:
    return any(
        spite.VALUE[source.card] == 1 and _list_takers(state, source.card) for source in _list_sources(state, seat)
    )


def _check_ace(state: State, seat: Seat) -> None:
    if state.settings.must_play_ace and _ace_waits(state, seat):
        raise Illegal("ace_first", "An ace that can be played has to be played before the turn ends.")


def _find_move(state: State, seat: Seat, play: ev.Play) -> Move:
    if play.source == spite.HAND[seat]:
        if play.card is None:
            raise Illegal("name_the_card", "A play from the hand names its card.")
        if play.card not in state.hands[seat]:
            raise Illegal("not_in_hand", "This card is not in your hand.")
        card = play.card
    else:
        pile = _find_pile(state, seat, play.source)
        if not pile:
            raise Illegal("empty_pile", "There is no card to play from there.")
        if play.card not in (None, pile[-1]):
            raise Illegal("top_card_only", "Only the top card of a pile can be played.")
        card = pile[-1]
    return Move(play.source, card, _find_deck(state, card, play.target))


def _find_pile(state: State, seat: Seat, zone: str) -> Cards:
    """One's own stock or discard pile; raises Illegal."""
    if zone == spite.STOCK[seat]:
        return _face_up_stock(state, seat)
    owner, pile = spite.DISCARD_PLACE.get(zone, (-1, 0))
    if owner == seat and pile < len(state.discards[seat]):
        return state.discards[seat][pile]
    if zone in spite.PLAY_INDEX:
        raise Illegal("play_decks_stay", "A card on a play deck is never moved.")
    if zone in spite.HAND or zone in spite.STOCK or zone in spite.DISCARD_PLACE:
        raise Illegal("own_cards_only", "Cards are played from one's own hand, stock and discard piles.")
    raise Illegal("no_such_source", "No card is ever played from there.")


def _find_deck(state: State, card: Card, target: str | None) -> int:
    """The play deck that is named, else the lowest that takes the card; raises Illegal.

    A wild card always names its deck (controls of Naglma's Spite & Malice).
    """
    takers = _list_takers(state, card)
    if target is None:
        if state.settings.is_wild(card):
            raise Illegal("wild_needs_target", "A wild card goes only to a play deck that is named.")
        if not takers:
            raise Illegal("no_deck_takes_it", "No play deck takes this card now.")
        return takers[0]
    deck = spite.PLAY_INDEX.get(target, len(state.play_decks))
    if deck >= len(state.play_decks):
        if target in spite.LABEL and target not in spite.PLAY_INDEX:
            raise Illegal("play_decks_only", f"A card is played to a play deck, not to a {spite.LABEL[target]}.")
        raise Illegal("no_such_play_deck", "There is no such play deck.")
    if deck not in takers:
        height = len(state.play_decks[deck]) + 1
        rank = next(card[0] for card, value in spite.VALUE.items() if value == height).replace("T", "10")
        raise Illegal("not_next_in_sequence", f"This play deck takes {rank} next, or a wild card.")
    return deck


def _play_card(course: Course, seat: Seat, move: Move) -> Course:
    """The play, then in this order: the deck removed, the stock turned, an empty hand filled.

    A deck is finished by its length, so that a wild in the last place finishes it too. House rule, ours: with
    `partial_draw` a hand left empty is filled as soon as a removed deck brings cards.
    """
    course = course.then(ev.Played(seat, move.source, move.card, spite.PLAY[move.deck]))
    state = course.state
    cards = state.play_decks[move.deck]
    if len(cards) >= state.settings.finish:
        removed = ev.DeckRemoved(spite.PLAY[move.deck], cards)
        if state.settings.shuffle_type == "deck_removed":
            order = turns.shuffle_cards(state.chance, state.draw + cards)
            removed = ev.DeckRemoved(spite.PLAY[move.deck], cards, order.cards, order.chance)
        course = course.then(removed)
    if move.source == spite.STOCK[seat] and (stock := course.state.stocks[seat]):
        course = course.then(ev.StockTurned(seat, stock[-1]))
    if course.state.hands[seat] or result(course.state) is not None:
        return course
    return _fill_hand(course, seat)


def _find_discard(state: State, seat: Seat, command: ev.Discard) -> ev.Discarded:
    if command.source is not None and command.source != spite.HAND[seat]:
        raise Illegal("discard_from_hand", "Only a card of one's own hand can be discarded.")
    if command.card not in state.hands[seat]:
        raise Illegal("not_in_hand", "This card is not in your hand.")
    owner, pile = spite.DISCARD_PLACE.get(command.target, (seat, len(state.discards[seat])))
    if owner != seat or pile >= len(state.discards[seat]):
        raise Illegal("own_discard_pile", "A card is discarded on a discard pile of one's own.")
    return ev.Discarded(seat, command.card, command.target)


def _put_card(state: State, event: ev.Played) -> State:
    seat, source, deck = event.seat, event.source, spite.PLAY_INDEX[event.target]
    decks = with_value_at(state.play_decks, deck, (*state.play_decks[deck], event.card))
    if source in spite.DISCARD_PLACE:
        owner, pile = spite.DISCARD_PLACE[source]
        piles = with_value_at(state.discards[owner], pile, state.discards[owner][pile][:-1])
        return replace(state, discards=_with_seat(state.discards, owner, piles), play_decks=decks, played=True)
    if source in spite.STOCK:
        stocks = _with_seat(state.stocks, seat, state.stocks[seat][:-1])
        turned = _with_seat(state.turned, seat, False)
        return replace(state, stocks=stocks, turned=turned, redeals=0, play_decks=decks, played=True)
    return replace(state, hands=_hands_without(state, event), play_decks=decks, played=True)


def _with_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (values[0], value) if seat else (value, values[1])


def _hands_without(state: State, event: ev.Played | ev.Discarded) -> tuple[Cards, ...]:
    hand = state.hands[event.seat]
    at = hand.index(event.card) if event.card in hand else 0
    return _with_seat(state.hands, event.seat, hand[:at] + hand[at + 1 :])
