"""Logs of whole league seasons, made by lot: fixtures played, left, voided, corrected, walked over."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace
from projection_logs import SECOND, START, AnyRecord, event_record, opening_event, placed, present
from projection_logs import game_id as game_number

from domain import rulings
from domain.contest import aggregate as contests
from domain.contest import events as ct
from domain.games import GAME_TYPES
from domain.league import decide
from domain.league import events as lg
from domain.league.aggregate import League, evolve, league_record
from domain.league.rules import BOX, BOX_TWO, DAYS, BoxRules, DayRules
from domain.play import events as ev
from projections.engine.contract import Placed

LEAGUE = UUID(int=0x1EA6)
ORGANISER = UUID(int=0x0B05)


def game_id(number: int) -> UUID:
    return game_number(10_000 + number)


def member(number: int) -> UUID:
    return UUID(int=0xA000 + number)


class Founded:
    """A league as it is being made: its records, and itself; its games are numbered behind `first`."""

    def __init__(
        self, members: int, table: int = 2, rules: BoxRules = BOX, division_size: int = 6, stream: UUID = LEAGUE,
        first: int = 0, person: Callable[[int], UUID] | None = None,
    ) -> None:  # fmt: skip
        key, person = {2: "spite_and_malice", 5: "screaming_yoda"}.get(table, "decs_building"), person or member
        newest = BOX_TWO if rules.points == "two_one_zero" else BOX
        wanted = decide.Founding(
            name="Thursdays", game_type=key, rules=newest.id, table=table, division_size=division_size
        )
        self.key, self.stream, self.first = key, stream, first
        self.records: list[AnyRecord] = []
        self.league: League | None = None
        for event in decide.found_league(wanted, ORGANISER):
            self.say(replace(event, rules=rules) if isinstance(event, lg.Founded) else event, by=ORGANISER)
        for number in range(members):
            self.say(*decide.join(self.it, person(number)), by=person(number))
        self.say(*decide.open_season(self.it, START, START + 1000 * SECOND, ORGANISER))

    @property
    def it(self) -> League:
        assert self.league is not None
        return self.league

    @property
    def fixtures(self) -> tuple[lg.Fixture, ...]:
        season = present(self.it.season)
        return season.fixtures

    def say(self, *events: Struct, by: UUID = ORGANISER) -> None:
        """Record these events of the league."""
        for event in events:
            version = 1 if self.league is None else self.league.version + 1
            self.records.append(league_record(self.stream, version, event, by, START + len(self.records) * SECOND))
            self.league = evolve(self.league, self.records[-1])

    def play(self, fixture: lg.Fixture, number: int, end: ev.Finished, *left: int) -> None:
        """A game for the fixture, from its opening to its end; seats that leave do so before."""
        events = [
            opening_event(self.key, fixture.players, fixture=fixture.id),
            *(ev.Resigned(seat) for seat in left), end, ev.Revealed(b"", b""),
        ]  # fmt: skip
        for version, event in enumerate(events, 1):
            time = START + (100 + number) * SECOND + version
            self.records.append(event_record(game_id(self.first + number), version, event, time, self.key))

    def rule(self, event: Struct) -> None:
        """A ruling of the league's organisers, in its own stream."""
        self.say(event)


def ended(players: Sequence[UUID], winners: Sequence[int], scores: Sequence[int] = (), **more: object) -> ev.Finished:
    """A rated ending between these players."""
    ending = "won" if winners else "drawn"
    made = ev.Finished(
        ending=ending, reason="played_out", winners=tuple(winners), scores=tuple(scores), players=tuple(players),
        rated=True, opened_at=START, moves=50,
    )  # fmt: skip
    return made if not more else made.__class__(**{**{f: getattr(made, f) for f in made.__struct_fields__}, **more})


def season(lots: Random, members: int = 12, table: int = 2) -> Founded:
    """A season with everything that happens in one."""
    made = Founded(members, table)
    for number, fixture in enumerate(lots.sample(made.fixtures, len(made.fixtures)), 1):
        _fixture(made, fixture, number, lots)
        if lots.random() < 0.1:
            made.rule(_ruling(lots, number, table))
    if lots.random() < 0.5:
        made.say(*decide.leave(made.it, member(lots.randrange(members))))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    for _ in range(5):
        made.rule(_ruling(lots, len(made.fixtures), table))
    return made


