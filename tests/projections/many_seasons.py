"""A log of some six hundred and fifty games, made by lot: leagues of two to five seats, days, and games beside them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from uuid import UUID

from msgspec import Struct
from projection_logs import SECOND, START, AnyRecord, event_record, opening_event
from seasons import ORGANISER, Founded, contest, ended, game_id

from domain import rulings
from domain.league import decide
from domain.league.events import Fixture
from domain.league.rules import DAYS as DAYS_TIMED
from domain.league.rules import DAYS_POINTS
from domain.play import events as ev

BOXES = ((2, 18), (2, 12), (3, 12), (4, 12), (5, 12))
"""Seats at a table and members of each league."""
DAYS, ENTRANTS, OTHERS, RULINGS, PEOPLE = 8, 15, 400, 25, 48
_COMPANY = (("spite_and_malice", 2), ("megiddo", 2), ("decs_building", 3), ("decs_building", 4), ("screaming_yoda", 5))
_SOLO = ("klondike", "freecell", "golf", "the_clock")


class Lot:
    """What was drawn, part by part; `order` says which id each of the people has."""

    def __init__(self, seed: int, order: Sequence[int] = ()) -> None:
        self.lots, self._order = Random(seed), order or range(PEOPLE)
        self.leagues = [Season(self, number, *kind) for number, kind in enumerate(BOXES)]
        self.days = [self._day(number) for number in range(DAYS)]
        self.others = [record for number in range(OTHERS) for record in self._other(number)]

    def person(self, number: int) -> UUID:
        """Somebody, by number."""
        return UUID(int=0xA000 + 7 * self._order[number % PEOPLE])

    def _day(self, number: int) -> list[AnyRecord]:
        """Two game types in turns; of the second, time does not part equal results."""
        kind, rules = ("freecell", DAYS_POINTS) if number % 2 else ("klondike", DAYS_TIMED)
        return contest(number, ENTRANTS, self.lots, kind, rules, self.person)

    def records(self, mixing: int | None = None, *later: Struct) -> list[AnyRecord]:
        """The whole log: leagues opened, everything played, seasons closed and ruled on, rulings of the site.

        Games and days come one after the other, or mixed by this lot: no stream's order changes, nothing is said of
        a day's attempt before it is entered or after the day is closed.
        """
        parts = [chain.from_iterable(made.played for made in self.leagues), self.others, *self.days]
        played = list(chain.from_iterable(parts)) if mixing is None else self._mixed(Random(mixing))
        opened = chain.from_iterable(made.opened for made in self.leagues)
        closed = chain.from_iterable(made.closed for made in self.leagues)
        return [*opened, *played, *closed, *self._ruled(later)]

    def _mixed(self, lots: Random) -> list[AnyRecord]:
        days = [_mixed_day(day, lots) for day in self.days]
        games = _streams([*chain.from_iterable(made.played for made in self.leagues), *self.others])
        return merged([*games, *days], lots)

    def _other(self, number: int) -> Iterator[AnyRecord]:
        """A game outside of leagues and days, with everything that may become of one."""
        lots = self.lots
        kind, seats = (lots.choice(_SOLO), 1) if lots.random() < 0.5 else lots.choice(_COMPANY)
        players = tuple(self.person(one) for one in lots.sample(range(PEOPLE), seats))
        events = [opening_event(kind, players, rated=lots.random() < 0.9), *_course(players, lots)]
        for version, event in enumerate(events, 1):
            at = START + (10_000 + 10 * number + version) * SECOND
            yield event_record(game_id(60_000 + number), version, event, at, kind)

    def _ruled(self, later: Iterable[Struct]) -> Iterator[AnyRecord]:
        """Rulings that hold everywhere: voids, some withdrawn again, corrections, some withdrawn again."""
        lots = Random(5)
        for version in range(1, RULINGS + 1):
            yield rulings.ruling_record(version, _ruling(lots), ORGANISER, START + 50_000 * SECOND)
        for version, event in enumerate(later, RULINGS + 1):
            yield rulings.ruling_record(version, event, ORGANISER, START + 50_000 * SECOND)


def _course(players: Sequence[UUID], lots: Random) -> Iterator[Struct]:
    """How a game goes on: left or not, out of time or not, finished, revealed, voided or not."""
    seats = range(len(players))
    scores = tuple(lots.randrange(9) for _ in players)
    winners = tuple(seat for seat in seats if scores[seat] == max(scores)) if len(players) > 1 or scores[0] > 4 else ()
    if len(players) > 1 and lots.random() < 0.2:
        yield lots.choice((ev.Resigned, ev.TimedOut))(lots.choice(seats))
    told: dict[str, object] = {"rated": lots.random() < 0.95, "undos": lots.choice((0, 0, 2))}
    if not winners:
        told |= {"ending": "lost"}
    if lots.random() < 0.05:
        told |= {"ending": "abandoned", "reason": "agreed"}
    yield ended(players, () if "reason" in told else winners, scores, **told)
    yield ev.Revealed(b"", b"")
    if lots.random() < 0.05:
        yield ev.Voided("fault")


def _ruling(lots: Random) -> Struct:
    first = lots.choice((60_000, 60_000, 100_001, 200_001, 5_000))
    games = tuple(game_id(first + lots.randrange(60)) for _ in range(lots.choice((1, 2, 5))))
    chance = lots.random()
    if chance < 0.5:
        return rulings.GamesVoided(games, "abuse")
    if chance < 0.7:
        return rulings.VoidsWithdrawn(games, "it was none")
    if chance < 0.8:
        return rulings.CorrectionWithdrawn(games[0], "it was right")
    return rulings.ResultCorrected(game=games[0], ending="won", winners=(0,), scores=(), reason="typo")


class Season:
    """A box league's season: what is said until it is open, while it is played, and from its closing on."""

    def __init__(self, lot: Lot, number: int, table: int, members: int) -> None:
        stream, first = UUID(int=0x1EA60000 + number), 100_000 * (number + 1)
        made = Founded(members, table, stream=stream, first=first, person=lot.person)
        self.opened, made.records = made.records, []
        for at, fixture in enumerate(made.fixtures, 1):
            _play(made, fixture, at, lot.lots)
        self.played, made.records = made.records, []
        made.say(*decide.leave(made.it, lot.person(0)))
        made.say(*decide.close_season(made.it, 1, ORGANISER))
        made.rule(rulings.GamesVoided((game_id(first + 1), game_id(first + 7)), "abuse"))
        made.rule(rulings.VoidsWithdrawn((game_id(first + 7),), "it was none"))
        self.closed = made.records


