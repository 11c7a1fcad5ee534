"""Every command that would be accepted, always in the same order."""

from collections.abc import Iterator

from domain.games.deck_the_yard.commands import ClaimPattern, Command, Discard, EndGame, PlayBubble, PlayColour, UsePlug
from domain.games.deck_the_yard.draw import asks_for_plug
from domain.games.deck_the_yard.ending import phase
from domain.games.deck_the_yard.pack import BUBBLE
from domain.games.deck_the_yard.patterns import completed, next_bulbs, takes_bubble
from domain.games.deck_the_yard.state import FACE_UP, State
from domain.view import Seat


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """One command per kind of card; nothing for another seat or once the game is over."""
    if seat != 0:
        return ()
    match phase(state):
        case "action":
            return tuple(_actions(state))
        case "use_plug":
            return (UsePlug(True), UsePlug(False)) if asks_for_plug(state) else (UsePlug(False),)
        case "claim_pattern":
            return tuple(ClaimPattern(FACE_UP[place]) for place in completed(state))
    return ()


def _actions(state: State) -> Iterator[Command]:
    """Bulbs that can be played, then discards, then the end of the game; like cards once."""
    hand, playable = tuple(dict.fromkeys(state.hand)), next_bulbs(state)
    yield from (PlayColour(card) for card in hand if card in playable)
    if BUBBLE in hand and takes_bubble(state):
        yield PlayBubble()
    yield from (Discard(card) for card in hand)
    if not state.stock:
        yield EndGame()
