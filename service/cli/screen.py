"""A replay in the terminal without the terminal: its state, the effect of each key, and the screen as text."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from domain.play.frames import Frame
from service.pictures.text import WIDTH, colour_text, picture
from service.pictures.words import Faces

SLOWEST, FASTEST = 0.25, 64.0
"""Steps a second."""
_SHIFT = 20
"""Columns by which one key press moves a picture wider than the screen."""
_LIST_WIDTH = 40
"""Columns that the list of steps needs next to the picture; with fewer it is shown below."""
_HELP = "arrows step | space plays | ] [ moments | t steps | s viewer | ? keys | q quits"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_REVERSE, _PLAIN = "\x1b[7m", "\x1b[27m"

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


class Playback(Struct, frozen=True):
    """The place in `steps` frames, the viewer by number, whether and how fast it plays, and the number being typed.

    Viewers are a spectator (0), `seats` seats, and, if there is one more, all cards as known now. `moments` are places.
    `scroll` and `across` are the first line and column of a picture that is larger than the screen.
    """

    steps: int
    viewers: int
    seats: int = 0
    moments: tuple[int, ...] = ()
    place: int = 0
    viewer: int = 0
    playing: bool = False
    speed: float = 1.0
    typed: str = ""
    scroll: int = 0
    across: int = 0
    listing: bool = False
    helping: bool = False
    done: bool = False


Change = Callable[[Playback], Playback]


def press_key(playback: Playback, key: str) -> Playback:
    """The state after a key: `right`, `q`, `7`; unknown keys change nothing."""
    if key.isdigit():
        return replace(playback, typed=(playback.typed + key)[:6], playing=False)
    return _KEYS[key](playback) if key in _KEYS else playback


def tick(playback: Playback) -> Playback:
    """One step on while playing; at the end it stops."""
    on = move_to(playback, playback.place + 1)
    return replace(on, playing=on.place < on.steps - 1)


def move_to(playback: Playback, place: int) -> Playback:
    """The state at this place, or at the nearest existing one."""
    return replace(playback, place=max(0, min(place, playback.steps - 1)), typed="", scroll=0)


def _move_by(steps: int) -> Change:
    return lambda playback: replace(move_to(playback, playback.place + steps), playing=False)


def _next_moment(playback: Playback) -> Playback:
    later = playback.moments[bisect_right(playback.moments, playback.place) :]
    return replace(move_to(playback, later[0]), playing=False) if later else playback


def _previous_moment(playback: Playback) -> Playback:
    earlier = playback.moments[: bisect_left(playback.moments, playback.place)]
    return replace(move_to(playback, earlier[-1]), playing=False) if earlier else playback


def _add(field: str, number: int) -> Change:
    return lambda playback: replace(playback, **{field: max(0, getattr(playback, field) + number)})


def _toggle(field: str) -> Change:
    return lambda playback: replace(playback, **{field: not getattr(playback, field)})


def _set(**fields: int | bool) -> Change:
    return lambda playback: replace(playback, **fields)


def _toggle_playing(playback: Playback) -> Playback:
    """Play or pause; at the end it plays from the start again."""
    if playback.playing:
        return replace(playback, playing=False)
    start = 0 if playback.place == playback.steps - 1 else playback.place
    return replace(move_to(playback, start), playing=True)


def _change_speed(factor: float) -> Change:
    return lambda playback: replace(playback, speed=max(SLOWEST, min(playback.speed * factor, FASTEST)))


def _choose_seat(playback: Playback) -> Playback:
    """The player whose number was typed, from 1; without a number the next viewer."""
    if not playback.typed:
        return replace(playback, viewer=(playback.viewer + 1) % playback.viewers)
    number, playback = int(playback.typed), replace(playback, typed="")
    return replace(playback, viewer=number) if 1 <= number <= playback.seats else playback


def _show_all(playback: Playback) -> Playback:
    all_cards = playback.seats + 1
    return replace(playback, viewer=all_cards) if all_cards < playback.viewers else playback


_FORWARD, _BACK, _END = _move_by(1), _move_by(-1), _set(done=True)
_KEYS: dict[str, Change] = {
    "right": _FORWARD, "l": _FORWARD, "n": _FORWARD,
    "left": _BACK, "h": _BACK, "p": _BACK,
    "page_down": _move_by(10), "page_up": _move_by(-10),
    "home": _move_by(-(10**9)), "g": _move_by(-(10**9)), "end": _move_by(10**9), "G": _move_by(10**9),
    "]": _next_moment, "m": _next_moment, "[": _previous_moment, "M": _previous_moment,
    "down": _add("scroll", 1), "j": _add("scroll", 1), "up": _add("scroll", -1), "k": _add("scroll", -1),
    ">": _add("across", _SHIFT), ".": _add("across", _SHIFT),
    "<": _add("across", -_SHIFT), ",": _add("across", -_SHIFT),
    "enter": lambda playback: move_to(playback, int(playback.typed)) if playback.typed else playback,
    "backspace": lambda playback: replace(playback, typed=playback.typed[:-1]),
    " ": _toggle_playing, "s": _choose_seat, "w": _set(viewer=0), "a": _show_all,
    "t": _toggle("listing"), "?": _toggle("helping"),
    "+": _change_speed(2), "=": _change_speed(2), "-": _change_speed(0.5), "q": _END, "Q": _END, "ctrl_c": _END,
}  # fmt: skip


class ScreenContent(Struct, frozen=True, kw_only=True):
    """The screen's content that no key changes: the game, its frames, their viewer, and how cards are drawn.

    `notice`: why the last key had no effect, or the answer to it.
    """

    game_type: str
    game: str
    viewer: str
    frames: Sequence[Frame]
    faces: Faces
    suit_symbols: bool = False
    colours: bool = False
    notice: str = ""


def screen(content: ScreenContent, playback: Playback, size: tuple[int, int]) -> str:
    """The whole screen of so many columns and lines: the picture, the sentences, the status line, and the keys."""
    width, height = size
    footer = [f"{_REVERSE}{_cut(_status(content, playback, width), width)}{_PLAIN}"]
    if height > 4:
        sentences = _cut(" ".join(content.frames[playback.place].sentences), width)
        notice = wrap(content.notice, width)[: height // 2] if content.notice else [sentences]
        footer = [*notice, *footer, _cut(_HELP, width)]
    lines = [*_main_lines(content, playback, width, height - len(footer)), *footer]
    return _HOME + "\r\n".join(line + _CLEAR_LINE for line in lines) + _CLEAR_BELOW


def _main_lines(content: ScreenContent, playback: Playback, width: int, height: int) -> list[str]:
    """The lines above: the table of keys, or the picture with or without the list of steps."""

    def paint(line: str) -> str:
        return colour_text(line) if content.colours else line

    def list_steps(width: int, height: int) -> list[str]:
        listed = steps(content.frames, playback.place, playback.moments, height)
        return _pad([_cut(line, width) for line in listed], height)

    if playback.helping:
        return _pad([_cut(line, width) for line in KEYS], height)
    if playback.listing and width >= WIDTH + _LIST_WIDTH:
        left = _picture_part(content, playback, WIDTH, height)
        right = list_steps(width - WIDTH - 2, height)
        return [f"{paint(f'{line:{WIDTH}}  ')}{step}" for line, step in zip(left, right, strict=True)]
    below = list_steps(width, height // 3) if playback.listing else []
    return [*map(paint, _picture_part(content, playback, width, height - len(below))), *below]


def _picture_part(content: ScreenContent, playback: Playback, width: int, height: int) -> list[str]:
    """The part of the picture that fits; its last line says whether there is more below."""
    drawn = picture(content.frames[playback.place], content.faces, suit_symbols=content.suit_symbols).splitlines()
    start = min(playback.scroll, max(len(drawn) - height, 0))
    across = min(playback.across, max(0, max(map(len, drawn)) - width))
    lines = [_cut(line[across:], width) for line in drawn[start : start + height]]
    more = len(drawn) - start - height
    if more > 0 and height > 1:
        return [*lines[:-1], _cut(f"... {more + 1} more lines (down)", width)]
    return _pad(lines, height)


def _pad(lines: list[str], height: int) -> list[str]:
    return lines[:height] + [""] * (height - len(lines))


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + ">"


def _status(content: ScreenContent, playback: Playback, width: int) -> str:
    """The text of the status line; the game's id is left out if there is no room."""
    pace = f"{playback.speed:g}/s"
    parts = [f"seen by {content.viewer}" if content.viewer != "as known now" else content.viewer]
    parts += [f"step {playback.place} of {playback.steps - 1}", f"playing {pace}" if playback.playing else pace]
    parts += [f"go to {playback.typed}_"] if playback.typed else []
    if playback.place in playback.moments:
        parts.append(f"moment {playback.moments.index(playback.place) + 1} of {len(playback.moments)}")
    full, brief = (
        " " + " | ".join([name, *parts]) + " " for name in (f"{content.game_type} {content.game}", content.game_type)
    )
    return full if len(full) <= width else brief


def steps(frames: Sequence[Frame], place: int, moments: Sequence[int], height: int) -> list[str]:
    """So many lines about this place: `>` stands before the step on the screen, `*` before a moment."""
    first = max(0, min(place - height // 2, len(frames) - height))
    digits = len(str(frames[-1].step))
    return [
        f"{'>' if number == place else ' '}{'*' if number in moments else ' '}"
        f"{frame.step:{digits}} {' '.join(frame.sentences)}"
        for number, frame in enumerate(frames[first : first + height], first)
    ]
