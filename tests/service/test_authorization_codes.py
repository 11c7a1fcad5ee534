"""A code is good once, whatever has become of what it gave."""

import pytest

from service.accounts.access import Access
from service.accounts.players import Accounts
from service.event_store.store import EventStore
from service.oauth.apps import Apps
from service.oauth.grants import Grants, Replayed
from tests.service.event_store.made import on_a_loop

BACK = "https://app.example/back"


@on_a_loop
async def test_a_code_that_was_read_in_time_gives_nothing_once_what_it_gave_is_revoked(database: str) -> None:
    async with EventStore(database) as store:
        access = Access(store)
        accounts = Accounts(store, access)
        grants = Grants(store, accounts)
        player, token = await accounts.register("Ada", 1)
        browser = await accounts.begin_session(player, "a browser", 1, token.id)
        session = await access.caller(f"Bearer {browser.secret}")
        app, _ = await Apps(store).register(player, "App", (BACK,), False, False)
        text = await grants.make_code(app, session, BACK, ("games:read",), "challenge")
        first, second = await grants.code(text), await grants.code(text)
        assert first is not None
        assert second is not None
        given = await grants.exchange(app, first, 1)
        assert await grants.code(text) is None
        assert await grants.access_token(given.access.secret or "") is None
        with pytest.raises(Replayed):
            await grants.exchange(app, second, 1)
