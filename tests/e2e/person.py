"""What a person at the window does and hears, for the end-to-end tests."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.main_window import MainWindow

SCREENS = Path(__file__).resolve().parents[2] / "out" / "screens"
SETTLED_MS = 100  # after it a pane that changed its size is sharp again
PATIENCE_SECONDS = 60.0  # the machine may be busy; nothing here is judged by time


def let_live(milliseconds: int) -> None:
    """Let the window live, as `exec` does: `QTest.qWait` would keep the interpreter from every other thread."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_for(condition: Callable[[], object], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Let the window live until `condition` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for: {what}"
        let_live(10)


def click(widget: QWidget) -> None:
    """Press and release the left button in the middle of what is shown and can be pressed."""
    assert widget.isVisible(), f"{widget.accessibleName() or widget} is not shown"
    assert widget.isEnabled(), f"{widget.accessibleName() or widget} cannot be pressed: {widget.toolTip()}"
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())


def press(button: QAbstractButton, words: str) -> None:
    """Click a button once it says `words` and can be pressed."""
    wait_for(lambda: button.isEnabled() and button.text() == words, f"a button {words!r}, not {button.text()!r}")
    click(button)


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    """Drag with the left button from `start` to `end`."""
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 6):
        QTest.mouseMove(widget, start + (end - start) * step / 5)
        let_live(5)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=end)


def take_screen(window: MainWindow, name: str) -> np.ndarray:
    """Write what the window shows to `out/screens/NAME.png`; returns its pixels, uint8 [height, width, 4]."""
    let_live(SETTLED_MS)
    SCREENS.mkdir(parents=True, exist_ok=True)
    picture = window.grab()
    assert picture.save(str(SCREENS / f"{name}.png"))
    return pixels_of(picture.toImage())


def pixels_of(image) -> np.ndarray:
    image = image.convertToFormat(image.Format.Format_RGBA8888)
    data = np.frombuffer(image.constBits(), np.uint8)
    return data.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width()].copy()


@contextmanager
def microphone_hears(sound: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Play `sound` into the virtual microphone for the length of the block."""
    process = subprocess.Popen(["paplay", "--device=microphone_feed", str(sound)])
    try:
        yield process
    finally:
        process.kill()
        process.wait()
