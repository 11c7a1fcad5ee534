"""Rule sets of leagues in sentences, each with a worked table; house bots at a table."""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec.structs import replace

from domain.games import AnyGameType
from domain.league import events as lg
from domain.league.aggregate import Season
from domain.league.rules import EARLIER_RULES, IN_WORDS, LEAGUE_RULES, BoxRules, DayRules
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.events import Finished
from projections.games.counted_games import Play, RulingsOfGame
from projections.leagues.boxes import Row, table
from service.api.games.games import new_game
from service.api.leagues.leagues import LeagueShown
from service.event_store.ids import now
from service.house.players import LEVELS, Level, levels_of, seat_house
from service.house.players import PLAYERS as BOTS
from service.house.tables import HouseBots
from service.live.openings import wish_of
from service.problems import Refused
from service.web.form import Field
from service.web.page import Visit, page, words

_BREAKS = {
    "head_to_head": "the games among the equals",
    "sonneborn_berger": "Sonneborn-Berger (who was beaten counts by their own points)",
    "score_difference": "the difference of scores",
    "wins": "games won",
}


@page("/leagues/rules")
async def rule_sets(visit: Visit) -> Response[Any]:
    """List the rule sets that a league can be founded under, and the earlier ones."""
    return await visit.show("rule_sets.html", rules=LEAGUE_RULES, earlier=EARLIER_RULES, labels=IN_WORDS)


@page("/leagues/rules/{rule_set:str}")
async def rule_set(visit: Visit) -> Response[Any]:
    """Show one rule set in sentences; a box league's with a season worked out by it."""
    rules = (LEAGUE_RULES | EARLIER_RULES).get(visit.request.path_params["rule_set"])
    if rules is None:
        raise Refused("no_such_thing", "There is no such rule set.")
    if isinstance(rules, BoxRules):
        sentences, rows = _describe_box_rules(rules), work_out_season(rules)
    else:
        sentences, rows = _describe_day_rules(rules), ()
    return await visit.show(
        "rule_set.html", rules=rules, earlier=rules.id in EARLIER_RULES, sentences=sentences,
        rows=[(PLAYERS[row.player.int], row) for row in rows],
    )  # fmt: skip


PLAYERS = "ABCDE"


def work_out_season(rules: BoxRules) -> tuple[Row, ...]:
    """The table of the season on a rule set's page; players have the numbers of their letters as ids.

    Five players meet once, so that each has a bye. A - B is void; D does not come to play A; E leaves after two games.
    """
    meetings = ("AB", "AC", "AD", "AE", "BC", "BD", "BE", "CD", "CE", "DE")
    scores = {"AB": (9, 3), "AC": (6, 9), "AE": (9, 4), "BC": (9, 7), "BD": (9, 2), "BE": (5, 9), "CD": (8, 9)}
    fixtures = [
        lg.Fixture(UUID(int=number), 0, 0, tuple(UUID(int=PLAYERS.index(letter)) for letter in pair))
        for number, pair in enumerate(meetings)
    ]
    walkover = lg.WalkoverGiven(UUID(int=meetings.index("AD")), UUID(int=0), "", (UUID(int=3),))
    season = Season(
        number=1, starts=0, ends=0, divisions=(tuple(UUID(int=number) for number in range(5)),),
        fixtures=tuple(fixtures), ended={walkover.fixture: walkover}, left=(UUID(int=4),),
    )  # fmt: skip
    plays = {
        fixture.id: [_game_of(fixture, scores[pair], void=pair == "AB")]
        for pair, fixture in zip(meetings, fixtures, strict=True)
        if pair in scores
    }
    return table(season, 0, rules, plays)


def _game_of(fixture: lg.Fixture, scores: tuple[int, int], void: bool) -> Play:
    finish = Finished(
        ending="won", reason="played_out", winners=(int(scores[1] > scores[0]),), scores=scores,
        players=fixture.players, rated=True, opened_at=0, moves=20,
    )  # fmt: skip
    return Play(
        fixture.id, "spite_and_malice", fixture.players, fixture=fixture.id, finish=finish, said=RulingsOfGame(void)
    )


def rule_sentences(league: LeagueShown) -> list[str]:
    """The rules of a league, a sentence or two each."""
    if not isinstance(league.rules, BoxRules):
        return _describe_day_rules(league.rules)
    meet = "once" if league.rounds == 1 else f"{league.rounds} times"
    tables = "in pairs" if league.table == 2 else f"at tables of {league.table}"
    return [
        f"Divisions of up to {league.division_size}; everybody of a division meets everybody else {meet}, {tables}.",
        *_describe_box_rules(league.rules),
        *([] if league.move_seconds is None else [f"You have {_describe_span(league.move_seconds)} for a move."]),
    ]


def _describe_box_rules(rules: BoxRules) -> list[str]:
    games = "one game" if rules.least_games == 1 else f"{rules.least_games} games"
    return [
        "Two points for a win, one for a draw."
        if rules.points == "two_one_zero"
        else "24 points for the first of a game, none for the last, the others evenly between; equal ones share.",
        f"Equal points are parted by {', then '.join(_BREAKS[key] for key in rules.tie_breaks)}. Who is equal in all of"
        " it shares the place; there is no lot.",
        _FORFEITS_COUNT if rules.forfeits_count else _FORFEITS_GIVE_POINTS,
        "A game that is void, a fixture that is declared not played and a bye give nothing and count nowhere.",
        "Who leaves before half of their fixtures are played is struck: none of them counts for anybody. Who leaves"
        " later forfeits the rest.",
        f"{_say_exchange(rules)} With fewer than {games} played or won by a forfeit one is unranked and goes down one"
        " division.",
    ]


