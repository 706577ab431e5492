"""The panel beside the list: everything known of one voice, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

import engine
from app.icons import icon
from app.library.notes_field import NotesField
from app.library.words import TIER_HINTS, TIERS, day_text, fits_text, language_text, size_text
from app.widgets.buttons import icon_button, plain_button, primary_button
from app.widgets.labels import ElidedLabel, dress, label
from app.widgets.layouts import Card, boxed, column, row
from app.widgets.voice_glyph import VoiceGlyph

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.store import VoiceRecord

_FRAME_HEIGHT = 8  # of a field above its words
_TRANSCRIPT_SHOWN = 400  # characters; the whole is in the tool tip


class VoiceDetailsPanel(Card):
    """Shows one record. Fields a person is typing in are not overwritten by news of the same voice.

    Signals:
        play_asked(), speak_asked(), export_asked(), rename_asked(), delete_asked(), restore_asked(),
        show_file_asked(), inspect_asked(): for the voice shown.
        tags_edited(str, list[str]), notes_edited(str, str), language_chosen(str, str): voice `id`, new value.
    """

    play_asked = Signal()
    speak_asked = Signal()
    export_asked = Signal()
    rename_asked = Signal()
    delete_asked = Signal()
    restore_asked = Signal()
    show_file_asked = Signal()
    inspect_asked = Signal()
    tags_edited = Signal(str, list)
    notes_edited = Signal(str, str)
    language_chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._record: VoiceRecord | None = None
        self._make_head()
        self._make_fields()
        self._make_facts()
        self._lay_out()
        self.setMinimumWidth(300)

    def show_record(self, record: VoiceRecord | None, file: Path | None, models: Sequence[str] = ()) -> None:
        """Show `record`, whose voice file is `file` and which fits `models` that are here; None hides the panel."""
        if record is None or self._record is None or record.id != self._record.id:
            self.keep_edits()
        self._record = record
        self.setVisible(record is not None)
        if record is not None and file is not None:
            self._fill_head(record)
            self._fill_facts(record, file, models)
            self._fill_fields(record)

    def show_playing(self, playing: bool) -> None:
        """Turn the play button into a stop button and back."""
        self.play_button.setText("Stop" if playing else "Play")
        self.play_button.setIcon(icon("square" if playing else "play"))
        self.play_button.setAccessibleName("Stop the preview" if playing else "Play a preview")

    # -- making

    def _make_head(self) -> None:
        self._glyph = VoiceGlyph(88)
        self._name = label("", "title", wrap=True)
        self._name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._tier = label("", tone="dim")
        self.play_button = plain_button("Play", "play", self.play_asked.emit)
        self.play_button.setToolTip("Play a preview (Space)")
        self.rename_button = icon_button("pencil", "Rename (F2)", self.rename_asked.emit)
        self.export_button = icon_button("download", "Export to a file (Ctrl+E)", self.export_asked.emit)
        self.delete_button = icon_button("trash-2", "Delete (Del)", self.delete_asked.emit)
        self.speak_button = primary_button("Speak with it", "message-square-text", self.speak_asked.emit)
        self.speak_button.setToolTip("Enter")
        self.restore_button = primary_button("Restore", "undo-2", self.restore_asked.emit)

    def _make_fields(self) -> None:
        self.language_box = QComboBox()
        self.language_box.setAccessibleName("Language of the voice")
        self.language_box.addItem("Not said", "")
        for language in engine.LANGUAGES:
            self.language_box.addItem(language_text(language), language)
        self.language_box.activated.connect(self._choose_language)
        self.tags_field = QLineEdit()
        self.tags_field.setAccessibleName("Tags, separated by commas")
        self.tags_field.setPlaceholderText("deep, podcast, …")
        self.tags_field.setAcceptDrops(False)
        self.tags_field.editingFinished.connect(self._finish_tags)
        self.notes_field = NotesField("Notes on the voice", "Where it came from, whose consent you have, …")
        self.notes_field.finished.connect(self._finish_notes)

    def _make_facts(self) -> None:
        self._hint = label(tone="dim", wrap=True)
        self._missing = label("The file is gone. Put it back or import the voice again.", tone="warn", wrap=True)
        self._fits, self._made_with = label(wrap=True), label(wrap=True)
        self._reference, self._added = label(), label()
        self._transcript = label(wrap=True)
        self._file = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._inspect = icon_button("scan-search", self.tr("What is inside the file"), self.inspect_asked.emit)
        self._show_file = icon_button("folder-open", "Show the file in its folder", self.show_file_asked.emit)

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, field in (
            ("Language", self.language_box),
            ("Tags", self.tags_field),
            ("Notes", self.notes_field),
            ("Fits", self._fits),
            ("Made with", self._made_with),
            ("Reference", self._reference),
            ("Added", self._added),
            ("Transcript", self._transcript),
            ("File", boxed(row(self._file, self._inspect, self._show_file, gap="xs"))),
        ):
            self._form.addRow(_row_name(name, field), field)
        acts = row(self.play_button, self.export_button, self.rename_button, self.delete_button, None, gap="xs")
        words = column(None, self._name, self._tier, None, gap="xs")
        head = row(self._glyph, words, gap="l")
        head.setStretch(1, 1)
        content = column(head, acts, self._missing, self._hint, self._form, None, gap="l")
        self._content = boxed(content)
        self._content.setProperty("page", True)
        content.setContentsMargins(0, 0, 8, 0)  # room for the scroll bar
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._content)
        self._foot = boxed(row(None, self.speak_button, self.restore_button))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self._foot)

    # -- showing

    def _fill_head(self, record: VoiceRecord) -> None:
        deleted = record.deleted_at is not None
        self._glyph.set_vector(record.vector)
        self._glyph.setAccessibleName(self.tr("Picture made from the voice {name}").format(name=record.name))
        self._name.setText(record.name)
        self._tier.setText(f"{TIERS[record.tier]} · {size_text(record.size_bytes)}")
        self._hint.setText(TIER_HINTS[record.tier])
        self._missing.setVisible(record.missing)
        self.speak_button.setVisible(not deleted)
        self.speak_button.setEnabled(not record.missing)
        self.play_button.setEnabled(bool(record.preview) or not (deleted or record.missing))
        self.restore_button.setVisible(deleted)
        self.export_button.setEnabled(not record.missing)
        for widget in (self.rename_button, self.delete_button, self.language_box, self.tags_field):
            widget.setEnabled(not deleted)
        self.notes_field.setEnabled(not deleted)

    def _fill_facts(self, record: VoiceRecord, file: Path, models: Sequence[str]) -> None:
        seconds = f"{record.reference_seconds:.1f} s" if record.reference_seconds else ""
        transcript = record.transcript
        if len(transcript) > _TRANSCRIPT_SHOWN:
            transcript = f"{transcript[:_TRANSCRIPT_SHOWN]}…"
        self._transcript.setToolTip(record.transcript if transcript != record.transcript else "")
        self._set_fact(self._fits, fits_text(record.width, models))
        dress(self._fits, tone="text" if models else "warn")
        self._inspect.setEnabled(not record.missing)
        self._set_fact(self._made_with, record.model_label)
        self._set_fact(self._reference, seconds)
        self._set_fact(self._added, day_text(record.created_at))
        self._set_fact(self._transcript, transcript)
        self._file.setText(str(file))

    def _set_fact(self, field: QLabel, text: str) -> None:
        field.setText(text)
        self._form.setRowVisible(field, bool(text))

    def _fill_fields(self, record: VoiceRecord) -> None:
        if not self.tags_field.isModified():
            self.tags_field.setText(", ".join(record.tags))
        if not self.notes_field.is_modified:
            self.notes_field.set_text(record.notes)
        place = self.language_box.findData(record.language)
        if place < 0:  # a dialect, or a language of a model to come
            self.language_box.addItem(language_text(record.language), record.language)
            place = self.language_box.count() - 1
        self.language_box.setCurrentIndex(place)

    # -- what a person entered

    def keep_edits(self) -> None:
        """Tell what was typed for the voice shown and not told yet; before another is shown, and at the end."""
        self._finish_tags()
        self._finish_notes()

    def _finish_tags(self) -> None:
        if self._record is not None and self.tags_field.isModified():
            self.tags_field.setModified(False)
            self.tags_edited.emit(self._record.id, self.tags_field.text().split(","))

    def _finish_notes(self) -> None:
        if self._record is not None and self.notes_field.is_modified:
            self.notes_field.set_modified(False)
            self.notes_edited.emit(self._record.id, self.notes_field.text())

    def _choose_language(self, place: int) -> None:
        if self._record is not None and self.language_box.itemData(place) != self._record.language:
            self.language_chosen.emit(self._record.id, self.language_box.itemData(place))


def _row_name(name: str, field: QWidget) -> QLabel:
    """A row's name on the line of the first words of its field."""
    made = label(name, tone="dim")
    made.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    if not isinstance(field, QLabel):
        made.setContentsMargins(0, _FRAME_HEIGHT, 0, 0)
    return made
