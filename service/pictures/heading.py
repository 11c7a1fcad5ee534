"""What stands over every picture: which step, who may act, how it ended."""

from domain.game_type import Result
from domain.play.events import Source
from domain.play.frames import Frame
from domain.view import Seat


def heading(frame: Frame) -> str:
    """`Step 12, showing step 9 again | playing, phase play | seat 0 to act`."""
    return " | ".join(
        [
            _step(frame),
            *([] if frame.source is None else [source_words(frame.source)]),
            _status(frame),
            *_turn(frame),
            *([] if frame.result is None else [ending(frame.result)]),
        ]
    )


def source_words(source: Source) -> str:
    """`imported from game 0190f3c2-..., not vouched for`."""
    vouched = "not vouched for" if source.vouched_for_by is None else f"vouched for by {source.vouched_for_by}"
    return f"imported from game {source.game}, {vouched}"


def _step(frame: Frame) -> str:
    again = "" if frame.live_step == frame.step else f", showing step {frame.live_step} again"
    return f"Step {frame.step}{again}"


def _status(frame: Frame) -> str:
    return frame.status if frame.view is None else f"{frame.status}, phase {frame.view.phase}"


def _turn(frame: Frame) -> list[str]:
    if frame.view is None:
        return []
    turn = [f"{seats(frame.view.to_act)} to act"] if frame.view.to_act else []
    return [*turn, "stuck"] if frame.view.stuck else turn


def ending(result: Result) -> str:
    """`won: all home; by seat 0; points 52`."""
    parts = [f"{result.ending}: {result.reason.replace('_', ' ')}"]
    parts += [f"by {seats(result.winners)}"] if result.winners else []
    parts += [f"points {', '.join(map(str, result.scores))}"] if result.scores else []
    return "; ".join(parts)


def seats(named: tuple[Seat, ...]) -> str:
    """`seat 0`, `seats 0 and 2`."""
    numbers = " and ".join(map(str, named))
    return f"seat {numbers}" if len(named) == 1 else f"seats {numbers}"
