"""The rule sets that a league can be founded under."""

from domain.league.rules import IN_WORDS, LEAGUE_RULES


def test_every_rule_set_has_its_words_and_no_other() -> None:
    assert set(IN_WORDS) == set(LEAGUE_RULES)
