"""Games in the notations that others read: taken along, and brought here as move lists that the rules decide again."""

import httpx
import pytest

from service.api.replays.records import READERS
from tests.domain import whole_records

from .holding import settled
from .playing import Game, look, of, opened, say
from .problems import told
from .recording import taken
from .serving import Player, Service
from .test_records import lines

FREECELL, SEAHAVEN = "text/vnd.kibitz.freecell", "text/vnd.kibitz.seahaven-towers"

PUBLISHED = """\
#1

6a 6b 6h bh 6h 7b 76 4c 7d 7h
3h 86
"""
"""The beginning of a solution of Microsoft's first deal, after macroxue's FreeCell, a card at a time."""


def brought(player: Player, text: str, key: str = "freecell") -> httpx.Response:
    said = {"content-type": "text/vnd.kibitz.moves; charset=utf-8"}
    return player.http.post(f"/v1/move-lists/{key}", content=text.encode(), headers=said)


def noted(player: Player, game: Game, key: str = "standard") -> str:
    answer = player.get(of(game, "/record"), params={"notation": key})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_move_list_becomes_an_unrated_game_of_ones_own_that_can_be_played_on(ada: Player) -> None:
    answer = brought(ada, PUBLISHED)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    assert answer.headers["location"] == of(game)
    assert (game["status"], game["step"], game["rated"], game["imported"]) == ("playing", 12, False, False)
    assert (game["origin"], game["visibility"], game["your_seats"]) == ("import", "unlisted", [0])
    assert noted(ada, game) == PUBLISHED
    assert say(ada, game, {"type": "game/undo"}).status_code == 200
    assert noted(ada, game) == PUBLISHED.replace(" 86\n", "\n")


def test_a_byte_order_mark_before_a_move_list_or_a_record_says_nothing(ada: Player) -> None:
    answer = brought(ada, "\ufeff" + PUBLISHED)
    assert answer.status_code == 201, answer.text
    assert noted(ada, answer.json()) == PUBLISHED
    record = whole_records.text("klondike")
    said = {"content-type": "application/vnd.kibitz.record+ndjson"}
    first = ada.http.post("/v1/records", content=b"\xef\xbb\xbf" + record, headers=said)
    assert (first.status_code, ada.http.post("/v1/records", content=record, headers=said).status_code) == (201, 200)


def test_a_game_that_was_played_here_comes_back_as_it_was_left(ada: Player) -> None:
    game = opened(ada, "seahaven_towers", options={"undo": True, "any_card": True}, seed="towers")
    for word in ("1a", "1d"):
        assert say(ada, game, {"type": "seahaven_towers/standard", "move": word}).status_code == 200
    text = noted(ada, game)
    assert "options: any_card=true\n" in text
    again = brought(ada, text, "seahaven_towers").json()
    assert noted(ada, again) == text
    assert look(ada, again)["view"] == look(ada, game)["view"]


def test_a_list_that_leaves_moves_home_to_a_program_is_brought_with_all_of_them(ada: Player) -> None:
    """Deal 3 of macroxue's FreeCell."""
    moves = "5a 45 48 1b 2c 35 12 27 56 25 75 8c 26 45 8b 62 38 6d"
    game = brought(ada, f"#3\nautoplay: all\n{moves}\n").json()
    assert (game["status"], game["result"]["ending"]) == ("finished", "won")
    told(brought(ada, f"#3\nautoplay: yes\n{moves}\n"), 409, "illegal", "unreadable_notation")


@pytest.mark.parametrize("key", ["klondike", "golf", "black_hole", "pyramid"])
def test_a_text_of_a_solver_is_brought_and_a_move_against_the_rules_told_with_its_line(key: str, ada: Player) -> None:
    text = READERS[key].example
    game = brought(ada, text, key).json()
    assert (game["game_type"], game["origin"], game["status"]) == (key, "import", "playing")
    if key == "black_hole":
        assert brought(ada, noted(ada, game, "solver"), key).json()["view"] == game["view"]
    else:
        hidden = ada.get(of(game, "/record"), params={"notation": "solver"})
        told(hidden, 409, "illegal", "not_in_notation")
        assert say(ada, game, {"type": "game/resign"}).status_code == 200
        assert brought(ada, noted(ada, game, "solver"), key).json()["view"]["zones"] == game["view"]["zones"]
    last = text.splitlines()[-1]
    wrong = {
        "klondike": "5S F5 17",
        "golf": last.replace("1", "2"),
        "black_hole": last.replace("16", "0"),
        "pyramid": "Remove Th",
    }[key]
    refused = brought(ada, text.replace(last, wrong), key)
    where = {"klondike": "Move 2 (line 3, `17`): ", "golf": "Move 2 (line 13): ", "black_hole": "Move 1 (line 20): "}
    where["pyramid"] = "Move 3 (line 6): "
    assert (refused.status_code, refused.json()["detail"].startswith(where[key])) == (409, True), refused.text


