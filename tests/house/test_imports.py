"""Imports that no contract of pyproject.toml names; the contracts themselves `make imports` keeps."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_what_answers_no_requests_does_without_the_framework() -> None:
    """A fifth of a start would be the framework's imports: workers, solvers and commands need none of them."""
    program = "import sys, service.cli.worker, service.contests.certificates, service.jobs.searching; "
    loaded = subprocess.run(
        [sys.executable, "-c", f"{program}print('litestar' in sys.modules)"], cwd=ROOT, capture_output=True
    )
    assert loaded.stdout.decode().strip() == "False", loaded.stderr.decode()


def test_no_patience_is_named_outside_its_own_modules() -> None:
    """A further patience is a module, its rules in prose and, if wanted, a solver: nothing else is edited."""
    keys = "|".join(path.stem for path in (ROOT / "domain/games").glob("[a-z]*.py"))
    naming = re.compile(rf'domain\.games(\.| import )({keys})\b|\b(key|game_type) (==|in|not in) .*"({keys})"')
    sources = {path for room in ("domain", "projections", "service") for path in (ROOT / room).rglob("*.py")}
    sources -= {*(ROOT / "domain/games").glob("*.py"), *(ROOT / "service/solving/games").glob("*.py")}
    naming_sources = {path.relative_to(ROOT).as_posix() for path in sources if naming.search(path.read_text())}
    assert naming_sources == {"service/api/examples.py"}
