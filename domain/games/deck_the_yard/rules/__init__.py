"""The rules of Deck the Yard: the deal, what is allowed and what it leads to, and how a game ends."""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.rules.course import (
    asks_for_plug,
    claim_pattern,
    complete_strand,
    evolve,
    refill_hand,
    resolve_card,
)
from domain.games.deck_the_yard.state import (
    BUBBLE,
    COLOUR,
    FACE_UP,
    PATTERNS,
    PLACE,
    PLUG,
    STOCK,
    TO_WIN,
    Cards,
    Options,
    State,
    call_card,
    completed_places,
    next_bulbs,
    phase,
    takes_bubble,
)
from domain.kit.turns import Course
from domain.view import Card, Seat


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options)


def deal(options: Options, chance: Chance, seats: int) -> tuple[ev.Dealt, ...]:
    """The patterns shuffled, and then the stock. A given deal names all 88 cards; each pile keeps its own order."""
    patterns = _with_given(chance, chance.given, patterns=True).shuffle(tuple(PATTERNS))
    stock = _with_given(patterns.chance, chance.given, patterns=False).shuffle(STOCK)
    return (ev.Dealt(patterns.cards, stock.cards, stock.chance),)


def decide(state: State, seat: Seat, command: ev.Command) -> tuple[ev.Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Deck the Yard is played by its one player.")
    now = phase(state)
    if now in ("finished", "deal"):
        raise Illegal("game_over", "Nothing can be played any more.")
    if state.drawn is not None and not isinstance(command, ev.UsePlug):
        raise Illegal("plug_first", f"First say whether a plug is used for the {call_card(state.drawn)}.")
    if now == "claim_pattern" and not isinstance(command, ev.UsePlug | ev.ClaimPattern):
        raise Illegal("claim_first", "First one of the completed patterns is to be claimed.")
    course = Course(evolve, state)
    match command:
        case ev.PlayColour():
            _check_colour(state, command.card)
            course = complete_strand(course.then(ev.ColourPlayed(command.card)))
        case ev.Discard():
            _check_held(state, command.card)
            course = refill_hand(course.then(ev.Discarded(command.card)))
        case ev.PlayBubble():
            _check_bubble(state)
            course = complete_strand(course.then(ev.BubblePlayed(BUBBLE)))
        case ev.UsePlug():
            if state.drawn is None:
                raise Illegal("no_plug_asked", "No card has been drawn for which a plug could be used.")
            if command.use and not asks_for_plug(state):
                raise Illegal("no_plug", "There is no plug in the hand that could be used.")
            course = resolve_card(course, state.drawn, PLUG if command.use else None)
        case ev.ClaimPattern():
            if PLACE[command.source] not in completed_places(state):
                raise Illegal("not_completed", "The line-up does not complete that pattern.")
            course = claim_pattern(course, PLACE[command.source])
        case ev.EndGame():
            if state.stock:
                raise Illegal("stock_not_empty", "The game can be ended only when the stock is empty.")
            course = course.then(ev.PlayEnded("ended_by_player"))
        case _:
            assert_never(command)
    return course.events


def legal_commands(state: State, seat: Seat) -> tuple[ev.Command, ...]:
    """One command per kind of card; nothing for another seat or once the game is over."""
    if seat != 0:
        return ()
    match phase(state):
        case "action":
            return tuple(_actions(state))
        case "use_plug":
            return (ev.UsePlug(True), ev.UsePlug(False)) if asks_for_plug(state) else (ev.UsePlug(False),)
        case "claim_pattern":
            return tuple(ev.ClaimPattern(FACE_UP[place]) for place in completed_places(state))
    return ()


def result(state: State) -> Result | None:
    """Won with eight claimed cards or more, lost with fewer. The score is their number."""
    if state.over is None:
        return None
    if len(state.claims) >= TO_WIN:
        return Result("won", "eight_claims", (0,), (score(state),))
    return Result("lost", state.over, (), (score(state),))


def score(state: State) -> int:
    """The number of claimed cards."""
    return len(state.claims)


def _with_given(chance: Chance, given: Cards | None, patterns: bool) -> Chance:
    """The chance with that part of a given deal, if there is one, which is patterns, or which is not."""
    if given is None:
        return chance
    return replace(chance, given=tuple(card for card in given if (card in PATTERNS) is patterns))


def _check_colour(state: State, card: Card) -> None:
    _check_held(state, card)
    if card not in COLOUR:
        raise Illegal("not_a_colour_bulb", f"The {call_card(card)} is no colour bulb.")
    if card not in next_bulbs(state):
        raise Illegal("next_in_pattern", f"No pattern goes on with {COLOUR[card]} after this line-up.")


def _check_bubble(state: State) -> None:
    _check_held(state, BUBBLE)
    if state.bubble is not None:
        raise Illegal("one_bubble", "There is only one bubble bulb in a pattern.")
    if not takes_bubble(state):
        raise Illegal("next_in_pattern", "This line-up begins no pattern that a bubble bulb could end.")


def _check_held(state: State, card: Card) -> None:
    if card not in state.hand:
        raise Illegal("not_in_hand", "There is no such card in the hand.")


def _actions(state: State) -> Iterator[ev.Command]:
    """Bulbs that can be played, then discards, then the end of the game; like cards once."""
    hand, playable = tuple(dict.fromkeys(state.hand)), next_bulbs(state)
    yield from (ev.PlayColour(card) for card in hand if card in playable)
    if BUBBLE in hand and takes_bubble(state):
        yield ev.PlayBubble()
    yield from (ev.Discard(card) for card in hand)
    if not state.stock:
        yield ev.EndGame()
