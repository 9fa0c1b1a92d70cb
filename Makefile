# make demo    explain one refused applicant
# make quick   what to run while working: about a minute on two cores      make test    the whole suite: within six minutes
# make check   style, types, order of layers        make soak    random problems and CSV files, 10,000 each; compiled models, row by row; recorded answers
# make bench   the paper's experiments, small (at most 30 minutes); bench-peers adds DiCE, bench-full is the paper's size (days)
# make report  results/README.md from what was measured     make acceptance   every figure of the acceptance (hours)
# make sanitize   the native tests under the address and undefined-behaviour sanitizers
# make test-oldest   tests on the versions of .ci/oldest.txt       make test-next   on a newer Python, if there is one
# make test-browser   the page in a real browser      make check-page   types of its modules, needs npm
# make test-engines   batches on Ray and on Spark, which needs a Java runtime
# Tests that need a browser, Ray or a Java runtime get targets of their own, with the extra that brings it; .ci/run runs
# them once, and neither test-oldest nor test-next does.
PYTHON ?= python3
CXX ?= c++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find native src -type f -not -name '*.pyc' -not -name '*.so')
EXTRAS := $(addprefix $(VENV)/.,demo test lint ray spark browser)
# Names of pyenv may be there and not run, so each is tried.
NEXT_PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 "$$(pyenv root 2>/dev/null)"/versions/3.1[2-9]*/bin/python; \
	do "$$p" -c '' 2>/dev/null && echo "$$p" && break; done)
# Not quick: many random problems, every option of every library, the paper's systems and experiments.
SLOW := baselines contracts/test_searches.py models/compiling/test_encode.py models/libraries oracles saved/test_identity.py \
	search/test_exact.py space/test_costs.py test_acceptance.py test_experiments.py test_soak_small.py
# Not repeated on other versions: what says more about our code than about anyone's version. The stored optima of the
# acceptance belong to models fitted by today's scikit-learn.
ONCE := contracts/test_searches.py data/test_odd_csvs.py native oracles plaf search test_acceptance.py test_experiments.py \
	test_fuzz_small.py test_soak_small.py
# With targets of their own.
APART := browser engines_ray engines_spark
without = $(addprefix --ignore=tests/,$(1))
# By file: what the tests of a file share is made once.
TEST = $(BIN)/python -m pytest -n 2 --dist loadfile $(call without,$(APART))

.PHONY: demo quick test test-engines test-browser check-page test-oldest test-next check soak sanitize bench bench-peers bench-full report acceptance clean

demo: $(VENV)/.demo
	@$(BIN)/geco demo

quick: $(VENV)/.test
	$(TEST) $(call without,$(SLOW))

test: $(VENV)/.test
	$(TEST) $(TESTS)

# One after the other: both want all cores.
test-engines: $(VENV)/.test $(VENV)/.ray $(VENV)/.spark
	$(BIN)/python -m pytest tests/engines_ray
	$(BIN)/python -m pytest tests/engines_spark

# The page in Debian's chromium (or the one that GECO_CHROMIUM names); nothing is downloaded.
test-browser: $(VENV)/.test $(VENV)/.browser
	$(BIN)/python -m pytest tests/browser

# Types of the page's modules; needs npm.
check-page:
	npx --yes --package typescript@5.9.3 tsc -p src/geco/service/page/jsconfig.json

test-oldest:
	PIP_CONSTRAINT=.ci/oldest.txt $(MAKE) test VENV=.venv-oldest TESTS='$(call without,$(ONCE))'

test-next:
	@if [ -n "$(NEXT_PYTHON)" ]; then $(MAKE) test VENV=.venv-next PYTHON="$(NEXT_PYTHON)" TESTS='$(call without,$(ONCE))'; \
	else echo "there is no Python newer than 3.11 here; say make test-next NEXT_PYTHON=/path/to/python3.13"; fi

check: $(VENV)/.lint
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(shell find native -name '*.?pp')

soak: $(VENV)/.test
	$(BIN)/python tests/soak.py
	$(BIN)/python tests/soak.py --hostile --method any --n 1000 --instances 10 --brute 1000
	$(BIN)/python tests/csvs.py
	$(BIN)/python tests/models/libraries/exactness.py --rows 100000
	$(BIN)/python tests/recorded.py

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.experiments quick

# DiCE's requirements clash with ours, so it has an environment of its own; GECO_DICE_PYTHON names another one.
bench-peers: $(VENV)/.test $(if $(GECO_DICE_PYTHON),,.venv-dice/.dice)
	$(BIN)/python -m benchmarks.experiments peers

.venv-dice/.dice: benchmarks/peers/dice_requirements.txt
	$(PYTHON) -m venv .venv-dice
	.venv-dice/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/peers/dice_requirements.txt
	@touch $@

bench-full: $(VENV)/.test
	$(BIN)/python -m benchmarks.experiments paper

report: $(VENV)/.test
	$(BIN)/python -m benchmarks.experiments report

acceptance: $(VENV)/.test
	$(BIN)/python -m benchmarks.acceptance.core
	for line in distance labels rules; do $(BIN)/python -m benchmarks.acceptance.frontier $$line || exit 1; done
	$(BIN)/python -m benchmarks.acceptance.frontier_curve
	$(BIN)/python -m benchmarks.acceptance.own_time
	$(BIN)/python -m benchmarks.acceptance.large_table
	for line in distance time forest; do $(BIN)/python -m benchmarks.acceptance.compiled $$line || exit 1; done
	$(BIN)/python -m benchmarks.acceptance.saved
	$(BIN)/python -m benchmarks.acceptance.many
	$(BIN)/python -m benchmarks.acceptance.robust
	for line in tree forest; do $(BIN)/python -m benchmarks.acceptance.exact $$line || exit 1; done
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.growth profile
	$(BIN)/python -m benchmarks.acceptance.first_explanation

# Python itself is not instrumented, so the runtime comes by preloading, and its own leaks are not ours to report.
sanitize: $(VENV)/.test
	rm -rf build/sanitize
	$(PIP) --no-deps --target build/sanitize -C cmake.define.GECO_SANITIZE=ON -C build-dir=build/sanitize-objects .
	PYTHONPATH=build/sanitize $(BIN)/python -c 'import geco, sys; sys.exit("build/sanitize" not in geco.__file__)'
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONPATH=build/sanitize \
	$(BIN)/python -m pytest tests/native

clean:
	rm -rf build dist .venv .venv-oldest .venv-next .venv-dice .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo "geco needs Python 3.11 or newer, and '$(PYTHON)' is not; say make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@command -v $(CXX) >/dev/null || \
	{ echo "geco needs a C++20 compiler, and '$(CXX)' is not on the PATH; install g++ or clang++, or set CXX" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Not editable: what the tests see is what a user would install.
$(VENV)/.package: $(SOURCES) | $(BIN)/python
	$(PIP) .
	@touch $@

# geco itself is there already, so this adds the packages of one extra and builds nothing. MORE: what no extra brings, such
# as torch, whose wheel is large; tests that need it are skipped without it.
$(EXTRAS): $(VENV)/.%: pyproject.toml | $(VENV)/.package
	$(PIP) 'geco-explain[$*]' $(MORE)
	@touch $@
