# make demo    explain one refused applicant        make test    the whole test suite
# make check   style, types, order of layers        make soak    10,000 random problems
# make sanitize   the native tests under the address and undefined-behaviour sanitizers
PYTHON ?= python3
CXX ?= c++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find native src -type f -not -name '*.pyc' -not -name '*.so')
EXTRAS := $(addprefix $(VENV)/.,demo test lint)

.PHONY: demo test check soak sanitize bench clean

demo: $(VENV)/.demo
	@$(BIN)/geco demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.lint
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports

soak: $(VENV)/.test
	$(BIN)/python tests/soak.py

bench: $(VENV)/.test
	$(BIN)/python benchmarks/acceptance_core.py

# Python itself is not instrumented, so the runtime comes by preloading, and its own leaks are not ours to report.
sanitize: $(VENV)/.test
	rm -rf build/sanitize
	$(PIP) --no-deps --target build/sanitize -C cmake.define.GECO_SANITIZE=ON -C build-dir=build/sanitize-objects .
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONPATH=build/sanitize \
	$(BIN)/python -m pytest tests/native

clean:
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

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

# geco itself is there already, so this adds the packages of one extra and builds nothing.
$(EXTRAS): $(VENV)/.%: pyproject.toml | $(VENV)/.package
	$(PIP) 'geco[$*]'
	@touch $@
