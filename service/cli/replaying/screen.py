"""The screen of a replay as text for a terminal of a given size."""

from domain.game.frames import Frame
from service.cli.replaying.playback import Playback
from service.pictures.text import coloured, picture

_HELP = "arrows step | home end | space plays | + - speed | s seat | number enter | up down scroll | q quits"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_REVERSE, _PLAIN = "\x1b[7m", "\x1b[27m"


def screen(frame: Frame, playback: Playback, title: str, viewer: str, size: tuple[int, int], **drawing: bool) -> str:
    """The whole screen of so many columns and lines: the picture, then a line of where it stands and one of keys.

    `drawing`: `suit_symbols` and `colours`.
    """
    width, height = size
    room = max(height - 2, 1)
    lines = picture(frame, suit_symbols=drawing["suit_symbols"]).splitlines()
    start = min(playback.scroll, max(len(lines) - room, 0))
    shown = [_within(line, width) for line in lines[start : start + room]]
    shown = [coloured(line) if drawing["colours"] else line for line in shown] + [""] * (room - len(shown))
    more = len(lines) - start > room
    below = [f"{_REVERSE}{_within(_state(playback, title, viewer, more), width)}{_PLAIN}", _within(_HELP, width)]
    return _HOME + "\r\n".join(line + _CLEAR_LINE for line in [*shown, *below][:height]) + _CLEAR_BELOW


def _within(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + ">"


def _state(playback: Playback, title: str, viewer: str, more: bool) -> str:
    parts = [title, f"seen by {viewer}" if viewer != "as known now" else viewer]
    parts += [f"step {playback.place} of {playback.steps - 1}"]
    parts += [f"playing, {playback.speed:g} a second"] if playback.playing else []
    parts += [f"go to {playback.typed}_"] if playback.typed else []
    return " " + " | ".join(parts + (["more below"] if more else [])) + " "
