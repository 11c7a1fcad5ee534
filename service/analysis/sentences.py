"""Words that reports share."""


def count(number: int, word: str) -> str:
    """`1 trick`, `2 tricks`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
