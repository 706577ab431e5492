"""Voice, model and language, each in a box with its name above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app.speak.words import language_text
from app.widgets.labels import label
from app.widgets.layouts import column, row
from app.widgets.voice_glyph import VoiceGlyph

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    import engine
    from app.speak.offer import SpeakVoice

_TEXT_MARGIN = 8
_Items = Sequence[tuple[str, str]]


class Pickers(QWidget):
    """Signals: `voice_chosen(str)` a key, `model_chosen(str)` a folder, `language_chosen(str)`."""

    voice_chosen = Signal(str)
    model_chosen = Signal(str)
    language_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.voice_box = _Box("Voice", 12)
        self.model_box = _Box("Model", 12)
        self.language_box = _Box("Language", 8)
        self._glyph = VoiceGlyph(32)
        self._voices: list[SpeakVoice] = []
        self.voice_box.chosen.connect(self.voice_chosen)
        self.model_box.chosen.connect(self.model_chosen)
        self.language_box.chosen.connect(self.language_chosen)
        with_picture = row(self._glyph, self.voice_box)
        with_picture.setStretch(1, 1)
        layout = row(
            labelled("Voice", with_picture, self.voice_box),
            labelled("Model", self.model_box, self.model_box),
            labelled("Language", self.language_box, self.language_box),
            gap="l",
        )
        for place, stretch in enumerate((4, 4, 2)):
            layout.setStretch(place, stretch)
        self.setLayout(layout)

    def show_voices(self, voices: list[SpeakVoice], chosen: SpeakVoice | None) -> None:
        own = [(voice.key, voice.name) for voice in voices if voice.record is not None]
        presets = [(voice.key, voice.name) for voice in voices if voice.record is None]
        self.voice_box.show_groups([("Your voices", own), ("Preset voices", presets)])
        self.voice_box.show_chosen(chosen.key if chosen is not None else "")
        record = chosen.record if chosen is not None else None
        self._glyph.setVisible(record is not None)
        self._glyph.set_vector(record.vector if record is not None else None)

    def show_models(self, models: Sequence[engine.ModelSummary], chosen: engine.ModelSummary | None) -> None:
        self.model_box.show_groups([("", [(str(model.folder), model.label) for model in models])])
        self.model_box.show_chosen(str(chosen.folder) if chosen is not None else "")
        self.model_box.setToolTip(str(chosen.folder) if chosen is not None else "")
        self.model_box.setEnabled(bool(models))

    def show_languages(self, languages: Sequence[str], chosen: str) -> None:
        self.language_box.show_groups([("", [(language, language_text(language)) for language in languages])])
        self.language_box.show_chosen(chosen)


class _Box(QComboBox):
    """A combo box of keys and names, in groups with headings; built anew only when they change."""

    chosen = Signal(str)

    def __init__(self, name: str, characters: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(characters)
        self.setMaxVisibleItems(16)
        self._shown: object = None
        self.activated.connect(lambda place: self.chosen.emit(self.itemData(place)))

    def show_groups(self, groups: Sequence[tuple[str, _Items]]) -> None:
        filled = [(heading, list(items)) for heading, items in groups if items]
        if filled == self._shown:
            return
        self._shown = filled
        with QSignalBlocker(self):
            self.clear()
            for heading, items in filled:
                if heading and len(filled) > 1:
                    self._add_heading(heading)
                for key, name in items:
                    self.addItem(name, key)

    def show_chosen(self, key: str) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key) if key else -1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """As Qt does, but with an ellipsis where the words do not fit."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        room = field.width() - _TEXT_MARGIN
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def _add_heading(self, heading: str) -> None:
        self.addItem(heading)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.count() - 1).setEnabled(False)


def labelled(name: str, field: QWidget | QHBoxLayout, buddy: QWidget) -> QVBoxLayout:
    """`field` under its name."""
    words: QLabel = label(name, "caption", "dim")
    words.setBuddy(buddy)
    return column(words, field, gap="xs")
