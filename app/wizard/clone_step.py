"""Step 3: the model, the words, and the cloning itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QSizePolicy,
    QWidget,
)

from app.widgets.buttons import plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import FigureLabel, label
from app.widgets.layouts import Card, boxed, column, row
from app.wizard.cloning import stage_text

if TYPE_CHECKING:
    import engine
    from app.wizard.presenter import WizardPresenter

_STALE = "The selection has changed. Do these words still match it exactly?"
_NOISE = "A test model with random weights: the voice will be noise. Add a real Base model under Models."
_NO_MODEL = "No Base model is here. Add its folder under Models."


class CloneStep(QWidget):
    """A form before, a progress bar while it runs."""

    def __init__(self, presenter: WizardPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.model_box = QComboBox()
        self.model_box.setAccessibleName("Base model to clone with")
        self.model_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._model_hint = label("", "caption", "warn", wrap=True)
        self.words_field = _words_field()
        self.alone = QRadioButton(self.tr("Voice alone"))
        self.in_context = QRadioButton(self.tr("In context"))
        self._fit = label("", "caption", "dim", wrap=True)
        self.confirm_button = plain_button("They still match", "check", presenter.transcript.confirm)
        self._stale = boxed(row(IconLabel("triangle-alert", "warn"), label(_STALE), None, self.confirm_button))
        self._stage = label("", "lead")
        self._elapsed = FigureLabel("0 s", "0000 s")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Cloning")
        self._started = 0.0
        self._clock = QTimer(self, interval=500)
        self._clock.timeout.connect(self._tell_elapsed)
        self._lay_out()
        self._connect()
        self._show_models()
        self._show_words()
        self._show_running(False)

    def _lay_out(self) -> None:
        model = row(label("Base model", tone="dim"), self.model_box, gap="m")
        model.setStretch(1, 1)
        form = column(model, self._fit, self._model_hint, self.words_field, self._stale, self._lay_out_ways())
        self._form = boxed(form)
        running = column(row(self._stage, None, self._elapsed), self._bar, gap="m")
        running.setContentsMargins(0, 12, 0, 12)
        self._running = boxed(running)
        self.setLayout(column(Card(column(self._form, self._running, gap="s"))))

    def _lay_out_ways(self) -> QGridLayout:
        """The two ways of cloning, each with what it means."""
        alone = self.tr("Its timbre, in any language. No words are needed, and none are kept.")
        with_words = self.tr(
            "Its way of speaking too. The words must be exact, and each sentence takes a little longer."
        )
        ways = QGridLayout()
        ways.setHorizontalSpacing(12)
        ways.setVerticalSpacing(2)
        ways.setColumnStretch(1, 1)
        for line, (way, words) in enumerate(((self.alone, alone), (self.in_context, with_words))):
            way.setAccessibleDescription(words)
            ways.addWidget(way, line, 0)
            ways.addWidget(label(words, "caption", "dim", wrap=True), line, 1)
        return ways

    def _connect(self) -> None:
        presenter = self._presenter
        self.alone.clicked.connect(lambda: presenter.transcript.choose(in_context=False))
        self.in_context.clicked.connect(lambda: presenter.transcript.choose(in_context=True))
        self.model_box.activated.connect(lambda place: presenter.choose_model(self.model_box.itemData(place)))
        self.words_field.textChanged.connect(lambda: presenter.transcript.set_text(self.words_field.toPlainText()))
        presenter.transcript.changed.connect(self._show_words)
        presenter.models_changed.connect(self._show_models)
        presenter.cloning.running_changed.connect(self._show_running)
        presenter.cloning.progressed.connect(self._show_progress)

    def _show_models(self) -> None:
        models, chosen = self._presenter.base_models, self._presenter.base_model
        self.model_box.clear()
        for model in models:
            self.model_box.addItem(
                model.label if model.is_test_model else f"{model.label} · {model.folder.name}", model
            )
        self.model_box.setCurrentIndex(models.index(chosen) if chosen is not None else -1)
        self.model_box.setEnabled(len(models) > 1)
        hint = _NO_MODEL if chosen is None else _NOISE if chosen.is_test_model else ""
        self._model_hint.setText(hint)
        self._model_hint.setVisible(bool(hint))
        self._fit.setText(self._fit_text())
        self._fit.setVisible(bool(chosen) and not hint)

    def _fit_text(self) -> str:
        """What the choice of the model's size means, with the models that are here."""
        partners = self._presenter.partners
        styled = [model.label for model in partners if model.obeys_style]
        if styled:
            words = self.tr("The voice fits models of this size only. Here, {model} can speak it with a style.")
            return words.format(model=styled[0])
        if partners:
            words = self.tr("The voice fits models of this size only: here {model}, which takes no style prompt.")
            return words.format(model=partners[0].label)
        return self.tr("The voice fits models of this size only, and no CustomVoice model of this size is here.")

    def _show_words(self) -> None:
        words = self._presenter.transcript
        if words.text != self.words_field.toPlainText().strip():
            self.words_field.blockSignals(True)
            self.words_field.setPlainText(words.text)
            self.words_field.blockSignals(False)
        self._stale.setVisible(words.stale)
        (self.in_context if words.in_context else self.alone).setChecked(True)

    def _show_running(self, running: bool) -> None:
        self._form.setVisible(not running)
        self._running.setVisible(running)
        self._bar.setRange(0, 0 if running else 1000)
        if running:
            self._stage.setText("Waiting for the model")
            self._started = time.monotonic()
            self._tell_elapsed()
            self._clock.start()
        else:
            self._clock.stop()

    def _show_progress(self, progress: engine.Progress) -> None:
        self._stage.setText(stage_text(progress))
        share = progress.fraction
        known = share is not None and progress.stage == "load"  # the later stages are one step each
        self._bar.setRange(0, 1000 if known else 0)
        if known and share is not None:
            self._bar.setValue(round(1000 * share))

    def _tell_elapsed(self) -> None:
        self._elapsed.setText(f"{time.monotonic() - self._started:.0f} s")


def _words_field() -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setAccessibleName("The words of the selection (optional)")
    field.setPlaceholderText("Optional: type exactly what is said in the selection")
    field.setTabChangesFocus(True)
    field.setAcceptDrops(False)
    field.setFixedHeight(2 * field.fontMetrics().lineSpacing() + 22)
    return field
