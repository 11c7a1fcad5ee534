"""HTTP clients of other languages register, open, play and stream; `make clients` tries the large ones."""

import pytest

from .programs import CLIENTS, COLUMNS, Client, cells_of


@pytest.mark.parametrize("client", CLIENTS[:2], ids=lambda client: client.name)
def test_a_stock_client_registers_opens_plays_streams_and_keeps_its_connection(client: Client, address: str) -> None:
    assert cells_of(client, address) == dict.fromkeys(COLUMNS, "yes")
