"""The witness of a certificate: kept sealed while the contest is open, then a record that `kibitz verify` replays."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.games import GAME_TYPES
from domain.play.events import Opened
from domain.play.open_record import MEDIA_TYPE, read_record
from domain.play.verify_text import verify_text
from service.contests.certificates import Certificates, ExaminedDeal
from service.postgres import Server
from tests.service.cli.programs import kibitz

from . import truth
from .holding import announced, close_all, entered, settled
from .playing import of
from .problems import told
from .serving import Player, Service, database_of, registered, serving


async def _at_once(seconds: float) -> None:
    """The certifier waits, lest its time tells anything; here nobody watches."""


@pytest.fixture(scope="module")
def looked() -> ExaminedDeal:
    """A deal that the solver's own process has won."""
    found = asyncio.run(Certificates(sleep=_at_once).deal(GAME_TYPES["freecell"]))
    assert found.certificate == "winnable"
    return ExaminedDeal(seed=found.seed, certificate=found.certificate, positions=found.positions, line=found.line)


@pytest.fixture(scope="module")
def conninfo(postgres: Server, template_database: str) -> Iterator[str]:
    with database_of(postgres, template_database) as made:
        yield made


class Held:
    """A certified day of FreeCell, and one of Golf at which nobody has looked."""

    def __init__(self, service: Service, looked: ExaminedDeal) -> None:
        self.certified = announced(service.conninfo, "freecell", looked=looked)
        self.uncertified = announced(service.conninfo, "golf")
        self.ada = registered(service, "Ada")
        settled(service)


@pytest.fixture(scope="module")
def open_(conninfo: str, looked: ExaminedDeal) -> Iterator[tuple[Service, Held]]:
    with serving(conninfo) as service:
        yield service, Held(service, looked)


@pytest.fixture(scope="module")
def closed(conninfo: str, open_: tuple[Service, Held]) -> Iterator[tuple[Service, Held]]:
    """The same when it is over, on another server: what was dealt to Ada is among the events."""
    before, held = open_
    entered(held.ada, held.certified)
    before.end()
    close_all(conninfo)
    with serving(conninfo) as service:
        settled(service)
        held.ada = held.ada.on(service)
        yield service, held


def shown(player: Player, contest: str) -> dict[str, object]:
    answer = player.get(f"/v1/contests/{contest}")
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_while_the_contest_is_open_nothing_tells_the_line(open_: tuple[Service, Held], looked: ExaminedDeal) -> None:
    service, held = open_
    said = [json.dumps(command, separators=(",", ":")) for command in looked.line]
    assert len(said) > 20
    refusals = [held.ada.get(f"/v1/contests/{one}/witness") for one in (held.certified, held.uncertified)]
    for refused in refusals:
        told(refused, 409, "illegal", "contest_open")
    assert refusals[0].json()["detail"] == refusals[1].json()["detail"]
    assert (shown(held.ada, held.certified)["witness"], shown(held.ada, held.certified)["certificate"]) == (
        None,
        "winnable",
    )
    published = [held.ada.get(path).text for path in (f"/v1/contests/{held.certified}", "/v1/contests", "/days")]
    stored = "".join(map(str, truth.everything(service)))
    for text in (*published, *(answer.text for answer in refusals), stored, service.log()):
        assert not [command for command in said if command in text]


def test_when_it_is_closed_the_witness_is_a_record_that_verifies_to_a_win(
    closed: tuple[Service, Held], looked: ExaminedDeal, tmp_path: Path
) -> None:
    service, held = closed
    found = shown(held.ada, held.certified)
    assert found["witness"] == f"/v1/contests/{held.certified}/witness"
    answer = httpx.get(f"{service.url}{found['witness']}", timeout=60)
    assert (answer.status_code, answer.headers["content-type"]) == (200, MEDIA_TYPE)
    keys, saved = tmp_path / "keys.json", tmp_path / "witness.kibitz"
    keys.write_bytes(service.http.get("/v1/keys").content)
    saved.write_bytes(answer.content)
    nowhere = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    ran = kibitz("verify", saved, "--signed", "--keys", keys, **nowhere)
    assert (ran.returncode, ran.stdout[:6]) == (0, "OK    "), ran.stdout
    ending = json.loads(answer.content.splitlines()[-2])
    assert (ending["status"], ending["result"]["ending"]) == ("finished", "won")
    assert len(answer.content.splitlines()) == 3 + 1 + len(looked.line)
    assert httpx.get(f"{service.url}{found['witness']}", timeout=60).content == answer.content


def test_the_witness_has_the_deal_that_everybody_was_dealt_and_names_nobody(closed: tuple[Service, Held]) -> None:
    service, held = closed
    text = service.http.get(f"/v1/contests/{held.certified}/witness").content
    records, found = read_record(text).records, verify_text(text)
    attempt = shown(held.ada, held.certified)["your_game_id"]
    dealt = held.ada.get(of({"id": attempt}, "/record")).content
    assert records[2].event == read_record(dealt).records[2].event
    opened = records[0].event
    assert isinstance(opened, Opened)
    assert (opened.rated, opened.origin, opened.contest, found.faults, found.fair) == (
        False,
        "given_seed",
        None,
        (),
        False,
    )
    assert {record.actor.int for record in records if record.actor is not None} == {0}
    told(held.ada.get(f"/v1/games/{records[0].stream}"), 404, "no_such_thing")


def test_a_contest_without_a_line_says_so(closed: tuple[Service, Held]) -> None:
    _, held = closed
    assert shown(held.ada, held.uncertified)["witness"] is None
    refused = told(held.ada.get(f"/v1/contests/{held.uncertified}/witness"), 404, "no_such_thing")
    assert "No line is kept" in str(refused["detail"])


def test_the_page_of_a_closed_contest_leads_to_the_witness(closed: tuple[Service, Held]) -> None:
    service, held = closed
    page = service.http.get(f"/contests/{held.certified}", headers={"accept": "text/html"}).text
    assert f'href="/v1/contests/{held.certified}/witness"' in page
    assert "/witness" not in service.http.get(f"/contests/{held.uncertified}", headers={"accept": "text/html"}).text
