"""Judging a command: what happens, or the rule that it breaks."""

from collections.abc import Callable
from typing import Any

from domain.game_type import Illegal
from domain.games.deck_the_yard import commands as say
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.course import Course, judged
from domain.games.deck_the_yard.draw import asks_for_plug, refilled, resolved
from domain.games.deck_the_yard.ending import phase
from domain.games.deck_the_yard.pack import BUBBLE, COLOUR, PLUG, called
from domain.games.deck_the_yard.patterns import completed, next_bulbs, takes_bubble
from domain.games.deck_the_yard.state import FACE_UP, PLACE, State, lineup
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: say.Command) -> tuple[ev.Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Deck the Yard is played by the one player at seat 0.")
    if phase(state) in ("finished", "deal"):
        raise Illegal("game_over", "Nothing can be played any more.")
    return _DECIDERS[type(command)](state, command).events


def _play_colour(state: State, command: say.PlayColour) -> Course:
    _check_action(state, command.card)
    if command.card not in COLOUR:
        raise Illegal("not_a_colour_bulb", f"The {called(command.card)} is no colour bulb.")
    if command.card not in next_bulbs(state):
        raise Illegal("next_in_pattern", f"No pattern goes on with {COLOUR[command.card]} after this line-up.")
    return _strand(Course(state).then(ev.ColourPlayed(command.card)))


def _play_bubble(state: State, command: say.PlayBubble) -> Course:
    _check_action(state, BUBBLE)
    if state.bubble is not None:
        raise Illegal("one_bubble", "There is only one bubble bulb in a pattern.")
    if not takes_bubble(state):
        raise Illegal("next_in_pattern", "This line-up begins no pattern that a bubble bulb could end.")
    return _strand(Course(state).then(ev.BubblePlayed(_held(state, BUBBLE))))


def _discard(state: State, command: say.Discard) -> Course:
    _check_action(state, command.card)
    return refilled(Course(state).then(ev.Discarded(_held(state, command.card))))


def _use_plug(state: State, command: say.UsePlug) -> Course:
    if state.drawn is None:
        raise Illegal("no_plug_asked", "No card has been drawn for which a plug could be used.")
    if command.use and not asks_for_plug(state):
        raise Illegal("no_plug", "There is no plug in the hand that could be used.")
    return resolved(Course(state), state.drawn, _held(state, PLUG) if command.use else None)


def _claim_pattern(state: State, command: say.ClaimPattern) -> Course:
    _check_drawn(state)
    if PLACE[command.source] not in completed(state):
        raise Illegal("not_completed", "The line-up does not complete that pattern.")
    return refilled(judged(_claimed(Course(state), PLACE[command.source])))


def _end_game(state: State, command: say.EndGame) -> Course:
    _check_turn(state)
    if state.stock:
        raise Illegal("stock_not_empty", "The game can be ended only when the stock is empty.")
    return Course(state).then(ev.PlayEnded("ended_by_player"))


def _check_action(state: State, card: Card) -> None:
    """Raises Illegal unless this card of the hand may be used now."""
    _check_turn(state)
    if card not in state.hand:
        raise Illegal("not_in_hand", "There is no such card in the hand.")


def _check_turn(state: State) -> None:
    _check_drawn(state)
    if len(completed(state)) > 1:
        raise Illegal("claim_first", "First one of the completed patterns is to be claimed.")


def _check_drawn(state: State) -> None:
    if state.drawn is not None:
        raise Illegal("plug_first", f"First say whether a plug is used for the {called(state.drawn)}.")


def _strand(course: Course) -> Course:
    """A completed pattern is claimed at once and without asking, if there is only one (our ruling); then all draw."""
    places = completed(course.state)
    if len(places) > 1:
        return course
    return refilled(judged(_claimed(course, places[0])) if places else course)


def _claimed(course: Course, place: int) -> Course:
    """The pattern goes to the claims and the five bulbs to the discards, for good; the next pattern is turned up."""
    pattern = course.state.face_up[place]
    if pattern is None:
        return course
    course = course.then(ev.PatternClaimed(FACE_UP[place], pattern, lineup(course.state)))
    waiting = course.state.pattern_stock
    return course.then(ev.PatternRevealed(FACE_UP[place], waiting[-1])) if waiting else course


def _held(state: State, card: Card) -> Card:
    """The card of this kind that lies in the hand."""
    return state.hand[state.hand.index(card)]


_DECIDERS: dict[type, Callable[[State, Any], Course]] = {
    say.PlayColour: _play_colour,
    say.PlayBubble: _play_bubble,
    say.Discard: _discard,
    say.UsePlug: _use_plug,
    say.ClaimPattern: _claim_pattern,
    say.EndGame: _end_game,
}
