"""A planted mistake is found exactly, what is open is never guessed, and branches that were taken back are told."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.games.pyramid import Draw, Recycle, Remove
from domain.games.the_clock import Step
from domain.play import events as ev
from service.analysis.foresight import Foresight, worlds_alike
from service.analysis.history import history_of
from service.analysis.kinds import conclude, search
from service.analysis.report import rate_deal, report_patience
from service.solving import Finding, state_after, verdict
from service.solving.levels import QUARTERS

from .planted import Planted, opened, planted, records

PLANTED = [
    ("black_hole", "planted 0", 44), ("black_hole", "planted 3", 46), ("golf", "never 9", 47),
    ("pyramid", "never 3", 89), ("seahaven_towers", "planted 0", 22), ("freecell", "planted 0", 42),
]  # fmt: skip
UNDO, RESIGN = ev.Undo(), ev.Resign()


def analysed(made, bound=None) -> Any:
    """The report on these records."""
    return conclude(made, [note for note, _ in search(made, (), bound)], complete=True)


@pytest.mark.parametrize("known", PLANTED)
def test_a_planted_mistake_is_found_exactly(known) -> None:
    game = planted(*known)
    made = records(game.key, game.seed, game.commands)
    told = analysed(made)
    assert (told.outcome, told.lost_step) == ("lost", game.lost_step)
    assert (told.last_winnable_step, told.first_lost_step) == (game.lost_step - 1, game.lost_step)
    assert [span.verdict for span in told.spans] == ["won", "impossible"]
    assert (told.spans[0].first, told.spans[0].last, told.spans[1].first) == (0, game.lost_step - 1, game.lost_step)
    assert told.spans[1].last == made[-1].step
    assert len(told.asked) < 10
    kind, state = GAME_TYPES[game.key], history_of(made).positions[told.line_step].state
    for move in told.line:
        for event in kind.decide(state, 0, move.command):
            state = kind.evolve(state, event)
    assert kind.result(state).ending == "won"
    assert told.sentences[1].startswith(f"The game was lost at step {game.lost_step}: The player ")


def test_what_the_bound_leaves_open_is_an_interval_that_holds_the_truth() -> None:
    game = planted("black_hole", "planted 0", 44)
    made = records(game.key, game.seed, game.commands)
    seen = set()
    for bound in (1, 20, 100, 400, 2_000):
        told = analysed(made, bound)
        seen.add(told.outcome)
        assert told.outcome in ("open", "lost")
        assert told.last_winnable_step is None or told.last_winnable_step < game.lost_step
        assert told.first_lost_step is None or told.first_lost_step >= game.lost_step
        assert told.lost_step in (None, game.lost_step)
        opened = [span for span in told.spans if span.verdict == "open"]
        assert bool(opened) == (told.outcome == "open")
    assert seen == {"open", "lost"}


def test_a_game_is_won_given_up_while_it_could_be_won_or_could_never_be() -> None:
    game = planted("black_hole", "planted 0", 44)
    line = verdict(game.key, *_dealt(game)).commands
    won = analysed(records(game.key, game.seed, line))
    assert (won.outcome, won.moves, len(won.line), won.line_step) == ("won", 51, 51, 0)
    assert "just as many" in won.sentences[1]
    early = analysed(records(game.key, game.seed, [*line[:10], RESIGN]))
    assert (early.outcome, early.last_winnable_step, early.lost_step) == ("given_up", 10, None)
    never = analysed(records("the_clock", "never 0", [Step(), Step(), RESIGN]))
    assert (never.outcome, never.lost_step, never.first_lost_step, never.line) == ("unwinnable", None, 0, ())


def _dealt(game: Planted):
    start = history_of(records(game.key, game.seed, [RESIGN]))
    return start.game.options, start.positions[0].state


def test_of_a_game_with_undo_the_branch_that_lost_and_the_one_that_won_are_told() -> None:
    game = planted("black_hole", "planted 3", 46)
    line, wrong = verdict(game.key, *_dealt(game)).commands, game.commands[game.lost_step - 1]
    good = game.lost_step - 1
    told = analysed(records(game.key, game.seed, [*line[:good], wrong, UNDO, *line[good:]]))
    assert told.outcome == "won"
    assert [(one.left_step, one.last_step, one.verdict, one.lost_step) for one in told.undone] == [
        (good, game.lost_step, "impossible", game.lost_step)
    ]
    assert [span.verdict for span in told.spans] == ["won", "impossible", "won"]
    assert f"lost once, at step {game.lost_step}" in told.sentences[2]
    given_up = analysed(records(game.key, game.seed, [*line[:good], wrong, UNDO, RESIGN]))
    assert (given_up.outcome, given_up.last_winnable_step) == ("given_up", good)


def test_the_difficulty_is_the_work_of_the_solver_and_of_no_deal_that_is_not_won() -> None:
    first, second, third = QUARTERS["freecell"]
    levels = {n: rate_deal("freecell", Finding("won", (), n)) for n in (1, first, first + 1, second, third, third + 1)}
    assert [one.level for one in levels.values() if one] == ["easy"] * 2 + ["medium"] * 2 + ["hard", "expert"]
    for one in (None, Finding("open", (), 5), Finding("impossible", (), 5)):
        assert rate_deal("freecell", one) is None
    game = Planted("freecell", "planted 0", {}, (), 0)
    deal = verdict(game.key, *_dealt(game))
    given_up = analysed(records(game.key, game.seed, [*deal.commands[:3], RESIGN]))
    assert given_up.difficulty == rate_deal("freecell", deal), "of a game that was given up, too"


def test_the_efficiency_is_against_the_shortest_line_known_the_game_itself_included() -> None:
    game = Planted("freecell", "planted 0", {}, (), 0)
    line = verdict(game.key, *_dealt(game)).commands
    straight = analysed(records(game.key, game.seed, line))
    assert (straight.moves, straight.shortest_found) == (len(line), len(line))
    roundabout = analysed(records(game.key, game.seed, _with_detour(game, line)))
    assert (roundabout.moves, roundabout.shortest_found) == (len(line) + 2, len(line))
    assert f"has {len(line)} moves" in roundabout.remarks[1]
    unsearched = report_patience(history_of(records(game.key, game.seed, line)), {})
    assert (unsearched.shortest_found, unsearched.difficulty) == (len(line), None), "the search ended before it began"
    assert straight.known_step is straight.foresight is None


def _with_detour(game: Planted, line):
    """The line, with a card that goes somewhere and comes back, as early as there is one."""
    kind, state = GAME_TYPES[game.key], _dealt(game)[1]
    for place, said in enumerate(line):
        for command in kind.legal_commands(state, 0):
            there = state_after(kind, state, command)
            for back in kind.legal_commands(there, 0):
                if kind.look(state_after(kind, there, back), 0) == kind.look(state, 0):
                    return [*line[:place], command, back, *line[place:]]
        state = state_after(kind, state, said)
    raise AssertionError("no card can go and come back")


def test_where_every_card_lies_open_the_loss_could_be_known_step_its_step() -> None:
    game = planted("black_hole", "planted 0", 44)
    told = analysed(records(game.key, game.seed, game.commands))
    assert (told.known_step, told.foresight) == (game.lost_step, None)


def test_where_cards_are_hidden_the_loss_is_known_by_deals_that_look_the_same_alone() -> None:
    line = verdict("pyramid", *_dealt(Planted("pyramid", "early 0", {}, (), 0))).commands
    wrong = Remove(source="pyramid_6_2", target="waste")
    made = records("pyramid", "early 0", [*line[:5], wrong, RESIGN])
    told = analysed(made)
    assert (told.lost_step, told.known_step) == (6, 6)
    assert told.foresight == Foresight(worlds=8, decided=8, lost=8, avoidable=8)
    notes = [note for note, _ in search(made, (), None)]
    assert [*search(made, notes, None)] == [], "what is known is not asked again, the foresight neither"
    assert conclude(made, notes, complete=True) == told
    history = history_of(made)
    worlds = list(worlds_alike(history, 6))
    assert len({world.stock for world in worlds}) > 1
    for other in worlds[:3]:
        assert list(worlds_alike(_as_dealt(history, other), 6)) == worlds, "where the hidden cards lie changes nothing"


def test_whoever_has_seen_every_card_could_know_it() -> None:
    line = verdict("pyramid", *_dealt(Planted("pyramid", "early 0", {}, (), 0))).commands
    looked, wrong = [*[Draw()] * 24, Recycle()], Remove(source="pyramid_6_2", target="waste")
    made = records("pyramid", "early 0", [*looked, *line[:5], wrong, RESIGN])
    told = analysed(made)
    assert (told.lost_step, told.known_step) == (31, 31)
    assert told.foresight == Foresight(worlds=1, decided=1, lost=1, avoidable=1)
    assert "could be known" in told.remarks[-1]
    assert len(list(worlds_alike(history_of(made), 24))) == 8, "before the last card is turned"


@pytest.mark.parametrize("key", ["spider", "pyramid"])
def test_deals_that_look_the_same_are_found_where_cards_are_twice_in_the_pack_and_where_one_was_turned(key) -> None:
    kind, options = GAME_TYPES[key], {"stock_top": True} if key == "pyramid" else {}
    states, commands = [opened(key, "alike", **options).state], []
    for _ in range(5):
        commands.append(kind.legal_commands(states[-1], 0)[0])
        states.append(state_after(kind, states[-1], commands[-1]))
    worlds = list(worlds_alike(history_of(records(key, "alike", [*commands, RESIGN], **options)), 5))
    assert len({world.stock for world in worlds}) == 8
    assert all(kind.look(world, 0) == kind.look(states[4], 0) for world in worlds)


def _as_dealt(history, world):
    """The history as it would be, had the cards still hidden before step 6 lain as in this world."""
    kind, places = history.game.type, dict(history.positions)
    (dealt,) = places[0].events
    swapped = dict(zip(places[5].state.stock, world.stock, strict=True))
    dealt = replace(dealt, cards=tuple(swapped.get(card, card) for card in dealt.cards))
    state = kind.initial(history.game.options, 1)
    for step in range(6):
        for event in (dealt,) if step == 0 else places[step].events:
            state = kind.evolve(state, event)
        places[step] = places[step]._replace(state=state, events=(dealt,) if step == 0 else places[step].events)
    assert state == world
    return history._replace(positions=places)


@pytest.mark.parametrize(("decided", "lost", "avoidable", "knowable"), [
    (8, 8, 8, True), (5, 5, 1, True), (8, 7, 7, False), (4, 4, 4, False), (8, 8, 0, False), (0, 0, 0, False),
])  # fmt: skip
def test_a_loss_is_knowable_where_it_is_lost_in_every_deal_decided(decided, lost, avoidable, knowable) -> None:
    assert Foresight(8, decided, lost, avoidable).is_knowable is knowable
