# `make help` lists the targets. Each sets up what it needs in .venv, from Python 3.11+, git, make and a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE_SOURCES := $(shell find cpp/core cpp/bindings -name '*.[ch]pp') CMakeLists.txt pyproject.toml

.DEFAULT_GOAL := help
.PHONY: $(shell sed -nE 's/^([a-z][a-z -]*):.*\#\#.*/\1/p' Makefile)  # every target that `make help` lists

help: ## list the targets
	@grep -hE '^[a-z][a-z -]*:.*##' $(MAKEFILE_LIST) | awk -F ':[^#]*## ' '{printf "  make %-26s %s\n", $$1, $$2}'

$(VENV)/.python: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lawful needs Python 3.11 or newer; set PYTHON=/path/to/it")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.11" "nanobind>=2.4" "numpy>=1.26" "cmake>=3.26" ninja
	@touch $@

# The compiled core and the package, editable: Python files are used from src/ as they are.
$(VENV)/.built: $(VENV)/.python $(CORE_SOURCES)
	@echo "building the C++ core, which takes a minute or two"
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	@touch $@

$(VENV)/.tested: $(VENV)/.built pyproject.toml
	$(BIN)/python -m pip install --quiet --group test
	@touch $@

$(VENV)/.experimented: $(VENV)/.tested pyproject.toml
	$(BIN)/python -m pip install --quiet --group experiments
	@touch $@

$(VENV)/.benched: $(VENV)/.built pyproject.toml
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

$(VENV)/.documented: $(VENV)/.built pyproject.toml
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

setup: $(VENV)/.tested ## build everything into .venv

demo: $(VENV)/.built ## a tour on embedded data: before, after, which rule, at what price; leaves its files in build/demo
	@$(BIN)/lawful demo --folder build/demo

first-hour: $(VENV)/.tested ## a newcomer's first hour, on references as raw text: to fields, a report and a playground; in build/first_hour
	@examples/first_hour.sh

test: $(VENV)/.tested lint types ## everything that must hold (a few minutes on 2 cores)
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

# Calls that are cut off at one second or 200 MB, one at a time, so that nothing else takes their time.
test-limits: $(VENV)/.tested ## whether calls keep their time and memory, on hard problems (some ten minutes)
	$(BIN)/python -m pytest -q tests/limits

test-corpora: $(VENV)/.tested ## the readers on the real corpora in LAWFUL_DATA, which you have to get yourself
	@test -n "$$LAWFUL_DATA" || { echo "set LAWFUL_DATA to the folder that holds the corpora; 'pydoc lawful.tasks' says where to get them"; exit 2; }
	$(BIN)/python -m pytest -n 2 -q tests/corpus

# The packages that lawful adapts are large, so they have an environment of their own. Torch goes in first: pip's plain
# torch may bring gigabytes of CUDA. For a smaller build from an index of your choice:
# make test-extras TORCH="torch --index-url URL"
TORCH ?= torch==2.13.0
EXTRAS := .venv-extras

$(EXTRAS)/.tested: $(CORE_SOURCES)
	$(PYTHON) -m venv $(EXTRAS)
	$(EXTRAS)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(EXTRAS)/bin/python -m pip install --quiet $(TORCH)
	$(EXTRAS)/bin/python -m pip install --quiet "scikit-build-core>=0.11" "nanobind>=2.4" "numpy>=1.26" "cmake>=3.26" ninja
	$(EXTRAS)/bin/python -m pip install --quiet --no-build-isolation --config-settings=build-dir=build/extras \
		--editable ".[torch,transformers,spacy,sklearn,pytorch-crf]"
	$(EXTRAS)/bin/python -m pip install --quiet --group test
	@touch $@

test-extras: $(EXTRAS)/.tested ## the adapters beside the packages that they adapt (torch, transformers, spaCy, ...)
	$(EXTRAS)/bin/python -m pytest -q tests/unit/adapters tests/unit/corpus/test_annotations.py tests/docs

