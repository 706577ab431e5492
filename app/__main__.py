"""qvoice-studio: the window first, torch behind it."""

from __future__ import annotations

import argparse
import faulthandler
import logging
import signal
import sys
from collections.abc import Sequence
from importlib import metadata

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

_log = logging.getLogger(__name__)
_INTERRUPT_POLL_MS = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the studio; returns the exit code. A second start hands its files to the first and ends."""
    parsed = _parse(sys.argv[1:] if arguments is None else arguments)
    app = QApplication([sys.argv[0]])
    app.setApplicationName("QVoice Studio")
    app.setDesktopFileName("qvoice-studio")
    from app import log
    from app.instance import DataFolderBusy, Instance
    from app.paths import paths

    places = paths()
    instance = Instance(places.data)
    try:
        if not instance.claim(parsed.files):
            return 0
    except DataFolderBusy as error:
        print(error, file=sys.stderr)  # noqa: T201 - there is no window yet to say it in
        return 1
    log.set_up(places.logs)
    try:
        return _run(app, instance, parsed.files)
    finally:
        instance.release()
        log.tear_down()


def _run(app: QApplication, instance: object, files: list[str]) -> int:
    from app.instance import Instance
    from app.main_window import MainWindow
    from app.paths import paths
    from app.settings.table import THEME
    from app.studio import Studio
    from app.theme import apply_theme
    from app.work import GarbageCollector

    assert isinstance(instance, Instance)
    collector = GarbageCollector(app)
    collector.start()
    studio = Studio(paths())
    apply_theme(app, studio.settings.get(THEME))  # type: ignore[arg-type]
    window = MainWindow(studio)
    instance.arguments_received.connect(window.open_files)
    window.show()
    QTimer.singleShot(0, studio.start)
    if files:
        QTimer.singleShot(0, lambda: window.open_files(files))
    _stop_on_interrupt(window)
    _log.info("The window is shown")
    code = app.exec()
    window.close()
    studio.close()
    collector.stop()
    return code


def _stop_on_interrupt(window: QWidget) -> None:
    """Ctrl+C and a polite kill close the window as its cross does.

    A handler runs between any two steps of Python, in the middle of a paint event too, so it only takes a note; the
    timer closes the window, and also gives Python its chance to run handlers at all.
    """
    asked: list[int] = []
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), lambda number, _frame: asked.append(number))
    waker = QTimer(window, interval=_INTERRUPT_POLL_MS)
    waker.timeout.connect(lambda: window.close() if asked else None)
    waker.start()


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="qvoice-studio", description="Open the voice studio.")
    parser.add_argument("files", nargs="*", help="voice files to import, or a sound to make a voice from")
    parser.add_argument("--version", action="version", version=f"qvoice-studio {_version()}")
    return parser.parse_args(arguments)


def _version() -> str:
    try:
        return metadata.version("qvoice-studio")
    except metadata.PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    if sys.stderr is not None:
        faulthandler.enable()
    sys.exit(main())
