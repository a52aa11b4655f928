# Two commands do all set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check format bench docs reference system clean

demo: $(STAMP)
	$(BIN)/grader demo

test: $(STAMP) system
	$(BIN)/python -m pytest -n auto

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	$(BIN)/python -m bench

# The site lies in site/; open site/index.html, or serve it for its search: python3 -m http.server -d site
docs: $(STAMP)
	$(BIN)/python docs/make_reference.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

reference: $(STAMP)
	$(BIN)/python docs/make_reference.py

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

# Debian packages that some tests need; as root they are installed, otherwise named.
system:
	@sh .ci/system-packages chromium postgresql

clean:
	rm -rf $(VENV) grader-out dist build site