# The browser itself is Debian's: playwright's own builds do not run everywhere.
$(VENV)/.browsing: $(VENV)/.tested pyproject.toml
	$(BIN)/python -m pip install --quiet --group browser
	@test -n "$$LAWFUL_CHROMIUM" || command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -q && apt-get install -qy chromium; } \
		|| { echo "the browser tests need Chromium: run 'sudo apt-get install chromium', or set LAWFUL_CHROMIUM to its path"; exit 2; }
	@touch $@

test-browser: $(VENV)/.browsing docs ## the playground, a report and the docs in a real browser; screenshots in build/screenshots
	$(BIN)/python -m pytest -q tests/browser

lint: $(VENV)/.tested ## ruff: style, security, docstrings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested ## mypy --strict
	$(BIN)/mypy

stubs: $(VENV)/.tested ## write src/lawful/_core.pyi anew from the compiled core
	$(BIN)/python -m nanobind.stubgen -q -m lawful._core -o src/lawful/_core.pyi

bench: $(VENV)/.benched ## speed beside the peers, on generated workloads; writes docs/results/decode.*
	$(BIN)/python -m benchmarks.decode

experiments: experiments-citations experiments-seminars experiments-ads experiments-mined ## learning with rules, on the corpora in LAWFUL_DATA (goes on where it stopped)

experiments-citations: $(VENV)/.experimented ## every table and figure of paper C on citations (LAWFUL_DATA); writes docs/results/citations*
	$(BIN)/python -m experiments.citations

experiments-seminars: $(VENV)/.experimented ## seminar announcements with and without rules (LAWFUL_DATA); writes docs/results/seminars.*
	$(BIN)/python -m experiments.seminars

experiments-ads: $(VENV)/.experimented ## ads that lawful makes itself under the rules of Table 2; writes docs/results/ads.*
	$(BIN)/python -m experiments.ads

experiments-mined: $(VENV)/.experimented ## mined rules at log odds and beside a model, with 20, 50 and all sequences of six corpora (LAWFUL_DATA); writes docs/results/mined-rules.*
	$(BIN)/python -m experiments.mined_rules

experiments-voting: $(VENV)/.experimented ## votes between encodings: Tables 6.1 to 6.4 of paper L (LAWFUL_DATA; some hours, most of it training); writes docs/results/voting.*
	$(BIN)/python -m experiments.voting

experiments-srl: $(VENV)/.experimented ## semantic roles: the tables of papers R and T, and past them (LAWFUL_DATA; an hour); writes docs/results/srl.*
	$(BIN)/python -m experiments.srl

experiments-trees: $(VENV)/.experimented ## roles over trees, histories and coherent role labels, chapters 3 and 5 of Loper (LAWFUL_DATA; hours, resumes); writes docs/results/roles-trees.* and role-labels.*
	$(BIN)/python -m experiments.trees

experiments-encodings: $(VENV)/.experimented ## output encodings, hand-crafted and learned: the tables of chapter 4 of paper L (LAWFUL_DATA; a night, ARGS="--trials 10 --jobs 8"); writes docs/results/encodings*
	$(BIN)/python -m experiments.encodings $(ARGS)

bench-encodings: $(VENV)/.tested ## decoding through output encodings: 5,000 random problems beside enumeration, and timed; writes docs/results/encoded.*
	$(BIN)/python -m benchmarks.encodings

agreement: $(VENV)/.built ## all exact solvers on the workloads, on 20,000 random problems and on 20,000 at scores from 1e-300 to 1e300; resumes; writes docs/results/agreement.*
	$(BIN)/python -m benchmarks.agreement

families: $(VENV)/.built ## which solver for which problems: what `auto` goes by; writes docs/results/families.*
	$(BIN)/python -m benchmarks.families

experiments-addresses: $(VENV)/.tested ## US addresses under rules (LAWFUL_DATA names the corpora); writes docs/results/addresses.*
	$(BIN)/python -m experiments.addresses

recipe-np recipe-pos recipe-bio: recipe-%: $(VENV)/.built ## a tagger for a task of Loper (2008): trained, scored, saved (LAWFUL_DATA)
	$(BIN)/python -m experiments.recipes $*

experiments-models: $(VENV)/.tested ## every kind of model on citations and CoNLL-2000 (LAWFUL_DATA); writes docs/results/models-kinds.*
	$(BIN)/python -m experiments.model_kinds

