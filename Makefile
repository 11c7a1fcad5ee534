# Two commands for a fresh machine with Python 3.11+ and make: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: serve test test-fast check fix format lint types imports measures bench demo soak openapi audit fuzz image-rehearsal clean

serve: $(READY)
	$(BIN)/kibitz serve

test: $(READY)
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# Rules, laws and read models: what one changes most, without a server.
test-fast: $(READY)
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal tests/domain tests/games tests/kit tests/laws tests/projections tests/house

check: $(READY) format lint types imports measures audit test

# Formats, and mends what the linter can mend.
fix: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

# The table of what shows that one can live in this house; fails when a limit is broken.
measures: $(READY)
	$(BIN)/python -m tests.house.measures

# Fails for a known hole; where no advisory service answers, it says so and goes on.
audit: $(READY)
	@$(BIN)/python -m tests.audit

# Half of the time the readers, half of it the whole API: `make fuzz MINUTES=60`.
MINUTES ?= 10
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz $(MINUTES)

bench: $(READY)
	@$(BIN)/python -m tests.benchmarks

demo: $(READY)
	$(BIN)/python -m tests.demo

soak: $(READY)
	KIBITZ_LAW_EXAMPLES=2000 $(BIN)/python -m pytest tests/laws --timeout 7200
	$(BIN)/python -m tests.benchmarks.bots 500
	SOAK_MINUTES=$${SOAK_MINUTES:-10} $(BIN)/python -m tests.soak

openapi: $(READY)
	$(BIN)/kibitz openapi --output openapi/openapi.json
	$(BIN)/kibitz openapi --record --output openapi/record.schema.json
	$(BIN)/python -m tests.openapi.vectors

# The image's steps without an engine; downloads what the image would.
image-rehearsal: $(READY)
	$(BIN)/python -m tests.deploy.image.rehearsal

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@# setuptools warns of every editable install, whatever the project.
	PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@
