# Two commands for a fresh machine with Python 3.11+ and make: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: serve pages test test-fast builds check fix format lint types imports measures bench bench-peers demo clients soak openapi audit fuzz deploy-rehearsal shots clean

serve: $(READY)
	$(BIN)/kibitz serve

# Two a core and one more: they often wait for a server or a browser. `make test WORKERS=1` in one at a time.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(os.cpu_count() or 1, 4) * 2 + 1)')
SPREAD := -n $(WORKERS) --dist loadscope --no-loadscope-reorder

# Where bytecode is not to be kept, every process compiles everything again: 11 s of a processor.
test test-fast builds soak: export PYTHONDONTWRITEBYTECODE :=

# A part of them: `make test TESTS=tests/house`.
TESTS :=
test: $(READY)
	$(BIN)/python -m pytest $(SPREAD) $(TESTS)

# What needs no server, no browser and no patience, for everyday work: rules, games, tables, the house.
FAST := tests/house tests/domain tests/games tests/kit tests/projections tests/laws \
	$(addprefix --ignore=tests/,laws/test_laws.py laws/test_secrecy.py projections/test_seasons.py \
	projections/test_stored_seasons.py projections/test_ladder_voids.py domain/test_foreknowledge.py \
	projections/test_store.py domain/test_revisions.py domain/test_verify_text.py \
	house/test_exhaustive.py house/test_measures.py) \
	$(addprefix --ignore-glob=*/,test_whole_games.py test_solver.py test_chance_of_a_win.py)

test-fast: $(READY)
	$(BIN)/python -m pytest $(SPREAD) $(FAST)

check: $(READY) format lint types imports measures audit test builds clients demo

# What is generated, bundled and packed; linters of the API's description. Brings Node with it.
builds: $(READY)
	$(BIN)/python -m pytest $(SPREAD) tests/builds

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
	$(BIN)/mypy tests

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

# Beside boardgame.io under as many players; brings Node with it.
bench-peers: $(READY)
	@$(BIN)/python -m tests.benchmarks peers

demo: $(READY)
	$(BIN)/python -m tests.demo

# Five stock generators at their defaults: each client compiles, plays, replays and streams; brings Java with it. Then
# the HTTP clients of curl, Perl, Ruby, PHP, Go and the JDK, which Debian brings.
clients: $(READY)
	@$(BIN)/python -m tests.openapi.generators

soak: $(READY)
	KIBITZ_LAW_EXAMPLES=2000 $(BIN)/python -m pytest tests/laws --timeout 7200
	$(BIN)/python -m tests.benchmarks.bots 500
	SOAK_STEPS=1000 $(BIN)/python -m pytest tests/browser/test_whole_games.py --timeout 3600
	SOAK_WORLDS=1 $(BIN)/python -m pytest tests/api/worlds/test_worlds.py tests/api/worlds/test_planted_leaks.py --timeout 3600
	RECEIVER_KILLS=100 $(BIN)/python -m pytest tests/soak --timeout 3600
	$(BIN)/python -m tests.fuzz $(MINUTES)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group failover
	SOAK_MINUTES=$${SOAK_MINUTES:-10} $(BIN)/python -m tests.soak $(SOAK_FLAGS)
	$(BIN)/python -m tests.soak.failover

openapi: $(READY)
	$(BIN)/kibitz openapi --output openapi/openapi.json
	$(BIN)/kibitz openapi --async --output openapi/asyncapi.json
	$(BIN)/kibitz openapi --record --output openapi/record.schema.json
	$(BIN)/python openapi/clients/python/generate.py
	$(BIN)/python -m tests.openapi.vectors
	$(BIN)/python -m tests.openapi.typescript_types

# The scripts of the pages, bundled of service/web/client; brings Node with it.
pages: $(READY)
	$(BIN)/python -m tests.browser.client

# Every game and page on three sizes of screens, light and dark, to be looked at: build/shots/index.html.
shots: $(READY)
	$(BIN)/python -m tests.browser.shots

# Every way of running, started and used, as root on Debian 12: `make deploy-rehearsal WAYS=systemd HOLD=60`.
HOLD ?= 1
deploy-rehearsal: $(READY)
	unshare --mount $(BIN)/python -m tests.deploy.rehearsal $(HOLD) $(WAYS)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@# setuptools warns of every editable install, whatever the project.
	PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@
