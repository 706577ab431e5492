# Thin on purpose: what these do is portable Python under packaging/ and tests/tools/ (see README for Windows).
PYTHON ?= python3
OUT ?= out
ARGS ?=
ifeq ($(OS),Windows_NT)
VENV_PYTHON := .venv/Scripts/python.exe
else
VENV_PYTHON := .venv/bin/python
endif

.PHONY: run test test-slow check clean

run: ## Set up once, then open the studio (no display: qvoice tour into OUT)
	@$(PYTHON) packaging/start.py --out "$(OUT)" -- $(ARGS)

test: ## Set up once, then every check and test (ARGS="tests/engine -k mel" for some)
	@$(PYTHON) packaging/setup_env.py --test
	@$(VENV_PYTHON) tests/tools/run_tests.py $(ARGS)

test-slow: ## Set up once, then the tests that need minutes and gigabytes: parity at real size
	@$(PYTHON) packaging/setup_env.py --test
	@$(VENV_PYTHON) tests/tools/run_tests.py -m slow $(ARGS)

check: ## The static checks alone: ruff, mypy, import-linter
	@$(PYTHON) packaging/setup_env.py --test
	@$(VENV_PYTHON) tests/tools/checks.py

clean: ## Remove caches and build folders
	@$(PYTHON) packaging/clean.py
