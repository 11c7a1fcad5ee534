"""Spite & Malice: the table, what a command leads to, what each event changes, and what may be said."""

from collections.abc import Sequence
from typing import TypeVar, assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.rules.dealing import Course, check_table, deal_stocks, fill_hand, first_player
from domain.games.spite_and_malice.rules.plays import Move, ace_waits, find_move, sources, takers
from domain.games.spite_and_malice.state import (
    DISCARD,
    DISCARD_PLACE,
    HAND,
    NO_HANDS,
    PLAY,
    PLAY_INDEX,
    PRESETS,
    STOCK,
    Cards,
    Options,
    Settings,
    State,
    settings_of,
)
from domain.kit import turns
from domain.kit.patience import with_value_at
from domain.view import Seat

T = TypeVar("T")


def settle(options: Options, seats: int) -> Options:
    """The options with every gap filled from the preset; raises Illegal where no game could be dealt so."""
    preset = PRESETS[options.preset]
    names = [name for name in Settings.__struct_fields__ if getattr(options, name) is None]
    settled = replace(options, **{name: getattr(preset, name) for name in names})
    check_table(settings_of(settled))
    return settled


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return _clear_table(State(settings=settings_of(settle(options, seats))))


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """One or more `dealt`, then the first turn with its draw; raises Illegal for a given deal that cannot be."""
    course = turns.Course(evolve, initial(options, seats))
    settings = course.state.settings
    dealt = deal_stocks(settings, chance)
    while (first := first_player(settings, dealt)) is None:
        course = course.then(dealt)
        dealt = deal_stocks(settings, dealt.chance or chance)
    return fill_hand(course.then(dealt, ev.TurnStarted(first)), first).events


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != state.turn:
        raise Illegal("not_your_turn", "It is the other seat's turn.")
    course = turns.Course(evolve, state)
    match command:
        case ev.Play():
            return _play_card(course, seat, find_move(state, seat, command)).events
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
    """The state after one more event: refuses nothing, draws no lots. What happens most often stands first."""
    match event:
        case ev.Played():
            return _put_card(state, event)
        case ev.Drawn():
            hands = _with_seat(state.hands, event.seat, state.hands[event.seat] + event.cards)
            return replace(state, draw=state.draw[len(event.cards) :], hands=hands)
        case ev.TurnStarted():
            return replace(state, turn=event.seat, played=False)
        case ev.Discarded():
            seat, pile = DISCARD_PLACE[event.target]
            piles = with_value_at(state.discards[seat], pile, (*state.discards[seat][pile], event.card))
            hands, discards = _hands_without(state, event), _with_seat(state.discards, seat, piles)
            return replace(state, hands=hands, discards=discards, idle=0)
        case ev.StockTurned():
            return replace(state, turned=_with_seat(state.turned, event.seat, True))
        case ev.DeckRemoved():
            return _remove_deck(state, event)
        case ev.Reshuffled():
            return replace(state, draw=event.draw, removed=(), chance=event.chance)
        case ev.TurnEnded():
            return replace(state, idle=0 if state.played else state.idle + 1)
        case ev.Dealt():
            return replace(_clear_table(state), stocks=event.stocks, draw=event.draw, chance=event.chance)
        case ev.Redealt():
            cleared, again = _clear_table(state), state.redeals + 1
            return replace(cleared, draw=event.draw, removed=(), chance=event.chance, redeals=again)
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
    lifted = sources(state, seat)
    plays = [ev.Play(zone, named, PLAY[deck]) for zone, card, named in lifted for deck in takers(state, card)]
    return (*plays, *_list_endings(state, seat))


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """A play with its target and without the card of a pile, a discard with its source; an illegal play as it is."""
    match command:
        case ev.Play():
            try:
                move = find_move(state, seat, command)
            except Illegal:
                return command
            return ev.Play(move.source, move.card if move.source == HAND[seat] else None, PLAY[move.deck])
        case ev.Discard():
            return ev.Discard(command.card, command.target, command.source or HAND[seat])
        case _:
            return command


def result(state: State) -> Result | None:
    """Won with the last stock card; otherwise as the cards or the plays ran out; None while it goes on."""
    if state.over is not None:
        return _judge_stocks(state)
    if state.turn is None or all(state.stocks):
        return None
    return Result("won", "stock_played", (state.stocks.index(()),))


def _clear_table(state: State) -> State:
    """The state with empty play decks, discard piles and hands."""
    decks, piles = ((),) * state.settings.play_decks, ((),) * state.settings.discards
    return replace(state, play_decks=decks, discards=(piles, piles), hands=NO_HANDS)


