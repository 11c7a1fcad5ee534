"""The hours as data: every card belongs to one."""

from typing import Any

from domain.games.the_clock import THE_CLOCK
from domain.kit.cards import PACK

MATERIAL: Any = THE_CLOCK.material


def test_every_card_belongs_to_the_hour_of_its_value() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    assert [hour.hour for hour in MATERIAL.hours] == [*range(1, 13), None]
    assert sorted(card for hour in MATERIAL.hours for card in hour.cards) == sorted(PACK)
    for hour in MATERIAL.hours:
        assert {value[card] for card in hour.cards} == {hour.hour or 13}
        assert (hour.id, hour.shown) == (f"pile_{(hour.hour or 13) - 1}", f"shown_{(hour.hour or 13) - 1}")
