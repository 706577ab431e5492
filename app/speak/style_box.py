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


class StyleBox(QWidget):
    """The field and its presets. `why` is a line of its own, which the page puts where there is room for it.

    Signals: `style_edited(str)`, and `model_wanted(str)`, the folder of the model that would obey.
    """

    style_edited = Signal(str)
    model_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = StyleState(obeyed=True)
        self.field = QLineEdit()
        self.field.setAccessibleName("Style: how it shall be said")
        self.field.setPlaceholderText("How shall it be said? (optional)")
        self.field.textEdited.connect(self.style_edited)
        self.field.textChanged.connect(self._note_cleared)
        self.presets_button = plain_button("Presets", "wand-sparkles", self._show_menu)
        self.presets_button.setAccessibleName("Style presets")
        self.menu = self._make_menu()
        self._icon = IconLabel("info", "text_dim", 14)
        self.reason = label("", "caption", "dim", wrap=True)
        self.better_button = plain_button("Use another model", on_click=self._want_better)
        why = row(self._icon, self.reason, self.better_button)
        why.setStretch(1, 1)
        self.why = boxed(why)
        fields = row(self.field, self.presets_button)
        fields.setStretch(0, 1)
        self.setLayout(fields)
        self.show_state(self._state)

    def show_style(self, style: str) -> None:
        """Show `style`, unless it is what stands there."""
        if style != self.field.text():
            self.field.setText(style)

    def show_state(self, state: StyleState) -> None:
        """Be live where style is obeyed; else say why not and offer what would."""
        self._state = state
        self.field.setEnabled(state.obeyed)
        self.field.setClearButtonEnabled(state.obeyed)
        self.presets_button.setEnabled(state.obeyed)
        self._icon.set_icon(
            "info" if not state.obeyed else "triangle-alert", "text_dim" if not state.obeyed else "warn"
        )
        self.reason.setText(state.words)
        self.field.setAccessibleDescription(state.words)
        self.better_button.setVisible(state.better is not None)
        if state.better is not None:
            self.better_button.setText(f"Use {state.better.label}")
        self.why.setVisible(bool(state.words))

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for group in style_groups():
            menu.addSection(group.name)
            for name, text in group.styles:
                action = menu.addAction(name, partial(self._take, text))
                action.setToolTip(text)
        menu.setToolTipsVisible(True)
        return menu

    def _show_menu(self) -> None:
        self.menu.popup(self.presets_button.mapToGlobal(QPoint(0, self.presets_button.height() + 4)))

    def _take(self, text: str) -> None:
        self.field.setText(text)
        self.field.setCursorPosition(0)
        self.field.setFocus()
        self.style_edited.emit(text)

    def _note_cleared(self, text: str) -> None:
        if not text:  # the cross inside the field does not count as editing for Qt
            self.style_edited.emit("")

    def _want_better(self) -> None:
        if self._state.better is not None:
            self.model_wanted.emit(str(self._state.better.folder))
