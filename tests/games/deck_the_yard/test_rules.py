"""The rules of Deck the Yard: deal, line-ups, plugs, events, options, endings, cards, and what is told."""

from collections import Counter
from itertools import combinations

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import Reconstructed, Undoing
from domain.chance import Chance
from domain.game_type import Result
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard import state as yard
from domain.games.deck_the_yard.events import ClaimPattern, Command, Discard, EndGame, PlayBubble, PlayColour, UsePlug
from domain.games.deck_the_yard.state import Options
from domain.games.deck_the_yard.view import MATERIAL
from domain.view import ALL_SEEING

from .positions import (
    PLAIN,
    RULES,
    SECRET,
    after,
    cards,
    dealt,
    discard,
    events,
    legal,
    names,
    play,
    position,
    rule_against,
    sentences,
    zones,
)


def test_the_stock_of_70_cards_has_65_left_after_the_deal_however_many_were_replaced():
    assert len(yard.STOCK) == 70
    for seed in range(30):
        state = dealt(seed=bytes([seed]) * 32)
        assert (len(state.hand), len(state.stock)) == (5, 65)
        assert sorted(state.hand + state.stock) == sorted(yard.STOCK)


FREE, ON = Options(free_first_bulb=True), Options(play_on=True)
LINE = "lineup RED GREEN PINK YELLOW"
OUTAGE = "stock EVENT BROKEN RED SANTA BLUE PLUG BUBBLE EVENT GREEN PINK YELLOW"
SIX_CLAIMS = "claims P02 P03 P04 P05 P06 FROSTY"
SEVEN_CLAIMS = f"{SIX_CLAIMS} MRS_CLAUS"
EIGHTH = f"hand PLUG RED BLUE PINK PURPLE\nstock SANTA GREEN BLUE\n{SEVEN_CLAIMS}"
EMPTY = "hand BLUE\nlineup RED GREEN PINK\nclaims P02 P03"
WON = Result("won", "eight_claims", (0,), (8,))


def lost(claims: int, reason: str = "hand_empty") -> Result:
    return Result("lost", reason, (), (claims,))


