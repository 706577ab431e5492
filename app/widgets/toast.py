"""A short-lived note at the foot of the window, with one act such as Undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.widgets.buttons import ghost_button, icon_button
from app.widgets.labels import label
from app.widgets.layouts import row

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QEnterEvent

SECONDS: Final = 6.0
_FOOT: Final = 24
_READ_PER_SECOND: Final = 15  # characters


class Toast(QFrame):
    """Floats over `host`, centred above its foot; stays while the pointer is on it or the keyboard is in it.

    Signals: `closed(done)` when the note goes; `done` tells that its act was taken.
    """

    closed = Signal(bool)

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self.setProperty("bar", "toast")
        self._on_action: Callable[[], object] | None = None
        self._text = label()
        self.action_button = ghost_button("", on_click=self._act)
        self.action_button.setProperty("tone", "accent")
        self.close_button = icon_button("x", "Close", lambda: self._close(done=False))
        pieces = row(self._text, self.action_button, self.close_button, gap="m")
        pieces.setContentsMargins(16, 4, 6, 4)
        pieces.setStretch(0, 1)
        self.setLayout(pieces)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._time_up)
        host.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """The words shown."""
        return self._text.text()

    def show_note(
        self,
        text: str,
        action: str | None = None,
        on_action: Callable[[], object] | None = None,
        seconds: float | None = None,
    ) -> None:
        """Show `text` for `seconds`, or for as long as reading takes; a note still there is replaced, its act gone."""
        if self.isVisible():
            self.closed.emit(False)
        self._on_action = on_action
        self._text.setText(text)
        self.setAccessibleName(text)
        self.action_button.setText(action or "")
        self.action_button.setVisible(action is not None)
        self._place()
        self.show()
        self.raise_()
        wanted = max(SECONDS, len(text) / _READ_PER_SECOND) if seconds is None else seconds
        self._timer.start(round(wanted * 1000))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._host:
            self._place()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self.isVisible():
            self._timer.start(round(SECONDS * 500))
        super().leaveEvent(event)

    def _place(self) -> None:
        host = self._host
        widest = max(200, host.width() - 2 * _FOOT)
        self._text.setWordWrap(False)
        self.adjustSize()
        if self.width() > widest:  # a label that may wrap asks for a width of its own choice
            self._text.setWordWrap(True)
            layout = self.layout()
            self.resize(widest, layout.totalHeightForWidth(widest) if layout is not None else self.height())
        self.move(QPoint((host.width() - self.width()) // 2, host.height() - self.height() - _FOOT))

    def _time_up(self) -> None:
        focused = self.focusWidget()
        if focused is not None and focused.hasFocus() and focused.property("focusRing"):
            self._timer.start(round(SECONDS * 500))
            return
        self._close(done=False)

    def _act(self) -> None:
        act = self._on_action
        self._close(done=True)
        if act is not None:
            act()

    def _close(self, *, done: bool) -> None:
        self._timer.stop()
        self._on_action = None
        self.hide()
        self.closed.emit(done)