def test_deals_have_numbers_up_to_the_last_that_the_generator_tells_apart(ada: Player) -> None:
    for number in (94_717_719, 2**31 - 1):
        game = opened(ada, "freecell", deal_number=number)
        again = brought(ada, noted(ada, game)).json()
        assert again["view"]["zones"] == game["view"]["zones"]
        assert brought(ada, f"#{number}\n").json()["view"]["zones"] == game["view"]["zones"]
    refused = ada.post("/v1/games", {"game_type": "freecell", "deal_number": 2**31})
    assert refused.status_code == 400, refused.text


def test_the_media_type_is_the_notations_own_and_no_other_is_offered(ada: Player) -> None:
    game = opened(ada, "freecell", deal_number=164)
    answer = ada.get(of(game, "/record"), params={"notation": "standard"}, headers={"accept": FREECELL})
    assert (answer.headers["content-type"], answer.text) == (f"{FREECELL}; charset=utf-8", "#164\n")
    refused = ada.get(of(game, "/record"), params={"notation": "standard"}, headers={"accept": SEAHAVEN})
    told(refused, 406, "not_acceptable")


@pytest.mark.parametrize("key", ["pbn", "none"])
def test_a_notation_that_the_game_type_has_not_is_not_there(key: str, ada: Player) -> None:
    told(ada.get(of(opened(ada, "freecell"), "/record"), params={"notation": key}), 404, "no_such_thing")


def test_a_move_against_the_rules_is_told_with_its_number_and_its_rule(service: Service, ada: Player) -> None:
    settled(service)
    before = ada.get("/v1/games", params={"player_id": ada.id}).json()["games"]
    refused = told(brought(ada, "#1\n6a 6b 6h 5h\n"), 409, "illegal", "next_in_suit")
    assert str(refused["detail"]).startswith("Move 4: ")
    assert ada.get("/v1/games", params={"player_id": ada.id}).json()["games"] == before


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        ("#1\n6a 9b\n", "freecell", "Line 2: `9b` is no move"),
        ("#0\n", "freecell", "a number from 1 to 2147483647"),
        ("6a\n", "freecell", "The deal has columns of 7 7 7 7 6 6 6 6 cards"),
        (": AS AS\n", "seahaven_towers", "a card lies in the second and the third tower"),
        ("#1\noptions: jokers=true\n", "freecell", "The options cannot be read"),
        ("#1\noptions: undo=maybe\n", "freecell", "Line 2: `undo=maybe` is no option"),
        ("#1\n" + "6a a6 " * 1001, "freecell", "more than 2000 moves"),
    ],
)  # fmt: skip
def test_what_is_no_move_list_is_refused_with_a_sentence(text: str, key: str, what: str, ada: Player) -> None:
    assert what in str(brought(ada, text, key).json()["detail"])


def test_a_deal_that_is_not_the_pack_is_refused(ada: Player) -> None:
    text = noted(ada, opened(ada, "seahaven_towers"))
    one, other = text.split()[2:4]  # the cards in two of the towers
    told(brought(ada, text.replace(one, other), "seahaven_towers"), 409, "illegal", "given_deal")
    said = {"content-type": "text/vnd.kibitz.moves"}
    told(ada.http.post("/v1/move-lists/freecell", content=b"#1 \xff", headers=said), 400, "malformed")


def test_a_bridge_hand_is_brought_and_none_is_written_before_one_is_finished(ada: Player) -> None:
    game = opened(ada, "bridge_solitaire")
    refused = ada.get(of(game, "/record"), params={"notation": "pbn"})
    told(refused, 409, "illegal", "no_hand_finished")
    told(brought(ada, "% PBN 2.1\n", "bridge_solitaire"), 409, "illegal", "unreadable_notation")
    brought_here = brought(ada, READERS["bridge_solitaire"].example, "bridge_solitaire").json()
    assert (brought_here["step"], brought_here["origin"], brought_here["rated"]) == (3, "import", False)


def test_a_game_that_waits_has_a_record_and_no_line(ada: Player) -> None:
    game = opened(ada, "freecell", await_seeds=True)
    told(ada.get(of(game, "/record"), params={"notation": "standard"}), 409, "illegal", "game_not_started")
    assert [line.get("status") for line in lines(taken(ada, game))] == [None, None, "waiting"]


def test_the_notations_are_told_with_the_game_type(ada: Player) -> None:
    shown = {
        key: ada.get(f"/v1/game-types/{key}").json()["notations"] for key in ("freecell", "bridge_solitaire", "spider")
    }
    assert [[row["key"], row["media_type"], row["read"]] for rows in shown.values() for row in rows] == [
        ["standard", FREECELL, True], ["pbn", "application/x-pbn", True],
    ]  # fmt: skip
