"""Data that ships with the program: icons, reading scripts, the test model.

Found through `resources.path`, so that a checkout and an installed wheel read the same files.
"""

from pathlib import Path

_ROOT = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """The file or folder `parts` below `resources/`."""
    return _ROOT.joinpath(*parts)