def _play(made: Founded, fixture: Fixture, at: int, lots: Random) -> None:
    """A fixture's game, or none and why."""
    seats = range(len(fixture.players))
    if lots.random() < 0.1:
        made.say(*decide.give_walkover(made.it, fixture.id, fixture.players[0], "nobody came", ORGANISER))
    elif lots.random() < 0.95:
        scores = tuple(lots.randrange(6) for _ in seats)
        left = lots.sample(seats, lots.choice((0, 0, 0, 1)))
        winners = [seat for seat in seats if scores[seat] == max(scores) and seat not in left]
        made.play(fixture, at, ended(fixture.players, winners or [s for s in seats if s not in left], scores), *left)


def _mixed_day(day: list[AnyRecord], lots: Random) -> list[AnyRecord]:
    """The day with its attempts in another order."""
    kinds = [str(type(record.event).__struct_config__.tag) for record in day]
    entered, closed = len(kinds) - kinds[::-1].index("contest/entered"), kinds.index("contest/closed")
    return [*day[:entered], *merged(_streams(day[entered:closed]), lots), *day[closed:]]


def _streams(records: Iterable[AnyRecord]) -> list[list[AnyRecord]]:
    found: dict[UUID, list[AnyRecord]] = {}
    for record in records:
        found.setdefault(record.stream, []).append(record)
    return list(found.values())


def merged(streams: Iterable[list[AnyRecord]], lots: Random) -> list[AnyRecord]:
    """One log of these, each in its own order."""
    timed = ((at, record) for one in streams for at, record in zip(_times(one, lots), one, strict=True))
    return [record for _, record in sorted(timed, key=lambda pair: pair[0])]


def _times(stream: list[AnyRecord], lots: Random) -> list[float]:
    return sorted(lots.random() for _ in stream)
