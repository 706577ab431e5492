"""The words of the selection. They hold for one selection only; another one makes them doubtful."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

Selection = tuple[float, float]
_SAME_SECONDS = 0.0005


class Transcript(QObject):
    """Signals:
    changed(): the words, whether they are used, or whether they are stale.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._chosen: bool | None = None  # in context or not, if the person has chosen
        self._selection: Selection = (0.0, 0.0)
        self._meant: Selection = (0.0, 0.0)  # the selection the words were written or confirmed for

    @property
    def text(self) -> str:
        """Without white space around it; empty if there are no words."""
        return self._text.strip()

    @property
    def in_context(self) -> bool:
        """Whether the words are cloned with; where nobody has chosen, as soon as there are some."""
        return bool(self.text) if self._chosen is None else self._chosen

    @property
    def used(self) -> str:
        """The words as cloning takes them: empty for the voice alone."""
        return self.text if self.in_context else ""

    @property
    def lacking(self) -> bool:
        """Whether in context was chosen, and there are no words for it."""
        return self.in_context and not self.text

    @property
    def stale(self) -> bool:
        """Whether words are used, and the selection is another than the one they were meant for."""
        return bool(self.used) and not same_selection(self._meant, self._selection)

    def choose(self, *, in_context: bool) -> None:
        """Clone with the words, or the voice alone."""
        if self._chosen != in_context:
            self._chosen = in_context
            self.changed.emit()

    def set_text(self, text: str) -> None:
        """The person writes; what is written now is meant for what is selected now."""
        if text != self._text:
            self._text, self._meant = text, self._selection
            self.changed.emit()

    def confirm(self) -> None:
        """The words are right for what is selected now."""
        self._meant = self._selection
        self.changed.emit()

    def follow(self, selection: Selection) -> None:
        """The selection is another; going back to the old one makes the words good again."""
        before = self.stale
        self._selection = selection
        if self.stale != before:
            self.changed.emit()

    def clear(self) -> None:
        """No words; for another sound."""
        self._text, self._chosen, self._meant = "", None, self._selection
        self.changed.emit()


def same_selection(one: Selection, other: Selection) -> bool:
    """Equal to half a millisecond."""
    return all(abs(a - b) < _SAME_SECONDS for a, b in zip(one, other, strict=True))
