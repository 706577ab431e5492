"""The line at the foot of the window: model, device, memory, and what is running."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from app.widgets.buttons import icon_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel
from app.widgets.layouts import row, rule


class StatusLine(QFrame):
    """One line that shortens its words rather than grow.

    Signals: `cancel_requested(job)` with the key of the job whose cross was pressed.
    """

    cancel_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("foot", True)
        self.setAccessibleName("Status")
        self._model = _Fact("box", "Model")
        self._device = _Fact("cpu", "Device and precision")
        self._memory = _Fact("memory-stick", "Memory")
        self._jobs: dict[str, _Job] = {}
        self._jobs_row = QHBoxLayout()
        self._jobs_row.setSpacing(16)
        pieces = row(self._model, self._device, self._memory, None, self._jobs_row, gap="l")
        pieces.setContentsMargins(12, 4, 12, 4)
        self.setLayout(pieces)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(30)

    def set_model(self, text: str) -> None:
        """The model in use, in words; "" hides the entry."""
        self._model.tell(text)

    def set_device(self, text: str, reason: str = "") -> None:
        """Where it computes and how precisely, such as "CPU · fp32"; why so is told to who rests on it."""
        self._device.tell(text)
        self._device.setToolTip(reason)

    def set_memory(self, text: str) -> None:
        """Memory in use, in words."""
        self._memory.tell(text)

    def set_job(self, job: str, text: str, share: float | None = None, *, cancellable: bool = True) -> None:
        """Show the running job `job`; `share` is what is done of it, 0 to 1, or None while that is not known."""
        entry = self._jobs.get(job)
        if entry is None:
            entry = _Job(self)
            entry.cross.clicked.connect(lambda: self.cancel_requested.emit(job))
            self._jobs[job] = entry
            self._jobs_row.addWidget(entry)
        entry.tell(text, share, cancellable)

    def remove_job(self, job: str) -> None:
        """The job has ended; nothing happens when it is not shown."""
        entry = self._jobs.pop(job, None)
        if entry is not None:
            self._jobs_row.removeWidget(entry)
            entry.hide()
            entry.deleteLater()

    @property
    def jobs(self) -> tuple[str, ...]:
        """Keys of the jobs shown."""
        return tuple(self._jobs)


class _Fact(QWidget):
    def __init__(self, icon_name: str, name: str) -> None:
        super().__init__()
        self._name = name
        self._text = ElidedLabel()
        self._text.setProperty("tone", "dim")
        self.setLayout(row(IconLabel(icon_name, "text_dim", 14), self._text, gap="xs"))
        self.hide()

    def tell(self, text: str) -> None:
        self._text.setText(text)
        self._text.setAccessibleName(f"{self._name}: {text}")
        self.setVisible(bool(text))


class _Job(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ElidedLabel()
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(120)
        self.cross = icon_button("x", "Cancel")
        self.setLayout(row(rule(vertical=True), self._text, self._bar, self.cross))

    def tell(self, text: str, share: float | None, cancellable: bool) -> None:
        if text != self._text.text():
            self._text.setText(text)
            self._bar.setAccessibleName(text)
            self.cross.setAccessibleName(f"Cancel: {text}")
        self._bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self._bar.setValue(round(1000 * share))
        self.cross.setVisible(cancellable)
