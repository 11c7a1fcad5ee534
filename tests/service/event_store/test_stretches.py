"""Which positions are one's own, and what others have written between them."""

from random import Random

from service.event_store.log_positions import OwnPositions


def test_what_is_between_ones_own_is_others() -> None:
    own = OwnPositions()
    for first, last in ((3, 4), (5, 5), (9, 10), (4, 3)):
        own.add(first, last)
    assert own.others(0, 12) == [(1, 2), (6, 8), (11, 12)]
    assert own.others(2, 5) == []
    assert own.others(4, 7) == [(6, 7)]
    own.drop(5)
    assert own.others(5, 10) == [(6, 8)]


def test_any_division_of_the_log_is_told_apart() -> None:
    lots = Random(1)
    for _ in range(200):
        own, mine, at = OwnPositions(), set[int](), 0
        for _ in range(lots.randint(0, 8)):
            first = at + lots.randint(1, 4)
            at = first + lots.randint(0, 3)
            own.add(first, at)
            mine |= set(range(first, at + 1))
        after, upto = lots.randint(0, 10), lots.randint(0, 40)
        told = [position for first, last in own.others(after, upto) for position in range(first, last + 1)]
        assert told == [position for position in range(after + 1, upto + 1) if position not in mine]
