"""The list of steps with their sentences, and the table of keys, as lines for the screen of a replay."""

from collections.abc import Sequence

from domain.play.frames import Frame

KEYS = """
right l n      one step on              left h p       one step back
page down      ten steps on             page up        ten steps back
home g         the first step           end G          the last step
12 enter       step 12                  space          play and pause
] m            the next moment          [ M            the moment before
+ -            faster, slower           t              the list of steps
s              the next viewer          1 s            seat 1
w              a spectator              a              all cards, at its end
up down j k    scroll the picture       < >            move a wide one
?              this help                q              quit
""".strip().splitlines()


def steps(frames: Sequence[Frame], place: int, moments: Sequence[int], room: int) -> list[str]:
    """So many lines about this place: `>` stands before the step that is shown, `*` before a moment."""
    first = max(0, min(place - room // 2, len(frames) - room))
    digits = len(str(frames[-1].step))
    return [
        f"{'>' if number == place else ' '}{'*' if number in moments else ' '}"
        f"{frame.step:{digits}} {' '.join(frame.sentences)}"
        for number, frame in enumerate(frames[first : first + room], first)
    ]