_FORFEITS_COUNT = (
    "A forfeit (a walkover, or the other has left) counts like a game that was won and lost, in games, wins, losses and"
    " Sonneborn-Berger too, but without scores. It changes no rating."
)
_FORFEITS_GIVE_POINTS = (
    "A forfeit (a walkover, or the other has left) gives full points and is a game for its winner alone. It is in no"
    " wins and losses and no tie-break: Sonneborn-Berger adds up only points that were won at the table. It changes no"
    " rating."
)


def _say_exchange(rules: BoxRules) -> str:
    if rules.even:
        return (
            f"After a season who has left is replaced from the division below. Then {rules.up} go up for {rules.up} who"
            f" come down, one for one where a division has fewer than {rules.small}; so divisions keep their size."
        )
    return f"After a season {rules.up} go up and {rules.down} down, out of the lowest division {rules.up_from_last} up."


def _describe_span(seconds: int) -> str:
    """`1 hour`, `90 minutes`, `45 seconds`: in the largest unit that divides it."""
    units = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
    size, name = next(unit for unit in units if seconds % unit[0] == 0)
    return f"{seconds // size} {name}{'' if seconds == size else 's'}"


def _describe_day_rules(rules: DayRules) -> list[str]:
    unit = "IMPs against the average of the field" if rules.scoring == "imps" else "percent of the matchpoints"
    return [
        "Everybody gets the same cards and has one attempt. Nobody sees another's before the contest is closed.",
        *([_BOARDS] if rules.boards else []),
        *(["Ranked is who played without taking back."] if rules.clean_only else []),
        f"A contest gives {unit}. A season is the mean of the best {rules.best} contests; with {rules.least} one is"
        " listed. A contest that is missed counts for nothing.",
        "Between equal results less time is better." if rules.time_counts else "Time parts nobody.",
        f"Who has begun before the end has {_describe_span(rules.grace_seconds)} more.",
    ]


_BOARDS = (
    "A deal is the board of its UTC day: vulnerable in turn are nobody, ME, IT, both. A contract made earns 50, one of"
    " 100 points for tricks 300, vulnerable 500. Honours do not count."
)

_CERTIFICATES = {
    "winnable": "A solver has won it, before it was announced.",
    "impossible": "A solver has found that it cannot be won.",
    "not_told": "A solver has looked at it and has not won it.",
    "not_tried": "Nobody has looked whether it can be won.",
}


def say_certificate(certificate: str, positions: int | None) -> str:
    """A sentence about a deal's certificate, and how many positions the solver looked at."""
    looked = f" It looked at {positions:,} positions." if positions else ""
    return _CERTIFICATES.get(certificate, words(certificate)) + looked


_AGAINST = "Its bots take every other seat, and the game is not rated."


def house_field(kind: AnyGameType, chosen: str) -> tuple[Field, ...]:
    """The field for opponents of the house; none where it does not play."""
    if not (levels := levels_of(kind)):
        return ()
    choices = (("", "nobody yet"), *((level, f"the house, {level}") for level in levels))
    return (Field(name="house", label="Against", help=_AGAINST, kind="choice", value=chosen, choices=choices),)


def asked_level(text: str) -> Level:
    """The level that a form names; raises ValueError."""
    if (level := next((level_name for level_name in LEVELS if level_name == text), None)) is None:
        raise ValueError("Choose one of the house's bots.")
    return level


async def open_table(visit: Visit, body: Any, level: Level | None, player: UUID) -> str:
    """Open the game of this body, with the house's bots at the other seats of an unrated one if `level` is given.

    A private game invites the first of them. Returns its address; raises Illegal.
    """
    if level is not None:
        await visit.area(HouseBots).register(level)
        body = replace(body, rated=False)
        if body.visibility == "private" and not body.hot_seat:
            body = replace(body, player_ids=(*body.player_ids, BOTS[level][0].id))
    step = await new_game(visit, player, body)
    await visit.room.open(step)
    if level is not None:
        await fill_seats(visit, step.game, level, player)
    return f"/games/{step.game.id}"


async def open_or_say_none(visit: Visit, body: Any, level: Level | None, player: UUID) -> str:
    """Open the game; where no deal of the wished level lies ready, the address of the form, which says so."""
    try:
        return await open_table(visit, body, level, player)
    except Refused as refused:
        if refused.kind != "busy" or (wish := wish_of(body)) is None:
            raise
        return f"/games/new/{type(body).__struct_config__.tag}?lacks={wish.level}"


async def fill_seats(visit: Visit, game: Game, level: Level, player: UUID) -> None:
    """Give every empty seat to the house, all at once; nothing where somebody else was faster. Raises Illegal."""
    await visit.area(HouseBots).register(level)

    def fill(game: Game) -> Step:
        step = Step((), game)
        while None in step.game.players:
            step = step.then(seat_house(step.game, level, None, Act(player, None, now())))
        return step

    await visit.room.act(game.id, fill)
    visit.area(HouseBots).wake()
