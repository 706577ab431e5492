"""Run a small test file under our conftest in a pytest of its own, to see what conftest does to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[2]
INI = f"""\
[pytest]
pythonpath = {ROOT}
qt_api = pyside6
qt_log_level_fail = WARNING
filterwarnings = error
markers =
  sound: as in pyproject.toml
  screen: as in pyproject.toml
"""


def run(pytester: pytest.Pytester, source: str, *arguments: str) -> pytest.RunResult:
    """The result of `source` as a test file with our conftest and strictness."""
    pytester.makeconftest('pytest_plugins = ["tests.conftest"]\n')
    os.environ["QVOICE_LEAK_GRACE"] = "0.6"  # pytester puts the environment back
    pytester.makeini(INI)
    pytester.makepyfile(source)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments, timeout=120)
