# Everything a newcomer types. Each target makes .venv first when it is not there.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
JOBS   ?= 2
STORE  ?= hope2004_simulation.db
REPORT ?= $(STORE:.db=.html)
SITE   := build/site
# Where the papers' stores are, and the folder of ARFF files; without it the environment's WORKBENCH_DATA.
STORES ?= .
DATA   ?=
PAPERS := korb2001 hope2002 hope2004_uci cleary1996
SUPERPARENT := hope2004_simulation_superparent

.PHONY: help setup study claims papers papers-switches $(SUPERPARENT) $(PAPERS) $(PAPERS:%=%-switches) cleary1996-figures test fast lint types bench clean

help:
	@echo "make study   create .venv, install, run the 2004 simulation; table, answer, report"
	@echo "make claims  after make study: turn three factors, judge the paper's nine claims"
	@echo "make papers  re-create four papers' tables: DATA=folder of ARFF files, STORES=folder of the stores"
	@echo "make papers-switches  after make papers: turn what the papers leave open, one setting at a time"
	@echo "make test    create .venv if need be; lint, types and all tests against the built wheel"
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

# Exit code 1 of a run means that cells failed: the page says which, so make goes on.
run_study = $(BIN)/workbench run experiments/$(1).toml --store $(STORES)/$(1).db $(DATA:%=--data %) \
	--jobs $(JOBS) || test $$? -eq 1
recreate = $(BIN)/workbench recreate $(STORES)/$(1).db --printed experiments/printed/$(1).toml $(2) \
	--to experiments/$(1).md --to build/papers/$(1).html

# A study that cannot run stops no other; papers.py says in the end what is not re-created.
papers: $(VENV)/run
	-@$(MAKE) --no-print-directory --keep-going $(SUPERPARENT) $(PAPERS) cleary1996-figures
	$(BIN)/python experiments/papers.py --stores $(STORES) --to README.md

papers-switches: $(VENV)/run
	-@$(MAKE) --no-print-directory --keep-going $(PAPERS:%=%-switches)
	$(BIN)/python experiments/departures.py --stores $(STORES) $(DATA:%=--data %) --jobs $(JOBS)

$(PAPERS): %: $(VENV)/run
	@mkdir -p $(STORES) build/papers
	$(call run_study,$*)
	$(call recreate,$*,$(patsubst %,--switches %,$(wildcard $(STORES)/$*_switches.db)))

$(PAPERS:%=%-switches): %-switches: $(VENV)/run
	@mkdir -p $(STORES) build/papers
	$(call run_study,$*_switches)
	$(call recreate,$*,--switches $(STORES)/$*_switches.db)

cleary1996-figures: cleary1996
	$(BIN)/python experiments/cleary1996_figures.py $(STORES)/cleary1996.db --notes experiments/cleary1996.md

$(SUPERPARENT): $(VENV)/run
	@mkdir -p $(STORES)
	$(call run_study,$@)
	$(BIN)/python experiments/hope2004_claims.py --study $(STORES)/$@.db --tan tan_superparent --to experiments/$@.md
	$(BIN)/python experiments/reward_figures.py
	$(BIN)/python experiments/reward_figures.py --study $(STORES)/$@.db --notes experiments/$@.md

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

# The suite runs against the built wheel, from another folder, so that a file
# missing from the wheel is a failure here and not at a user's.
test: lint types
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
