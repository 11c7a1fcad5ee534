"""The named tables as data: what a game is opened with by name is what is told."""

from domain.games.spite_and_malice.rules import settle
from domain.games.spite_and_malice.state import Options, settings_of
from domain.games.spite_and_malice.view import MATERIAL


def test_a_named_table_is_what_the_preset_opens() -> None:
    assert [table.name for table in MATERIAL.tables] == ["SNM A", "SNM PZ", "SNM PZ_NWIS", "SNM A-SHORT"]
    for table in MATERIAL.tables:
        assert table.options == settle(Options(preset=table.id), 2)


def test_values_and_the_lowest_wild_tell_what_is_wild() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    for lowest in MATERIAL.wilds:
        settings = settings_of(settle(Options(minimum_wild=lowest.id), 2))
        assert {card for card in value if settings.is_wild(card)} == {
            card for card in value if value[card] >= lowest.wild_from
        }
        assert settings.finish == lowest.finish
