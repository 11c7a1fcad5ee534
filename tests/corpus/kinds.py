"""The kinds of game that the corpus is made of: how each is opened, played and ended. Any may raise Illegal."""

from collections.abc import Callable, Sequence
from uuid import UUID

from domain.capabilities import NumberedDeals
from domain.game_type import Illegal
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, record_events, revealed_event
from domain.play.endings import time_out, void
from domain.play.fork import Fork, fork

from .dealing import pack
from .play import START, Plan, Play, opened, player

LONG = 250
"""Steps of a game that is played to its end, at most."""


def short(plan: Plan, wanted: Sequence[type]) -> Play:
    """Some steps and a resignation."""
    return _ended(opened(plan), wanted)


def whole(plan: Plan, wanted: Sequence[type]) -> Play:
    """Played to the end, if that comes."""
    game = opened(plan)
    game.walk(LONG, wanted)
    game.resign()
    return game


def given_seed(plan: Plan, wanted: Sequence[type]) -> Play:
    return _ended(opened(plan, origin="given_seed"), wanted)


def given_deal(plan: Plan, wanted: Sequence[type]) -> Play:
    cards = pack(plan)
    plan.lots.shuffle(cards)
    return _ended(opened(plan, tuple(cards), origin="given_deal"), wanted)


def numbered_deal(plan: Plan, wanted: Sequence[type]) -> Play:
    assert plan.game_type.has(NumberedDeals)
    cards = tuple(plan.game_type.get(NumberedDeals).cards(plan.lots.randint(1, 32_000), plan.options))
    return _ended(opened(plan, cards, origin="numbered_deal"), wanted)


def practice(plan: Plan, wanted: Sequence[type]) -> Play:
    return _ended(opened(plan, rated=False, visibility="private", rematch_of=UUID(int=901)), wanted)


def unfinished(plan: Plan, wanted: Sequence[type]) -> Play:
    """It goes on."""
    game = opened(plan)
    game.walk(game.lots.randint(2, 12), wanted)
    return game


def waiting(plan: Plan, wanted: Sequence[type]) -> Play:
    """It waits for seeds or players."""
    return opened(plan, await_seeds=True)


def seeded(plan: Plan, wanted: Sequence[type]) -> Play:
    """Every seat gives a seed before the deal."""
    game = opened(plan, await_seeds=True)
    for seat in range(plan.seats):
        game.say(seat, ev.Seed(f"the seed of seat {seat}"))
    return _ended(game, wanted)


def company(plan: Plan, wanted: Sequence[type]) -> Play:
    """Players are invited, come, go and come again, with seeds of their own."""
    guests = (ev.Invited(player(1), 1), ev.Invited(player(8)))
    alone = (player(0), *[None] * (plan.seats - 1))
    game = opened(plan, players=alone, visibility="private", await_seeds=True, invited=guests)
    game.say(8, ev.Uninvite(player(8)))
    game.say(1, ev.Join(client_seed="the seed of seat 1"))
    game.say(1, ev.Leave())
    for seat in range(2, plan.seats + 1):
        game.say(0, ev.Invite(player(seat)))
    for seat in range(1, plan.seats):
        game.say(seat, ev.Join())
    for seat in range(plan.seats):
        game.say(seat, ev.Seed(f"the seed of seat {seat}"))
    return _ended(game, wanted)


def out_of_time(plan: Plan, wanted: Sequence[type]) -> Play:
    """Moves are awaited in vain until the game is over."""
    game = opened(plan, move_seconds=60, spectator_delay=3 if plan.seats > 1 else 0)
    game.walk(game.lots.choice((0, 6, 30)), wanted)
    while game.game.status == "playing":
        game.overdue()
        game.add(time_out(game.game, game.time))
    return game


def abandoned(plan: Plan, wanted: Sequence[type]) -> Play:
    """One seat would leave it, plays on after all, and then all agree."""
    game = opened(plan)
    game.say(0, ev.Abandon())
    game.walk(game.lots.randint(1, 9), wanted)
    for seat in range(plan.seats):
        game.say(seat, ev.Abandon())
    return game


def voided(plan: Plan, wanted: Sequence[type]) -> Play:
    """Declared void: while it is played, or afterwards."""
    game = unfinished(plan, wanted)
    if game.lots.random() < 0.5:
        game.resign()
    game.add(void(game.game, "a fault in the rules", Act(player(9), None, game.time)))
    return game


def contest(plan: Plan, wanted: Sequence[type]) -> Play:
    """The secrets are kept until the contest closes."""
    game = _ended(opened(plan, contest=UUID(int=900)), wanted)
    game.service(_closed)
    return game


def _closed(game: Game, act: Act) -> Step:
    return record_events(Step((), game), [revealed_event(game)], act)


def forked(plan: Plan, wanted: Sequence[type]) -> Play:
    """Played on from some step of a game that is over."""
    parent = seeded(plan._replace(name=f"parent of {plan.name}"), wanted)
    last = parent.game.step - len(parent.game.out) - 1
    if last < plan.seats:
        raise Illegal("too_short", "There is no step to fork from.")
    branch = Fork(step=plan.lots.randint(plan.seats, last), digest_key=plan.bytes("key"))
    return _ended(Play(plan, fork(parent.records, branch, plan.id, Act(player(3), None, START))), wanted)


def noted(plan: Plan, wanted: Sequence[type]) -> Play:
    """As a game that was brought here in another notation."""
    cards = pack(plan)
    plan.lots.shuffle(cards)
    return _ended(opened(plan, tuple(cards), origin="import", rated=False), wanted)


def hot_seat(plan: Plan, wanted: Sequence[type]) -> Play:
    """One player holds every seat."""
    return _ended(opened(plan, players=(player(0),) * plan.seats, rated=False), wanted)


def _ended(game: Play, wanted: Sequence[type]) -> Play:
    game.walk(game.lots.randint(2, 14), wanted)
    game.resign()
    return game


Kind = Callable[[Plan, Sequence[type]], Play]
ALONE: tuple[Kind, ...] = (
    short, whole, given_seed, given_deal, practice, unfinished, waiting, seeded, out_of_time, voided,
    contest, forked,
)  # fmt: skip
IN_COMPANY: tuple[Kind, ...] = (company, abandoned, hot_seat)
