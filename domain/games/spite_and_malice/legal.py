"""Spite & Malice: the commands that would be accepted, one per meaning, and the spelling that is listed."""

from collections.abc import Iterator, Sequence

from domain.game_type import Illegal
from domain.games.spite_and_malice.commands import Command, Discard, EndTurn, Play
from domain.games.spite_and_malice.decide import resolved
from domain.games.spite_and_malice.lift import ace_waits, sources
from domain.games.spite_and_malice.state import State, result, takers
from domain.games.spite_and_malice.zones import DISCARD, HAND, PLAY
from domain.view import Seat


def legal_commands(state: State, seat: Seat) -> Sequence[Command]:
    """Plays of the stock, the hand and the discard tops, then the ways to end the turn; equal hand cards once."""
    if seat != state.turn or result(state) is not None:
        return ()
    return (*_plays(state, seat), *_endings(state, seat))


def _plays(state: State, seat: Seat) -> Iterator[Play]:
    for zone, card, named in sources(state, seat):
        for deck in takers(state, card):
            yield Play(zone, named, PLAY[deck])


def _endings(state: State, seat: Seat) -> Sequence[Command]:
    if state.settings.must_play_ace and ace_waits(state, seat):
        return ()
    if not state.hands[seat]:
        return (EndTurn(),)
    piles, hand = DISCARD[seat][: state.settings.discards], HAND[seat]
    return [Discard(card, pile, hand) for card in dict.fromkeys(state.hands[seat]) for pile in piles]


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A play with its target and without the card of a pile, a discard with its source; an illegal play as it is."""
    if isinstance(command, Discard):
        return Discard(command.card, command.target, command.source or HAND[seat])
    return _canonical_play(state, seat, command) if isinstance(command, Play) else command


def _canonical_play(state: State, seat: Seat, play: Play) -> Play:
    try:
        move = resolved(state, seat, play)
    except Illegal:
        return play
    return Play(move.source, move.card if move.source == HAND[seat] else None, PLAY[move.deck])
