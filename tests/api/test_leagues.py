"""Box leagues over HTTP: founded once, joined, played, closed, amended; races are right."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest

from .boxes import BOX, SEASON, at, done, fixture, founded, running
from .holding import settled
from .playing import look, of
from .problems import told
from .serving import Player, Service, registered

NEXT = {"starts": "2020-03-01T00:00:00Z", "ends": "2020-04-01T00:00:00Z"}


@pytest.fixture
def olga(service: Service) -> Player:
    """Who organises."""
    return registered(service, "Olga")


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """The answers of requests made at the same time."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def test_a_repeat_with_the_same_key_founds_one_league(olga: Player) -> None:
    key = {"idempotency-key": str(uuid4())}
    first, again = (olga.post("/v1/leagues", BOX, headers=key) for _ in range(2))
    assert first.json() == again.json()
    assert first.headers["location"] == f"/v1/leagues/{first.json()['id']}"
    told(olga.post("/v1/leagues", {**BOX, "name": "Another"}, headers=key), 422, "key_reused")
    ids = {answer.json()["id"] for answer in at_once(
        *[lambda: olga.post("/v1/leagues", BOX, headers={"idempotency-key": "at once"})] * 4
    )}  # fmt: skip
    assert len(ids) == 1


def test_a_league_shows_its_rules_in_full_and_stands_in_the_lists(service: Service, olga: Player, ada: Player) -> None:
    league = founded(olga, ada, name="Listed")
    assert league["rules"]["type"] == "box"
    assert (league["rules"]["id"], league["rules"]["least_games"]) == ("box-units-3", 1)
    assert league["options"], "settled options stand there in full"
    settled(service)
    for path in ("/v1/leagues", f"/v1/leagues?player_id={ada.id}", f"/v1/leagues?player_id={olga.id}"):
        listed = done(ada.get(path))["leagues"]
        assert (listed[0]["id"], listed[0]["members"]) == (league["id"], 1)


def test_only_organisers_organise_and_another_may_be_named(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada)
    told(ada.post(at(league, "/seasons"), SEASON), 403, "forbidden", "organisers_only")
    done(olga.post(at(league, "/organisers"), {"player_id": ada.id}))
    told(olga.post(at(league, "/organisers"), {"player_id": str(uuid4())}), 409, "illegal", "unknown_player")
    done(ada.http.patch(at(league), json={"name": "Fridays"}))
    assert done(bob.get(at(league)))["name"] == "Fridays"
    done(olga.http.delete(at(league, f"/organisers/{olga.id}")))
    told(ada.http.delete(at(league, f"/organisers/{ada.id}")), 409, "illegal", "last_organiser")


def test_a_league_by_invitation(service: Service, olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, membership="invite")
    told(ada.post(at(league, "/join")), 403, "forbidden", "not_invited")
    done(olga.post(at(league, "/invitations"), {"player_id": ada.id}))
    done(olga.post(at(league, "/invitations"), {"player_id": bob.id}))
    settled(service)
    assert done(ada.get(f"/v1/leagues?player_id={ada.id}"))["leagues"][0]["id"] == league["id"]
    done(bob.http.delete(at(league, f"/invitations/{bob.id}")))
    assert [one["id"] for one in done(ada.post(at(league, "/join")))["members"]] == [ada.id]
    told(bob.post(at(league, "/join")), 403, "forbidden", "not_invited")
    done(olga.post(at(league, f"/members/{ada.id}/remove"), {"reason": "Never came."}))
    told(ada.post(at(league, "/leave")), 403, "forbidden", "not_a_member")
    done(olga.post(at(league, "/dissolve"), {"reason": "We move on."}))
    told(olga.post(at(league, "/invitations"), {"player_id": bob.id}), 409, "illegal", "dissolved")


def test_of_two_organisers_at_once_one_opens_the_season(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada, bob)
    done(olga.post(at(league, "/organisers"), {"player_id": ada.id}))
    answers = at_once(*[lambda who=who: who.post(at(league, "/seasons"), SEASON) for who in (olga, ada, olga, ada)])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {answer.json()["rule"] for answer in answers if answer.status_code == 409} == {"season_open"}
    assert len(done(ada.get(at(league)))["seasons"]) == 1


def test_a_fixture_has_one_game_however_many_ask_for_it_at_once(olga: Player, ada: Player, bob: Player) -> None:
    league = running(olga, ada, bob)
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    answers = at_once(*[lambda who=who: who.post(path) for who in (ada, bob, ada, bob)])
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_a_fixtures_game_is_rated_public_of_the_leagues_options_and_for_its_players_alone(
    olga: Player, ada: Player, bob: Player, eve: Player
) -> None:
    league = running(olga, ada, bob, options={"preset": "snm_pz"}, move_seconds=86_400)
    path = at(league, f"/fixtures/{fixture(ada, league, ada, bob)}/open")
    told(eve.post(path), 403, "forbidden", "not_in_fixture")
    game = done(ada.post(path), 201)
    assert (game["rated"], game["visibility"], game["move_seconds"]) == (True, "public", 86_400)
    assert game["options"] == league["options"]
    told(eve.post(of(game, "/join"), {}), 403, "forbidden", "not_in_fixture")
    assert bob.http.delete(of(game, f"/invitations/{bob.id}")).status_code == 204
    told(eve.post(of(game, "/join"), {}), 403, "forbidden", "not_in_fixture")
    other = done(bob.post(path), 201)
    assert other["id"] != game["id"], "nobody can sit down at the first any more"
    done(ada.post(of(other, "/join"), {}))
    assert {holder["player"]["id"] for holder in look(ada, other)["seats"]} == {ada.id, bob.id}


def test_moments_and_seasons_out_of_reach_are_refused(olga: Player, ada: Player, bob: Player) -> None:
    league = founded(olga, ada, bob)
    for wrong in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"):
        told(olga.post(at(league, "/seasons"), {"starts": wrong, "ends": wrong}), 400, "malformed")
    for path in ("/seasons/1/tables", "/seasons/0/fixtures", "/seasons/99999999999/promotions"):
        told(olga.get(at(league, path)), 404, "no_such_thing")
    told(olga.get(f"/v1/leagues/{uuid4()}"), 404, "no_such_thing")
