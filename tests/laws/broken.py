"""How a law says that it is broken."""


class LawBroken(AssertionError):
    """A game type breaks a law: the law's name and what was seen."""

    def __init__(self, law: str, seen: str) -> None:
        super().__init__(f"{law}: {seen}")
        self.law = law


def hold(holds: bool, law: str, seen: str) -> None:
    """Raises LawBroken unless it holds."""
    if not holds:
        raise LawBroken(law, seen)
