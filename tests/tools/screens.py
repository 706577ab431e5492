"""Pictures of every page, in one theme and at the scale of QT_SCALE_FACTOR, and what is cut off on them.

    QT_QPA_PLATFORM=offscreen QT_SCALE_FACTOR=1.5 python -m tests.tools.screens dark out/screens

prints a line for each text that has no room.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_PATIENCE_SECONDS = 60.0


def main(theme: str, folder: Path) -> int:
    """Returns how many texts are cut off."""
    with tempfile.TemporaryDirectory(prefix="qvoice-screens-") as home:
        os.environ["QVOICE_HOME"] = home
        return _show_all(theme, folder)


def _show_all(theme: str, folder: Path) -> int:
    from PySide6.QtWidgets import QApplication

    from app.main_window import MainWindow
    from app.paths import paths
    from app.settings.table import THEME, TOUR
    from app.studio import Studio
    from app.theme import apply_theme
    from app.work import GarbageCollector

    app = QApplication([])
    collector = GarbageCollector(app)
    collector.start()
    studio = Studio(paths())
    studio.settings.set(THEME, theme)
    studio.settings.set(TOUR, "over")
    apply_theme(app, theme)  # type: ignore[arg-type]
    window = MainWindow(studio)
    window.resize(1280, 800)
    window.show()
    studio.start()
    folder.mkdir(parents=True, exist_ok=True)
    scale = round(100 * float(os.environ.get("QT_SCALE_FACTOR", "1")))
    cut = 0
    for name in _pages(window, studio):
        live(150)
        assert window.grab().save(str(folder / f"{name}_{theme}_{scale}.png"))
        faults = cut_off(window)
        with longer_words(window):
            settle(window)
            faults += [f"with longer words {fault}" for fault in cut_off(window)]
        for fault in faults:
            print(f"{name}: {fault}")
            cut += 1
    window.close()
    collector.stop()
    return cut


def _pages(window: object, studio: object) -> Iterator[str]:
    """Bring up one page after another; yields its name."""
    from tests.tools.screen_content import fill_library, fill_takes, load_sample

    yield from fill_library(window, studio, wait_for)
    yield from load_sample(window, wait_for)
    yield from fill_takes(window, wait_for)


def live(milliseconds: int) -> None:
    """Let the window live."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Let the window live until `condition` holds."""
    import time

    end = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, f"waited for {what}"
        live(10)


def settle(window: object) -> None:
    """Let layouts reach their end, which takes a turn for each level; what is still cut off after a second stays so."""
    for _ in range(10):
        live(100)
        if not cut_off(window):
            return


@contextmanager
def longer_words(window: object) -> Iterator[None]:
    """Words as long as another language may need them, German for one: two fifths longer, in every label and button."""
    from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
    from shiboken6 import isValid

    from app.widgets.labels import ElidedLabel

    assert isinstance(window, QWidget)
    before = [
        (widget, widget.text())
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QLabel | QAbstractButton) and not isinstance(widget, ElidedLabel)
        if widget.isVisible() and _has_word(widget.text())
    ]
    for widget, text in before:
        more = 2 * len(text) // 5 + 1
        widget.setText(text + (" mehr Wörter" * more)[:more].rstrip())
    yield
    for widget, text in before:
        if isValid(widget):  # the page may have made a list anew meanwhile
            widget.setText(text)


def _has_word(text: str) -> bool:
    """Figures, times and one-letter marks are as long in any language."""
    return sum(sign.isalpha() for sign in text) > 2


def cut_off(window: object) -> list[str]:
    """Labels and buttons that are shown with less room than their words need; ones that shorten themselves are fine."""
    from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

    from app.widgets.labels import ElidedLabel

    assert isinstance(window, QWidget)
    found = []
    for widget in window.findChildren(QWidget):
        words = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
        if not words or not widget.isVisible() or isinstance(widget, ElidedLabel):
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        needed = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        if widget.height() < needed - 1 or (not wraps and widget.width() < widget.minimumSizeHint().width() - 1):
            found.append(
                f"{words[:60]!r} has {widget.width()} x {widget.height()}, needs {widget.sizeHint().toTuple()}"
            )
    return found


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], Path(sys.argv[2])) else 0)
