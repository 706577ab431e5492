"""The seed: shown, locked or not, and a dice."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from app.icons import icon
from app.speak.choices import LARGEST_SEED
from app.widgets.buttons import icon_button
from app.widgets.labels import tabular
from app.widgets.layouts import row


class SeedBox(QWidget):
    """Signals: `seed_edited(int)`, `lock_toggled(bool)`, `roll_wanted()`."""

    seed_edited = Signal(int)
    lock_toggled = Signal(bool)
    roll_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QSpinBox()
        self.field.setRange(0, LARGEST_SEED)
        self.field.setKeyboardTracking(False)
        self.field.setFont(tabular(self.field.font()))
        self.field.setAccessibleName("Seed")
        self.field.setToolTip("The same seed with the same text and settings gives the same sound on this computer.")
        self.field.lineEdit().setTextMargins(6, 0, 0, 0)
        self.field.setMinimumWidth(112)
        self.field.valueChanged.connect(self.seed_edited)
        self.lock_button = icon_button("lock-open", "Lock the seed", checkable=True)
        self.lock_button.toggled.connect(self._note_lock)
        self.dice_button = icon_button("dices", "Draw another seed and keep it", self.roll_wanted.emit)
        self.setLayout(row(self.field, self.lock_button, self.dice_button, gap="xs"))

    def show_seed(self, seed: int, locked: bool) -> None:
        with QSignalBlocker(self.field), QSignalBlocker(self.lock_button):
            if seed != self.field.value():
                self.field.setValue(seed)
            self.lock_button.setChecked(locked)
        self._dress_lock()

    def finish_editing(self) -> None:
        """Take over what is typed but not confirmed yet."""
        self.field.interpretText()

    def _note_lock(self, locked: bool) -> None:
        self._dress_lock()
        self.lock_toggled.emit(locked)

    def _dress_lock(self) -> None:
        locked = self.lock_button.isChecked()
        self.lock_button.setIcon(icon("lock" if locked else "lock-open", "accent" if locked else "text"))
        words = "Seed locked: every take has this one" if locked else "Seed not locked: every take has a new one"
        self.lock_button.setToolTip(words)
        self.lock_button.setAccessibleName("Lock the seed")
        self.lock_button.setAccessibleDescription(words)
