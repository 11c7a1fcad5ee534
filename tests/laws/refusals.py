"""Law: what is listed is accepted; what is accepted is listed in one spelling; all else is refused with Illegal alone.

A listing may be partial (a field that is left open describes the rest): an accepted command is covered when some listed
command agrees with its canonical spelling on every field which the listed one sets.
"""

import re
from collections.abc import Sequence
from random import Random

import msgspec
from msgspec import Struct

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Step, legal_commands, play

from .broken import LawBroken, hold
from .guesses import Guesser
from .knobs import GUESSES, LISTED
from .walks import Walk, act

LAW = "refusals"
OVER = "finished"
SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def check(game_type: AnyGameType, path: Walk) -> None:
    """At every state of this game and for every seat."""
    lots = Random(path.plan.lots)
    for number in range(len(path.steps)):
        for seat in range(path.plan.seats):
            _state(game_type, path, number, seat, lots)


def _state(game_type: AnyGameType, path: Walk, number: int, seat: int, lots: Random) -> None:
    game, listed = path.steps[number].game, path.listed(number, seat)
    before = msgspec.json.encode(game.state)
    offered = [command for command in listed if not isinstance(command, ev.Undo | ev.Resign)]
    if len(set(map(msgspec.json.encode, listed))) < len(listed):
        raise LawBroken(LAW, f"a command is listed twice: {listed}")
    for command in listed if len(listed) <= LISTED else lots.sample(listed, LISTED):
        _accepted(game, seat, command)
    for command in offered[:5]:
        _spelt(game_type, game, seat, command, offered)
    for guess in _guesses(game_type, path, number, seat, lots):
        _judged(game_type, game, seat, guess, offered)
    hold(msgspec.json.encode(game.state) == before, LAW, "a command changed the state that it was tried on")


def _guesses(game_type: AnyGameType, path: Walk, number: int, seat: int, lots: Random) -> list[Struct]:
    offered = [command for command in path.listed(number, seat) if not isinstance(command, ev.Undo | ev.Resign)]
    others = [
        command for other in range(path.plan.seats) if other != seat for command in path.listed(number, other)[:5]
    ]
    own = Guesser(game_type.commands, path.view(game_type, number, seat), lots).guesses(offered, GUESSES)
    return own + [command for command in others if not isinstance(command, ev.Undo | ev.Resign)]


def _accepted(game: Game, seat: int, command: Struct) -> None:
    answer = answered(game, seat, command)
    if isinstance(answer, Illegal):
        raise LawBroken(LAW, f"{command} is listed and refused: {answer.rule}: {answer.message}")
    hold(bool(answer.records), LAW, f"{command} is listed, accepted and records nothing")


def _judged(game_type: AnyGameType, game: Game, seat: int, guess: Struct, offered: Sequence[Struct]) -> None:
    answer = answered(game, seat, guess)
    if isinstance(answer, Illegal):
        return refused_well(answer)
    return _spelt(game_type, game, seat, guess, offered)


def _spelt(game_type: AnyGameType, game: Game, seat: int, accepted: Struct, offered: Sequence[Struct]) -> None:
    spelling = game_type.get(Spelling).canonical(game.state, seat, accepted)
    if not covered(spelling, offered):
        raise LawBroken(LAW, f"{accepted} is accepted, its canonical form {spelling} is not listed: {offered}")


def answered(game: Game, seat: int, command: Struct) -> Step | Illegal:
    """The step, or the refusal; any other exception breaks the law."""
    try:
        return play(game, command, act(seat, game.step + 1))
    except Illegal as refusal:
        return refusal
    except Exception as error:
        raise LawBroken(LAW, f"seat {seat}, {command}: {type(error).__name__} instead of Illegal") from error


def covered(spelling: Struct, offered: Sequence[Struct]) -> bool:
    """Whether a listed command says this, if need be by leaving open what this one sets."""
    return spelling in offered or any(_agrees(spelling, listed) for listed in offered)


def _agrees(spelling: Struct, listed: Struct) -> bool:
    if type(spelling) is not type(listed):
        return False
    wanted, given = msgspec.to_builtins(listed), msgspec.to_builtins(spelling)
    return all(given.get(name) == value for name, value in wanted.items() if value is not None)


def refused_well(refusal: Illegal) -> None:
    """Raises LawBroken unless the refusal names its rule in a slug and says it in a sentence."""
    hold(SLUG.fullmatch(refusal.rule) is not None, LAW, f"the rule {refusal.rule!r} is no slug")
    message = refusal.message
    sentence = message[:1].isupper() and message.endswith(".") and message == str(refusal)
    hold(sentence, LAW, f"the message {message!r} of {refusal.rule} is no sentence")


def over(game_type: AnyGameType, path: Walk) -> None:
    """A finished game lists nothing and refuses everything that could be said in it."""
    if path.game.status == "playing":
        return
    for seat in range(path.plan.seats):
        hold(not legal_commands(path.game, seat), OVER, "a finished game lists commands")
        for command in (*_said_before(game_type, path, seat), ev.Undo(), ev.Resign()):
            answer = answered(path.game, seat, command)
            hold(isinstance(answer, Illegal), OVER, f"a finished game accepts {command}")
    _type_over(game_type, path)


def _said_before(game_type: AnyGameType, path: Walk, seat: int) -> list[Struct]:
    said = [command for _, command in path.said if not isinstance(command, ev.Undo | ev.Resign)]
    view = game_type.look(path.game.state, seat)
    return said[-10:] + Guesser(game_type.commands, view, Random(path.plan.lots)).guesses(said, GUESSES)


def _type_over(game_type: AnyGameType, path: Walk) -> None:
    """Where the game type itself says that it is over, its own functions keep to it."""
    state = path.game.state
    if (result := game_type.result(state)) is None:
        return
    hold(SLUG.fullmatch(result.reason) is not None, OVER, f"the reason {result.reason!r} is no slug")
    hold(all(seat in range(path.plan.seats) for seat in result.winners), OVER, f"no such winners: {result.winners}")
    hold(len(result.scores) in (0, path.plan.seats), OVER, f"scores are not by seat: {result.scores}")
    for seat in range(path.plan.seats):
        hold(not game_type.legal_commands(state, seat), OVER, "the game type lists commands after its result")
        for command in _said_before(game_type, path, seat):
            _type_refuses(game_type, state, seat, command)


def _type_refuses(game_type: AnyGameType, state: Struct | None, seat: int, command: Struct) -> None:
    try:
        game_type.decide(state, seat, command)
    except Illegal as refusal:
        return refused_well(refusal)
    raise LawBroken(OVER, f"the game type accepts {command} after its result")
