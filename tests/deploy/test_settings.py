"""One table of settings: it is made from the code, and everything that deploys the service sets what is in it."""

from itertools import product
from pathlib import Path

import pytest
from msgspec import inspect

from service.cli import main, reference
from service.cli.options import read_settings
from service.settings import Settings, from_environment, wanted

_PAGE = Path(__file__).parents[2] / "deploy" / "SETTINGS.md"


def test_the_page_is_what_the_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--markdown"]) == 0
    assert capsys.readouterr().out == _PAGE.read_text("utf-8"), "run `kibitz settings --markdown > deploy/SETTINGS.md`"


def test_every_setting_says_what_it_is_in_a_sentence() -> None:
    assert len(reference.rows()) == len(Settings.__struct_fields__)
    for row in reference.rows():
        assert row.description[0].isupper(), row
        assert row.description.endswith("."), row
        assert "|" not in row.description


def test_every_default_of_the_table_is_the_one_that_the_code_takes() -> None:
    given = {row.variable: row.default for row in reference.rows() if row.default}
    assert from_environment(given) == from_environment({})


def test_the_table_for_a_terminal_keeps_to_its_width(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert {line.partition(" ")[0] for line in lines if not line.startswith(" ")} == {
        row.variable for row in reference.rows()
    }


def test_a_setting_may_stand_in_a_file_that_its_variable_names(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql://kibitz:secret@database/kibitz\n")
    read = from_environment({"DATABASE_URL_FILE": str(tmp_path / "url"), "KIBITZ_PORT": "9000"})
    assert (read.database_url, read.port) == ("postgresql://kibitz:secret@database/kibitz", 9000)


@pytest.mark.parametrize("row", reference.rows(), ids=lambda row: row.variable)
def test_an_empty_variable_counts_as_unset(row: reference.Row, tmp_path: Path) -> None:
    """Compose writes `${X:-}` so; of two ways to name a value the one that is not empty counts."""
    (tmp_path / "empty").write_text("\n")
    for given in ({row.variable: ""}, {f"{row.variable}_FILE": ""}, {f"{row.variable}_FILE": str(tmp_path / "empty")}):
        assert from_environment(given) == Settings()
    (tmp_path / "url").write_text("postgresql://database/kibitz\n")
    given = {"DATABASE_URL": "", "DATABASE_URL_FILE": str(tmp_path / "url")}
    assert from_environment(given).database_url == "postgresql://database/kibitz"


def test_a_file_that_is_not_there_is_named_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^KIBITZ_SESSION_URL_FILE: No such file"):
        from_environment({"KIBITZ_SESSION_URL_FILE": str(tmp_path / "none")})


@pytest.mark.parametrize(
    ("variable", "value", "wanted"),
    [
        ("KIBITZ_PORT", "eight", "a whole number from 0 to 65535"),
        ("KIBITZ_PORT", "-1", "a whole number from 0 to 65535"),
        ("KIBITZ_PROCESSES", "0", "a whole number from 1 to 64"),
        ("KIBITZ_HEARTBEAT", "0", "a number from 0.01 to 100000"),
        ("KIBITZ_HEARTBEAT", "-1", "a number from 0.01 to 100000"),
        ("KIBITZ_HEARTBEAT", "nan", "a number from 0.01 to 100000"),
        ("KIBITZ_CLOCK_SECONDS", "0", "a number from 0.01 to 100000"),
        ("KIBITZ_CLOCK_SECONDS", "-1", "a number from 0.01 to 100000"),
        ("KIBITZ_DATABASE_SILENCE", "0", "a number from 0.01 to 100000"),
        ("KIBITZ_HEAD_SECONDS", "0", "a number from 0.01 to 100000"),
        ("KIBITZ_TOKEN_DAYS", "-1", "a whole number from 1 to 36500"),
        ("KIBITZ_MAX_BODY_BYTES", "0", "a whole number from 1000 to 1073741824"),
        ("KIBITZ_RUN_WORKER", "perhaps", "true or false"),
        ("KIBITZ_LOG_LEVEL", "loud", "debug, error, info or warning"),
        ("KIBITZ_LOG_FORMAT", "xml", "auto, json or text"),
        ("KIBITZ_ADDRESS", "here:there", "a host, or a host and a port, such as 10.0.0.5:8001 or [fd00::5]:8001"),
    ],
)
def test_a_setting_out_of_its_bounds_is_refused_in_a_sentence_that_names_the_variable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, variable: str, value: str, wanted: str
) -> None:
    monkeypatch.setenv(variable, value)
    for command in ("doctor", "serve"):
        assert main([command, "--data-folder", "/nowhere"]) == 2
        assert capsys.readouterr().err == f"kibitz: {variable} must be {wanted}.\n"


def test_every_number_has_its_bounds() -> None:
    """Far above and far below them nothing is taken, in whatever way it is written."""
    numbers = [name for name, kind in Settings.__annotations__.items() if " number " in wanted(inspect.type_info(kind))]
    assert {"heartbeat", "port", "metrics_port", "registrations_per_hour", "rollout_seconds"} <= set(numbers)
    for name, value in product(numbers, ("-1", "-0.001", "1e300", "inf", "nan")):
        with pytest.raises(ValueError, match=f"^KIBITZ_{name.upper()} must be a"):
            from_environment({f"KIBITZ_{name.upper()}": value})


def test_a_refusal_does_not_repeat_what_was_given() -> None:
    with pytest.raises(ValueError, match=r"^KIBITZ_PORT must be [^%]*$"):
        from_environment({"KIBITZ_PORT": "pass%word"})


@pytest.mark.parametrize("address", ["10.0.0.5", "10.0.0.5:8001", "[fd00::5]", "[fd00::5]:8001", "kibitz-0.kibitz"])
def test_an_address_is_a_host_or_a_host_and_a_port(address: str) -> None:
    assert from_environment({"KIBITZ_ADDRESS": address}).address == address


def test_the_processes_of_another_command_than_serve_are_no_setting() -> None:
    assert main(["verify", "--processes", "100", "/nowhere"]) == 1, "there is no such file"
    assert main(["serve", "--processes", "100"]) == 2
    assert read_settings(processes="3").processes == 3
