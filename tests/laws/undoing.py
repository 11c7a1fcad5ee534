"""Law: where it is offered, undo restores the live state before, exactly, again and again; versions only grow."""

from domain.capabilities import Undoing
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.deciding import legal_commands

from .broken import hold
from .refusals import answered
from .walks import Walk, say, walk

LAW = "undo"


def check(game_type: AnyGameType, path: Walk) -> None:
    """The game as it was played, and then undone to its beginning."""
    if not game_type.get(Undoing).allowed(path.plan.options):
        return _refused(path)
    longer = walk(game_type, path.plan._replace(resigns=False)) if path.plan.resigns else path.again()
    if longer.game.status == "playing":
        for _ in range(len(longer.steps)):
            if ev.Undo() in legal_commands(longer.game, 0):
                say(longer, 0, ev.Undo())
        hold(longer.images[-1] == longer.images[0], LAW, "all undone, the game does not stand at its deal")
        hold(isinstance(answered(longer.game, 0, ev.Undo()), Illegal), LAW, "there is nothing left and undo is taken")
    _live(longer)
    return _framed(longer)


def _refused(path: Walk) -> None:
    for step in path.steps:
        hold(ev.Undo() not in legal_commands(step.game, 0), LAW, "undo is listed in a game without it")
        hold(isinstance(answered(step.game, 0, ev.Undo()), Illegal), LAW, "undo is taken in a game without it")


def _live(path: Walk) -> None:
    """A stack of live states, kept here, agrees with the game after every step."""
    stack = [0]
    for number, (_, command) in enumerate(path.said, start=1):
        stack = stack[:-1] if isinstance(command, ev.Undo) else [*stack, number]
        _agrees(path, number, stack[-1])
    versions = [record.version for record in path.records]
    hold(versions == list(range(1, len(versions) + 1)), LAW, f"versions do not grow by one: {versions}")


def _agrees(path: Walk, number: int, live: int) -> None:
    game, live_step = path.steps[number].game, path.steps[live].game.step
    hold(path.images[number] == path.images[live], LAW, f"step {game.step} restored not the state of step {live_step}")
    hold(game.live_step == live_step, LAW, f"step {game.step} says live step {game.live_step}, not {live_step}")


def _framed(path: Walk) -> None:
    """A frame names the step whose table it shows, and shows it; the frame after an undo shows the older table."""
    seen = {frame.step: frame for frame in path.frames(0)}
    for frame in seen.values():
        if frame.status == "playing":
            hold(frame.view == seen[frame.live_step].view, LAW, f"frame {frame.step} shows another table")
