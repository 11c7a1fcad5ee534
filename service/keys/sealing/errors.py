"""Errors of sealed records, each with a message of one sentence."""

from uuid import UUID


class SealError(Exception):
    """A sealed record that cannot be opened."""


class SealingKeyMissing(SealError):
    """A record is sealed under a key that this process does not have."""

    def __init__(self, stream: UUID, key: bytes) -> None:
        super().__init__(f"Stream {stream} is sealed under the key {key.hex()}, which is not in the folder of keys.")
        self.stream, self.key = stream, key


class BrokenSeal(SealError):
    """A sealed record was changed, or is not in the place that it was sealed for."""

    def __init__(self, place: bytes) -> None:
        version = int.from_bytes(place[16:20], "big")
        stream = UUID(bytes=place[:16])
        super().__init__(f"Version {version} of stream {stream} was changed or moved: its seal is broken.")
