"""Finished hands in Portable Bridge Notation: what is written of each, and what cannot be said."""

import re
from random import Random

import pytest

from domain.capabilities import Noted
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.pbn import PBN
from domain.games.bridge_solitaire.rules import fold
from domain.games.bridge_solitaire.state import BoardOptions as Options
from domain.games.bridge_solitaire.state import Contract
from tests.domain.played import refusal

from .bots import finished

MINE = ("AS", "KS", "QS", "4S", "AH", "9H", "2H", "KD", "TD", "3D", "QC", "7C", "2C")
TAGS = [
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
]  # fmt: skip


def hand(contract: Contract, tricks: list, cards: tuple[str, ...] = MINE, number: int = 1, **score: object) -> list:
    """The events of one hand: the house's call, these tricks as (player's card, house's), and the score."""
    call = ev.HouseCalled(2, "C") if contract.declarer == "me" else ev.HouseCalled(contract.level, contract.strain)
    said: list = [ev.Dealt(number, ()), call, ev.ContractMade(contract)]
    for mine, theirs, leader in tricks:
        played = [ev.CardPlayed(mine), *([ev.CardTurned(theirs, "answers")] if theirs else [])]
        said += [ev.HouseLed(theirs), ev.CardPlayed(mine)] if leader == "it" else played
        said.append(ev.TrickWon("me", "high_card"))
    vulnerable = score.get("vulnerable", ())
    return [*said, ev.HandScored(number, cards, contract, len(tricks), 13 - len(tricks), vulnerable, "stock_out", ())]


def written(*hands: list) -> list[str]:
    return PBN.write(Options(), [], [event for said in hands for event in said]).splitlines()


def test_the_players_contract_is_led_to_by_the_house_in_the_west() -> None:
    told = written(hand(Contract("me", 2, "S"), [("AS", "5S", "it"), ("KS", "JS", "me"), ("QS", None, "me")]))
    assert told == [
        "% PBN 2.1", "% EXPORT", '[Event "Bridge Solitaire"]', '[Site "?"]', '[Date "????.??.??"]', '[Board "1"]',
        '[West "The house"]', '[North ""]', '[East ""]', '[South "The player"]', '[Dealer "W"]', '[Vulnerable "None"]',
        '[Deal "S:AKQ4.A92.KT3.Q72 - - -"]', '[Scoring "Rubber"]', '[Declarer "S"]', '[Contract "2S"]', '[Result "3"]',
        '[Auction "W"]', "2C Pass Pass 2S", "AP", '[Play "W"]', "S5 - - SA", "SJ - - SK", "- - - SQ", "*",
    ]  # fmt: skip


def test_the_houses_contract_is_led_to_by_the_player_and_the_house_sits_in_the_east() -> None:
    told = written(hand(Contract("it", 1, "H"), [("AS", "5S", "me")] * 13, vulnerable=("me", "it")))
    assert told[6:10] == ['[West ""]', '[North ""]', '[East "The house"]', '[South "The player"]']
    assert told[10:12] == ['[Dealer "E"]', '[Vulnerable "All"]']
    assert told[14:] == [
        '[Declarer "E"]', '[Contract "1H"]', '[Result "0"]', '[Auction "E"]', "1H AP", '[Play "S"]',
        *["SA - - S5"] * 13,
    ]  # fmt: skip


def test_a_house_that_passes_is_said_to_pass() -> None:
    made = hand(Contract("me", 1, "NT"), [("AS", "5S", "it")])
    made[1] = ev.HouseCalled()
    assert "Pass Pass Pass 1NT" in written(made)


def test_a_hand_with_a_joker_is_left_out_with_a_remark_and_alone_it_is_refused() -> None:
    joker = hand(Contract("me", 1, "S", "doubled"), [("AS", "5S", "it")], ("*1", *MINE[1:]))
    told = written(joker, hand(Contract("me", 1, "S"), [("AS", "5S", "it")], number=2))
    assert told[2] == "; Hand 1 is left out: the player held a joker, and PBN knows none."
    assert '[Board "2"]' in told
    with pytest.raises(Illegal, match="PBN knows no jokers") as refused:
        written(joker)
    assert refused.value.rule == "jokers_in_pbn"


def test_the_play_ends_before_a_joker_of_the_house() -> None:
    tricks = [("AS", "5S", "it"), ("KS", "*2", "me"), ("QS", "JS", "me")]
    told = written(hand(Contract("me", 1, "S"), tricks))
    remark = "; The house plays a joker to trick 2."
    assert told[-3:] == ['[Play "W"]', "S5 - - SA", "*"]
    assert told[told.index(remark) + 1] == '[Auction "W"]', "readers of PBN know no remarks in auction and play"


def test_a_game_without_a_finished_hand_has_nothing_to_say() -> None:
    assert refusal(written, hand(Contract("me", 1, "S"), [])[:-1]) == "no_hand_finished"


def test_hands_that_were_declared_void_are_left_out() -> None:
    hands = [hand(Contract("me", 1, "S"), [("AS", "5S", "it")], number=number) for number in (1, 2, 3)]
    assert [line for line in written(*hands, [ev.HandsVoided(2)]) if line.startswith("[Board")] == ['[Board "1"]']


def rubber(seed: int) -> tuple[list, list, list[str]]:
    """The deal of a whole rubber, what came of it, and each hand that is written of it."""
    deal = list(BRIDGE_SOLITAIRE.deal(Options(), Chance(bytes([seed]) * 32), 1))
    _, line = finished(fold(BRIDGE_SOLITAIRE.initial(Options(), 1), deal), Random(0))
    return deal, line, [text for text in PBN.write(Options(), deal, line).split("\n\n") if "[Event" in text]