LEADS: dict[str, tuple[str, Options, str, dict[str, str], Result | None]] = {
    "four bulbs and a bubble complete a pattern": (
        "hand PINK YELLOW BLUE BLUE\nlineup RED GREEN BUBBLE\nstock RED RED RED RED", PLAIN, "play PINK, play YELLOW",
        {"claims": "P01", "discard": "RED GREEN PINK YELLOW BUBBLE", "bulbs": "", "bubble": "", "face_up": "P18 P07"},
        None,
    ),
    "a bubble is the fifth bulb": (
        f"hand BUBBLE RED RED RED\n{LINE}\nstock RED", PLAIN, "play BUBBLE", {"claims": "P01"}, None,
    ),
    "a bubble is the first of a line-up": (
        "hand BUBBLE RED BLUE BLUE\nstock GREEN GREEN BLUE BLUE", PLAIN, "play BUBBLE, play RED, play GREEN",
        {"bulbs": "RED GREEN", "bubble": "BUBBLE"}, None,
    ),
    "an event discards the hand and sets specials of the new one aside": (
        f"hand RED RED BLUE PINK PURPLE\n{OUTAGE}", PLAIN, "discard PURPLE",
        {"hand": "RED BLUE PLUG BUBBLE GREEN", "discard": "PURPLE EVENT RED RED BLUE PINK",
         "stock": "BROKEN EVENT PINK SANTA YELLOW"}, None,
    ),
    "a plug cancels an event and two more cards are drawn": (
        "hand PLUG RED BLUE PINK PURPLE\nstock EVENT GREEN YELLOW BLUE", PLAIN, "discard PURPLE, use",
        {"hand": "RED BLUE PINK GREEN YELLOW", "discard": "PURPLE EVENT PLUG"}, None,
    ),
    "a plug kept back from an event goes with the hand": (
        f"hand PLUG RED BLUE PINK PURPLE\n{OUTAGE}", PLAIN, "discard PURPLE, keep",
        {"hand": "RED BLUE PLUG BUBBLE GREEN", "discard": "PURPLE EVENT PLUG RED BLUE PINK"}, None,
    ),
    "a broken bulb that meets no line-up asks for no plug": (
        "hand PLUG RED BLUE PINK PURPLE\nstock BROKEN GREEN BLUE", PLAIN, "discard PURPLE",
        {"hand": "PLUG RED BLUE PINK GREEN", "discard": "PURPLE BROKEN"}, None,
    ),
    "a broken bulb takes the whole line-up and the bubble": (
        "hand RED BLUE PINK PURPLE YELLOW\nlineup RED GREEN BUBBLE\nstock BROKEN GREEN BLUE", PLAIN, "discard PURPLE",
        {"bulbs": "", "bubble": "", "discard": "PURPLE BROKEN RED GREEN BUBBLE", "hand": "RED BLUE PINK YELLOW GREEN"},
        None,
    ),
    "a bubble alone is a line-up for it": (
        "hand RED BLUE PINK PURPLE YELLOW\nlineup BUBBLE\nstock BROKEN GREEN BLUE", PLAIN, "discard PURPLE",
        {"bubble": "", "discard": "PURPLE BROKEN BUBBLE"}, None,
    ),
    "a plug saves the line-up and drawing goes on": (
        "hand PLUG RED BLUE PINK\nlineup RED\nstock BROKEN GREEN YELLOW RED", PLAIN, "discard PINK, use",
        {"bulbs": "RED", "discard": "PINK BROKEN PLUG", "hand": "RED BLUE GREEN YELLOW RED"}, None,
    ),
    "a plug saves a bubble alone": (
        "hand PLUG RED BLUE PINK\nlineup BUBBLE\nstock BROKEN GREEN YELLOW RED", PLAIN, "discard PINK, use",
        {"bubble": "BUBBLE"}, None,
    ),
    "a plug declined is kept and the line-up lost": (
        "hand PLUG RED BLUE PINK\nlineup RED BUBBLE\nstock BROKEN GREEN YELLOW", PLAIN, "discard PINK, keep",
        {"hand": "PLUG RED BLUE GREEN YELLOW", "bulbs": "", "discard": "PINK BROKEN RED BUBBLE"}, None,
    ),
    "a plug is no duty": (
        "hand RED PURPLE PLUG BLUE\nlineup RED GREEN\nstock SANTA GREEN YELLOW", PLAIN, "discard BLUE, keep",
        {"discard": "BLUE SANTA", "hand": "RED PURPLE PLUG GREEN YELLOW"}, None,
    ),
    "a plug that has just been drawn serves for the next card": (
        "hand RED BLUE PINK\nstock PLUG SANTA RED RED RED", PLAIN, "discard PINK, use", {"claims": "SANTA"}, None,
    ),
    "several cards drawn may each ask for a plug": (
        "hand PLUG PLUG RED BLUE\nstock SANTA FROSTY RED GREEN PINK BLUE", PLAIN, "discard BLUE, use, use",
        {"claims": "SANTA FROSTY", "hand": "RED RED GREEN PINK BLUE"}, None,
    ),
    "a character without a plug is discarded and drawing goes on": (
        "hand RED RED BLUE PINK PURPLE\nstock SANTA GREEN BLUE", PLAIN, "discard PURPLE",
        {"hand": "RED RED BLUE PINK GREEN", "discard": "PURPLE SANTA", "claims": ""}, None,
    ),
    "a character as the eighth claim wins before a further card": (
        EIGHTH, PLAIN, "discard PURPLE, use", {"hand": "RED BLUE PINK", "stock": "BLUE GREEN"}, WON,
    ),
    "a pattern as the eighth claim wins before a card is drawn": (
        f"hand PURPLE RED\n{LINE}\n{SEVEN_CLAIMS}\nstock RED", PLAIN, "play PURPLE", {"hand": "RED"}, WON,
    ),
    "a seventh claim does not": (
        f"hand PURPLE RED\n{LINE}\n{SIX_CLAIMS}\nstock RED", PLAIN, "play PURPLE", {"hand": "RED RED"}, None,
    ),
    "a useless bulb discarded": (EMPTY, PLAIN, "discard BLUE", {}, lost(2)),
    "the game ended": (EMPTY, PLAIN, "end", {}, lost(2, "ended_by_player")),
    "an outage that finds only specials ends the game": (
        "hand RED BLUE PINK PINK GREEN\nstock EVENT BROKEN SANTA\nclaims P02", PLAIN, "discard GREEN",
        {"stock": "BROKEN SANTA", "discard": "GREEN EVENT RED BLUE PINK PINK"}, lost(1),
    ),
    "after an outage the drawing ends with what came": (
        "hand RED BLUE PINK PINK\nstock EVENT BROKEN RED", PLAIN, "discard PINK", {"hand": "RED", "stock": "BROKEN"},
        None,
    ),
    "and the last card played may end the game": (
        "hand RED BLUE PINK PINK\nlineup RED\nstock EVENT BROKEN GREEN", PLAIN, "discard PINK, play GREEN",
        {"bulbs": ""}, lost(0),
    ),
    "an outage with nothing left ends the game": ("hand RED\nstock EVENT", PLAIN, "discard RED", {}, lost(0)),
    "the stock is shuffled only if cards were set aside": (
        "hand RED BLUE PINK PINK\nstock EVENT RED GREEN BLUE PINK YELLOW PURPLE", PLAIN, "discard PINK",
        {"stock": "PURPLE"}, None,
    ),
    "a broken bulb clears a free first bulb away": (
        "hand BLUE RED GREEN BUBBLE YELLOW\nstock BROKEN RED", FREE, "play BLUE",
        {"discard": "BROKEN BLUE", "bulbs": ""}, None,
    ),
    "playing on, the eighth claim is followed by more cards": (
        EIGHTH, ON, "discard PURPLE, use", {"hand": "RED BLUE PINK GREEN BLUE"}, None,
    ),
    "and the game is won when it is ended": (EIGHTH, ON, "discard PURPLE, use, end", {}, WON),
    "playing on, a hand played out wins with eight": (f"hand RED\n{SEVEN_CLAIMS} SANTA", ON, "discard RED", {}, WON),
    "and loses with fewer": (f"hand RED\n{SEVEN_CLAIMS}", ON, "discard RED", {}, lost(7)),
}  # fmt: skip


