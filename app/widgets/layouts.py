"""Rows, columns, cards and rules at the distances of the theme."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QLayoutItem, QScrollArea, QVBoxLayout, QWidget

from app.theme import Space

_SPACE = Space()
Gap = Literal["none", "xs", "s", "m", "l", "xl", "xxl"]
Piece = QWidget | QLayout | int | None


def pixels(gap: Gap) -> int:
    """A distance of the scale in logical pixels."""
    return 0 if gap == "none" else int(getattr(_SPACE, gap))


def row(*pieces: Piece, gap: Gap = "s", margin: Gap = "none") -> QHBoxLayout:
    """Pieces side by side; None stretches, a number is extra room in pixels."""
    layout = QHBoxLayout()
    _fill(layout, pieces, gap, margin)
    return layout


def column(*pieces: Piece, gap: Gap = "s", margin: Gap = "none") -> QVBoxLayout:
    """Pieces below one another; None stretches, a number is extra room in pixels."""
    layout = QVBoxLayout()
    _fill(layout, pieces, gap, margin)
    return layout


def boxed(layout: QLayout, parent: QWidget | None = None) -> QWidget:
    """A bare widget around `layout`."""
    box = QWidget(parent)
    box.setLayout(layout)
    return box


def scrolling(content: QWidget) -> QScrollArea:
    """`content` in as much height as there is, with a bar beside it where that is too little."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area


class Card(QFrame):
    """A raised surface with rounded corners around `layout`."""

    def __init__(
        self,
        layout: QLayout | None = None,
        kind: Literal["surface", "raised", "well"] = "surface",
        margin: Gap = "l",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("card", kind)
        if layout is not None:
            edge = pixels(margin)
            layout.setContentsMargins(edge, edge, edge, edge)
            self.setLayout(layout)


def rule(*, vertical: bool = False) -> QFrame:
    """A quiet line between two things."""
    line = QFrame()
    line.setProperty("rule", True)
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


def _fill(layout: QBoxLayout, pieces: tuple[Piece, ...], gap: Gap, margin: Gap) -> None:
    edge = pixels(margin)
    layout.setContentsMargins(edge, edge, edge, edge)
    layout.setSpacing(pixels(gap))
    for piece in pieces:
        if piece is None:
            layout.addStretch(1)
        elif isinstance(piece, int):
            layout.addSpacing(piece)
        elif isinstance(piece, QLayout):
            layout.addLayout(piece)
        else:
            layout.addWidget(piece)


class FlowLayout(QLayout):
    """Side by side as long as there is room, then on the next line: for tags, findings and filters."""

    def __init__(self, gap: Gap = "s", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width: Qt asks many times before anything has changed
        self._gap = pixels(gap)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arranged(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._arranged(rect, move=True)

    def sizeHint(self) -> QSize:
        width = sum(item.sizeHint().width() for item in self._items)
        height = max((item.sizeHint().height() for item in self._items), default=0)
        return QSize(width + self._gap * max(0, len(self._items) - 1), height)

    def minimumSize(self) -> QSize:  # noqa: N802
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arranged(self, rect: QRect, *, move: bool) -> int:
        """Height needed at the width of `rect`; puts the items there, each in the middle of its line, when `move`."""
        y = rect.y()
        for line in self._lines(rect.width()):
            x, height = rect.x(), max(item.sizeHint().height() for item in line)
            for item in line:
                size = item.sizeHint().boundedTo(QSize(rect.width(), height))
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += item.sizeHint().width() + self._gap
            y += height + self._gap
        return max(0, y - self._gap - rect.y())

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        """What is shown, as many items on a line as have room; one at least."""
        lines: list[list[QLayoutItem]] = []
        x = 0
        for item in self._items:
            if item.isEmpty():
                continue
            needed = item.sizeHint().width()
            if not lines or x + needed > width:
                lines.append([])
                x = 0
            lines[-1].append(item)
            x += needed + self._gap
        return lines
