"""The open record: a whole game as text, one JSON document a line: the header, the steps, the ending.

Format 1. Everything recorded is in it once: text and records can each be made from the other. Of a game that goes on,
`seen_lines` gives the lines that one viewer may have. `openapi/record.md` describes it for others.
"""

from domain.play.open_record.lines import FORMAT, MEDIA_TYPE, Ending, Header, OpenRecord, Signature, StepLine
from domain.play.open_record.reading import Unreadable, read_record
from domain.play.open_record.writing import record_lines, seen_lines

__all__ = [
    "FORMAT",
    "MEDIA_TYPE",
    "Ending",
    "Header",
    "OpenRecord",
    "Signature",
    "StepLine",
    "Unreadable",
    "read_record",
    "record_lines",
    "seen_lines",
]
