"""The screen of a replay as text for a terminal of a given size."""

from collections.abc import Sequence
from textwrap import wrap

from msgspec import Struct

from domain.play.frames import Frame
from service.cli.replaying.playback import Playback
from service.pictures.text import WIDTH, colour_text, picture
from service.pictures.words import Faces

_HELP = "arrows step | space plays | ] [ moments | t steps | s viewer | ? keys | q quits"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_REVERSE, _PLAIN = "\x1b[7m", "\x1b[27m"
_BESIDE = 40
"""Columns that the list of steps needs beside the picture; with fewer it is shown below."""

KEYS = """
right l n      one step on              left h p       one step back
page down      ten steps on             page up        ten steps back
home g         the first step           end G          the last step
12 enter       step 12                  space          play and pause
] m            the next moment          [ M            the moment before
+ -            faster, slower           t              the list of steps
s              the next viewer          1 s            Player 1
w              a spectator              a              all cards, at its end
up down j k    scroll the picture       < >            move a wide one
L              where it was lost        H              a hint (of a service)
?              this help                q              quit
""".strip().splitlines()


class ScreenContent(Struct, frozen=True, kw_only=True):
    """What does not change from key to key: the game, its frames, who sees them, and how cards are drawn.

    `notice`: why the last key did not do what it should, or nothing.
    """

    game_type: str
    game: str
    viewer: str
    frames: Sequence[Frame]
    faces: Faces
    suit_symbols: bool = False
    colours: bool = False
    notice: str = ""


def screen(shown: ScreenContent, playback: Playback, size: tuple[int, int]) -> str:
    """The whole screen of so many columns and lines: the picture, what happened, where it stands, and the keys."""
    width, height = size
    below = _footer_lines(shown, playback, size) if height > 4 else [_status_line(shown, playback, width)]
    lines = [*_main_lines(shown, playback, width, height - len(below)), *below]
    return _HOME + "\r\n".join(line + _CLEAR_LINE for line in lines) + _CLEAR_BELOW


def _footer_lines(shown: ScreenContent, playback: Playback, size: tuple[int, int]) -> list[str]:
    """The lines below: what happened, the status line, and the keys."""
    width, height = size
    sentences = _within(" ".join(shown.frames[playback.place].sentences), width)
    told = wrap(shown.notice, width)[: height // 2] if shown.notice else [sentences]
    return [*told, _status_line(shown, playback, width), _within(_HELP, width)]


def _status_line(shown: ScreenContent, playback: Playback, width: int) -> str:
    return f"{_REVERSE}{_within(_state(shown, playback, width), width)}{_PLAIN}"


def _main_lines(shown: ScreenContent, playback: Playback, width: int, room: int) -> list[str]:
    """The lines above: the table of keys, or the picture with or without the list of steps."""
    if playback.helping:
        return _pad_lines([_within(line, width) for line in KEYS], room)
    if not playback.listing:
        return _picture(shown, playback, width, room)
    if width >= WIDTH + _BESIDE:
        return _picture_and_steps(shown, playback, width, room)
    listed = _step_list(shown, playback, width, room // 3)
    return [*_picture(shown, playback, width, room - len(listed)), *listed]


def _picture_and_steps(shown: ScreenContent, playback: Playback, width: int, room: int) -> list[str]:
    left, right = _picture_part(shown, playback, WIDTH, room), _step_list(shown, playback, width - WIDTH - 2, room)
    lines = [f"{line:{WIDTH}}  " for line in left]
    return [_paint_line(line, shown) + said for line, said in zip(lines, right, strict=True)]


def _step_list(shown: ScreenContent, playback: Playback, width: int, room: int) -> list[str]:
    found = steps(shown.frames, playback.place, playback.moments, room)
    return _pad_lines([_within(line, width) for line in found], room)


def _picture(shown: ScreenContent, playback: Playback, width: int, room: int) -> list[str]:
    return [_paint_line(line, shown) for line in _picture_part(shown, playback, width, room)]


def _picture_part(shown: ScreenContent, playback: Playback, width: int, room: int) -> list[str]:
    """The part of the picture that is shown; its last line says whether there is more below."""
    drawn = picture(shown.frames[playback.place], shown.faces, suit_symbols=shown.suit_symbols).splitlines()
    start = min(playback.scroll, max(len(drawn) - room, 0))
    across = min(playback.across, max(0, max(map(len, drawn)) - width))
    lines = [_within(line[across:], width) for line in drawn[start : start + room]]
    more = len(drawn) - start - room
    return (
        [*lines[:-1], _within(f"... {more + 1} more lines (down)", width)]
        if more > 0 and room > 1
        else _pad_lines(lines, room)
    )


def _pad_lines(lines: list[str], room: int) -> list[str]:
    return lines[:room] + [""] * (room - len(lines))


def _paint_line(line: str, shown: ScreenContent) -> str:
    return colour_text(line) if shown.colours else line


def _within(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + ">"


def _state(shown: ScreenContent, playback: Playback, width: int) -> str:
    """The text of the status line; the game's id is left out if there is no room."""
    pace = f"{playback.speed:g}/s"
    parts = [f"seen by {shown.viewer}" if shown.viewer != "as known now" else shown.viewer]
    parts += [f"step {playback.place} of {playback.steps - 1}", f"playing {pace}" if playback.playing else pace]
    parts += [f"go to {playback.typed}_"] if playback.typed else []
    parts += _moment(playback)
    whole, brief = (
        " " + " | ".join([name, *parts]) + " " for name in (f"{shown.game_type} {shown.game}", shown.game_type)
    )
    return whole if len(whole) <= width else brief


def _moment(playback: Playback) -> list[str]:
    if playback.place not in playback.moments:
        return []
    return [f"moment {playback.moments.index(playback.place) + 1} of {len(playback.moments)}"]


def steps(frames: Sequence[Frame], place: int, moments: Sequence[int], room: int) -> list[str]:
    """So many lines about this place: `>` stands before the step that is shown, `*` before a moment."""
    first = max(0, min(place - room // 2, len(frames) - room))
    digits = len(str(frames[-1].step))
    return [
        f"{'>' if number == place else ' '}{'*' if number in moments else ' '}"
        f"{frame.step:{digits}} {' '.join(frame.sentences)}"
        for number, frame in enumerate(frames[first : first + room], first)
    ]
