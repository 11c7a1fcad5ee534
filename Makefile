# Two commands for a fresh machine with Python 3.11+ and make: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: serve test check format lint types imports bench demo soak openapi clean

serve: $(READY)
	$(BIN)/kibitz serve

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY) format lint types imports test

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

bench: $(READY)
	@$(BIN)/python -m tests.benchmarks

demo: $(READY)
	$(BIN)/python -m tests.demo

soak: $(READY)
	KIBITZ_LAW_EXAMPLES=2000 $(BIN)/python -m pytest tests/laws --timeout 7200
	$(BIN)/python -m tests.benchmarks.bots 500

openapi: $(READY)
	$(BIN)/kibitz openapi --output openapi/openapi.json
	$(BIN)/kibitz openapi --record --output openapi/record.schema.json
	$(BIN)/python -m tests.openapi.vectors

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@
