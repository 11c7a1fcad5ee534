"""Rule sets of tables: named, versioned data, stamped on what is played under them.

A change of any number here is a new value with a new id; what was founded under the old one keeps it.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

TieBreak = Literal["head_to_head", "sonneborn_berger", "score_difference", "wins"]


class BoxRules(Struct, frozen=True, kw_only=True, tag="box"):
    """A box league: everybody of a division plays everybody.

    points      `units`: placement units, 24 for the first to 0 for the last; `two_one_zero`: 2, 1, 0 for two players
    tie_breaks  in this order, each among those still tied; what they leave tied shares the place
    up, down    how many change division at a season's end; `up_from_last` out of the lowest
    even        between neighbours as many go up as come down: `up`, or one if either has fewer than `small` players
    least_games  fewer games played or won by a forfeit: unranked, and one division down
    forfeits_count  a forfeit (a walkover, or the other has left) counts in games, wins, losses and tie-breaks as if it
                 had been played, but for the scores; so the FIDE Handbook treats forfeits in round robins (C.07).
                 Before, it counted in the points and nowhere else
    """

    id: str
    points: Literal["units", "two_one_zero"] = "units"
    tie_breaks: tuple[TieBreak, ...] = ("head_to_head", "sonneborn_berger", "score_difference", "wins")
    up: int = 2
    down: int = 2
    up_from_last: int = 1
    least_games: int = 1
    even: bool = False
    small: int = 5
    forfeits_count: bool = False


class DayRules(Struct, frozen=True, kw_only=True, tag="same_deal"):
    """Same-deal contests: a season is the mean over the best days.

    best, least     so many of the best days count, and from so many on a player is listed
    scoring         `matchpoints`, or `imps` against the average of the field (where points are large)
    clean_only      only attempts without undo are ranked; all are shown
    time_counts     whether less time breaks a tie
    boards          the deal is the board of its UTC day, in games that have boards
    grace_seconds   how long after its end a day still takes the end of an attempt begun in it
    seasoned        who has played fewer games to their end before entering is not ranked, but shown
    """

    id: str
    best: int = 20
    least: int = 10
    scoring: Literal["matchpoints", "imps"] = "matchpoints"
    clean_only: bool = True
    time_counts: bool = True
    grace_seconds: int = 3600
    boards: bool = False
    seasoned: int = 0

    def asking(self, games: int) -> "DayRules":
        """These rules with `seasoned` at this number of games, under an id of their own."""
        return self if games == self.seasoned else replace(self, id=f"{self.id}-seasoned-{games}", seasoned=games)


class LadderRules(Struct, frozen=True, kw_only=True, tag="ladder"):
    """A ladder: the package and its version are part of the id, because they make the numbers.

    Provisional with fewer than `games` rated games or a sigma above `sigma` (in millionths); inactive after `days`.
    A game changes a rating by its weight (`projections/ladders/ratings.py`). An opponent with a sigma above `sigma` is
    not known yet. Each player counts as having met `others` more opponents. A win by a player whose mu is `far` ahead
    tells nothing.
    """

    id: str
    model: str
    games: int = 10
    sigma: int = 7_000_000
    days: int = 30
    others: int = 2
    far: int = 10_000_000


class ReliabilityRules(Struct, frozen=True, kw_only=True, tag="reliability"):
    """Finished of started games over the last `window`; `failures` within `days` bar from rated tables.

    The first bar lasts `bar_days`; each further one within `memory_days` of the one before lasts twice as long.
    """

    id: str
    window: int = 100
    failures: int = 3
    days: int = 7
    bar_days: int = 1
    memory_days: int = 90


BOX_1 = BoxRules(id="box-units-1")
BOX_TWO_1 = BoxRules(id="box-210-1", points="two_one_zero")
"""Two down and one up from the lowest: divisions drift."""
BOX_2 = replace(BOX_1, id="box-units-2", up_from_last=2, even=True)
BOX_TWO_2 = replace(BOX_TWO_1, id="box-210-2", up_from_last=2, even=True)
BOX = replace(BOX_2, id="box-units-3", forfeits_count=True)
BOX_TWO = replace(BOX_TWO_2, id="box-210-3", forfeits_count=True)
DAYS = DayRules(id="same-deal-1")
DAYS_POINTS = DayRules(id="same-deal-points-1", time_counts=False)
DAYS_IMPS = DayRules(id="same-deal-imps-1", scoring="imps", time_counts=False)
DAYS_BOARDS = DayRules(id="same-deal-imps-2", scoring="imps", time_counts=False, boards=True)
DAYS_EVENING = DayRules(id="same-deal-evening-1", grace_seconds=0)
"""For who sits together: results come when the time is up."""
LADDER = LadderRules(id="openskill-6.2.0-plackett-luce-2", model="PlackettLuce")
RELIABILITY = ReliabilityRules(id="reliability-1")

LEAGUE_RULES: dict[str, BoxRules | DayRules] = {
    rules.id: rules for rules in (BOX, BOX_TWO, DAYS, DAYS_POINTS, DAYS_IMPS, DAYS_BOARDS, DAYS_EVENING)
}
"""What a league can be founded under."""
EARLIER_RULES: dict[str, BoxRules | DayRules] = {rules.id: rules for rules in (BOX_2, BOX_TWO_2, BOX_1, BOX_TWO_1)}
"""What leagues were founded under and go on under."""

IN_WORDS: dict[str, str] = {
    "box-units-3": "Divisions; 24 points for the first of a game",
    "box-210-3": "Divisions of pairs; 2 points a win, 1 a draw",
    "same-deal-1": "Same cards; matchpoints, time parts equals",
    "same-deal-points-1": "Same cards; matchpoints, time parts nobody",
    "same-deal-evening-1": "Same cards; matchpoints, results as soon as the time is up",
    "same-deal-imps-1": "Same cards; IMPs against the field",
    "same-deal-imps-2": "Same boards of duplicate bridge; IMPs against the field",
}
"""Every one of them in a few words, for who chooses."""
