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
FOLDER := experiments/papers
SIMULATION := $(FOLDER)/hope2004_simulation

# Tests rewritten by pytest are kept as bytecode: without it, half of a run's start is rewriting them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup study claims arena papers papers-ablations $(PAPERS) $(PAPERS:%=%-ablations) cleary1996-figures test test-all lowest newest rivals lint types docs bench bench-long structure-search release-check clean

help:
	@echo "make study   create .venv, install, run the 2004 simulation; table, answer, report"
	@echo "make claims  after make study: add the optimum, change what the paper leaves open, judge its claims (minutes)"
	@echo "make papers  reproduce four papers' tables: DATA=folder of ARFF files, STORES=folder of the stores"
	@echo "make papers-ablations  after make papers: change what the papers leave open, alone and together"
	@echo "make arena   compute the reference results of profiles (hours from nothing), write the arena into build/arena"
	@echo "make test    create .venv if need be; lint, types and the quick tests against the built wheel: minutes"
	@echo "make test-all  the same with all tests, before a release"
	@echo "make rivals  tests with CatBoost, LightGBM, XGBoost and EBM, which it installs into .venv"
	@echo "make lowest  the wheel alone: what a newcomer types, and some tests, with the lowest versions of pyproject.toml"
	@echo "make newest  the same with the newest versions there are"
	@echo "make docs    the site of the documentation, into build/docs/html; runs the examples of the gallery"
	@echo "make bench   speed against peers, as ratios in one run; writes docs/reference/speed.md (ten minutes)"
	@echo "make bench-long  sections of that page: ten million rows, 100,000 cells, the first time (twenty minutes)"
	@echo "make structure-search  networks learned, against pgmpy and pyAgrum (an hour or more; goes on where it was stopped)"
	@echo "make release-check  build sdist and wheel, check their metadata, run the README's examples from the wheel"
	@echo "make setup   only create .venv and install"

$(VENV)/pip: constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	@touch $@

$(VENV)/run: $(VENV)/pip pyproject.toml
	@echo "installing the workbench and what it needs into $(VENV): a minute or two"
	$(PIP) --build-constraint constraints.txt -e .
	@touch $@

$(VENV)/dev: $(VENV)/run
	@echo "installing what the tests need"
	$(PIP) --group dev
	@touch $@

$(VENV)/docs: $(VENV)/run
	$(PIP) --group docs
	@touch $@

$(VENV)/bench: $(VENV)/run
	$(PIP) --group bench
	@touch $@

setup: $(VENV)/run

study: $(VENV)/run
	@mkdir -p $(dir $(STORE))
	$(BIN)/workbench run $(SIMULATION)/study.toml --store $(STORE) --jobs $(JOBS) --report $(REPORT)

claims: $(VENV)/run
	$(BIN)/python $(SIMULATION)/add_optimum.py $(STORE) --jobs $(JOBS)
	$(BIN)/workbench report $(STORE) --to $(REPORT)
	$(BIN)/workbench run $(SIMULATION)/factors.toml --store hope2004_factors.db --jobs $(JOBS)
	$(BIN)/python $(SIMULATION)/write_notes.py --study $(STORE) --factors hope2004_factors.db --to $(SIMULATION)/notes.md
	@echo "verdicts: $(SIMULATION)/notes.md"

# Stores of the reference results are kept in STORES, so that this goes on where it was stopped.
arena: $(VENV)/run
	$(BIN)/python experiments/tools/reference.py --stores $(STORES) --jobs $(JOBS)
	$(BIN)/workbench arena --to build/arena --jobs $(JOBS)

# Most cells of the second reading are those of the first, whose store it goes on with; in 2001 a score differs.
SHARING := hope2002 hope2004_uci cleary1996

# run_study and reproduce take a study file or a paper's folder, and a name of a store.
# Exit code 1 of a run means that cells failed: the page says which, so make goes on.
run_study = $(BIN)/workbench run $(FOLDER)/$(1) --store $(STORES)/$(2).db $(DATA:%=--data %) \
	--jobs $(JOBS) || test $$? -eq 1
reproduce = $(BIN)/workbench reproduce $(STORES)/$(1).db --printed $(FOLDER)/$(1)/printed.toml \
	--before $(STORES)/$(1)_first_reading.db $(2) --to $(FOLDER)/$(1)/notes.md --to build/papers/$(1).html

# A study that cannot run stops no other; papers.py says in the end what is not reproduced.
papers: $(VENV)/run
	-@$(MAKE) --no-print-directory --keep-going $(PAPERS) cleary1996-figures
	$(BIN)/python experiments/tools/papers.py --stores $(STORES) $(DATA:%=--data %)

papers-ablations: $(VENV)/run
	-@$(MAKE) --no-print-directory --keep-going $(PAPERS:%=%-ablations)
	$(BIN)/python experiments/tools/papers.py --stores $(STORES) $(DATA:%=--data %)
	$(BIN)/python experiments/tools/departures.py --stores $(STORES) $(DATA:%=--data %) --jobs $(JOBS)

