"""Streams line by line, and the server-sent events that their lines make."""

from msgspec import Struct


class Event(Struct, frozen=True):
    """One event: its name, its data as text, and its id, with which a broken stream is resumed."""

    name: str
    data: str
    id: str | None = None


class Lines:
    """The lines of bytes that come in pieces; only a line feed ends one, for JSON may hold Unicode's other ends."""

    def __init__(self) -> None:
        self._begun = b""

    def read(self, piece: bytes) -> list[str]:
        """The lines that end in this piece."""
        *whole, self._begun = (self._begun + piece).split(b"\n")
        return [line.removesuffix(b"\r").decode() for line in whole]


class EventReader:
    """Makes events of the lines of a stream. `alive`: the last line was one that only a working stream sends."""

    def __init__(self) -> None:
        self.last_id: str | None = None
        self.alive = False
        self.begin()

    def begin(self) -> None:
        """A new connection: of the one before nothing is kept but the last id."""
        self._name, self._data = "", ""
        self._id: str | None = None

    def read(self, line: str) -> Event | None:
        """The event that this line ends, an empty one; else None. A line that begins with a colon is a heartbeat."""
        self.alive = line.startswith(":")
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            return self._end()
        if field == "event":
            self._name = value
        elif field == "data":
            self._data = f"{self._data}\n{value}" if self._data else value
        elif field == "id":
            self._id = value
        return None

    def _end(self) -> Event | None:
        event = Event(self._name, self._data, self._id)
        self.begin()
        if not event.name:
            return None
        self.alive = True
        self.last_id = event.id or self.last_id
        return event
