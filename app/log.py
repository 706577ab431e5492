"""One log file, turned over by size, for what the program did and what Qt and Python had to say about it."""

from __future__ import annotations

import logging
import sys
import threading
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"
_SIZE_BYTES = 1 << 20
_OLDER_FILES = 3
_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

_handlers: list[logging.Handler] = []


def set_up(folder: Path, level: int = logging.INFO) -> Path | None:
    """Write the log to `folder`/qvoice-studio.log; returns the file.

    A folder that cannot be written to must not keep the studio from starting: then the log goes to standard
    error and None is returned. Calling it again moves the log.
    """
    tear_down()
    file: Path | None = folder / "qvoice-studio.log"
    handler: logging.Handler
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "qvoice-studio.log", maxBytes=_SIZE_BYTES, backupCount=_OLDER_FILES, encoding="utf-8"
        )
    except OSError as error:
        file, handler = None, logging.StreamHandler()
        logging.getLogger(__name__).warning("No log file in %s: %s", folder, error)
    handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    _handlers.append(handler)
    return file


def tear_down() -> None:
    """Close the log file; safe to call twice."""
    while _handlers:
        handler = _handlers.pop()
        logging.getLogger().removeHandler(handler)
        handler.close()


def catch_strays() -> None:
    """Send Qt's messages and errors nobody caught, of any thread, to the log."""
    qInstallMessageHandler(_log_qt)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda caught: _log_uncaught(
        caught.exc_type, caught.exc_value or caught.exc_type(), caught.exc_traceback
    )


def _log_qt(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    category = getattr(context, "category", None) or "default"
    logging.getLogger(f"qt.{category}").log(_QT_LEVELS.get(kind, logging.WARNING), "%s", text)


def _log_uncaught(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    logging.getLogger("app").critical("Nobody caught this", exc_info=(kind, error, traceback))
