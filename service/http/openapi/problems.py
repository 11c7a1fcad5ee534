"""The table of problems, in markdown."""

from service.problems import KINDS


def problems_page() -> str:
    """Every kind of problem a client may meet, one row each."""
    rows = [f"| `/v1/problems/{name}` | {kind.status} | {kind.title} | {kind.when} |" for name, kind in KINDS.items()]
    return "\n".join([_HEAD, *rows]) + "\n"


_HEAD = """# Problems

Every error is an RFC 9457 problem document (`application/problem+json`) with one of these types. An `illegal` one
names in `rule` the rule of the game that was broken; the slugs are stable and their sentences are not.

| type | status | title | when |
| --- | --- | --- | --- |"""