def _fixture(made: Founded, fixture: lg.Fixture, number: int, lots: Random) -> None:
    chance = lots.random()
    if chance < 0.1:
        made.say(*decide.give_walkover(made.it, fixture.id, fixture.players[0], "nobody came", ORGANISER))
    elif chance < 0.15:
        made.say(*decide.declare_not_played(made.it, fixture.id, fixture.players[:1], "no dates", ORGANISER))
    elif chance < 0.95:
        seats = len(fixture.players)
        scores = tuple(lots.randrange(9) for _ in range(seats))
        best = tuple(seat for seat in range(seats) if scores[seat] == max(scores))
        left = lots.sample(range(seats), lots.choice((0, 0, 0, 1)))
        winners = tuple(seat for seat in best if seat not in left) or tuple(s for s in range(seats) if s not in left)
        made.play(fixture, number, ended(fixture.players, winners, scores), *left)


def _ruling(lots: Random, newest: int, table: int) -> Struct:
    games = tuple(game_id(lots.randrange(1, newest + 1)) for _ in range(lots.choice((1, 2))))
    if lots.random() < 0.4:
        return rulings.GamesVoided(games, "abuse")
    if lots.random() < 0.4:
        return rulings.VoidsWithdrawn(games, "it was none")
    if lots.random() < 0.3:
        return rulings.CorrectionWithdrawn(games[0], "it was right")
    places = tuple(sorted(range(table), key=lambda seat: lots.random()))
    return rulings.ResultCorrected(
        game=games[0], ending="won", winners=(places.index(0),), places=places, reason="typo"
    )


def log(made: Founded) -> list[Placed]:
    return placed(made.records)


def shuffled(records: Sequence[AnyRecord], lots: Random) -> Iterator[AnyRecord]:
    """The records in another order, those of one stream in their own."""
    streams: dict[UUID, list[AnyRecord]] = {}
    for record in records:
        streams.setdefault(record.stream, []).append(record)
    waiting = list(streams.values())
    while waiting:
        chosen = lots.choice(waiting)
        yield chosen.pop(0)
        waiting = [stream for stream in waiting if stream]


DAY = 86_400 * SECOND
SOLO = "klondike"


def contest_id(number: int) -> UUID:
    return UUID(int=0xC0117E57 + number)


def contest(
    number: int, entrants: int, lots: Random, kind: str = SOLO, rules: DayRules = DAYS,
    person: Callable[[int], UUID] | None = None,
) -> list[AnyRecord]:  # fmt: skip
    """A public day's contest: announced, entered, played clean or not, closed."""
    opens = (START // DAY + number) * DAY
    made = contests.Announcement(
        game_type=kind, options=GAME_TYPES[kind].options(), rules=rules, opens=opens, closes=opens + DAY,
        seed=bytes([number]) * 32, day=f"2023-11-{number % 28 + 1:02}",
    )  # fmt: skip
    said: list[tuple[UUID, Struct]] = [(contest_id(number), one) for one in contests.announce(contest_id(number), made)]
    for at in range(entrants):
        game, player = game_id(5000 + 100 * number + at), (person or member)(at)
        said += [(game, one) for one in _attempt(number, player, kind, lots)]
        said.insert(3, (contest_id(number), ct.Entered(player, game)))
    said += [(contest_id(number), ct.Closed()), (contest_id(number), ct.Revealed(b"s"))]
    said += [(game_id(5000 + 100 * number + at), ev.Revealed(b"", b"")) for at in range(entrants)]
    versions: Counter[UUID] = Counter()
    return [_numbered(versions, stream, one, opens + at * SECOND, kind) for at, (stream, one) in enumerate(said)]


def _numbered(versions: Counter[UUID], stream: UUID, event: Struct, at: int, kind: str) -> AnyRecord:
    versions[stream] += 1
    tag = str(type(event).__struct_config__.tag)
    return event_record(stream, versions[stream], event, at, "contest" if tag.startswith("contest") else kind)


def _attempt(number: int, player: UUID, kind: str, lots: Random) -> list[Struct]:
    solved = lots.random() < 0.4
    end = ev.Finished(
        ending="won" if solved else "lost", reason="all_home" if solved else "resigned", winners=(0,) if solved else (),
        scores=(52 if solved else lots.randrange(52),), players=(player,), rated=True, opened_at=START,
        moves=lots.choice((0, 40, 50, 60, 60)), undos=lots.choice((0, 0, 0, 3)), contest=contest_id(number),
    )  # fmt: skip
    return [opening_event(kind, (player,), contest=contest_id(number)), end]
