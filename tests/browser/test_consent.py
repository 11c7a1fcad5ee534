"""The page of consent and the way back to an app's own site, and the code of a device, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import httpx
from authlib.integrations.httpx_client import OAuth2Client
from playwright.sync_api import Page, expect

from service.oauth.apps import DEVICE_CODE
from tests.api.serving import Player, Service

from .looks import Checks

VERIFIER = "v" * 43


@contextmanager
def app_site(link: list[str]) -> Iterator[int]:
    """The app's own site: each page has the link; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = f'<!doctype html><title>App</title><a href="{link[-1].replace("&", "&amp;")}">Sign in</a>'.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_player_lets_an_app_in_and_another_time_does_not(
    page: Page, site: Service, ada: Player, bob: Player, checks: Checks
) -> None:
    link = [""]
    with app_site(link) as port:
        back = f"http://127.0.0.1:{port}/back"
        made = bob.post("/v1/apps", {"name": "Score Club", "redirect_uris": ["http://127.0.0.1/back"]}).json()
        client = OAuth2Client(
            made["client_id"], scope="games:read games:play contests:enter", redirect_uri=back,
            code_challenge_method="S256", token_endpoint_auth_method="none",
            token_endpoint=f"{site.url}/oauth/token", timeout=60,
        )  # fmt: skip
        address, _ = client.create_authorization_url(f"{site.url}/oauth/authorize", code_verifier=VERIFIER)
        link.append(address)
        page.goto(f"http://localhost:{port}/")  # another site than 127.0.0.1, so that the strict cookie stays away
        page.get_by_role("link", name="Sign in").click()
        page.get_by_text("With a token").click()
        page.get_by_label("Your token").fill(ada.token)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Score Club asks for your permission")
        assert checks.wrong(page) == []
        page.get_by_role("button", name="Allow", exact=True).click()
        page.wait_for_url(f"{back}?*")
        client.fetch_token(authorization_response=page.url, code_verifier=VERIFIER)
        assert client.get(f"{site.url}/v1/players/me").json()["id"] == ada.id

        page.goto(f"http://localhost:{port}/")
        page.get_by_role("link", name="Sign in").click()
        page.get_by_role("button", name="Do not allow").click()
        page.wait_for_url(f"{back}?*")
        assert parse_qs(urlsplit(page.url).query)["error"] == ["access_denied"]


def waiting(site: Service, app: dict[str, str]) -> dict[str, str]:
    form = {"client_id": app["client_id"], "scope": "games:read games:play"}
    codes: dict[str, str] = site.http.post("/oauth/device_authorization", data=form).json()
    return codes


def poll(site: Service, app: dict[str, str], codes: dict[str, str]) -> httpx.Response:
    form = {"grant_type": DEVICE_CODE, "client_id": app["client_id"], "device_code": codes["device_code"]}
    return site.http.post("/oauth/token", data=form)


def test_a_player_types_the_code_of_a_device_and_allows_it_and_another_time_does_not(
    page: Page, site: Service, ada: Player, bob: Player, checks: Checks, forgiven: list[str]
) -> None:
    forgiven.append("the server responded with a status of 404")
    app = bob.post("/v1/apps", {"name": "Club Bot", "redirect_uris": [], "devices": True}).json()
    codes = waiting(site, app)
    page.goto(codes["verification_uri"])
    page.get_by_text("With a token").click()
    page.get_by_label("Your token").fill(ada.token)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in on a device")
    assert checks.wrong(page) == []
    page.get_by_label("The code").fill("BBBB-BBBB")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text("No device shows this code")
    assert checks.wrong(page) == []
    page.get_by_label("The code").fill(codes["user_code"].lower().replace("-", ""))
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Club Bot asks for your permission")
    expect(page.get_by_text(codes["user_code"])).to_be_visible()
    expect(page.get_by_text("If somebody sent you the code, do not allow it.")).to_be_visible()
    assert checks.wrong(page) == []
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Allowed")
    assert checks.wrong(page) == []
    token = poll(site, app, codes).json()["access_token"]
    me = site.http.get("/v1/players/me", headers={"authorization": f"Bearer {token}"})
    assert me.json()["id"] == ada.id

    codes = waiting(site, app)
    page.goto(codes["verification_uri_complete"])
    expect(page.get_by_label("The code")).to_have_value(codes["user_code"])
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Do not allow").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not allowed")
    assert poll(site, app, codes).json()["error"] == "access_denied"
