"""The bundles and courts that are served are those of the sources, which compiler and linter pass."""

from pathlib import Path

from service.web.static_files import FILES
from tests.browser.client import bundle, run_node

_FROM_ELSEWHERE = "redoc.standalone.js"


def test_the_bundles_are_made_of_the_sources_to_the_byte(tmp_path: Path) -> None:
    bundle(tmp_path)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    served = {
        name: text for name, text in FILES.items() if name in made or (name.endswith(".js") and name != _FROM_ELSEWHERE)
    }
    assert made.keys() == served.keys()
    assert [name for name in made if made[name] != served[name]] == []  # else: make pages


def test_the_sources_pass_the_compiler_and_the_linter() -> None:
    for words in (["node_modules/typescript/bin/tsc"], ["node_modules/eslint/bin/eslint.js", "."]):
        done = run_node(*words)
        assert done.returncode == 0, done.stdout + done.stderr
