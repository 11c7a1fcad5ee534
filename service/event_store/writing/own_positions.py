"""Stretches of the log that this process has written itself, so that it need not read them to learn of others'."""


class Stretches:
    """Positions of one's own appends, as few runs of neighbours, newest last; at most `most` runs are remembered."""

    def __init__(self, most: int = 1000) -> None:
        self._runs: list[list[int]] = []
        self._most = most

    def add(self, first: int, last: int) -> None:
        """These positions are one's own; nothing where `last` comes before `first`."""
        if first > last:
            return
        if self._runs and self._runs[-1][1] + 1 == first:
            self._runs[-1][1] = last
        else:
            self._runs.append([first, last])
            del self._runs[: -self._most]

    def others(self, after: int, upto: int) -> list[tuple[int, int]]:
        """What is not one's own behind `after` up to `upto`, as runs from first to last position."""
        found, at = [], after + 1
        for first, last in sorted(self._runs):
            if at <= last and first <= upto:
                found += [(at, first - 1)] if at < first else []
                at = last + 1
        return [*found, (at, upto)] if at <= upto else found

    def drop(self, upto: int) -> None:
        """Nobody will ask for what is at or before this position."""
        self._runs = [run for run in self._runs if run[1] > upto]
