# Every target sets up .venv by itself: a pinned uv, installed with pip, syncs from uv.lock.
PYTHON ?= python3
DECK ?= cards
UV_VERSION := 0.13.8
BIN := .venv/bin
SYNC := UV_PROJECT_ENVIRONMENT=.venv $(BIN)/uv sync --frozen --inexact --quiet --compile-bytecode

.PHONY: review test check bench format

review: .venv/.user
	@$(BIN)/quizzer review --deck $(DECK) || [ $$? -eq 130 ]

test: .venv/.dev
	$(BIN)/pytest -n 2

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.dev
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.venv/bin/uv:
	@echo "setting up .venv (once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "quizzer needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

.venv/.user: .venv/bin/uv pyproject.toml uv.lock
	@$(SYNC) --no-dev
	@touch $@

.venv/.dev: .venv/bin/uv pyproject.toml uv.lock
	@$(SYNC)
	@touch $@ .venv/.user
