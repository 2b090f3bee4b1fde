# Hupai: two commands do all the set-up.
#
#   make app     create .venv, install the pinned versions, start the app, print its address and a QR code of it
#   make test    install what the tests need, then lint, types and every quick test (browser journeys included)
#
# Also: make check (lint, format, types), make slow, make bench, make wheel, make clean.
# Nothing is installed outside .venv. PYTHON=/path/to/python chooses the interpreter, PORT=8550 the app's port.

.DEFAULT_GOAL := help
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# The first interpreter of at least 3.11; pyenv's shims answer to a name without having it, so each one is asked.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then echo $$p; break; fi; done)

.PHONY: help app test check slow bench wheel clean

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Hupai needs Python 3.11 or newer, and none was found: install one, or say PYTHON=/path/to/python." >&2; exit 1; fi
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { \
		echo "$(PYTHON) is older than Python 3.11: install a newer one, or say PYTHON=/path/to/python." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments: on Debian or Ubuntu, apt-get install python3-venv." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A file's tests stay together, for they share servers, and files go in their order: journeys last.
ON_ALL_CORES := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# A stamp for each set of packages: pip runs again only when what is asked for has changed.
$(VENV)/.app: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[test]'
	@touch $@ $(VENV)/.app

app: $(VENV)/.app
	PYTHONUNBUFFERED=1 $(BIN)/hupai --lan

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

test: check
	$(BIN)/python -m pytest $(ON_ALL_CORES) --cov --cov-fail-under=95

slow: $(VENV)/.test
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/.test
	$(BIN)/python -m pytest -m bench -s

wheel: $(VENV)/.test
	$(BIN)/python -m hatchling build -t wheel

clean:
	rm -rf $(VENV) build dist out .pytest_cache .ruff_cache .hypothesis .coverage htmlcov
