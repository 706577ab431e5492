"""What was measured of the tiers: a table, and for each tier its mel beside Base's and what they differ in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QButtonGroup, QDialog, QGridLayout, QWidget

import engine
from app.library.words import size_text
from app.sound.source import SoundSource
from app.speak.meter import change_text
from app.widgets.buttons import plain_button, primary_button
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row, rule
from app.widgets.mel_view import MelView
from app.widgets.timeline import Timeline
from app.wizard.offers import NAMES
from app.wizard.playing import TakePlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent

    from app.sound.devices import Device
    from app.studio import Studio
    from app.wizard.measuring import Measured

_ROOM = (900, 720)
_MEL_HEIGHT = 96


class TierReportDialog(QDialog):
    """Shows what `Measuring` found. Playing ends when it is closed."""

    def __init__(
        self, studio: Studio, measured: Measured, outputs: Callable[[], tuple[Device, ...]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("The tiers, measured"))
        self._measured = measured
        self._tiers = {one.tier: one for one in measured.report.tiers}
        self.timeline = Timeline(self)
        self.playing = TakePlayer(studio, self.timeline, outputs, self)
        self.base_view = MelView(self.timeline, self.tr("Mel of Base"), ruler=False)
        self.tier_view = MelView(self.timeline, self.tr("Mel of the tier"), ruler=False)
        self.difference_view = MelView(self.timeline, self.tr("What differs"))
        self._tier_title = label("", "caption", "dim")
        self.base_button = plain_button(self.tr("Play Base"), "play", lambda: self._play(of_tier=False))
        self.tier_button = plain_button("", "play", lambda: self._play(of_tier=True))
        self.stop_button = plain_button(self.tr("Stop"), "square", self.playing.stop)
        self.choices = QButtonGroup(self)
        self._lay_out()
        self.choices.idClicked.connect(lambda place: self.show_tier(list(self._tiers)[place]))
        self.show_tier(next(iter(self._tiers)))

    def _lay_out(self) -> None:
        buttons = []
        for place, tier in enumerate(self._tiers):
            button = plain_button(NAMES[tier])
            button.setCheckable(True)
            button.setChecked(place == 0)
            self.choices.addButton(button, place)
            buttons.append(button)
        for view in (self.base_view, self.tier_view, self.difference_view):
            view.setMinimumHeight(_MEL_HEIGHT)
        bar = row(*buttons, None, self.base_button, self.tier_button, self.stop_button)
        titles = (label(self.tr("Base itself"), "caption", "dim"), self._tier_title)
        mels = column(
            titles[0], self.base_view, titles[1], self.tier_view,
            label(self.tr("What the two have not in common"), "caption", "dim"), self.difference_view, gap="xs",
        )  # fmt: skip
        for place in (1, 3, 5):
            mels.setStretch(place, 1)
        close = primary_button(self.tr("Close"), on_click=self.accept)
        layout = column(
            boxed(self._table()), *self._remarks(), rule(), bar, mels, row(None, close), gap="m", margin="xl"
        )
        layout.setStretch(layout.indexOf(mels), 1)
        self.setLayout(layout)
        self.resize(*_ROOM)

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        for column_number, tier in enumerate(self._tiers, start=1):
            grid.addWidget(label(NAMES[tier], "lead"), 0, column_number)
        for line, (name, words) in enumerate(self._lines(), start=1):
            grid.addWidget(label(name, tone="dim"), line, 0)
            for column_number, one in enumerate(self._tiers.values(), start=1):
                grid.addWidget(label(words(one)), line, column_number)
        grid.setColumnStretch(len(self._tiers) + 1, 1)
        return grid

    def _lines(self) -> list[tuple[str, Callable[[engine.MeasuredTier], str]]]:
        lines: list[tuple[str, Callable[[engine.MeasuredTier], str]]] = [
            (self.tr("On disk"), lambda one: size_text(one.compared.file_bytes)),
            (self.tr("Written and read back in"), lambda one: _seconds(one.write_seconds)),
            (self.tr("Ready to speak in"), lambda one: _seconds(one.compared.load_seconds)),
            (self.tr("Likeness to the voice"), lambda one: _share(one.compared.cosine)),
            (self.tr("Likeness of Base itself"), lambda one: _share(one.compared.direct_cosine)),
            (self.tr("Mel alike Base's"), lambda one: _share(one.compared.mel_correlation)),
            (self.tr("Same samples as Base"), lambda one: self.tr("yes") if one.compared.identical else self.tr("no")),
        ]
        if any(one.compared.style_change for one in self._tiers.values()):
            lines.append((self.tr("A style prompt changes"), self._style_words))
        return lines

    def _style_words(self, one: engine.MeasuredTier) -> str:
        change = one.compared.style_change
        return "–" if change is None else change_text(change).replace(" · ", "\n")

    def _remarks(self) -> list[QWidget]:
        report, words = self._measured.report, []
        if report.halves is not None:
            halves = self.tr("Likeness is the cosine of two speaker vectors. The two halves of the clip itself: {}.")
            words.append(halves.format(_share(report.halves)))
        if self._measured.of.model.is_test_model:
            words.append(self.tr("The test model's weights are random: likeness means nothing here."))
        words += [f"{NAMES[tier]}: {reason}" for tier, reason in report.refused.items()]
        return [label(text, "caption", "dim", wrap=True) for text in words]

    def show_tier(self, tier: str) -> None:
        """Show and play this tier beside Base."""
        self.playing.set_source(None)
        self._tier, name = tier, NAMES[tier]  # type: ignore[index]
        compared = self._tiers[tier].compared  # type: ignore[index]
        self._tier_title.setText(self.tr("{} on CustomVoice").format(name))
        self.tier_button.setText(self.tr("Play {}").format(name))
        self._sounds = {False: SoundSource.of(compared.direct.samples), True: SoundSource.of(compared.spoken.samples)}
        self.timeline.set_duration(max(source.seconds for source in self._sounds.values()))
        pictures = self._measured.pictures.get(tier)
        views = (self.base_view, self.tier_view, self.difference_view)
        if pictures is None:
            for view in views:
                view.clear()
                view.set_placeholder(self.tr("Too short for a picture"))
            return
        for view, mel in zip(views, (pictures.base, pictures.tier, pictures.difference), strict=True):
            if mel is None:
                view.clear()
                view.set_placeholder(self.tr("Nothing: every sample is the same"))
            else:
                view.set_mel(mel, engine.MEL_FRAME_SECONDS, engine.mel_centres_hz())

    def _play(self, *, of_tier: bool) -> None:
        if self.timeline.cursor >= self._sounds[of_tier].seconds:
            self.timeline.set_cursor(0.0)
        self.playing.set_source(self._sounds[of_tier])
        self.playing.play()

    def done(self, result: int) -> None:
        """Closed in whatever way."""
        self.playing.set_source(None)
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.playing.set_source(None)
        super().closeEvent(event)


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
