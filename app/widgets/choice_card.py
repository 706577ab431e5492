"""A card to choose, one of several."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLabel, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from app.theme import current_theme
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel, FigureLabel, dress, label
from app.widgets.layouts import row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

Verdict = Literal["yes", "no", "note"]
_VERDICTS: dict[str, tuple[str, str]] = {
    "yes": ("check", "good"),
    "no": ("minus", "text_dim"),
    "note": ("info", "accent"),
}
_DOT = 16


class ChoiceCard(QRadioButton):
    """A radio button with room: a title, a big figure, lines with a mark each, a badge, a reason when not possible.

    Cards with one parent exclude one another; the arrow keys go from card to card.
    """

    def __init__(
        self,
        title: str,
        figure: str = "",
        caption: str = "",
        lines: Sequence[tuple[Verdict, str]] = (),
        badge: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._title = ElidedLabel(title)
        dress(self._title, "lead")
        self._figure = FigureLabel(figure)
        self._figure.setProperty("textSize", "display")
        self._caption = label(caption, "caption", "dim", wrap=True)
        self._badge = _Badge(badge)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(6)
        self._line_widgets: list[_Line] = []  # kept and written anew: making them costs more than the rest of the card
        self._reason = label("", "caption", "warn", wrap=True)
        self._reason.setProperty("reason", True)  # stays readable on a disabled card
        self._reason.setContentsMargins(0, 8, 0, 0)
        self._texts: list[tuple[Verdict, str]] = []
        self._build()
        self.set_figure(figure, caption)
        self.set_badge(badge)
        self.set_lines(lines)
        self.set_reason("")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_figure(self, figure: str, caption: str = "") -> None:
        """The big figure, such as a size, and the small words under it."""
        self._figure.setText(figure)
        self._figure.setVisible(bool(figure))
        self._caption.setText(caption)
        self._caption.setVisible(bool(caption))
        self._name()

    def set_lines(self, lines: Sequence[tuple[Verdict, str]]) -> None:
        """What speaks for it and against it: ("yes", "Keeps the identity")."""
        self._texts = list(lines)
        self.reserve_lines(len(self._texts))
        for line, words in zip_longest(self._line_widgets, self._texts):
            if words is not None:
                line.set_words(*words)
            line.setVisible(words is not None)
        self._name()

    def reserve_lines(self, count: int) -> None:
        """Make the widgets of `count` lines, hidden, while there is time for it."""
        while len(self._line_widgets) < count:
            line = _Line(self)
            line.hide()
            self._line_widgets.append(line)
            self._lines.addWidget(line)

    def set_badge(self, text: str) -> None:
        """A short word in the corner, such as "Recommended"; "" for none."""
        self._badge.setText(text)
        self._badge.setVisible(bool(text))
        self._name()

    def set_reason(self, reason: str) -> None:
        """Why this cannot be chosen; "" makes it possible again."""
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        self.setEnabled(not reason)
        self._name()

    def sizeHint(self) -> QSize:
        return self._layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._layout.minimumSize()

    def hitButton(self, position: QPoint) -> bool:  # noqa: N802
        return self.rect().contains(position)

    def _build(self) -> None:
        layout = self._layout
        layout.setContentsMargins(16, 14, 16, 16)
        layout.setSpacing(4)
        head = row(_DOT + 8, self._title, self._badge)
        head.setStretch(1, 1)
        head.setContentsMargins(0, 0, 0, 4)
        layout.addLayout(head)
        layout.addWidget(self._figure)
        layout.addWidget(self._caption)
        layout.addSpacing(8)
        layout.addLayout(self._lines)
        layout.addWidget(self._reason)
        layout.addStretch(1)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def _name(self) -> None:
        said = [self._title.text(), self._badge.text(), self._figure.text()]
        self.setAccessibleName(", ".join(part for part in said if part))
        rest = [self._caption.text(), *(f"{'not: ' if v == 'no' else ''}{t}" for v, t in self._texts)]
        self.setAccessibleDescription(". ".join(part for part in [*rest, self._reason.text()] if part))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = bool(self.property("focusRing"))
        chosen = self.isChecked()
        width = 2.0 if chosen or ring else 1.0
        ground = "surface"
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            ground = "hover"
        edge = "accent" if (chosen or ring) and self.isEnabled() else ("edge" if self.isEnabled() else "line")
        half = width / 2
        card = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.setBrush(theme.color("accent_soft" if chosen and self.isEnabled() else ground))
        painter.setPen(QPen(theme.color(edge), width))
        painter.drawRoundedRect(card, theme.radius.card, theme.radius.card)
        if ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 1))
            inner = card.adjusted(3, 3, -3, -3)
            painter.drawRoundedRect(inner, theme.radius.card - 3, theme.radius.card - 3)
        self._draw_dot(painter)
        painter.end()

    def _draw_dot(self, painter: QPainter) -> None:
        theme = current_theme()
        middle = self._title.geometry().center().y() + 0.5
        dot = QRectF(16.5, middle - _DOT / 2 + 0.5, _DOT - 1, _DOT - 1)
        on = self.isChecked() and self.isEnabled()
        painter.setPen(QPen(theme.color("accent" if on else ("edge" if self.isEnabled() else "line")), 1))
        painter.setBrush(theme.color("accent" if on else "well"))
        painter.drawEllipse(dot)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("on_accent"))
            painter.drawEllipse(dot.adjusted(4.5, 4.5, -4.5, -4.5))


class _Badge(QLabel):
    """A word on a pill."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("textSize", "caption")
        self.setProperty("badge", True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


class _Line(QWidget):
    """A mark and a line of words that may wrap."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown: tuple[Verdict, str] | None = None
        self._mark = IconLabel(*_VERDICTS["yes"])
        self._words = label("", wrap=True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        layout = row(gap="s")
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._words, 1)
        self.setLayout(layout)
        for child in (self, *self.findChildren(QWidget)):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def set_words(self, verdict: Verdict, text: str) -> None:
        if (verdict, text) == self._shown:
            return
        self._shown = verdict, text
        self._mark.set_icon(*_VERDICTS[verdict])
        dress(self._words, "body", "dim" if verdict == "no" else "text")
        self._words.setText(text)
