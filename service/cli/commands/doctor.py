"""`kibitz doctor`: checks what the service needs on this machine, and changes nothing."""

from argparse import ArgumentParser, Namespace

from service.cli.checks import Finding, database, machine
from service.cli.options import database_options
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """One line for each thing looked at, `OK` or `FAULT` with what to do; 1 if there is a fault."""
    findings = [*machine.findings(settings), *database.findings(settings)]
    for finding in findings:
        print(_line(finding))
    return 1 if any(finding.remedy for finding in findings) else 0


def _line(finding: Finding) -> str:
    kind, remedy = ("FAULT", f" To do: {finding.remedy}") if finding.remedy else ("OK", "")
    return f"{kind:<5} {finding.name}: {finding.told}{remedy}"
