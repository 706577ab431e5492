"""Shows every widget in both themes and writes what it sees: `python -m tests.tools.gallery --out out/gallery`.

One process a scale, since Qt reads QT_SCALE_FACTOR once. Works offscreen and under Xvfb.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

SCALES = ("1", "1.5", "2")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"))
    parser.add_argument("--scale", help="write only this scale, in this process")
    parser.add_argument("--page", action="append", default=[], help="only this page; may be given again")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.scale is not None:
        _write(options.out, options.scale, options.page)
        return 0
    for scale in SCALES:
        environment = {**os.environ, "QT_SCALE_FACTOR": scale}
        command = [sys.executable, "-m", "tests.tools.gallery", "--out", str(options.out), "--scale", scale]
        command += [word for name in options.page for word in ("--page", name)]
        subprocess.run(command, env=environment, check=True)
    return 0


def _write(out: Path, scale: str, names: list[str]) -> None:
    from PySide6.QtGui import QFont, QFontDatabase
    from PySide6.QtWidgets import QApplication

    from app.theme import apply_theme
    from tests.tools import gallery_pages

    app = QApplication(sys.argv[:1])
    if "Inter" in QFontDatabase.families():
        app.setFont(QFont("Inter", 10))  # a bare machine has no system font worth looking at
    for ground in ("dark", "light"):
        apply_theme(app, ground)
        for name in names or gallery_pages.PAGES:
            page = gallery_pages.page(name)
            page.show()
            app.processEvents()
            gallery_pages.touch(page)
            app.processEvents()
            file = out / f"{name}-{ground}-{scale}x.png"
            if not page.grab().save(str(file)):
                raise SystemExit(f"cannot write {file}")
            page.close()
            page.deleteLater()
            app.processEvents()


if __name__ == "__main__":
    raise SystemExit(main())
