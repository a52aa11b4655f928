# Two commands do all set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The demo needs what the product needs and no more; where the whole set is installed, it uses that.
DEMO := $(if $(wildcard $(STAMP)),$(VENV),.venv-demo)
# What pip does for all but editable packages: without it each start compiles anew where PYTHONDONTWRITEBYTECODE is set.
COMPILE := python -m compileall -q -x solutions grader reference

.PHONY: demo test check format bench docs reference screenshots dist release-check system clean

demo: $(DEMO)/.installed
	$(DEMO)/bin/grader demo

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

# The pictures of README and docs, from a class graded just now, in Debian's Chromium.
screenshots: $(STAMP)
	$(BIN)/python docs/make_screenshots.py

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	$(BIN)/$(COMPILE)
	touch $@

.venv-demo/.installed: pyproject.toml requirements.lock
	@echo "Installing the grader and what it needs (15 packages) into .venv-demo ..."
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/pip install --disable-pip-version-check --progress-bar off --constraint requirements.lock --editable .
	@.venv-demo/bin/$(COMPILE)
	@touch $@

# Wheel and sdist in dist/, the same bytes whenever the same commit is built.
dist: $(STAMP)
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

# make release-check TAG=v0.1.0: the tag, grader/__init__.py and the changelog agree.
release-check:
	@sh .ci/release-check "$(TAG)"

# Debian packages that some tests need; as root they are installed, otherwise named.
system:
	@sh .ci/system-packages chromium firefox-esr postgresql openssh-server lighttpd systemd

clean:
	rm -rf $(VENV) .venv-demo grader-out dist build site
