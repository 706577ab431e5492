"""How it shall be said: free words, presets, and a plain reason where the model would not listen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from app.speak.offer import StyleState
from app.speak.phrases import style_groups
from app.widgets.buttons import plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import label
from app.widgets.layouts import boxed, row

_SHOWN = 60  # characters of a prompt in the menu; all of it is in its tool tip


class StyleBox(QWidget):
    """The field and its presets. `why` is a line of its own, which the page puts where there is room for it.

    Signals: `style_edited(str)`; `model_wanted(str)`, the folder of the model that would obey; `measure_asked()`.
    """

    style_edited = Signal(str)
    model_wanted = Signal(str)
    measure_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = StyleState(obeyed=True)
        self.field = QLineEdit()
        self.field.setAccessibleName("Style: how it shall be said")
        self.field.setPlaceholderText("How shall it be said? (optional)")
        self.field.textEdited.connect(self.style_edited)
        self.field.textChanged.connect(self._note_text)
        self.presets_button = plain_button("Presets", "wand-sparkles", self._show_menu)
        self.presets_button.setAccessibleName("Style presets")
        self._language, self._used = "auto", tuple[str, ...]()
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self._fill_menu()
        self.measure_button = plain_button("Measure", "gauge", self.measure_asked.emit)
        self.measure_button.setToolTip(
            "Say the first line with this style and without, with one seed, and tell what changes in pitch, pace and "
            "energy. Both are kept as takes A and B: X goes from one to the other."
        )
        self.measure_button.setAccessibleName("Measure what the style changes")
        self._measured, self._measuring = "", False
        self._icon = IconLabel("info", "text_dim", 14)
        self.reason = label("", "caption", "dim", wrap=True)
        self.better_button = plain_button("Use another model", on_click=self._want_better)
        why = row(self._icon, self.reason, self.better_button)
        why.setStretch(1, 1)
        self.why = boxed(why)
        fields = row(self.field, self.presets_button, self.measure_button)
        fields.setStretch(0, 1)
        self.setLayout(fields)
        self.show_state(self._state)

    def show_style(self, style: str) -> None:
        """Show `style`, unless it is what stands there."""
        if style != self.field.text():
            self.field.setText(style)
            self.field.setCursorPosition(0)

    def show_presets(self, language: str, used: tuple[str, ...]) -> None:
        """Offer the presets in `language` ("auto": English), and the prompts that were `used` before."""
        if (language, used) != (self._language, self._used):
            self._language, self._used = language, used
            self._fill_menu()

    def show_measured(self, words: str, *, measuring: bool) -> None:
        """Tell what the style was measured to change; empty: nothing was measured."""
        self._measured, self._measuring = words, measuring
        self.show_state(self._state)

    def show_state(self, state: StyleState) -> None:
        """Be live where style is obeyed; else say why not and offer what would."""
        self._state = state
        self.field.setEnabled(state.obeyed)
        self.field.setClearButtonEnabled(state.obeyed)
        self.presets_button.setEnabled(state.obeyed)
        warns = state.obeyed and bool(state.words)
        self._icon.set_icon("triangle-alert" if warns else "info", "warn" if warns else "text_dim")
        measured = f"With this style, against none and with the same seed: {self._measured}." if self._measured else ""
        self.reason.setText("\n".join(words for words in (state.words, measured) if words))
        self.measure_button.setEnabled(state.obeyed and bool(self.field.text().strip()) and not self._measuring)
        self.field.setAccessibleDescription(state.words)
        self.better_button.setVisible(state.better is not None)
        if state.better is not None:
            self.better_button.setText(f"Use {state.better.label}")
        self.why.setVisible(bool(self.reason.text()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        if self._used:
            self.menu.addSection("Used before")
            for text in self._used:
                self._add(self.menu, text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…", text)
        for group in style_groups(self._language):
            self.menu.addSection(group.name)
            for name, text in group.styles:
                self._add(self.menu, name, text)

    def _add(self, menu: QMenu, name: str, text: str) -> None:
        action = menu.addAction(name.replace("&", "&&"), partial(self._take, text))
        action.setToolTip(text)

    def _show_menu(self) -> None:
        self.menu.popup(self.presets_button.mapToGlobal(QPoint(0, self.presets_button.height() + 4)))

    def _take(self, text: str) -> None:
        self.field.selectAll()
        self.field.insert(text)  # as if it were typed: undo brings back what stood there
        self.field.setCursorPosition(0)
        self.field.setFocus()
        self.style_edited.emit(text)

    def _note_text(self, text: str) -> None:
        self.measure_button.setEnabled(self._state.obeyed and bool(text.strip()) and not self._measuring)
        if not text:  # the cross inside the field does not count as editing for Qt
            self.style_edited.emit("")

    def _want_better(self) -> None:
        if self._state.better is not None:
            self.model_wanted.emit(str(self._state.better.folder))
