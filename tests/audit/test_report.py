"""What an auditor says is told as it is: a hole fails, silence is no all-clear."""

import pytest

from tests.audit import __main__ as audit
from tests.audit.report import Report, read

SOUND = b'{"name":"msgspec","version":"0.22.0","vulns":[]}'
HOLED = b'{"name":"jinja2","version":"3.1.0","vulns":[{"id":"CVE-2026-1","fix_versions":["3.1.9"],"aliases":[]}]}'
SKIPPED = b'{"name":"uvicorn","skip_reason":"Dependency not found on PyPI and could not be audited: uvicorn (0.54.0)"}'


def said(*dependencies: bytes) -> Report | None:
    return read(b'{"dependencies":[' + b",".join(dependencies) + b'],"fixes":[]}')


def test_a_hole_is_named_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    report = said(SOUND, HOLED, SKIPPED)
    assert report is not None
    assert audit._told("pypi", report) == 1
    text = capsys.readouterr().out
    assert "2 packages, 1 known holes" in text
    assert "jinja2 3.1.0: CVE-2026-1, mended in 3.1.9" in text
    assert "does not know uvicorn" in text


def test_no_hole_fails_nothing() -> None:
    report = said(SOUND)
    assert report is not None
    assert audit._told("pypi", report) == 0


@pytest.mark.parametrize("text", [b"", b"Traceback", b'{"dependencies":[]}', b'{"dependencies":[%s]}' % SKIPPED])
def test_a_service_that_knows_nothing_has_not_answered(text: bytes) -> None:
    assert read(text) is None


def test_silence_is_said_plainly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "_asked", lambda service: None)
    assert audit.main() == 0
    assert "Not audited" in capsys.readouterr().out