def test_every_hand_of_a_rubber_has_all_tags_in_the_standards_order_and_its_own_cards() -> None:
    deal, line, texts = rubber(2)
    games = [text.splitlines() for text in texts]
    scores = [event for event in line if isinstance(event, ev.HandScored) and not set(event.cards) & {"*1", "*2"}]
    made = [event for event in (*deal, *line) if isinstance(event, ev.HouseCalled | ev.Dealt)]
    called = zip(made[::2], made[1::2], strict=True)
    calls = {dealt.hand: f"{call.level}{call.strain}" if call.strain else "Pass" for dealt, call in called}
    assert len(games) == len(scores) > 1
    for game, score in zip(games, scores, strict=True):
        tags = [row[1:].split()[0] for row in game if row.startswith("[")]
        assert tags == [*TAGS, "Auction", "Play"]
        assert f'[Board "{score.hand}"]' in game
        shown = next(row for row in game if row.startswith('[Deal "')).split('"')[1]
        suits = zip("SHDC", shown[2:].split()[0].split("."), strict=True)
        assert {rank + suit for suit, ranks in suits for rank in ranks} == set(score.cards)
        auction = next(at for at, row in enumerate(game) if row.startswith("[Auction"))
        assert game[auction + 1].split()[0] == calls[score.hand]
        rows = [row for row in game if " - - " in row and not row.startswith("[")]
        assert len(rows) + game.count("*") * 13 >= 13 >= len(rows) > 0


def played(noted: Noted) -> list:
    """The events of what was read, decided by the rules."""
    deal = BRIDGE_SOLITAIRE.deal(noted.options, Chance(b"", given=noted.deal), 1)
    state, line = fold(BRIDGE_SOLITAIRE.initial(noted.options, 1), deal), list[object]()
    for command in noted.commands:
        for event in BRIDGE_SOLITAIRE.decide(state, 0, command):
            state, line = BRIDGE_SOLITAIRE.evolve(state, event), [*line, event]
    return line


def test_every_hand_that_is_written_is_read_and_played_to_the_same_text() -> None:
    games = [game for seed in range(6) for game in rubber(seed)[2]]
    whole = [game for game in games if "*" not in game]
    for game in games:
        noted = PBN.read(game)
        line = played(noted)
        assert len([event for event in line if isinstance(event, ev.TrickWon)]) == game.count(" - - ") - 1
        if game in whole:
            again = PBN.write(noted.options, [ev.Dealt(1, noted.deal)], line).splitlines()
            same = [row for row in game.splitlines() if not row.startswith(("[Board", "[Vulnerable", "%"))]
            assert [row for row in again if not row.startswith(("[Board", "[Vulnerable", "%"))] == same
    assert whole


def test_a_lead_that_no_card_of_the_house_answers_is_read_at_no_trump() -> None:
    rows = "".join(f"- - - {card}\n" for card in ("SK", "SQ", "HA"))
    line = played(PBN.read(PBN.example.replace("2S", "1NT") + rows))
    assert [event.reason for event in line if isinstance(event, ev.TrickWon)] == ["high_card", *["no_answer"] * 3]


STANDARDS_OWN = """\
\ufeff% PBN 2.1
%
[Event ""] {a remark
of two lines}
[Board "1"][Dealer "N"] ; more on a line
[Vulnerable "NS"]
[Deal "N:.63.akq987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
[Contract "5HX"]
[Declarer "S"]
[Auction "N"]
1D 1S 3H =1= 4S $2
4NT =2= X Pass Pass
5C X 5H X
AP
[Note "1:non-forcing 6-9 points, 6-card"]
[Play "W"]
SK =1= H3 S4 S3
[Event "#"]
"""
"""The first example of the standard, more loosely written, as its import format allows."""


def test_of_a_board_of_four_hands_souths_is_taken_and_its_player_has_still_to_call() -> None:
    noted = PBN.read(STANDARDS_OWN.removeprefix("\ufeff"))
    assert noted.options == Options(length="hand", board=2)
    (selected,) = noted.commands
    assert set(selected.cards) < set(noted.deal[:20])
    line = played(noted)
    assert {*line[0].cards, *line[1].cards} == {
        *("JS", "9S", "7S", "3S", "JH", "9H", "8H", "7H", "4H", "2H", "3D", "KC", "4C")
    }
    assert isinstance(line[-1], ev.HouseCalled)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[Deal ", "[Dealt ", "no tag `Deal`"),
        ("S:AKQ4", "AKQ4", "Line 2: a deal is a seat, a colon and four hands"),
        ("AKQ4", "AKQ", "Line 2: `AKQ.A92.KT3.Q72` is no hand of thirteen cards"),
        ("- - -", "AKQ4.A92.KT3.Q72 - -", "Line 2: a card lies in two hands"),
        ("S5", "5S", "Line 6: `5S` is no card, such as S5"),
        ("S5 -", "S5 S6", "Line 6: the house has one card in a trick"),
        ("SA", "DA", "Line 6: That card is not in the hand"),
        ("AKQ4.A92", "9854.952", "Line 4: A bid must be higher than the house's"),
        ('AKQ4.A92.KT3.Q72 - - -"]\n[Declarer "S', '9854.952.KT3.Q72 - - -"]\n[Declarer "W', "the house says 4H"),
        ('Declarer "S"', 'Declarer "W"', "Line 4: The house has passed, so the player must bid"),
        ("SA\n", "SA\nC5 - - SK\n", "Line 7: by the rules the house says"),
        ("[Play", "{ [Play", "Line 5: `{` opens no tag and no remark that is closed"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(old: str, new: str, what: str) -> None:
    assert old in PBN.example
    with pytest.raises(Illegal, match=re.escape(what)):
        PBN.read(PBN.example.replace(old, new))
