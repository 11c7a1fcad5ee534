"""The state of a replay and the effect of each key: pure functions, without a terminal."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

SLOWEST, FASTEST = 0.25, 64.0
"""Steps a second."""
_SHIFT = 20
"""Columns by which one key press moves a picture wider than the screen."""


class Playback(Struct, frozen=True):
    """The place in `steps` frames, the viewer by number, whether and how fast it plays, and the number being typed.

    Viewers are a spectator (0), `seats` seats, and, if there is one more, all cards as known now. `moments` are places.
    `scroll` and `across` are the first line and column shown of a picture that is larger than the screen.
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


def _move_by(steps: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(move_to(playback, playback.place + steps), playing=False)


def _next_moment(playback: Playback) -> Playback:
    behind = playback.moments[bisect_right(playback.moments, playback.place) :]
    return replace(move_to(playback, behind[0]), playing=False) if behind else playback


def _previous_moment(playback: Playback) -> Playback:
    before = playback.moments[: bisect_left(playback.moments, playback.place)]
    return replace(move_to(playback, before[-1]), playing=False) if before else playback


def _scroll_by(lines: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, scroll=max(0, playback.scroll + lines))


def _shift_by(columns: int) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, across=max(0, playback.across + columns))


def _enter_number(playback: Playback) -> Playback:
    return move_to(playback, int(playback.typed)) if playback.typed else playback


def _toggle_playing(playback: Playback) -> Playback:
    """Play or pause; at the end it plays from the start again."""
    if playback.playing:
        return replace(playback, playing=False)
    start = 0 if playback.place == playback.steps - 1 else playback.place
    return replace(move_to(playback, start), playing=True)


def _change_speed(factor: float) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, speed=max(SLOWEST, min(playback.speed * factor, FASTEST)))


def _choose_seat(playback: Playback) -> Playback:
    """The player whose number was typed, from 1; without a number the next viewer."""
    if not playback.typed:
        return replace(playback, viewer=(playback.viewer + 1) % playback.viewers)
    number, playback = int(playback.typed), replace(playback, typed="")
    return replace(playback, viewer=number) if 1 <= number <= playback.seats else playback


def _show_all(playback: Playback) -> Playback:
    known = playback.seats + 1
    return replace(playback, viewer=known) if known < playback.viewers else playback


def _erase_digit(playback: Playback) -> Playback:
    return replace(playback, typed=playback.typed[:-1])


def _toggle(field: str) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, **{field: not getattr(playback, field)})


def _set(**fields: int | bool) -> Callable[[Playback], Playback]:
    return lambda playback: replace(playback, **fields)


_FORWARD, _BACK, _END = _move_by(1), _move_by(-1), _set(done=True)
_KEYS: dict[str, Callable[[Playback], Playback]] = {
    "right": _FORWARD, "l": _FORWARD, "n": _FORWARD,
    "left": _BACK, "h": _BACK, "p": _BACK,
    "page_down": _move_by(10), "page_up": _move_by(-10),
    "home": _move_by(-(10**9)), "g": _move_by(-(10**9)), "end": _move_by(10**9), "G": _move_by(10**9),
    "]": _next_moment, "m": _next_moment, "[": _previous_moment, "M": _previous_moment,
    "down": _scroll_by(1), "j": _scroll_by(1), "up": _scroll_by(-1), "k": _scroll_by(-1),
    ">": _shift_by(_SHIFT), ".": _shift_by(_SHIFT), "<": _shift_by(-_SHIFT), ",": _shift_by(-_SHIFT),
    "enter": _enter_number, "backspace": _erase_digit, " ": _toggle_playing,
    "s": _choose_seat, "w": _set(viewer=0), "a": _show_all, "t": _toggle("listing"), "?": _toggle("helping"),
    "+": _change_speed(2), "=": _change_speed(2), "-": _change_speed(0.5), "q": _END, "Q": _END, "ctrl_c": _END,
}  # fmt: skip
