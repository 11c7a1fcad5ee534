"""What cheating accounts do. Every scheme has one account that is to profit, named after the scheme."""

from collections.abc import Callable, Sequence
from random import Random

from domain.league.rules import RELIABILITY

from .people import MOVES, Log, Person, beats, rounds

Scheme = Callable[[Log, Person, Sequence[Person], Random], None]
"""Play of one who profits, among honest people."""


def fresh(me: Person, many: int) -> list[Person]:
    """New accounts in the hand of this one."""
    return [Person(f"{me.name[:9]} {number}", 25) for number in range(many)]


def private_card(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Thirty private games against thirty new accounts that resign after a card."""
    for helper in fresh(me, 30):
        log.resigned(me, helper, 2, visibility="private")


def public_card(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """The same in public."""
    for helper in fresh(me, 30):
        log.resigned(me, helper, 2)


def resigning(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Three hundred new accounts resign as soon as a game counts."""
    for helper in fresh(me, 300):
        log.resigned(me, helper, MOVES)


def servants(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Ten accounts lose to their master alone, thirty whole games each."""
    for _ in range(30):
        for helper in fresh(me, 10):
            log.won(me, helper)


def sandbags(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Five strong accounts earn a rating among honest people and then lose it to their master, ten games each."""
    helpers = [helper._replace(skill=people[len(people) // 4].skill) for helper in fresh(me, 5)]
    for helper in helpers:
        for other in lots.sample(people, 15):
            log.won(*beats(helper, other, lots))
    for _ in range(10):
        for helper in helpers:
            log.resigned(me, helper, MOVES)


def mixed(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Sixty new accounts resign, then thirty honest games at the skill of the middle."""
    for helper in fresh(me, 60):
        log.resigned(me, helper, MOVES)
    for other in lots.sample(people, 30):
        log.won(*beats(me._replace(skill=25), other, lots))


def ring(many: int, games: int) -> Scheme:
    """So many accounts play whole games in a ring by lot, so many each; their master wins all of its own."""

    def played(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
        """A closed ring."""
        for winner, loser in rounds([me._replace(skill=1000), *fresh(me, many)], games, lots):
            log.won(me if winner.name == me.name else winner, loser)

    return played


def runs_away(log: Log, me: Person, people: Sequence[Person], lots: Random) -> None:
    """Honest games at the skill of the middle; all that are lost are given up before they count, until that bars."""
    for _ in range(RELIABILITY.failures):
        winner, loser = beats(me._replace(skill=25), lots.choice(people), lots)
        while winner.name == me.name:
            log.won(me, loser)
            winner, loser = beats(me._replace(skill=25), lots.choice(people), lots)
        log.resigned(winner, me, MOVES - 1)


SCHEMES: dict[str, Scheme] = {
    "privatecard": private_card, "publiccard": public_card, "resigning": resigning, "servants": servants,
    "sandbags": sandbags, "mixed": mixed, "ringof4": ring(3, 40), "ringof6": ring(5, 40), "ringof12": ring(11, 40),
    "runsaway": runs_away,
}  # fmt: skip
