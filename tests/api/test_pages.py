"""The pages as a browser without script gets them: what they show, to whom, and what they never hold."""

import json
import re
from html.parser import HTMLParser
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from domain.games import GAME_TYPES
from domain.kit.cards import names
from service.http.representation import HARD_CODERS
from service.web import find_handlers
from service.web.lessons import lesson_of
from service.web.static_files import DIGEST, FILES

from . import truth
from .browsing import OWN, Browser, caught_up, said, signed_in
from .playing import Game, look, moves, of, opened, play_on, say, seated
from .serving import Player, Service, registered

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LINK = re.compile(r'href="([^"]*)"')


class Inline(HTMLParser):
    """Whatever a strict policy would not let run or show."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or "style" in given or any(name.startswith("on") for name in given):
            self.found.append(f"{tag} {given}")
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.found.append(f"script {given}")


@pytest.fixture
def stranger(service: Service) -> Browser:
    """Somebody who is not signed in."""
    return Browser(service)


@pytest.fixture
def adas(service: Service, ada: Player) -> Browser:
    return signed_in(service, ada)


def finished(player: Player, **body: Any) -> Game:
    """A game of Golf without undo, played by lot to its end."""
    game = opened(player, "golf", options={"undo": False}, **body)
    list(play_on([player], game, Random(7), most=200))
    return look(player, game)


def test_pages_are_strict(service: Service, ada: Player, game: Game, stranger: Browser, adas: Browser) -> None:
    rubber, links = opened(ada, "bridge_solitaire"), set[str]()
    caught_up(service)
    kinds = ["/", "/sign-in", "/scoreboards", "/scoreboards/golf", "/game-types/golf", "/games/new/golf"]
    kinds += [f"/players/{ada.id}", f"/games/{game['id']}", f"/rubbers/{rubber['id']}"]
    for path in [*kinds, "/nothing/here", f"/games/{uuid4()}", "/games/new/nothing"]:
        for browser in (stranger, adas):
            answer = browser.get(path)
            assert answer.headers["content-security-policy"] == POLICY, path
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            parser = Inline()
            parser.feed(answer.text)
            assert parser.found == [], path
            assert answer.text.startswith("<!doctype html>")
            assert answer.text.count("<h1") == 1, path
        assert answer.status_code == (200 if path in kinds else 404), path
        links.update(link.partition("#")[0].replace("&amp;", "&") for link in LINK.findall(answer.text))
    for link in sorted(links):
        answer = adas.get(link or "/", headers={"accept": "*/*"})
        assert answer.status_code == 200, (link, answer.text)


def test_an_unknown_path_is_a_page_or_a_problem(stranger: Browser) -> None:
    page = stranger.get("/nothing/here")
    assert (page.status_code, "Not found" in page.text) == (404, True)
    problem = stranger.get("/nothing/here", headers={"accept": "*/*"})
    assert problem.headers["content-type"] == "application/problem+json"
    assert stranger.get("/v1/nothing").headers["content-type"] == "application/problem+json"


def test_the_front_page_has_games(service: Service, ada: Player, bob: Player, stranger: Browser, adas: Browser) -> None:
    waiting, playing, over = opened(bob, "screaming_yoda", seats=3), opened(ada, "spider"), finished(ada)
    hidden = opened(ada, "klondike", visibility="private")
    caught_up(service)
    page = stranger.shown("/")
    for shown in (waiting, playing, over):
        assert f'href="/games/{shown["id"]}"' in page
    assert hidden["id"] not in page
    for words in ("2 seats are free", "Take a seat", "Lost (no move is left)"):
        assert words in said(page)
    assert hidden["id"] in adas.shown("/")
    assert "your turn" not in said(page)


def test_a_hidden_game_is_missing(service: Service, ada: Player, bob: Player, stranger: Browser, adas: Browser) -> None:
    hidden = opened(ada, "bridge_solitaire", visibility="private")
    caught_up(service)
    for browser in (stranger, signed_in(service, bob)):
        for kind in ("games", "rubbers"):
            one, other = browser.get(f"/{kind}/{hidden['id']}"), browser.get(f"/{kind}/{uuid4()}")
            assert (one.status_code, one.text) == (404, other.text)
            assert adas.get(f"/{kind}/{hidden['id']}").status_code == 200
        assert hidden["id"] not in browser.shown(f"/players/{ada.id}")
    assert hidden["id"] in adas.shown(f"/players/{ada.id}")


def test_a_page_says_the_table(service: Service, ada: Player, bob: Player, stranger: Browser, adas: Browser) -> None:
    game = seated(opened(ada, "decs_building"), bob)
    zones = look(ada, game)["view"]["zones"]
    own = next(zone for zone in zones if zone["id"] == "hand_0")
    label = own["label"].replace("Player 1", "Ada")
    seen, hidden = (
        re.findall(rf"<p>{label}: ([^<]*)</p>", who.shown(f"/games/{game['id']}")) for who in (adas, stranger)
    )
    assert seen == [names(tuple(own["cards"])) + "."]
    assert re.fullmatch(r"\w+ cards? face down\.", hidden[0])


def test_a_games_page_brings_boards_chips_and_its_first_frame(ada: Player, adas: Browser, stranger: Browser) -> None:
    game = opened(ada, "klondike", options={"draw": 3})
    say(ada, game, {"type": "klondike/draw"})
    page = adas.shown(f"/games/{game['id']}")
    boards = told(page, "kibitz-boards")
    shown_of = {at[0]: group.get("shown") for kind in boards for group in boards[kind]["places"] for at in group["at"]}
    assert (shown_of["waste"], shown_of["stock"]) == (3, None)
    assert [chip["fact"] for chip in told(page, "kibitz-chips")["chips"]] == ["recycles_left", "pass_number", "draw"]
    frame = ada.get(of(game, "/frames/1")).json()
    assert told(page, "kibitz-frame") == frame
    assert frame["sentences"][0] in page.split('class="told"')[1]
    assert told(stranger.shown(f"/games/{game['id']}"), "kibitz-frame")["view"] is not None
    say(ada, game, {"type": "game/resign"})
    assert told(adas.shown(f"/games/{game['id']}"), "kibitz-frame")["step"] == 0


def told(page: str, block: str) -> Any:
    """What the page tells its scripts in this block."""
    return json.loads(page.split(f'id="{block}">')[1].split("</script>")[0])


def test_a_page_is_compressed_for_who_has_no_session_alone(adas: Browser, stranger: Browser) -> None:
    codings = [who.get("/", headers={"accept-encoding": "zstd"}).headers.get("content-encoding")
               for who in (stranger, adas)]  # fmt: skip
    assert codings == ["zstd", None]


def test_a_page_keeps_the_spectators_delay(ada: Player, bob: Player, stranger: Browser, adas: Browser) -> None:
    game = seated(opened(ada, "megiddo", spectator_delay=5), bob)
    dealt = look(ada, game)["step"]
    list(play_on([ada, bob], game, Random(3), most=4))
    for browser, newest in ((adas, dealt + 4), (stranger, dealt)):
        shown = browser.shown(f"/games/{game['id']}")
        assert f"Step {newest}." in said(shown)
        headers = {"accept": "application/json"} | ({"authorization": f"Bearer {ada.token}"} if browser is adas else {})
        frames = stranger.http.get(of(game, "/frames"), headers=headers).json()["frames"]
        told_moves = [[frame["live_step"], *frame["sentences"]] for frame in frames]
        assert told(shown, "kibitz-moves") == {"first": 0, "moves": told_moves[: newest + 1]}
        assert len(told_moves) == newest + 1


def test_a_seat_is_taken_and_given_back_without_script(service: Service, ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice")
    with signed_in(service, bob) as bobs, Browser(service) as stranger:
        path = f"/games/{game['id']}"
        assert f'action="{path}/join"' in bobs.shown(path)
        assert stranger.post(f"{path}/join").headers["location"] == path
        assert look(ada, game)["seats"][1]["player"] is None
        assert f'action="{path}/join/as-guest"' in stranger.shown(path)
        assert f"/sign-in?back={path}" in stranger.shown(path)
        answer = bobs.post(f"{path}/join")
        assert (answer.status_code, answer.headers["location"]) == (303, path)
        assert look(bob, game)["your_seats"] == [1]
        refused = bobs.post(f"{path}/leave")
        assert refused.status_code == 409
        assert "Against the rules" in refused.text


def test_a_name_or_a_seed_that_cannot_be_is_refused_in_words(service: Service, ada: Player) -> None:
    game = opened(ada, "golf", await_seeds=True)
    with signed_in(service, ada) as adas:
        for field, path in (("name", f"/games/{game['id']}/name"), ("client_seed", f"/games/{game['id']}/seed")):
            for text in ("", "\u202e", "x" * 100):
                answer = adas.post(path, {field: text})
                assert answer.status_code == 400
                assert "Malformed request" in answer.text
    assert look(ada, game)["status"] == "waiting"


def test_names_are_text_bots_marked_erased_players_unnamed(service: Service, stranger: Browser) -> None:
    named = registered(service, "<script>alert(1)</script>")
    page = stranger.shown(f"/players/{named.id}")
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    bot = service.http.post("/v1/players", json={"name": "Marvin", "bot": True}).json()["player"]["id"]
    assert "Marvin bot" in said(stranger.shown(f"/players/{bot}"))
    game = finished(named)
    assert named.http.delete("/v1/players/me").status_code == 204
    caught_up(service)
    assert "An erased player" in said(stranger.shown(f"/players/{named.id}"))
    assert "an erased player" in said(stranger.shown(f"/games/{game['id']}"))
    assert stranger.get(f"/players/{uuid4()}").status_code == 404


def test_a_players_games_come_page_by_page_and_by_status(service: Service, stranger: Browser) -> None:
    player = registered(service, "Prolific")
    games = [opened(player, "golf")["id"] for _ in range(3)]
    over = finished(player)["id"]
    games += [opened(player, "golf")["id"] for _ in range(40)]
    caught_up(service)
    seen, path = [], f"/players/{player.id}?status=playing"
    while path:
        page = stranger.shown(path)
        seen += re.findall(r'class="to" href="/games/([^"]*)"', page)
        further = re.search(r'rel="next" href="([^"]*)"', page)
        path = further[1].replace("&amp;", "&") if further else ""
    assert seen == games[::-1]
    assert over in stranger.shown(f"/players/{player.id}?status=finished")
    assert stranger.get(f"/players/{player.id}?status=nonsense").status_code == 404
    assert stranger.get(f"/players/{player.id}?cursor=nonsense").status_code == 400


def test_a_board_shows_every_row_and_marks_ones_own(service: Service, stranger: Browser) -> None:
    player = registered(service, "Regular")
    for _ in range(20):
        game = opened(player, "golf")
        for command in (moves(player, game)[0], {"type": "game/resign"}):
            assert say(player, game, command).status_code == 200
    caught_up(service)
    with signed_in(service, player) as own:
        page = own.shown("/scoreboards/golf")
    row = next(row for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL) if player.id in row)
    told = service.http.get("/v1/scoreboards/golf").json()["rows"]
    listed = next(one for one in told if one["player"]["id"] == player.id)
    assert row.startswith('<tr class="own">')
    cells = [said(cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)]
    assert cells[:6] == [str(listed["rank"]), "Regular", "0 %", "0 of 20 (0 %)", "0 of 20 (0 %)", "0"]
    assert (listed["clean_games"], listed["clean_wins"], listed["losses"]) == (20, 0, 20)
    assert f"You: rank {listed['rank']}, 20 clean games" in said(page)
    other = stranger.shown("/scoreboards/golf")
    assert player.id in other
    assert 'class="own"' not in other
    assert player.id in stranger.shown("/scoreboards")
    assert f'/scoreboards/golf">Golf</a></th>\n<td>{listed["rank"]}</td>' in stranger.shown(f"/players/{player.id}")


def test_a_scoresheets_entries_lead_to_their_hands(service: Service, ada: Player, stranger: Browser) -> None:
    game = opened(ada, "bridge_solitaire")
    rng = Random(2)
    for _ in range(800):
        legal = ada.get(f"/v1/games/{game['id']}/legal-commands").json()["commands"]
        moves = [one for one in legal if one["type"] not in ("game/resign", "bridge_solitaire/close_rubber")]
        if not moves:
            break
        passes = [one for one in moves if one["type"].endswith("/pass") or one.get("level") == 0]
        answer = ada.post(f"/v1/games/{game['id']}/commands", rng.choice(passes or moves))
        assert answer.status_code == 200, answer.text
    caught_up(service)
    sheet = service.http.get(f"/v1/rubbers/{game['id']}").json()
    page = stranger.shown(f"/rubbers/{game['id']}")
    entries = re.findall(r'<td><a href="/games/[^#"]*#step=(\d+)" aria-label="([^"]*)"[^>]*>(\d+)</a>', page)
    wanted = [(f"{one['points']} for {one['side'].upper()}: {one['kind'].replace('_', ' ')}, hand {one['hand']}")
              for one in sheet["entries"]]  # fmt: skip
    assert sorted(label for _, label, _ in entries) == sorted(wanted)
    assert sheet["lines"], "no game of the rubber was won"
    assert page.count('class="below drawn"') == len(sheet["lines"])
    totals = said(page.partition("<tfoot>")[2].partition("</tfoot>")[0])
    assert totals == f"{sheet['me']['total']} {sheet['it']['total']}"
    for step, label, _ in entries:
        events = service.http.get(f"/v1/games/{game['id']}/frames/{step}").json()["events"]
        hand = next(event["hand"] for event in events if event["type"] == "bridge_solitaire/hand_scored")
        assert label.endswith(f"hand {hand}")


def checked(page: str) -> dict[str, str]:
    """What a browser would send if the form of this page were sent as it is."""
    form = dict(re.findall(r'<input type="(?:text|number)"[^>]*name="([^"]*)" value="([^"]*)"', page))
    form |= dict.fromkeys(re.findall(r'<input type="checkbox"[^>]*name="([^"]*)" value="on" checked', page), "on")
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        form[name] = chosen[1] if chosen else ""
    return form


@pytest.mark.parametrize("key", GAME_TYPES)
def test_every_game_type_has_rules_and_a_form(key: str, ada: Player, adas: Browser) -> None:
    page = adas.shown(f"/game-types/{key}")
    assert GAME_TYPES[key].name in said(page)
    assert page.count("<h1") == 1
    assert "**" not in page.partition("<article")[2].partition("</article>")[0]
    assert re.findall(r"\b[a-z]+_\w+", said(page)) == [], "options are told in words"
    for sentence in lesson_of(key).options.values():
        assert sentence in said(page)
    answer = adas.post(f"/games/new/{key}", checked(adas.shown(f"/games/new/{key}")))
    assert answer.status_code == 303, said(answer.text)
    game = ada.get("/v1" + answer.headers["location"]).json()
    plain = ada.post("/v1/games", {"game_type": key}).json()
    same = ("game_type", "options", "rated", "visibility", "origin", "spectator_delay", "move_seconds", "status")
    assert {name: game[name] for name in same} == {name: plain[name] for name in same}


def test_a_lesson_is_a_game_in_no_list_that_leads_its_owner_alone(adas: Browser, stranger: Browser) -> None:
    for key in GAME_TYPES:
        assert f'href="/lessons/{key}"' in stranger.shown("/")
        assert lesson_of(key).brief[0] in said(stranger.shown(f"/lessons/{key}"))
    answer = adas.post("/lessons/klondike", {})
    address = answer.headers["location"]
    assert address.endswith("?lesson")
    assert 'id="kibitz-lesson"' in adas.shown(address)
    assert 'id="kibitz-lesson"' not in adas.shown(address.removesuffix("?lesson"))
    assert 'id="kibitz-lesson"' not in stranger.shown(address)
    assert address.partition("?")[0] not in stranger.shown("/")
    other = adas.post("/games/new/klondike", checked(adas.shown("/games/new/klondike"))).headers["location"]
    assert 'id="kibitz-lesson"' not in adas.shown(f"{other}?lesson")
    assert stranger.get("/lessons/whist").status_code == 404


def test_a_form_with_choices_or_a_preset_opens_that_game(ada: Player, adas: Browser, stranger: Browser) -> None:
    form = checked(adas.shown("/games/new/klondike"))
    form |= {"options.draw": "3", "options.passes": "2", "visibility": "unlisted", "seed": "my luck"}
    del form["options.undo"]
    game = ada.get("/v1" + adas.post("/games/new/klondike", form).headers["location"]).json()
    assert (game["options"]["draw"], game["options"]["passes"], game["options"]["undo"]) == (3, 2, False)
    assert (game["visibility"], game["origin"], game["rated"]) == ("unlisted", "given_seed", False)
    form = checked(adas.shown("/games/new/megiddo?preset=MEGI%209"))
    game = ada.get("/v1" + adas.post("/games/new/megiddo", form).headers["location"]).json()
    assert game["options"]["variant"] == "megi_9"
    form = checked(stranger.shown("/games/new/golf"))
    assert stranger.post("/games/new/golf", form).headers["location"] == "/sign-in"


@pytest.mark.parametrize(
    ("key", "said_by", "sentence"),
    [
        ("klondike", {"options.passes": "999"}, "Passes:"),
        ("klondike", {"options.draw": "2"}, "Draw:"),
        ("klondike", {"move_seconds": "soon"}, "Seconds for a move:"),
        ("klondike", {"seed": "a", "deal": "QH"}, "Give one of seed, deal and deal number."),
        ("klondike", {"wish": "easy", "deal": "QH"}, "A deal that can be won:"),
        ("klondike", {"wish": "hard"}, "This service keeps no stock of deals that can be won."),
        ("spite_and_malice", {"visibility": "private"}, "A private game with empty seats invites somebody"),
        ("spite_and_malice", {"player_ids": str(uuid4())}, "Somebody who is invited does not exist."),
        ("spite_and_malice", {"player_ids": "nonsense"}, "Invited players:"),
        ("screaming_yoda", {"seats": "2"}, ""),
    ],
)
def test_a_refused_form_keeps_what_was_said(key: str, said_by: dict[str, str], sentence: str, adas: Browser) -> None:
    form = checked(adas.shown(f"/games/new/{key}")) | said_by
    form.pop("options.undo", None)
    answer = adas.post(f"/games/new/{key}", form)
    assert answer.status_code == 409
    alert = said(answer.text.partition('role="alert">')[2].partition("</p>")[0])
    assert alert.startswith(sentence)
    label = sentence.partition(":")[0]
    assert not sentence.endswith(":") or label in re.findall("<label[^>]*>([^<]*)</label>", answer.text)
    assert alert.endswith(".")
    form.pop("options.draw", None)
    kept = checked(answer.text)
    assert {name: kept.get(name) for name in form} == form


def test_scripts_and_styles_never_change_under_their_path(stranger: Browser) -> None:
    kinds = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
    for name, text in FILES.items():
        answer = stranger.get(f"/static/{DIGEST}/{name}")
        assert (answer.status_code, answer.content) == (200, text)
        assert answer.headers["content-type"] == kinds[name.rpartition(".")[2]]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert len(FILES["kibitz.css"]) < 20_000


@pytest.mark.parametrize("coding", HARD_CODERS)
def test_scripts_and_styles_leave_compressed(coding: str, stranger: Browser) -> None:
    for name in ("game.js", "kibitz.css"):
        with stranger.http.stream("GET", f"/static/{DIGEST}/{name}", headers={"Accept-Encoding": coding}) as answer:
            sent = b"".join(answer.iter_raw())
        assert (answer.headers["content-encoding"], answer.headers["vary"]) == (coding, "Accept-Encoding")
        assert len(sent) < len(FILES[name]) / 2
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert HARD_CODERS[coding](FILES[name]) == sent


def test_nothing_else_is_served_as_a_file(stranger: Browser) -> None:
    names = ("nothing.js", "..%2fpage.py", "%2e%2e/page.py", "../templates/layout.html", "__init__.py")
    for name in (*(f"{DIGEST}/{name}" for name in names), "0000000000000000/kibitz.css", "kibitz.css"):
        assert stranger.get(f"/static/{name}").status_code == 404, name


FOR_ALL = {"/sign-in", "/sign-in/code", "/sign-in/passkey", "/sign-in/passkey/challenge", "/register", "/sign-out"}
"""Forms for which nobody has to be signed in."""
FORMS = {path for handler in find_handlers() if "POST" in handler.http_methods for path in handler.paths} - FOR_ALL
DEEDS = {
    "/account/{deed:str}": "rename", "/account/webhooks/{webhook_id:uuid}/{deed:str}": "disable",
    "/leagues/{league_id:uuid}/{deed:str}": "join", "/leagues/{league_id:uuid}/rulings/{deed:str}": "void",
    "/leagues/{league_id:uuid}/seasons/{season:int}/{deed:str}": "close",
    "/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}/{deed:str}": "play",
}  # fmt: skip
JSON: dict[str, Any] = {"/account/passkeys": {"label": "Mine", "credential": {}}, "/account/passkeys/challenge": {}}
ELSE = {"/device": 303, "/device/answer": 303, "/oauth/authorize": 400}
"""Who has no session is sent to sign in; no app asks here."""


@pytest.mark.parametrize("path", sorted(FORMS))
def test_a_token_that_may_only_read_changes_nothing(path: str, service: Service, ada: Player) -> None:
    secret = ada.post("/v1/tokens", {"label": "reader", "scopes": ["games:read"]}).json()["secret"]
    named = {"game_type": "klondike", "season": "1", "deed": DEEDS.get(path, "")}
    where = re.sub(r"\{(\w+):\w+\}", lambda part: named.get(part[1], str(uuid4())), path)
    body: dict[str, Any] = {"json": JSON[path]} if path in JSON else {"data": {"choice": "allow"}}
    with Browser(service) as program:
        program.http.headers["authorization"] = f"Bearer {secret}"
        before = truth.head(service)
        answer = program.http.post(where, headers=OWN, **body)
    assert answer.status_code == ELSE.get(path, 403), answer.text
    assert truth.head(service) == before


def test_start_now_fills_every_seat_at_once_and_a_second_press_changes_nothing(
    service: Service, ada: Player, bob: Player
) -> None:
    game = opened(ada, "screaming_yoda", seats=4, rated=False)
    path = f"/games/{game['id']}/start"
    with signed_in(service, ada) as adas, signed_in(service, bob) as bobs:
        assert bobs.post(path, {"level": "greedy"}).status_code == 403
        assert [adas.post(path, {"level": "greedy"}).status_code for _ in range(2)] == [303, 303]
        assert adas.post(path, {"level": "clever"}).status_code == 400
    seats = [seat["player"]["name"] for seat in look(ada, game)["seats"]]
    assert seats[0] == "Ada"
    assert all(name.startswith("House (") for name in seats[1:])
    assert look(ada, game)["status"] == "playing"
