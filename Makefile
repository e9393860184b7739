# Every target sets up .venv by itself, from the hashed requirements that `make lock` writes.
# pip installs them, so its settings hold: PIP_INDEX_URL, PIP_CERT, pip.conf and their like.
PYTHON ?= python3
DECK ?= cards
BIN := .venv/bin
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip
INSTALL := $(PIP) install --quiet --no-deps
COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-annotate --no-header --quiet $(if $(UPGRADE),--upgrade)

# As a company with certificates of its own has it for other programs.
ifdef SSL_CERT_FILE
export PIP_CERT ?= $(SSL_CERT_FILE)
endif

.PHONY: review serve test test-fast check bench format lock vendor

review: .venv/.user
	@$(BIN)/quizzer review --deck $(DECK) || [ $$? -eq 130 ]

serve: .venv/.web
	@$(BIN)/quizzer serve --deck $(DECK) || [ $$? -eq 130 ]

test: .venv/.dev
	$(BIN)/pytest -n 3 --dist worksteal

# All but what takes over a second and a half each.
test-fast: .venv/.dev
	$(BIN)/pytest -n 3 --dist worksteal -m "not slow"

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.dev
	@for script in $(filter-out benchmarks/mutation.py benchmarks/_%,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Pins what pyproject.toml asks for and keeps the pins that still do; `make lock UPGRADE=1` renews them.
lock: .venv/.pip
	$(INSTALL) --require-hashes -r requirements/lock.txt
	$(COMPILE) --group build -o requirements/user.txt
	$(COMPILE) --group build --extra web -o requirements/web.txt
	$(COMPILE) --group dev --extra postgres --extra web -o requirements/dev.txt
	$(BIN)/uv pip compile --group lock --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --quiet -o requirements/lock.txt

# Writes what others wrote and the browser is sent, as its manifest pins it.
vendor: .venv/.user
	$(BIN)/python requirements/vendor.py

.venv/.pip:
	@echo "setting up .venv (once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "quizzer needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.user: .venv/.pip pyproject.toml requirements/user.txt
	@$(INSTALL) --require-hashes -r requirements/user.txt || { echo "pip could not install. Behind a\
	 company's proxy, set PIP_CERT to its certificates and PIP_INDEX_URL to its index."; exit 1; }
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

.venv/.web: .venv/.user requirements/web.txt
	@$(INSTALL) --require-hashes -r requirements/web.txt
	@touch $@

.venv/.dev: .venv/.user requirements/dev.txt
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@
