# Everything a newcomer types. Each target makes .venv first when it is not there.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
JOBS   ?= 2
STORE  ?= hope2004_simulation.db
REPORT ?= $(STORE:.db=.html)
SITE   := build/site

.PHONY: help setup study claims test fast lint types layers bench clean

help:
	@echo "make study   create .venv, install, run the 2004 simulation; table, answer, report"
	@echo "make claims  after make study: turn three factors, judge the paper's nine claims"
	@echo "make test    create .venv if need be; lint, types, layers and all tests against the built wheel"
	@echo "make fast    the quick tests on the working tree"
	@echo "make bench   speed against peers, as ratios in one run; writes docs/speed.md"
	@echo "make setup   only create .venv and install"

$(VENV)/pip: constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	@touch $@

$(VENV)/run: $(VENV)/pip pyproject.toml
	$(PIP) --build-constraint constraints.txt -e .
	@touch $@

$(VENV)/dev: $(VENV)/run
	$(PIP) --group dev
	@touch $@

$(VENV)/bench: $(VENV)/run
	$(PIP) --group bench
	@touch $@

setup: $(VENV)/run

study: $(VENV)/run
	@mkdir -p $(dir $(STORE))
	$(BIN)/workbench run experiments/hope2004_simulation.toml --store $(STORE) --jobs $(JOBS) --report $(REPORT)

claims: $(VENV)/run
	$(BIN)/workbench run experiments/hope2004_factors.toml --store hope2004_factors.db --jobs $(JOBS)
	$(BIN)/python experiments/hope2004_claims.py --study $(STORE) --factors hope2004_factors.db \
		--to experiments/hope2004_simulation.md

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

layers: $(VENV)/dev
	$(BIN)/lint-imports

# The suite runs against the built wheel, from another folder, so that a file
# missing from the wheel is a failure here and not at a user's.
test: lint types layers
	rm -rf $(SITE) build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel .
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(SITE) build/wheel/*.whl
	cd build && PYTHONPATH=site WORKBENCH_SITE=site ../$(BIN)/python -m pytest -c ../pyproject.toml --rootdir .. -n $(JOBS) \
		../tests site/generators site/learners site/workbench

fast: $(VENV)/dev
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks --to docs/speed.md

clean:
	rm -rf build $(VENV)