$(PAPERS): %: $(VENV)/run
	@mkdir -p $(STORES) build/papers
	$(call run_study,$*/first_reading.toml,$*_first_reading)
	$(if $(filter $*,$(SHARING)),test -e $(STORES)/$*.db || { \
		cp $(STORES)/$*_first_reading.db $(STORES)/$*.part && mv $(STORES)/$*.part $(STORES)/$*.db; })
	$(call run_study,$*/study.toml,$*)
	$(call reproduce,$*,$(patsubst %,--ablations %,$(wildcard $(STORES)/$*_ablations.db)))

$(PAPERS:%=%-ablations): %-ablations: $(VENV)/run
	@mkdir -p $(STORES) build/papers
	$(call run_study,$*/ablations.toml,$*_ablations)
	$(call reproduce,$*,--ablations $(STORES)/$*_ablations.db)

cleary1996-figures: cleary1996
	$(BIN)/python $(FOLDER)/cleary1996/paper_figures.py $(STORES)/cleary1996.db --notes $(FOLDER)/cleary1996/notes.md

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

define WHEEL
rm -rf build/wheel
$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel .
endef

# The suite runs against the built wheel, from another folder, so that a file
# missing from the wheel is a failure here and not at a user's.
define SUITE
rm -rf $(SITE)
$(WHEEL)
$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(SITE) build/wheel/*.whl
cd build && PYTHONPATH=site WORKBENCH_SITE=site ../$(BIN)/python -m pytest -c ../pyproject.toml --rootdir .. -n $(JOBS) \
	--dist worksteal ../tests site/generators site/learners site/workbench $(SECONDS:%=--seconds-to %)
endef

# In units of a fixed piece of work that is timed in the same run (tests/budget.py): a slow machine counts the same.
# The quick tests took 34,000 to 39,000, by what else the caches of the processor hold.
BUDGET := 48000

test: lint types
	$(SUITE) --quick --budget $(BUDGET)

test-all: lint types
	$(SUITE)

# A package that is missing fails a test here, and skips it elsewhere.
rivals: $(VENV)/dev
	$(PIP) -e ".[rivals]"
	WORKBENCH_RIVALS=needed $(BIN)/python -m pytest -q tests/workbench/estimators/test_rivals.py \
		tests/workbench/cli/test_cli.py tests/workbench/profiles/test_part.py -k "rival or of_a_learner"

# The wheel in an empty environment: with the lowest versions that pyproject.toml names, and with the newest there are.
lowest newest: $(VENV)/dev
	$(WHEEL)
	$(BIN)/python tests/bounds.py constraints > build/lowest.txt
	: > build/newest.txt
	$(PYTHON) -m venv --clear $(VENV)-$@
	$(VENV)-$@/bin/python -m pip install --quiet --upgrade pip
	$(VENV)-$@/bin/python -m pip install --quiet -c build/$@.txt build/wheel/*.whl
	$(VENV)-$@/bin/python tests/first_hour.py
	$(VENV)-$@/bin/python -m pip install --quiet -c build/$@.txt "$$(echo build/wheel/*.whl)[dask]" --group sample
	cd build && ../$(VENV)-$@/bin/python ../tests/bounds.py sample

# Warnings are errors, and so is a link that leads nowhere. Only what has changed is built again.
docs: $(VENV)/docs
	$(BIN)/python -m sphinx -q -W --keep-going -j $(JOBS) -d build/docs/doctrees docs build/docs/html
	$(BIN)/python docs/scripts/check_site.py build/docs/html

# The last step of a release before its upload: both distributions, their metadata, and the README's examples from the
# wheel in an empty environment.
release-check: $(VENV)/run
	$(PIP) --group release
	rm -rf build/dist
	$(BIN)/python -m hatchling build -d build/dist
	$(BIN)/python -m twine check --strict build/dist/*
	ls -l build/dist
	$(PYTHON) -m venv --clear $(VENV)-release
	$(VENV)-release/bin/python -m pip install --quiet --disable-pip-version-check build/dist/*.whl
	$(VENV)-release/bin/python docs/scripts/run_readme.py
	$(VENV)-release/bin/workbench doctor

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks --to docs/reference/speed.md

# Ten million rows, 100,000 cells, kernels compiled anew, and pictures of growth: the rest of the same page.
bench-long: $(VENV)/bench
	$(BIN)/python -m benchmarks --to docs/reference/speed.md --only streams large scale waits --draw

# pgmpy settles ties by the order of a set of strings. Fits are kept in build/structure_search.jsonl.
structure-search: $(VENV)/bench
	PYTHONHASHSEED=0 $(BIN)/python -m benchmarks.structure_search docs/reference/structure_search.md docs/figures/structure_search.png

clean:
	rm -rf build docs/generated $(VENV) $(VENV)-lowest $(VENV)-newest $(VENV)-release
