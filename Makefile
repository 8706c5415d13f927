# Each target makes its own virtual environment if there is none; nothing is asked for but Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL ?= $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: verify test quick thorough package lowest core self-test objects soundness fuzz mutants lint examples notebooks readme decided docs bench browser proofs clean
.DEFAULT_GOAL := verify

verify: $(VENV)/installed
	$(BIN)/lpmech design examples/cifar10_1.csv --epsilon 1 --counts-are public --output design-output --overwrite
	$(BIN)/lpmech verify

test: lint quick

# What `make test` runs after style and types.
quick: $(VENV)/installed-test
	$(BIN)/pytest -n 2 -m "not thorough"

# The other half: pages and notebooks with their outputs, commands, simulations, other libraries, the engine itself.
thorough: $(VENV)/installed-test
	$(BIN)/pytest -n 2 -m thorough

# Every claim has to reject every wrong formula that is written with it, and two that are derived; the objects of what is
# proved are written, and the checker reads every file: none is refused, and nearly all are complete.
self-test: $(VENV)/installed
	rm -rf .proofs
	$(BIN)/lpmech verify --self-test --proofs .proofs
	$(BIN)/python .ci/objects.py .proofs

# What proved claims rest on: the table of the page, from the run that writes every object.
objects: $(VENV)/installed
	$(BIN)/lpmech verify --proofs .proofs
	$(BIN)/python docs/proofs_by_method.py .proofs/by-method.md

# PYTHONS="python3.11 python3.13" says which interpreters; default: the oldest and the newest that are found.
package: $(VENV)-package/installed
	rm -rf dist
	$(VENV)-package/bin/python -m build --quiet
	$(VENV)-package/bin/python .ci/package.py $(PYTHONS)

# The lowest versions that pyproject.toml allows: every command, and the tests of prover and solvers.
lowest: $(VENV)-package/installed
	$(VENV)-package/bin/python .ci/lowest.py

# What lpmech is without extras: its size, what it promises, and what it says of the rest.
core: $(VENV)-package/installed
	$(VENV)-package/bin/python .ci/core.py

soundness: $(VENV)/installed-test
	cd tests && $(abspath $(BIN))/python -m soundness --number 10000

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# About half an hour: 10,000 certificates, 10,000 damaged proofs and 10,000 files, values and command lines, long proofs; `make test` takes a sample.
fuzz: $(VENV)/installed-test
	FUZZ=10000 $(BIN)/pytest -n 2 --timeout 0 tests/test_fuzz_certificates.py tests/test_fuzz_inputs.py tests/test_prove.py tests/test_proof_objects.py tests/test_vectors.py

# Some 40 minutes for 40 changes of every room, days for all; it goes on where it was stopped. NUMBER is how many are drawn, 0 all.
NUMBER ?= 50
mutants: $(VENV)/installed-mutants
	$(BIN)/python mutants/planted.py
	$(BIN)/python mutants/run.py --number $(NUMBER)

# The pages in a headless Chromium, which has to be there (Debian: `apt-get install chromium`).
browser: $(VENV)/installed-browser
	$(BIN)/pytest browser

# The theorems in Rocq, which has to be there (Debian: `apt-get install coq`): the kernel checks each, and says what it assumes.
# First those written by hand (two minutes), then those made from the proofs of claims, paper by paper, all of them unless PAPERS says which; CI runs
# the quick ones. A claim that is not checked any more is an error.
PAPERS ?=
proofs: $(VENV)/installed
	$(PYTHON) proofs/check.py
	$(BIN)/python proofs/made.py $(PAPERS)

examples: $(VENV)/installed-test
	$(BIN)/python examples/make_examples.py

$(VENV)/bin/python:
	$(PYTHON) -c "import sys; sys.exit('lpmech needs Python 3.11 or newer, this is ' + sys.version) if sys.version_info < (3, 11) else None"
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[all]"
	touch $@

$(VENV)/installed-test: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[test]"
	touch $@ $(VENV)/installed

# A minute: every notebook in one kernel, its outputs written anew.
notebooks: $(VENV)/installed-test
	$(BIN)/python tests/notebook_outputs.py

# Nothing of lpmech is in this one: it builds the distributions and installs them into environments of their own.
$(VENV)-package/installed: Makefile
	$(PYTHON) -m venv $(VENV)-package
	$(VENV)-package/bin/python -m pip install --quiet --disable-pip-version-check "build>=1.2" "pipx>=1.7" "uv>=0.5"
	touch $@

readme: $(VENV)/installed-test
	$(BIN)/python tests/readme_outputs.py

# Into site/; a warning is an error, also a link or an anchor that leads nowhere.
docs: $(VENV)/installed-docs
	$(BIN)/mkdocs build --strict

# What was decided of every claim that was changed since, for its place on the site; `docs/decided.py --all` runs every claim.
decided: $(VENV)/installed-test
	$(BIN)/python docs/decided.py

bench: $(VENV)/installed-bench
	cd benchmarks && for part in random_programs against_solvers at_equal_gap closed_forms warm_start alternatives growth counting metric prior_maps ten_thousand; do \
		$(abspath $(BIN))/python $$part.py || exit 1; done

$(VENV)/installed-mutants: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[mutants]"
	touch $@

$(VENV)/installed-docs: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[docs]"
	touch $@ $(VENV)/installed

$(VENV)/installed-browser: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[test,browser]"
	touch $@ $(VENV)/installed $(VENV)/installed-test

$(VENV)/installed-bench: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[bench]"
	touch $@ $(VENV)/installed

clean:
	rm -f proofs/*.vo proofs/*.vok proofs/*.vos proofs/*.glob proofs/.*.aux proofs/.*.cache
	rm -rf $(VENV) $(VENV)-package $(VENV)-docs dist design-output site .pytest_cache .mypy_cache .ruff_cache .hypothesis .mutants .proofs tests/soundness.jsonl
