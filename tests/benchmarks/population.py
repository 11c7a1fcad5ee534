"""A log of many finished games by many people: box leagues, same-deal days and games beside them, all made by lot."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from uuid import UUID, uuid5

from msgspec import Struct

from domain.contest import aggregate as contests
from domain.contest import events as ct
from domain.games import GAME_TYPES
from domain.league import decide
from domain.league.aggregate import League, evolve, league_record
from domain.league.rules import BOX, DAYS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.record import Record

PEOPLE = 2000
LEAGUES, MEMBERS, CONTESTS, ENTRANTS = 20, 60, 30, 100
START, DAY = 1_700_006_400_000_000, 86_400_000_000
SPAN = 60 * DAY
_UNDER_WAY = 100  # games at the same time
_SOLO = ("klondike", "freecell", "golf", "spider", "pyramid")
_TABLES = (("spite_and_malice", 2), ("decs_building", 3), ("screaming_yoda", 4), ("screaming_yoda", 5), ("megiddo", 2))
_IDS = UUID(int=0x6A3E << 100)

Said = tuple[UUID, str, Struct]
"""A stream, its type, and one event."""
Life = list[Said]
"""What is said of one game, from its opening on."""


def player(number: int) -> UUID:
    """One of the people."""
    return UUID(int=0xFACE000 + number)


def log(games: int, seed: int = 7) -> Iterator[AnyRecord]:
    """The records of so many games: each opened, finished and revealed, a hundred at a time, over sixty days."""
    lots, versions = Random(seed), Counter[UUID]()
    leagues = [league(number) for number in range(LEAGUES)]
    days = [contest(number, lots) for number in range(CONTESTS)]
    lives = [one for made, _ in leagues for one in fixtures(made, lots)] + [one for day in days for one in day[1]]
    founded = list(chain.from_iterable(records for _, records in leagues))
    yield from founded
    before = [said for opening, _, _ in days for said in opening]
    after = [said for _, _, closing in days for said in closing]
    others = max(0, games - len(lives))
    said = chain(before, mixed(_shared(lives, others, lots), lots), after)
    step = SPAN // (3 * games + 1)
    for number, (stream, kind, event) in enumerate(said):
        versions[stream] += 1
        version = versions[stream]
        yield Record(stream, version, START + number * step, kind, 1, version, None, None, None, event)


def league(number: int) -> tuple[League, list[AnyRecord]]:
    """A box league with a season that runs, and its records."""
    kind, table = _TABLES[number % 3]
    wanted = decide.Founding(name=f"League {number}", game_type=kind, rules=BOX.id, table=table, division_size=6)
    stream, organiser = uuid5(_IDS, f"league {number}"), player(number)
    records: list[AnyRecord] = []
    made = _said(None, stream, decide.found_league(wanted, organiser), records)
    for member in range(MEMBERS):
        made = _said(made, stream, decide.join(made, player(number * MEMBERS + member)), records)
    return _said(made, stream, decide.open_season(made, START, START + SPAN, organiser), records), records


def _said(made: League | None, stream: UUID, events: Iterable[Struct], records: list[AnyRecord]) -> League:
    for event in events:
        records.append(league_record(stream, len(records) + 1, event, None, START))
        made = evolve(made, records[-1])
    assert made is not None
    return made


def fixtures(made: League, lots: Random) -> Iterator[Life]:
    """A game for each fixture of the season."""
    assert made.season is not None
    for fixture in made.season.fixtures:
        yield life(fixture.id, made.founded.game_type, fixture.players, lots, fixture=fixture.id)


def contest(number: int, lots: Random) -> tuple[Life, list[Life], Life]:
    """A day: what is said before anybody plays, the attempts, and its closing."""
    stream, opens = uuid5(_IDS, f"day {number}"), START + number * DAY
    kind = GAME_TYPES["klondike"]
    made = contests.Announcement(
        game_type=kind.key, options=kind.options(), rules=DAYS, opens=opens, closes=opens + DAY, seed=bytes(32),
        day=f"2023-{11 + (number + 14) // 30}-{(number + 14) % 30 + 1:02}",
    )  # fmt: skip
    entrants = lots.sample(range(PEOPLE), ENTRANTS)
    games = {uuid5(stream, str(one)): player(one) for one in entrants}
    before = [*contests.announce(stream, made), *(ct.Entered(one, game) for game, one in games.items())]
    attempts = [life(game, kind.key, (one,), lots, contest=stream)[:2] for game, one in games.items()]
    closing = [(stream, "contest", event) for event in (ct.Closed(), ct.Revealed(bytes(32)))]
    closing += [(game, kind.key, ev.Revealed(b"", b"")) for game in games]
    return [(stream, "contest", event) for event in before], attempts, closing


def life(game: UUID, kind: str, players: tuple[UUID, ...], lots: Random, **of: UUID) -> Life:
    """A rated game of these people: opened, finished by lot, revealed."""
    seats = len(players)
    scores = tuple(lots.randrange(1, 53) for _ in players)
    won = scores[0] > 20 if seats == 1 else True
    winners = tuple(seat for seat in range(seats) if won and scores[seat] == max(scores))
    opened = ev.Opened(kind, 1, {}, seats, players[0], "", players, **of)  # type: ignore[arg-type]
    finished = ev.Finished(
        "won" if won else "lost", "played_out", winners, scores, players, True, START, lots.randrange(20, 200),
        lots.choice((0, 0, 0, 2)), of.get("contest"),
    )  # fmt: skip
    return [(game, kind, event) for event in (opened, finished, ev.Revealed(b"", b""))]


def other(number: int, lots: Random) -> Life:
    """A game beside leagues and days; some people play more than others."""
    kind, seats = (lots.choice(_SOLO), 1) if lots.random() < 0.5 else lots.choice(_TABLES)
    people: dict[int, None] = {}
    while len(people) < seats:
        people[int(PEOPLE * lots.random() ** 1.5)] = None
    return life(UUID(int=_IDS.int | number), kind, tuple(map(player, people)), lots)


def _shared(kept: list[Life], others: int, lots: Random) -> Iterator[Life]:
    """The games of leagues and days evenly among so many others."""
    lots.shuffle(kept)
    every = max(1, others // max(1, len(kept)))
    for number in range(others):
        if kept and number % every == 0:
            yield kept.pop()
        yield other(number, lots)
    yield from kept


def mixed(lives: Iterable[Life], lots: Random) -> Iterator[Said]:
    """What is said of these games, a hundred of them at a time."""
    waiting: list[Iterator[Said]] = []
    for one in lives:
        waiting.append(iter(one))
        while len(waiting) >= _UNDER_WAY:
            yield from _next(waiting, lots)
    while waiting:
        yield from _next(waiting, lots)


def _next(waiting: list[Iterator[Said]], lots: Random) -> Iterator[Said]:
    at = lots.randrange(len(waiting))
    said = next(waiting[at], None)
    if said is None:
        waiting[at] = waiting[-1]
        waiting.pop()
    else:
        yield said
