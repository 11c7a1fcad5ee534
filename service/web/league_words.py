"""A league's rules in sentences."""

from domain.league.rules import BoxRules, DayRules
from service.api.leagues.league_shapes import LeagueShown
from service.web.rendering import words

_BREAKS = {
    "head_to_head": "the games among the equals",
    "sonneborn_berger": "Sonneborn-Berger (who was beaten counts by their own points)",
    "score_difference": "the difference of scores",
    "wins": "games won",
}


def rule_sentences(league: LeagueShown) -> list[str]:
    """The rules, a sentence or two each."""
    rules = league.rules
    return _box_sentences(league, rules) if isinstance(rules, BoxRules) else _day_sentences(rules)


def _box_sentences(league: LeagueShown, rules: BoxRules) -> list[str]:
    meet = "once" if league.rounds == 1 else f"{league.rounds} times"
    tables = "in pairs" if league.table == 2 else f"at tables of {league.table}"
    return [
        f"Divisions of up to {league.division_size}; everybody of a division meets everybody else {meet}, {tables}.",
        _points(rules),
        f"Equal points are parted by {', then '.join(_BREAKS[one] for one in rules.tie_breaks)}. Who is equal in all of"
        " it shares the place; there is no lot.",
        f"{_exchange(rules)} With fewer than {_games(rules.least_games)} one is unranked and goes down one division.",
        "A walkover gives full points and counts in no tie-break and no rating.",
        *_time(league.move_seconds),
    ]


def _exchange(rules: BoxRules) -> str:
    if rules.even:
        return (
            f"After a season who has left is replaced from the division below. Then {rules.up} go up for {rules.up} who"
            f" come down, one for one where a division has fewer than {rules.small}; so divisions keep their size."
        )
    return f"After a season {rules.up} go up and {rules.down} down, out of the lowest division {rules.up_from_last} up."


def _games(number: int) -> str:
    return "one counted game" if number == 1 else f"{number} counted games"


def _points(rules: BoxRules) -> str:
    if rules.points == "two_one_zero":
        return "Two points for a win, one for a draw."
    return "24 points for the first of a game, none for the last, the others evenly between; equal ones share."


def _time(seconds: int | None) -> list[str]:
    return [] if seconds is None else [f"For a move there is {_span(seconds)}; then it is lost on time."]


def _span(seconds: int) -> str:
    """`1 hour`, `90 minutes`, `45 seconds`: in the largest unit that divides it."""
    units = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
    size, name = next(unit for unit in units if seconds % unit[0] == 0)
    return f"{seconds // size} {name}{'' if seconds == size else 's'}"


def _day_sentences(rules: DayRules) -> list[str]:
    unit = "IMPs against the average of the field" if rules.scoring == "imps" else "percent of the matchpoints"
    return [
        "Everybody gets the same cards and has one attempt. Nobody sees another's before the contest is closed.",
        *([_BOARDS] if rules.boards else []),
        *(["Ranked is who played without taking back."] if rules.clean_only else []),
        f"A contest gives {unit}. A season is the mean of the best {rules.best} contests; with {rules.least} one is"
        " listed. A contest that is missed counts for nothing.",
        "Between equal results less time is better." if rules.time_counts else "Time parts nobody.",
        f"Who has begun before the end has {_span(rules.grace_seconds)} more.",
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
