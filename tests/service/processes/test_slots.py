"""Which game is in which slot, and which slot should be whose."""

from collections import Counter
from uuid import UUID, uuid4

from service.event_store.ids import uuid7
from service.live.slots import SLOTS, id_in, rightful_owner, slot_of

EVERY = range(SLOTS)


def test_games_are_spread_over_all_slots() -> None:
    found = Counter(slot_of(uuid7()) for _ in range(64 * 200))
    assert set(found) == set(EVERY)
    assert max(found.values()) < 300


def test_a_new_id_is_in_one_of_the_slots_and_is_an_id_like_any() -> None:
    made = [id_in({3, 17}) for _ in range(50)]
    assert {slot_of(one) for one in made} == {3, 17}
    assert {one.version for one in made} == {7}
    assert sorted(made, key=lambda one: one.int >> 80) == made
    assert len(set(made)) == 50


def test_every_process_has_about_its_share() -> None:
    for count in (2, 3, 8):
        shares = Counter(rightful_owner(slot, range(100, 100 + count)) for slot in EVERY)
        assert len(shares) == count
        assert max(shares.values()) < 2.5 * SLOTS / count


def test_all_agree_and_one_that_comes_or_goes_moves_its_own_slots_only() -> None:
    for slot in EVERY:
        before, after = rightful_owner(slot, [7, 8, 9]), rightful_owner(slot, [7, 8, 9, 10])
        assert after in (before, 10)
        assert before == rightful_owner(slot, [9, 7, 8])


def test_the_slot_is_what_the_database_takes_it_for() -> None:
    game = uuid4()
    assert slot_of(game) == game.bytes[15] & 63
    assert slot_of(UUID(int=64 * 5 + 9)) == 9