def _play_card(course: Course, seat: Seat, move: Move) -> Course:
    """The play, then in this order: the deck removed, the stock turned, an empty hand filled.

    House rule, ours: with `partial_draw` a hand left empty is filled as soon as a removed deck brings cards.
    """
    course = course.then(ev.Played(seat, move.source, move.card, PLAY[move.deck]))
    if len(course.state.play_decks[move.deck]) >= course.state.settings.finish:
        course = _finish_deck(course, move.deck)
    if move.source == STOCK[seat] and (stock := course.state.stocks[seat]):
        course = course.then(ev.StockTurned(seat, stock[-1]))
    if course.state.hands[seat] or result(course.state) is not None:
        return course
    return fill_hand(course, seat)


def _finish_deck(course: Course, deck: int) -> Course:
    """A deck is finished by its length, so that a wild in the last place finishes it too."""
    state = course.state
    cards = state.play_decks[deck]
    if state.settings.shuffle_type != "deck_removed":
        return course.then(ev.DeckRemoved(PLAY[deck], cards))
    order = turns.shuffle_cards(state.chance, state.draw + cards)
    return course.then(ev.DeckRemoved(PLAY[deck], cards, order.cards, order.chance))


def _check_ace(state: State, seat: Seat) -> None:
    if state.settings.must_play_ace and ace_waits(state, seat):
        raise Illegal("ace_first", "An ace that can be played has to be played before the turn ends.")


def _find_discard(state: State, seat: Seat, command: ev.Discard) -> ev.Discarded:
    """The discard that is meant; raises Illegal."""
    if command.source is not None and command.source != HAND[seat]:
        raise Illegal("discard_from_hand", "Only a card of one's own hand can be discarded.")
    if command.card not in state.hands[seat]:
        raise Illegal("not_in_hand", "This card is not in your hand.")
    owner, pile = DISCARD_PLACE.get(command.target, (seat, len(state.discards[seat])))
    if owner != seat or pile >= len(state.discards[seat]):
        raise Illegal("own_discard_pile", "A card is discarded on a discard pile of one's own.")
    return ev.Discarded(seat, command.card, command.target)


def _begin_turn(course: Course, seat: Seat) -> Course:
    if course.state.idle == 2:
        return course.then(ev.Deadlocked("two_idle_turns"))
    return fill_hand(course.then(ev.TurnStarted(seat)), seat)


def _put_card(state: State, event: ev.Played) -> State:
    seat, source, deck = event.seat, event.source, PLAY_INDEX[event.target]
    decks = with_value_at(state.play_decks, deck, (*state.play_decks[deck], event.card))
    if source in DISCARD_PLACE:
        owner, pile = DISCARD_PLACE[source]
        piles = with_value_at(state.discards[owner], pile, state.discards[owner][pile][:-1])
        return replace(state, discards=_with_seat(state.discards, owner, piles), play_decks=decks, played=True)
    if source in STOCK:
        stocks = _with_seat(state.stocks, seat, state.stocks[seat][:-1])
        turned = _with_seat(state.turned, seat, False)
        return replace(state, stocks=stocks, turned=turned, redeals=0, play_decks=decks, played=True)
    return replace(state, hands=_hands_without(state, event), play_decks=decks, played=True)


def _with_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The values of the two seats with another one for this seat."""
    return (values[0], value) if seat else (value, values[1])


def _hands_without(state: State, event: ev.Played | ev.Discarded) -> tuple[Cards, ...]:
    """All hands, one of them without the card of the event."""
    hand = state.hands[event.seat]
    at = hand.index(event.card) if event.card in hand else 0
    return _with_seat(state.hands, event.seat, hand[:at] + hand[at + 1 :])


def _remove_deck(state: State, event: ev.DeckRemoved) -> State:
    decks = with_value_at(state.play_decks, PLAY_INDEX[event.deck], ())
    if event.draw is not None:
        return replace(state, play_decks=decks, draw=event.draw, chance=event.chance)
    if state.settings.shuffle_type == "any_draw":
        return replace(state, play_decks=decks, draw=state.draw + event.cards)
    return replace(state, play_decks=decks, removed=state.removed + event.cards)


def _list_endings(state: State, seat: Seat) -> Sequence[ev.Command]:
    if state.settings.must_play_ace and ace_waits(state, seat):
        return ()
    if not state.hands[seat]:
        return (ev.EndTurn(),)
    piles, hand = DISCARD[seat][: state.settings.discards], HAND[seat]
    return [ev.Discard(card, pile, hand) for card in dict.fromkeys(state.hands[seat]) for pile in piles]


def _judge_stocks(state: State) -> Result:
    left = [len(stock) for stock in state.stocks]
    if state.over != "cannot_draw" or state.settings.on_exhaustion != "fewest_stock_wins":
        return Result("drawn", str(state.over))
    if left[0] == left[1]:
        return Result("drawn", "equal_stocks")
    return Result("won", "fewest_stock_cards", (left.index(min(left)),))