def command(text: str) -> Command:
    """`play RED`, `discard RED`, `use` or `keep` (a plug), `claim 1`, `end`."""
    verb, _, card = text.strip().partition(" ")
    if verb in ("play", "discard"):
        return play(card) if verb == "play" else discard(card)
    return EndGame() if verb == "end" else ClaimPattern(f"pattern_{card}") if card else UsePlug(verb == "use")


@pytest.mark.parametrize(("text", "options", "said", "left", "result"), LEADS.values(), ids=LEADS)
def test_what_commands_lead_to(text, options, said, left, result):
    state = after(position(text, options), *map(command, said.split(",")))
    piles = {name: getattr(state, name) for name in left}
    shown = {name: names(pile if isinstance(pile, tuple) else filter(None, (pile,))) for name, pile in piles.items()}
    if "stock" in shown:
        shown["stock"] = " ".join(sorted(shown["stock"].split()))
    assert shown == left
    assert DECK_THE_YARD.result(state) == result
    assert bool(DECK_THE_YARD.legal_commands(state, 0)) is (result is None)
    assert result is None or rule_against(state, EndGame()) == "game_over"


EVENTS = {
    "a bubble that completes a pattern": (
        f"hand BUBBLE RED RED RED\n{LINE}\nstock RED", "", "play BUBBLE",
        [ev.BubblePlayed("*1"), ev.PatternClaimed("pattern_0", "AS", cards("RED GREEN PINK YELLOW BUBBLE"))],
    ),
    "an event cancelled": (
        "hand PLUG RED BLUE PINK PURPLE\nstock EVENT GREEN YELLOW BLUE", "discard PURPLE", "use",
        [ev.EventCardResolved("*4", False, "*2")],
    ),
    "an event with a plug kept back": (
        f"hand PLUG RED BLUE PINK PURPLE\n{OUTAGE}", "discard PURPLE", "keep",
        [ev.EventCardResolved("*4", True, None, cards("PLUG RED BLUE PINK"))],
    ),
    "a broken bulb and a plug": (
        "hand PLUG RED BLUE PINK\nlineup RED\nstock BROKEN GREEN YELLOW RED", "discard PINK", "use",
        [ev.BrokenBulbResolved("*3", "*2")],
    ),
    "a broken bulb and a plug kept": (
        "hand PLUG RED BLUE PINK\nlineup RED BUBBLE\nstock BROKEN GREEN YELLOW", "discard PINK", "keep",
        [ev.BrokenBulbResolved("*3", None, cards("RED BUBBLE"))],
    ),
    "a character without a plug": (
        "hand RED BLUE PINK PINK\nstock SANTA GREEN BLUE", "", "discard PINK",
        [ev.Discarded(*cards("PINK")), ev.Drawn("KC"), ev.CharacterResolved("KC", claimed=False)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "before", "said", "happened"), EVENTS.values(), ids=EVENTS)
def test_what_happens_is_recorded(text, before, said, happened):
    state = after(position(text), *([command(before)] if before else []))
    assert list(events(state, command(said))[: len(happened)]) == happened


ANSWERS = {
    "the beginning of a face-up pattern, a bubble and discards can be played first": (
        "hand RED BLUE GREEN BUBBLE PLUG\nstock RED", PLAIN, "",
        {"play RED": None, "play BUBBLE": None, "play BLUE": "next_in_pattern", "play GREEN": "next_in_pattern",
         "discard PLUG": None},
    ),
    "while both patterns are open both may be continued": (
        "hand GREEN YELLOW PINK RED\nlineup RED\nstock BLUE BLUE", PLAIN, "", {"play GREEN": None, "play YELLOW": None},
    ),
    "and then only one": (
        "hand GREEN YELLOW PINK RED\nlineup RED\nstock BLUE BLUE", PLAIN, "play GREEN",
        {"play YELLOW": "next_in_pattern", "play PINK": None},
    ),
    "one bubble in a pattern and no fifth colour beside it": (
        "hand BUBBLE PURPLE YELLOW RED\nlineup RED GREEN PINK BUBBLE\nstock RED", PLAIN, "",
        {"play BUBBLE": "one_bubble", "play PURPLE": "next_in_pattern", "play YELLOW": None},
    ),
    "every rule by its slug": (
        "hand RED PURPLE PLUG BLUE\nlineup RED GREEN\nstock SANTA GREEN YELLOW", PLAIN, "",
        {"play YELLOW": "not_in_hand", "play BUBBLE": "not_in_hand", "discard GREEN": "not_in_hand",
         "play PURPLE": "next_in_pattern", "use": "no_plug_asked", "claim 0": "not_completed",
         "end": "stock_not_empty"},
    ),
    "nothing else before the word on the plug": (
        "hand RED PURPLE PLUG BLUE\nlineup RED GREEN\nstock SANTA GREEN YELLOW", PLAIN, "discard BLUE",
        {"play RED": "plug_first", "play BUBBLE": "plug_first", "discard RED": "plug_first", "claim 1": "plug_first",
         "end": "plug_first", "use": None, "keep": None},
    ),
    "the first bulb begins a pattern": (
        "hand BLUE RED GREEN\nstock RED RED RED", PLAIN, "",
        {"play BLUE": "next_in_pattern", "play RED": None, "play GREEN": "next_in_pattern"},
    ),
    "a free first bulb": (
        "hand BLUE RED GREEN\nstock RED RED RED", FREE, "", {"play BLUE": None, "play RED": None, "play GREEN": None},
    ),
    "one that begins no pattern is followed by nothing": (
        "hand BLUE RED GREEN BUBBLE\nstock RED RED RED", FREE, "play BLUE",
        {"play RED": "next_in_pattern", "play BUBBLE": "next_in_pattern"},
    ),
    "the second bulb is not free": (
        "hand BLUE GREEN\nlineup RED\nstock RED RED", FREE, "", {"play BLUE": "next_in_pattern", "play GREEN": None},
    ),
    "a first bulb before a bubble is": ("hand BLUE\nlineup BUBBLE\nstock RED", FREE, "", {"play BLUE": None}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "before", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, before, answers):
    state = after(position(text, options), *([command(before)] if before else []))
    assert {said: rule_against(state, command(said)) for said in answers} == answers


def test_a_plug_is_no_colour_bulb():
    state = position("hand RED PURPLE PLUG BLUE\nlineup RED GREEN\nstock SANTA")
    assert [rule_against(state, PlayColour(card)) for card in ("*2", "QD")] == ["not_a_colour_bulb", "not_in_hand"]


def test_an_outage_and_its_shuffle_are_recorded():
    state = position(f"hand RED RED BLUE PINK PURPLE\n{OUTAGE}")
    happened = events(state, discard("PURPLE"))
    assert [type(event) for event in happened] == [
        ev.Discarded, ev.Drawn, ev.EventCardResolved, ev.HandRedrawn, ev.StockShuffled,
    ]  # fmt: skip
    shuffled = happened[-1]
    assert shuffled.chance.number == state.chance.number + 1
    assert after(state, discard("PURPLE")).chance == shuffled.chance


def test_with_no_pattern_to_come_a_claimed_one_leaves_its_place_empty():
    state = replace(position(f"hand PURPLE BLUE\n{LINE}\nstock RED RED"), pattern_stock=())
    last = after(state, play("PURPLE"))
    assert last.face_up == (None, *cards("P07"))
    assert [legal(last, play(colour)) for colour in ("RED", "BLUE")] == [True, False]
    assert zones(last)["pattern_0"].cards == ()


TWINS = f"hand PURPLE BLUE PINK\n{LINE}\nstock RED GREEN BLUE PINK"


def test_with_other_patterns_the_player_chooses_between_two_that_are_completed(monkeypatch):
    monkeypatch.setitem(yard.PATTERNS, *cards("P07"), yard.PATTERNS[cards("P01")[0]])
    assert events(position(TWINS), play("PURPLE")) == (ev.ColourPlayed(*cards("PURPLE")),)
    both = after(position(TWINS), play("PURPLE"))
    assert DECK_THE_YARD.look(both, 0).phase == "claim_pattern"
    assert DECK_THE_YARD.legal_commands(both, 0) == (ClaimPattern("pattern_0"), ClaimPattern("pattern_1"))
    assert rule_against(both, discard("BLUE")) == "claim_first"
    claimed = after(both, ClaimPattern("pattern_1"))
    assert (names(claimed.claims), names(claimed.hand)) == ("P07", "BLUE PINK RED GREEN BLUE")
    assert claimed.face_up == (*cards("P01"), both.pattern_stock[-1])
    won = after(position(f"{TWINS}\n{SEVEN_CLAIMS}"), play("PURPLE"), ClaimPattern("pattern_1"))
    assert (DECK_THE_YARD.result(won).ending, names(won.hand)) == ("won", "BLUE PINK")
    bare = after(position(f"hand PURPLE\n{LINE}"), play("PURPLE"))
    assert DECK_THE_YARD.result(bare) is None
    assert DECK_THE_YARD.result(after(bare, ClaimPattern("pattern_0"))).scores == (1,)


def test_nothing_can_be_taken_back():
    assert DECK_THE_YARD.get(Undoing).allowed(DECK_THE_YARD.options()) is False


def test_before_the_deal_nothing_is_legal_and_nothing_has_ended():
    start = DECK_THE_YARD.initial(DECK_THE_YARD.options(), 1)
    assert rule_against(start, EndGame()) == "game_over"
    assert DECK_THE_YARD.result(start) is None
    assert DECK_THE_YARD.look(start, 0).phase == "deal"


FIRST = cards("RED SANTA PLUG EVENT BUBBLE BLUE BROKEN RED")


def in_front(first, whole):
    """The whole pack with these cards in front."""
    rest = list(whole)
    for card in first:
        rest.remove(card)
    return (*first, *rest)


GIVEN = (*yard.PATTERNS, *in_front(FIRST, yard.STOCK))


def test_an_opening_hand_may_hold_plugs_and_bubbles_but_nothing_that_happens():
    state = dealt(GIVEN)
    assert names(state.hand) == "RED PLUG BUBBLE BLUE RED"
    for seed in range(30):
        assert set(dealt(seed=bytes([seed]) * 32).hand) <= yard.KEPT


def test_cards_set_aside_are_shuffled_back_before_the_next_card_is_drawn():
    state = dealt(GIVEN)
    assert names(state.stock[:3]) == "SANTA EVENT BROKEN"
    first, second, third, *_ = events(state, discard("BLUE"))
    assert [type(first), type(second), type(third)] == [ev.Discarded, ev.StockShuffled, ev.Drawn]
    assert sorted(second.stock) == sorted(state.stock)  # type: ignore[attr-defined]
    assert second.stock[:3] != state.stock[:3]  # type: ignore[attr-defined]
    assert third.card == second.stock[-1]  # type: ignore[attr-defined]
    assert not after(state, discard("BLUE")).unshuffled


def test_nothing_is_shuffled_where_nothing_was_set_aside():
    clean = cards("RED PLUG BUBBLE BLUE RED GREEN")
    state = dealt((*yard.PATTERNS, *in_front(clean, yard.STOCK)))
    assert not state.unshuffled
    assert events(state, discard("BLUE")) == (ev.Discarded(*cards("BLUE")), ev.Drawn(*cards("GREEN")))


def test_a_given_deal_may_mix_patterns_and_cards_and_two_patterns_lie_face_up_with_the_third_next():
    state = dealt(GIVEN)
    assert state.face_up == cards("P01 P02")
    assert (names(state.pattern_stock[-1:]), len(state.pattern_stock)) == ("P03", 16)
    mixed = [card for pair in zip(GIVEN[:18], GIVEN[18:36], strict=True) for card in pair]
    assert dealt([*mixed, *GIVEN[36:]]).stock == dealt(GIVEN).stock


def test_patterns_and_stock_are_shuffled_apart_and_the_chance_that_remains_is_recorded():
    deal = DECK_THE_YARD.deal(Options(), Chance(bytes(32)), 1)[0]
    assert sorted(deal.patterns) == sorted(yard.PATTERNS)
    assert sorted(deal.cards) == sorted(yard.STOCK)
    assert deal.chance == Chance(bytes(32), 2)


@pytest.mark.parametrize("wrong", [{"undo": True}, {"play_on": 1}, {"free_first_bulb": "yes"}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


@pytest.mark.parametrize(("text", "claimable"), [
    ("hand YELLOW PURPLE\nlineup RED GREEN PINK", True), ("hand PURPLE YELLOW\nlineup RED GREEN PINK", True),
    ("hand YELLOW BUBBLE\nlineup RED GREEN PINK", True), ("hand YELLOW RED\nlineup RED GREEN PINK BUBBLE", True),
    ("hand YELLOW RED\nlineup RED GREEN PINK", False), ("hand PURPLE BUBBLE\nlineup RED GREEN PINK", False),
    ("hand PLUG PLUG\nlineup RED GREEN PINK BUBBLE", False), ("hand RED YELLOW PURPLE GREEN PINK", True),
    ("hand RED YELLOW PURPLE GREEN BUBBLE", True), ("hand RED YELLOW PURPLE PINK BUBBLE", False),
    ("hand RED YELLOW PURPLE GREEN BLUE", False),
])  # fmt: skip
def test_with_an_empty_stock_it_is_stuck_unless_the_hand_completes_a_pattern(text, claimable):
    assert RULES.stuck(position(text)) is not claimable
    assert claims(position(text)) == claimable


def claims(state):
    """Whether some way to play the hand out claims a card."""
    commands = [said for said in DECK_THE_YARD.legal_commands(state, 0) if not isinstance(said, EndGame)]
    return bool(state.claims) or any(claims(after(state, command)) for command in commands)


def test_stuck_is_told_with_an_empty_stock_alone():
    assert not RULES.stuck(position("hand RED\nlineup RED GREEN PINK\nstock BROKEN"))
    assert not RULES.stuck(after(position("hand RED"), discard("RED")))
    growing = position("hand PINK RED\nlineup RED GREEN")
    assert RULES.stuck(growing)
    assert play("PINK") in DECK_THE_YARD.legal_commands(growing, 0)


def test_the_stock_has_the_numbers_of_the_game():
    bulbs = [card for card in yard.STOCK if card in yard.COLOUR or card == yard.BUBBLE]
    assert len(bulbs) // 5 == 9 < len(yard.PATTERNS)
    counted = Counter(yard.STOCK)
    assert [counted[bulb] for bulb in yard.COLOUR] == [7] * 6
    assert [counted[card] for card in (yard.BUBBLE, yard.PLUG, yard.BROKEN, yard.EVENT)] == [6, 8, 5, 3]
    assert [counted[character] for character in yard.CHARACTER] == [1] * 6
    assert counted.total() == 70


def test_every_kind_of_card_is_written_in_its_own_way():
    kinds = [*yard.COLOUR, yard.BUBBLE, yard.PLUG, yard.BROKEN, yard.EVENT, *yard.CHARACTER, *yard.PATTERNS]
    assert len(set(kinds)) == len(kinds) == 16 + 18
    assert len({yard.call_card(card) for card in kinds}) == len(kinds)
    assert {*yard.COLOUR, yard.BUBBLE, yard.PLUG} == yard.KEPT


def test_no_two_of_eighteen_patterns_begin_alike_and_every_colour_stands_three_times_in_each_place():
    assert len(yard.PATTERNS) == 18
    assert all(len(set(pattern)) == 5 for pattern in yard.PATTERNS.values())
    assert all(one[:2] != other[:2] for one, other in combinations(yard.PATTERNS.values(), 2))
    for bulb in yard.COLOUR:
        assert sum(bulb not in pattern for pattern in yard.PATTERNS.values()) == 3
        assert [sum(pattern[place] == bulb for pattern in yard.PATTERNS.values()) for place in range(5)] == [3] * 5


def test_the_game_says_that_it_is_reconstructed_and_lists_its_patterns():
    assert DECK_THE_YARD.has(Reconstructed)
    assert "Reconstructed" in DECK_THE_YARD.rules
    assert all(f"* {yard.NUMBER[card]} `{card}`: " in DECK_THE_YARD.rules for card in yard.PATTERNS)


def test_the_rules_in_prose_name_every_card():
    rules = DECK_THE_YARD.rules
    assert ", ".join(f"`{card}` {colour}" for card, colour in yard.COLOUR.items()) in rules
    assert ", ".join(f"`{card}` {name}" for card, name in yard.CHARACTER.items()) in rules
    assert all(f"(`{card}`)" in " ".join(rules.split()) for card in (yard.BUBBLE, yard.PLUG, yard.BROKEN, yard.EVENT))
    patterns = (
        f"* {yard.NUMBER[card]} `{card}`: {', '.join(map(yard.COLOUR.get, bulbs))}"
        for card, bulbs in yard.PATTERNS.items()
    )
    assert "\n".join(patterns) in rules


PRINTED = {card.id: card for card in MATERIAL.stock}


def test_the_stock_has_its_cards_and_their_kinds() -> None:
    assert Counter({card.id: card.count for card in MATERIAL.stock}) == Counter(yard.STOCK)
    red = PRINTED["AH"]
    assert (red.name, red.kind, red.colour) == ("red bulb", "bulb", "red")
    assert [card.kind for card in MATERIAL.stock if not card.kept] == ["broken_bulb", "event", *["character"] * 6]


def test_a_pattern_is_five_bulbs_of_the_stock_in_their_colours() -> None:
    assert [pattern.number for pattern in MATERIAL.patterns] == [f"P{number:02}" for number in range(1, 19)]
    for pattern in MATERIAL.patterns:
        assert pattern.bulbs == yard.PATTERNS[pattern.id]
        assert pattern.colours == tuple(PRINTED[bulb].colour for bulb in pattern.bulbs)


MEMBERS = [0, None]
START = dealt()
DEAL = DECK_THE_YARD.deal(Options(), Chance(bytes(32)), 1)[0]
BEFORE = DECK_THE_YARD.initial(Options(), 1)


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_stock_and_the_patterns_to_come_are_backs_and_everything_else_lies_open(viewer):
    seen = zones(START, viewer)
    assert (seen["stock"].face_down, seen["stock"].cards) == (65, ())
    assert (seen["pattern_stock"].face_down, seen["pattern_stock"].cards) == (16, ())
    assert seen["hand_0"].cards == START.hand
    assert (seen["pattern_0"].cards + seen["pattern_1"].cards) == START.face_up


def test_a_bubble_lies_at_the_far_right_of_the_line_up():
    state = after(position("hand GREEN\nlineup RED BUBBLE\nstock RED RED"), play("GREEN"))
    assert names(zones(state)["lineup"].cards) == "RED GREEN BUBBLE"


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_two_patterns_and_the_cards_met_for_the_opening_hand(viewer):
    first = cards("RED SANTA PLUG EVENT BUBBLE BLUE BROKEN RED")
    deal = ev.Dealt(tuple(yard.PATTERNS), (*first, *cards("GREEN PLUG BROKEN")), SECRET)
    shown = DECK_THE_YARD.redact(BEFORE, deal, viewer)
    assert shown == ev.Dealt((*deal.patterns[:2], *["#"] * 16), (*first, "#", "#", "#"))


@pytest.mark.parametrize("viewer", MEMBERS)
def test_a_shuffle_shows_nothing_but_the_number_of_cards(viewer):
    shuffled = ev.StockShuffled(cards("RED PLUG"), SECRET)
    assert DECK_THE_YARD.redact(BEFORE, shuffled, viewer) == ev.StockShuffled(("#", "#"))
    assert DECK_THE_YARD.redact(BEFORE, shuffled, ALL_SEEING) == ev.StockShuffled(cards("RED PLUG"))


def test_the_facts_say_the_table_in_words():
    state = position("hand GREEN PLUG\nlineup RED BUBBLE\nclaims SANTA\nstock RED")
    facts = DECK_THE_YARD.look(state, 0).facts
    first, second = facts.patterns
    assert [(one.number, one.card, one.fits) for one in (first, second)] == [("P01", "AS", True), ("P07", "7S", True)]
    assert first.colours == ("red", "green", "pink", "yellow", "purple")
    assert (facts.lineup, facts.hand) == (("red bulb", "bubble bulb"), ("green bulb", "plug"))
    assert (facts.next_colours, facts.claims, facts.claimed) == (("green", "yellow"), ("Santa",), 1)


def test_the_card_drawn_lies_open_while_a_plug_is_asked_for():
    state = after(position("hand PLUG RED\nlineup RED\nstock BROKEN RED"), discard("RED"))
    view = DECK_THE_YARD.look(state, 0)
    assert (view.phase, view.to_act, view.facts.drawn) == ("use_plug", (0,), "broken bulb")
    assert view.facts.next_colours == ()
    assert names(zones(state)["drawn"].cards) == "BROKEN"


def test_playing_and_claiming_are_told():
    state = position("hand PURPLE RED\nlineup RED GREEN PINK YELLOW\nstock RED")
    coming = DECK_THE_YARD.tell(state, ev.PatternRevealed("pattern_0", state.pattern_stock[-1]), 0)
    assert sentences(state, play("PURPLE")) == [
        "The player adds a purple bulb (5H) to the line-up.",
        "The player has completed and claims pattern P01 (AS: red, green, pink, yellow, purple); "
        "the five bulbs are discarded.",
        coming,
        "The player draws a red bulb (AH).",
    ]
    assert coming.startswith("The next pattern is pattern P18 (5D: ")


def test_an_outage_is_told_with_what_is_set_aside():
    state = position("hand RED BLUE PINK\nstock EVENT SANTA RED BROKEN PLUG")
    assert sentences(state, discard("PINK")) == [
        "The player discards a pink bulb (6H).",
        "The player draws a draw-event card (*4).",
        "The power goes out: the player discards a red bulb (AH) and a blue bulb (4H).",
        "The new hand is a red bulb (AH) and a plug (*2); "
        "Santa (KC) and a broken bulb (*3) are set aside and put back.",
        "The stock is shuffled with the cards that had been set aside.",
    ]


@pytest.mark.parametrize(
    ("stock", "use", "told"),
    [
        ("EVENT", True, "A plug is discarded with the event: nothing happens."),
        ("SANTA", True, "The player discards a plug and claims Santa (KC)."),
        ("SANTA", False, "Without a plug for Santa (KC), the card is discarded."),
        ("BROKEN", True, "A plug is discarded with the broken bulb: nothing happens."),
        ("BROKEN", False, "The broken bulb takes the whole line-up with it: a red bulb (AH)."),
    ],
)
def test_what_a_plug_was_used_for_is_told(stock, use, told):
    state = after(position(f"hand PLUG RED\nlineup RED\nstock {stock}"), discard("RED"))
    assert sentences(state, UsePlug(use))[0] == told


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_is_told_with_the_patterns_the_hand_and_what_was_set_aside(viewer):
    told = DECK_THE_YARD.tell(BEFORE, DEAL, viewer)
    hand = yard.hand_from(DEAL.cards[::-1])
    assert all(f"({card}" in told for card in (*DEAL.patterns[:2], *hand.kept, *hand.aside))


KINDS = sorted({*yard.STOCK, *yard.PATTERNS, "QD"})
EVERYTHING = [
    *(say(card) for card in KINDS for say in (PlayColour, Discard)),
    *map(ClaimPattern, yard.FACE_UP), PlayBubble(), UsePlug(True), UsePlug(False), EndGame(),
]  # fmt: skip
VARIANTS = [Options(), Options(free_first_bulb=True), Options(play_on=True), Options(True, True)]


def walk(options, seed):
    """The positions of a random game that likes to play bulbs."""
    return RULES.walk(options, seed, 500, lambda said: 10 if isinstance(said, PlayColour | PlayBubble) else 1)


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for seed in range(4):
        for state in walk(options, seed):
            listed = DECK_THE_YARD.legal_commands(state, 0)
            assert len(set(listed)) == len(listed)
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


@pytest.mark.parametrize("options", VARIANTS)
def test_games_end_and_line_ups_begin_a_pattern(options):
    for seed in range(30):
        for state in walk(options, seed):
            assert len(state.hand) <= yard.HAND_SIZE
            fitting = [
                yard.PATTERNS[card][: len(state.bulbs)] == state.bulbs for card in state.face_up if card is not None
            ]
            assert any(fitting) or options.free_first_bulb, names(state.bulbs)
        result = DECK_THE_YARD.result(state)
        assert result is not None
        assert (result.ending == "won") == (len(state.claims) >= 8)


@pytest.mark.parametrize("options", VARIANTS)
def test_between_two_events_of_a_step_the_table_can_be_looked_at_and_told(options):
    for seed in range(10):
        for state in walk(options, seed):
            for command in DECK_THE_YARD.legal_commands(state, 0):
                between = state
                for event in DECK_THE_YARD.decide(state, 0, command):
                    assert DECK_THE_YARD.tell(between, event, 0).endswith(".")
                    assert DECK_THE_YARD.redact(between, event, 0) is not None
                    between = DECK_THE_YARD.evolve(between, event)
                    assert len(DECK_THE_YARD.look(between, None).zones) == 9
                    assert isinstance(DECK_THE_YARD.legal_commands(between, 0), tuple)


def test_commands_are_stored_with_the_zones_that_they_name():
    assert msgspec.json.encode(PlayBubble()) == (
        b'{"type":"deck_the_yard/play_bubble","card":"*1","source":"hand_0","target":"lineup"}'
    )
    assert msgspec.json.decode(b'{"type":"deck_the_yard/play_bubble"}', type=Command) == PlayBubble()


@pytest.mark.parametrize("said", [
    {"type": "deck_the_yard/play_colour", "card": "red"},
    {"type": "deck_the_yard/play_colour", "card": "AH", "source": "stock"},
    {"type": "deck_the_yard/play_bubble", "card": "*2"}, {"type": "deck_the_yard/use_plug"},
    {"type": "deck_the_yard/claim_pattern", "source": "pattern_2"},
])  # fmt: skip
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Command)
