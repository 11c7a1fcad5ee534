"""Every operation that changes something: a repeat with its key, its position in the log, and two clients at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest

from service.api import find_handlers
from service.api.examples import RECORD as EXAMPLE
from service.http.operation import Operation

from . import truth
from .boxes import BOX, SEASON, at, ending_turn, fixtures, founded, running
from .furnished import WHEN
from .holding import announced, settled
from .passkey_rows import passkey_of
from .playing import DRAW, RECYCLE, RESIGN, UNDO, Game, look, of, opened, say
from .problems import told
from .serving import Player, Service, moderating, player_fixture, registered, speaking

RECORD, MOVES = "application/vnd.kibitz.record+ndjson", "text/vnd.kibitz.moves"
WRITES = {
    operation.id: operation
    for handler in find_handlers()
    if isinstance(operation := handler.opt.get("operation"), Operation) and operation.method != "GET"
}
_DELIVERY = """
INSERT INTO webhook_deliveries (webhook, event, begun_at)
SELECT %s, number, 0 FROM account_events WHERE player = %s LIMIT 1 ON CONFLICT (webhook, event) DO UPDATE SET due = NULL
RETURNING id
"""
WHY = {"reason": "A reason."}


class Write(NamedTuple):
    """One request of the story: who sends what to which operation."""

    operation: str
    player: Player
    path: str
    body: Any = None
    media_type: str = "application/json"

    def sent(self, key: str = "", before: bytes = b"") -> httpx.Response:
        """The answer, with this key if one is given, and with this before the body."""
        headers = {"content-type": self.media_type} | ({"idempotency-key": key} if key else {})
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        more: dict[str, Any] = {} if self.body is None else {"content": before + body, "headers": headers}
        return self.player.http.request(WRITES[self.operation].method, self.path, **{"headers": headers, **more})


def position(answer: httpx.Response) -> int:
    assert answer.is_success, answer.text
    return int(answer.headers["log-position"])


class Story:
    """Writes each request with a key of its own, twice."""

    def __init__(self, service: Service) -> None:
        self.service, self.written = service, list[tuple[Write, str, httpx.Response]]()

    def write(self, *request: Any) -> Any:
        """The body of the answer, after a repeat that was answered alike and changed nothing."""
        write, key, before = Write(*request), f"key {len(self.written)}", truth.head(self.service)
        first = write.sent(key)
        head, again = truth.head(self.service), write.sent(key)
        assert before <= position(first) <= head, write.operation
        assert seen(again) == seen(first), (write.operation, again.text)
        later = write.operation in ("enter_contest", "announce_league_contest")  # which record in a second stream, too
        assert position(first) - later <= position(again) <= truth.head(self.service) == head, write.operation
        if isinstance(write.body, bytes):
            told(write.sent(key, b" "), 422, "key_reused")
        elif write.body is not None:
            assert seen(write.sent(key, b" ")) == seen(first), write.operation
        self.written.append((write, key, first))
        return first.json() if first.content else None


def _without_name(value: dict[str, Any]) -> dict[str, Any]:
    """People have their names of now, whenever the first answer was given."""
    return {"id": value["id"]} if value.keys() == {"id", "name"} else value


def seen(answer: httpx.Response) -> tuple[int, Any, str | None]:
    """Status, body and where the new thing is, without the position at which a projection was read."""
    body = answer.json(object_hook=_without_name) if answer.content else {}
    return answer.status_code, {k: v for k, v in body.items() if k != "log_position"}, answer.headers.get("location")


def _games(story: Story) -> None:
    service, write = story.service, story.write
    ada, bob = registered(service, "Ada"), registered(service, "Bob")
    table = {"game_type": "spite_and_malice", "await_seeds": True, "seats": 2}
    game = write("open_game", ada, "/v1/games", table)
    write("invite_to_game", ada, of(game, "/invitations"), {"player_id": bob.id})
    write("withdraw_game_invitation", bob, of(game, f"/invitations/{bob.id}"))
    write("join_game", bob, of(game, "/join"), {"seat": 1})
    write("leave_game", bob, of(game, "/leave"))
    write("join_game", bob, of(game, "/join"), {"seat": 1})
    write("seed_game", ada, of(game, "/seed"), {"client_seed": "a"})
    write("seed_game", bob, of(game, "/seed"), {"client_seed": "b"})
    mover = (ada, bob)[look(ada, game)["view"]["to_act"][0]]
    write("post_command", mover, of(game, "/commands"), ending_turn(mover, game))
    write("post_commands", ada, of(game, "/commands/batch"), {"commands": [RESIGN]})
    write("add_comment", bob, of(game, "/comments"), {"version": 1, "text": "Give up?"})
    comment = bob.post(of(game, "/comments"), {"version": 1, "text": "No."}).json()["id"]
    write("delete_comment", bob, of(game, f"/comments/{comment}"))
    write("open_rematch", bob, of(game, "/rematch"))
    write("open_rematch", ada, of(game, "/rematch"))
    write("fork_game", ada, of(game, "/fork"), {"step": look(ada, game)["step"] - 1})
    write("abandon_game", ada, of(opened(ada), "/abandon"))
    mo = moderating(service)
    write("void_game", mo, of(opened(ada), "/void"), WHY)
    write("make_ruling", mo, "/v1/rulings", {"type": "void_games", "game_ids": [game["id"]], **WHY})
    write("enter_contest", ada, f"/v1/contests/{announced(service.conninfo, 'golf')}/enter")
    table = opened(ada, "screaming_yoda", seats=3, rated=False)
    write("seat_bot", ada, of(table, "/bots"), {"level": "greedy"})


def _leagues(story: Story) -> None:
    service, write = story.service, story.write
    olga, ada, bob, cyd, dan = (registered(service, name) for name in ("Olga", "Ada", "Bob", "Cyd", "Dan"))
    league = write("found_league", olga, "/v1/leagues", BOX)
    write("rename_league", olga, at(league), {"name": "Fridays"})
    for member in (ada, bob, cyd, dan):
        write("join_league", member, at(league, "/join"))
    write("leave_league", dan, at(league, "/leave"))
    write("invite_to_league", olga, at(league, "/invitations"), {"player_id": dan.id})
    write("withdraw_league_invitation", dan, at(league, f"/invitations/{dan.id}"))
    write("appoint_organiser", olga, at(league, "/organisers"), {"player_id": dan.id})
    write("dismiss_organiser", dan, at(league, f"/organisers/{dan.id}"))
    write("open_season", olga, at(league, "/seasons"), SEASON)
    write("join_league", dan, at(league, "/join"))
    settled(service)
    mine, other, third = fixtures(olga, league)
    pair = {person["id"] for person in mine["players"]}
    game: Game = {}
    for player in (player for player in (ada, bob, cyd) if player.id in pair):
        game = write("open_fixture", player, at(league, f"/fixtures/{mine['id']}/open"))
    ruling = {"type": "void_games", "game_ids": [game["id"]], **WHY}
    write("make_league_ruling", olga, at(league, "/rulings"), ruling)
    award = {"to_player_id": other["players"][0]["id"], **WHY}
    write("award_fixture", olga, at(league, f"/fixtures/{other['id']}/award"), award)
    write("reopen_fixture", olga, at(league, f"/fixtures/{other['id']}/reopen"), WHY)
    write("cancel_fixture", olga, at(league, f"/fixtures/{third['id']}/cancel"), {**WHY, "absent_player_ids": []})
    write("replace_player", olga, at(league, "/seasons/1/replace"), {"player_id": cyd.id, "by_player_id": dan.id})
    write("remove_member", olga, at(league, f"/members/{bob.id}/remove"), WHY)
    write("close_season", olga, at(league, "/seasons/1/close"))
    settled(service)
    write("decide_promotions", olga, at(league, "/seasons/1/promotions"), {"moves": []})
    write("dissolve_league", olga, at(league, "/dissolve"), WHY)
    club = running(olga, ada, bob, name="Club", game_type="golf", rules="same-deal-1")
    write("announce_league_contest", olga, at(club, "/contests"), WHEN)


def _texts_and_tokens(story: Story) -> None:
    service, write = story.service, story.write
    ada, eve = registered(service, "Ada"), registered(service, "Eve")
    for player in (eve, ada):
        there = write("import_record", player, "/v1/records", EXAMPLE.encode(), RECORD)
    write("delete_import", ada, f"/v1/records/{there['id']}")
    write("import_moves", eve, "/v1/move-lists/freecell", b"#1\n\n6a 6b\n", MOVES)
    write("rename_me", eve, "/v1/players/me", {"name": "Eva"})
    write("rename_me", eve, "/v1/players/me", {"name": "Evi"})
    token = write("mint_token", eve, "/v1/tokens", {"label": "another"})
    write("relabel_token", eve, f"/v1/tokens/{token['id']}", {"label": "other"})
    write("revoke_token", eve, f"/v1/tokens/{token['id']}")
    passkey = f"/v1/passkeys/{passkey_of(service, eve.id)}"
    write("relabel_passkey", eve, passkey, {"label": "other"})
    write("delete_passkey", eve, passkey)
    app = write("register_app", eve, "/v1/apps", {"name": "Club", "redirect_uris": ["https://example.org/"]})
    write("delete_app", eve, f"/v1/apps/{app['client_id']}")
    hook = write("add_webhook", eve, "/v1/webhooks", {"url": "https://example.org/"})
    here = f"/v1/webhooks/{hook['id']}"
    opened(ada, "spite_and_malice", visibility="private", player_ids=[eve.id])
    ((delivery,),) = truth.rows(service, _DELIVERY, hook["id"], eve.id)
    write("replay_webhook_delivery", eve, f"{here}/deliveries/{delivery}/replay")
    write("rotate_webhook_secret", eve, f"{here}/rotate")
    write("change_webhook", eve, here, {"enabled": False})
    write("delete_webhook", eve, here)
    write("revoke_tokens", eve, "/v1/tokens?keep=asking")


@pytest.fixture(scope="module")
def story(service: Service) -> Story:
    """A story in which every operation that takes a key is written."""
    story = Story(service)
    for chapter in (_games, _leagues, _texts_and_tokens):
        chapter(story)
    return story


def test_every_write_takes_a_key_or_says_not(service: Service, story: Story) -> None:
    written = {write.operation for write, _, _ in story.written}
    assert written == {name for name, operation in WRITES.items() if not operation.keyless}


def test_repeats_are_answered_alike_when_all_has_gone_on(service: Service, story: Story) -> None:
    head = truth.head(service)
    for write, key, first in story.written:
        assert seen(write.sent(key)) == seen(first), write.operation
    assert truth.head(service) == head


def test_what_passes_over_a_key_is_carried_out(service: Service, ada: Player) -> None:
    before = truth.head(service)
    for body in ({"name": "Ada"}, {"name": "Bob"}):
        answer = ada.http.post("/v1/players", json=body, headers={"idempotency-key": "a key"})
        assert (answer.status_code, answer.json()["player"]["name"]) == (201, body["name"])
        assert before <= position(answer) <= truth.head(service)
    assert {name for name, operation in WRITES.items() if operation.keyless and not operation.form} == {
        "register_player", "erase_me", "verify_record", "analyse_game", "judge_deal", "attempt_puzzle",
        "start_puzzle_run",
    }  # fmt: skip


def test_the_same_json_in_other_bytes_is_the_same_body(service: Service) -> None:
    olga = registered(service, "Olga")
    for text in (b'{"label":"one","days":3}', b'{ "days" : 3,\n "label":"\\u006fne"}'):
        answer = Write("mint_token", olga, "/v1/tokens", text).sent("blanks")
        assert answer.status_code == 201, answer.text
    told(Write("mint_token", olga, "/v1/tokens", {"label": "one", "days": 4}).sent("blanks"), 422, "key_reused")
    assert len(olga.get("/v1/tokens").json()["tokens"]) == 2


def test_one_key_at_once_from_many_is_carried_out_once(service: Service) -> None:
    olga, ada = registered(service, "Olga"), registered(service, "Ada")
    league = founded(olga)
    for write in (
        Write("join_league", ada, at(league, "/join")),
        Write("found_league", ada, "/v1/leagues", BOX),
        Write("import_moves", ada, "/v1/move-lists/freecell", b"#1\n\n6a 6b\n", MOVES),
        Write("appoint_organiser", olga, at(league, "/organisers"), {"player_id": ada.id}),
    ):
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _, write=write: seen(write.sent("at once")), range(8)))  # type: ignore[misc]
        assert all(answer == answers[0] for answer in answers), write.operation
        assert answers[0][0] < 300, answers[0]


def test_a_key_is_its_players_its_operations_and_its_paths(service: Service) -> None:
    olga, ada = registered(service, "Olga"), registered(service, "Ada")
    first, second = founded(olga), founded(olga)
    joined = [Write("join_league", ada, at(league, "/join")).sent("k").json()["id"] for league in (first, second)]
    assert joined == [first["id"], second["id"]]
    assert Write("leave_league", ada, at(first, "/leave")).sent("k").json()["members"] == []
    assert Write("join_league", olga, at(first, "/join")).sent("k").json()["members"] != []
    invited = founded(olga, membership="invite")
    join = Write("join_league", ada, at(invited, "/join"))
    assert join.sent("closed").status_code == 403
    olga.post(at(invited, "/invitations"), {"player_id": ada.id})
    assert join.sent("closed").status_code == 200, "a refusal is not kept"


def test_a_kept_secret_is_sealed_for_its_first_token(service: Service) -> None:
    olga = registered(service, "Olga")
    minted = Write("mint_token", olga, "/v1/tokens", {"label": "another"})
    answer = minted.sent("mine").json()
    other = speaking(service, olga.id, answer["secret"], answer["id"])
    told(minted._replace(player=other).sent("mine"), 409, "key_in_use")
    assert minted.sent("mine").json()["secret"] == answer["secret"]
    assert len(olga.get("/v1/tokens").json()["tokens"]) == 2
    rows = truth.rows(service, "SELECT answer FROM idempotency_keys WHERE answer IS NOT NULL")
    assert rows
    assert not any(answer["secret"].encode() in bytes(sealed) for (sealed,) in rows)


ada = player_fixture("Ada", "module")


def test_what_records_nothing_tells_no_position(ada: Player) -> None:
    game = opened(ada)
    for answer in (say(ada, game, UNDO), ada.get(of(game))):
        assert "log-position" not in answer.headers


def test_what_was_made_is_there_or_said_to_come(service: Service, ada: Player) -> None:
    """It was missing without a word, twelve times of twelve. A machine that is busy may still say "not yet"."""
    for http in (ada.http, service.http):
        while (answer := http.get(f"/v1/rubbers/{opened(ada, 'bridge_solitaire')['id']}")).status_code != 200:
            assert "may not be there yet" in answer.text
    answer = ada.get(at(founded(ada)))
    assert answer.status_code == 200 or "may not be there yet" in answer.text


def test_ones_own_lists_show_what_one_has_just_done(ada: Player) -> None:
    """Once the lists have come as far as the change; the position that they tell says whether they have."""
    here = False
    while not here:
        answer = ada.post("/v1/games", {"game_type": "klondike"})
        listed = ada.get("/v1/games", params={"limit": 100}).json()
        here = answer.json()["id"] in {game["id"] for game in listed["games"]}
        assert here == (int(listed["log_position"]) >= position(answer))


def test_what_is_not_there_yet_is_found_by_its_position(service: Service, ada: Player) -> None:
    with psycopg.connect(service.conninfo) as connection:
        connection.execute("LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE")  # nothing is folded meanwhile
        opening = ada.post("/v1/games", {"game_type": "bridge_solitaire"})
        path = f"/v1/rubbers/{opening.json()['id']}"
        behind = told(service.http.get(path), 404, "no_such_thing")["detail"].rpartition("Min-Log-Position: ")[2][:-1]
        assert int(behind) >= position(opening)
    while (answer := service.http.get(path, headers={"min-log-position": behind})).status_code == 404:
        assert "may not be there yet" in answer.text
    assert answer.status_code == 200


def test_what_will_never_be_there_is_not_said_to_come(ada: Player) -> None:
    game = opened(ada)
    while "yet" in (answer := ada.get(f"/v1/rubbers/{game['id']}")).json()["detail"]:
        pass
    assert answer.json()["detail"] == "This game has no scoresheet."


def test_of_two_commands_on_one_version_one_is_accepted(service: Service, ada: Player) -> None:
    game = opened(ada, options={"undo": False})
    voices = ada.on(service), ada.on(service)
    version = game["version"]
    with ThreadPoolExecutor(2) as pool:
        for round_ in range(50):
            command = RECYCLE if round_ % 25 == 24 else DRAW
            headers = {"if-match": f'"{version}"'}
            tasks = [pool.submit(say, voice, game, command, headers=headers) for voice in voices]
            answers = sorted((task.result() for task in tasks), key=lambda answer: answer.status_code)
            assert [answer.status_code for answer in answers] == [200, 412]
            assert answers[1].json()["version"] == answers[0].json()["version"] == version + 1
            version += 1
    assert look(ada, game)["version"] == version == len(truth.records(service, game))


def test_without_a_version_both_are_judged_in_turn(service: Service, ada: Player) -> None:
    game = opened(ada)
    voices = ada.on(service), ada.on(service)
    with ThreadPoolExecutor(8) as pool:
        tasks = [pool.submit(say, voices[number % 2], game, DRAW) for number in range(24)]
        answers = [task.result() for task in tasks]
    assert {answer.status_code for answer in answers} == {200}
    versions = sorted(answer.json()["version"] for answer in answers)
    assert versions == list(range(game["version"] + 1, game["version"] + 25))
    assert say(ada, game, DRAW).status_code == 409


def test_the_last_seat_is_taken_by_one(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    for _ in range(10):
        game = opened(ada, "spite_and_malice")
        with ThreadPoolExecutor(2) as pool:
            tasks = [pool.submit(player.post, of(game, "/join"), {}) for player in (bob, eve)]
            assert sorted(task.result().status_code for task in tasks) == [200, 409]


def test_looking_meanwhile_shows_versions_that_only_grow(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada)
    with ThreadPoolExecutor(4) as pool:
        looking = [pool.submit(lambda: [look(eve, game)["version"] for _ in range(40)]) for _ in range(3)]
        for _ in range(24):
            assert say(ada, game, DRAW).status_code == 200
        for task in looking:
            versions = task.result()
            assert versions == sorted(versions)
