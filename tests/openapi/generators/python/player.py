"""Plays, replays and streams two games through whatever client was generated: what it must be able to do, and how."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID


class Command(Protocol):
    """A generated model."""

    def to_dict(self) -> Any: ...


C = TypeVar("C", bound=Command)


class Seat(Protocol, Generic[C]):
    """One registered player, who speaks with a token."""

    def open_klondike(self, deal: list[str]) -> UUID: ...
    def open_spite_and_malice(self) -> UUID: ...
    def join(self, game: UUID) -> None: ...
    def status(self, game: UUID) -> str: ...
    def legal(self, game: UUID) -> tuple[int, Sequence[C]]: ...
    def post(self, game: UUID, command: C, version: int) -> None: ...
    def frames(self, game: UUID, cursor: str | None) -> tuple[list[int], str | None]:
        """The numbers of the steps of a page, the first one without a cursor, and the next one's cursor."""

    def record(self, game: UUID) -> str: ...
    def is_consistent(self, record: str) -> bool: ...
    def follow(self, game: UUID) -> Iterable[str]:
        """The lines of the stream."""


WON_KLONDIKE = json.loads(Path("won_klondike.json").read_text())
LONGEST = 600


def run(register: Callable[[str], Seat[C]]) -> None:
    """Say each achievement in a line; whatever goes wrong is raised."""
    ada, ben = register("Ada"), register("Ben")
    with ThreadPoolExecutor() as streams:
        klondike = ada.open_klondike(WON_KLONDIKE["deal"])
        patience = streams.submit(lambda: steps_of(ada.follow(klondike)))
        alone = play_line(ada, klondike, WON_KLONDIKE["picks"])
        table = ada.open_spite_and_malice()
        ben.join(table)
        watched = streams.submit(lambda: steps_of(ben.follow(table)))
        together = play_to_end([ada, ben], table)
        print(f"plays: Klondike {alone} commands, Spite & Malice {together}")
        replays = [replay(ada, klondike), replay(ben, table)]
        print(f"replays: {replays[0]} and {replays[1]} frames, both records verified")
        streamed = [patience.result(60), watched.result(60)]
    assert streamed == replays, f"{streamed} frames streamed, {replays} replayed"
    print(f"streams: {streamed[0]} and {streamed[1]} frames, to the end")


def play_line(seat: Seat[C], game: UUID, picks: Sequence[int]) -> int:
    """The number of commands: for each the place of the chosen one among the legal ones. The last one wins."""
    for pick in picks:
        version, legal = seat.legal(game)
        seat.post(game, legal[pick], version)
    assert seat.status(game) == "finished", seat.status(game)
    return len(picks)


def play_to_end(seats: Sequence[Seat[C]], game: UUID) -> int:
    """The number of commands."""
    commands, before = 0, -1
    while before < commands < LONGEST:
        before = commands
        for seat in seats:
            version, legal = seat.legal(game)
            while (chosen := choose(legal)) is not None:
                seat.post(game, chosen, version)
                commands += 1
                version, legal = seat.legal(game)
    status = seats[0].status(game)
    assert status == "finished", status
    return commands


def choose(commands: Sequence[C]) -> C | None:
    """From one's stock rather than from the hand, and either rather than anything else."""

    def rank(command: C) -> int:
        fields = command.to_dict()
        if not fields["type"].endswith("/play"):
            return 2
        return 0 if str(fields["source"]).startswith("stock") else 1

    return min((one for one in commands if not one.to_dict()["type"].startswith("game/")), key=rank, default=None)


def replay(seat: Seat[C], game: UUID) -> int:
    """The number of frames; the record is verified, too."""
    steps: list[int] = []
    following: str | None = None
    while not steps or following is not None:
        page, following = seat.frames(game, following)
        steps += page
    assert steps == list(range(len(steps))), steps
    assert seat.is_consistent(seat.record(game)), "the record has faults"
    return len(steps)


def steps_of(lines: Iterable[str]) -> int:
    """The number of frames of a stream that has ended because the game did."""
    events = [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]
    assert events[-1] == {"reason": "finished"}, events[-1]
    assert [frame["step"] for frame in events[:-1]] == list(range(len(events) - 1)), "the stream left a step out"
    return len(events) - 1


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines of a stream that comes in pieces."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode() for line in lines)
