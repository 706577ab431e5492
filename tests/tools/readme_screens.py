"""The pictures of README.md, made anew from the program as it is:

    QT_QPA_PLATFORM=offscreen python -m tests.tools.readme_screens

writes them to docs/screens: few and at 100 %, so that they stay below a megabyte together.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.tools import screens

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screens"
PICTURES = ("new_voice_2_listen", "library", "speak", "models")
THEME = "dark"


def main() -> int:
    """Returns how many texts are cut off on the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        cut = screens.main(THEME, Path(made))
        for name in PICTURES:
            (file,) = Path(made).glob(f"{name}_{THEME}_*.png")
            shutil.copyfile(file, FOLDER / f"{name}.png")
    return cut


if __name__ == "__main__":
    sys.exit(main())