bench-serve: $(VENV)/.benched ## the playground under 50 requests side by side; writes docs/results/serve.*
	$(BIN)/python -m benchmarks.serve

bench-cli: $(VENV)/.benched ## where `lawful decode` spends its time, on CoNLL-2000 in LAWFUL_DATA; writes docs/results/cli-decode.*
	$(BIN)/python -m benchmarks.cli.decode

bench-addresses: $(VENV)/.benched ## addresses and names a second beside usaddress, fastaddress and probablepeople (LAWFUL_DATA); writes docs/results/addresses-speed.*
	$(BIN)/python -m benchmarks.addresses

bench-stream: $(VENV)/.benched ## memory of `lawful decode` while ten million tokens stream through it; writes docs/results/cli-stream.*
	$(BIN)/python -m benchmarks.cli.stream

bench-growth: $(VENV)/.benched $(VENV)/.experimented ## time and memory over length, labels, rules, violations and corpus size, with plots; writes docs/results/growth*
	$(BIN)/python -m benchmarks.growth

bench-pipeline: $(VENV)/.benched ## everything around the decoder: semi-CRF and MEMM under rules, reading, evaluate, report, the command line (LAWFUL_DATA); writes docs/results/pipeline.*
	$(BIN)/python -m benchmarks.pipeline

bench-models: $(VENV)/.benched ## training and tagging beside CRFsuite, on CoNLL-2000 in LAWFUL_DATA; writes docs/results/models.*
	$(BIN)/python -m benchmarks.models

docs: $(VENV)/.documented ## the site, into build/docs; warnings and broken links are errors
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder html docs build/docs
	@echo "open build/docs/index.html"

screenshots: $(VENV)/.browsing ## photographs of a report and the playground for the docs, into docs/screenshots
	$(BIN)/python docs/screenshots.py

# Built in a folder of its own, installed in a fresh environment, tried outside the repository.
wheel: $(VENV)/.python ## the wheel, into build/wheels, tried as somebody would who has nothing else
	rm -rf build/wheels build/wheel-venv
	$(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --config-settings=build-dir=build/wheel --wheel-dir build/wheels .
	$(PYTHON) -m venv build/wheel-venv
	build/wheel-venv/bin/python -m pip install --quiet "$$(ls build/wheels/*.whl)[serve]"
	$(BIN)/python tests/wheel/smoke.py build/wheels/*.whl build/wheel-venv/bin/python

$(VENV)/.wheeled: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --group wheels
	@touch $@

# Pythons beside those on the PATH and pyenv's: make wheels PYTHONS="/path/to/python3.14 ..."
wheels: $(VENV)/.wheeled ## a source distribution, and from it wheels for every Python 3.11+ at hand, checked by auditwheel and tried; into build/dist
	$(BIN)/python tests/wheel/every_python.py build/dist $(PYTHONS)

FUZZ_MINUTES ?= 10
fuzz: $(VENV)/.tested ## damaged rule files, models, corpora and command lines, and an attack on a playground, for FUZZ_MINUTES=10
	$(BIN)/python tests/fuzz/fuzz.py --minutes $(FUZZ_MINUTES)

$(VENV)/.mutated: $(VENV)/.tested pyproject.toml
	$(BIN)/python -m pip install --quiet --group mutants
	@touch $@

mutants: $(VENV)/.mutated ## small changes of the code that judges, limits and reports: does a test notice? writes docs/results/mutants.*
	$(BIN)/python tests/mutants/run.py

CORE_TESTS = -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DLAWFUL_PYTHON=OFF -DLAWFUL_TESTS=ON

sanitize: $(VENV)/.python ## the core's own tests under AddressSanitizer and UndefinedBehaviorSanitizer; those with threads under ThreadSanitizer
	$(BIN)/cmake -S . -B build/sanitize $(CORE_TESTS) -DLAWFUL_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize
	build/sanitize/core_tests
	$(BIN)/cmake -S . -B build/sanitize-threads $(CORE_TESTS) -DLAWFUL_SANITIZE_THREADS=ON
	$(BIN)/cmake --build build/sanitize-threads
	build/sanitize-threads/core_tests threads

clean: ## remove everything that was built
	rm -rf $(VENV) $(EXTRAS) build dist
