# Two commands do everything on a fresh machine: make run, make test.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
APP    := $(VENV)/.app
READY  := $(VENV)/.ready

.PHONY: run test quick check rules texts reference readings packages bench proof pictures format clean
.DEFAULT_GOAL := run

PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCKS  := requirements/build.lock requirements/everything.lock

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Astragal needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 " )'
	@$(PYTHON) -m venv $(VENV)

$(APP): pyproject.toml | $(BIN)/python
	@test -e $(READY) || echo "Setting up (once; about half a minute) ..."
	@$(PIP) -e .
	@touch $@

$(READY): pyproject.toml $(if $(LOCKED),$(LOCKS)) | $(BIN)/python
	@echo "Setting up (once; about a minute) ..."
ifdef LOCKED
# As in CI: exactly the versions of the lock files, each checked by its hash.
	@$(PIP) --require-hashes -r requirements/build.lock
	@$(PIP) --require-hashes --no-build-isolation -r requirements/everything.lock
	@$(PIP) --no-deps --no-build-isolation -e .
else
	@$(PIP) -e '.[lab,dask,dev]'
endif
	@touch $@ $(APP)

run: $(APP)  ## open the table
	@$(BIN)/astragal serve

# Tests start well over a hundred processes: without bytecode, each would compile everything anew.
test quick: export PYTHONDONTWRITEBYTECODE :=

# On a fresh machine each process would rewrite the asserts of all tests for itself: two do it first.
COLLECT := $(BIN)/python -m pytest --collect-only -qq
OTHERS  := $(filter-out tests/games/ tests/examples/ tests/__pycache__/,$(wildcard tests/*/))

test: $(READY)  ## the whole test suite
	@test -d .pytest_cache || { $(COLLECT) tests/games & $(COLLECT) $(OTHERS); wait; } > /dev/null 2>&1
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: $(READY)  ## after each edit: style, and the tests that start nothing and are soon done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

check: $(READY)  ## style, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

rules: $(READY)  ## how much of the catalogue the code and the tests cover
	@$(BIN)/python tests/rules/report.py

texts: $(READY)  ## every text a person can meet, with its place, for proofreading
	@$(BIN)/python tests/words/texts.py

reference: $(READY)  ## the reference of all procedures, read from the code again
	@$(BIN)/python tests/reference/write.py

readings: $(READY)  ## what house rules change, worked out again for docs/readings.md
	@$(BIN)/python tests/lab/readings_page.py

packages: $(READY)  ## the wheel and sdist of the app, and the wheel of the library alone
	@$(BIN)/python -m hatchling build -d "$(CURDIR)/dist"
	@cd packaging/core && $(CURDIR)/$(BIN)/python -m hatchling build -t wheel -d "$(CURDIR)/dist"

bench: $(READY)  ## every performance figure, beside its peer
	$(BIN)/python -m bench

proof: $(READY)  ## hours of kills, messages and nonsense; goes on where it was stopped
	$(BIN)/python -m proof $(PROOF)

pictures: $(READY)  ## draw the README's pictures from real runs
	@$(BIN)/python docs/pictures/draw.py
	@$(BIN)/python docs/pictures/page.py

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
