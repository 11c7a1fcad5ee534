"""The table of rules has every slug that the code raises, and no other."""

import ast

import httpx
import pytest

from service.problems import PLACES, SENTENCES

from .raised_rules import raised, slugs_in, unplaced


def test_every_rule_that_is_raised_is_listed_where_it_is_raised() -> None:
    found = {place: sorted(slugs) for place, slugs in sorted(raised().items())}
    assert found == PLACES, "write a sentence into rules.toml, then `python -m tests.openapi.raised_rules`"
    assert not unplaced(), "say in raised_rules.py to which area these files belong"


def test_every_rule_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert set(SENTENCES) == set().union(*PLACES.values())
    assert list(SENTENCES) == sorted(SENTENCES)
    for sentence in SENTENCES.values():
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_a_slug_that_cannot_be_read_from_the_code_is_told() -> None:
    assert list(slugs_in(ast.parse("raise Illegal('new_rule', 'A new rule says so.')"))) == ["new_rule"]
    with pytest.raises(ValueError, match="what slug"):
        list(slugs_in(ast.parse("raise Illegal(chosen(), 'No.')")))


def test_the_api_lists_them(address: str) -> None:
    client = httpx.Client(base_url=address, timeout=60)
    rules = {one["slug"]: one for one in client.get("/v1/problems/illegal").json()["rules"]}
    assert set(rules) == set(SENTENCES)
    assert rules["whole_run_only"]["places"] == ["klondike"]
    assert "every game" in rules["undo_not_offered"]["places"]
    own = client.get("/v1/game-types/klondike").json()["refusals"]
    assert own["king_on_empty_column"] == SENTENCES["king_on_empty_column"]
    assert set(own) == set(PLACES["klondike"])
    assert "rules" not in client.get("/v1/problems/malformed").json()
