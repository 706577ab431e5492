"""The room Settings: looks, sound devices, recording, and where things are kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from app.settings.cache_row import CacheRow
from app.settings.table import (
    COLOUR_MAP,
    COUNTDOWN_SECONDS,
    INPUT_DEVICE,
    OUTPUT_DEVICE,
    PRECISION,
    THEME,
    Setting,
)
from app.sound.devices import Device, Devices, find_devices
from app.widgets.buttons import plain_button
from app.widgets.labels import label
from app.widgets.layouts import Card, boxed, column, row, scrolling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.studio import Studio

_THEMES = (("As the system has it", "system"), ("Dark", "dark"), ("Light", "light"))
_MAPS = (("Magma", "magma"), ("Viridis", "viridis"))
_PRECISIONS = (
    ("Exact where it fits into memory", "auto"),
    ("32-bit floats: exact", "fp32"),
    ("bfloat16: half the memory", "bf16"),
    ("8-bit: fastest on a CPU", "int8"),
    ("4-bit: least memory", "int4"),
)
_COUNTDOWNS = (("None", 0), ("3 seconds", 3), ("5 seconds", 5))
_SYSTEM_CHOICE = "The system's own choice"
_WIDEST = 720


class SettingsPage(QWidget):
    """Every choice takes effect at once; there is nothing to confirm."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self._studio = studio
        self.theme_box = self._box(THEME, "Theme", _THEMES)
        self.colours_box = self._box(COLOUR_MAP, "Colours of the mel picture", _MAPS)
        self.input_box = self._box(INPUT_DEVICE, "Microphone", ())
        self.output_box = self._box(OUTPUT_DEVICE, "Loudspeaker", ())
        self.precision_box = self._box(PRECISION, "Precision of models", _PRECISIONS)
        self.countdown_box = self._box(COUNTDOWN_SECONDS, "Countdown before recording", _COUNTDOWNS)
        cards = column(
            _card("Looks", self.theme_box, self.colours_box),
            _card("Sound", self.input_box, self.output_box, self.countdown_box),
            _card("Models", self.precision_box),
            self._places_card(),
            self._care_card(),
            None,
            gap="l",
        )
        inner = boxed(cards)
        inner.setMaximumWidth(_WIDEST)
        scroll = scrolling(inner)
        layout = column(label("Settings", "title"), scroll, gap="l", margin="xl")
        layout.setStretch(1, 1)
        self.setLayout(layout)

    def enter(self) -> None:
        """The page is shown: look for sound devices again."""
        job = self._studio.file_lane.submit(lambda _: find_devices(refresh=True), "Looking for sound devices")
        job.finished.connect(self._show_devices)
        for cache in self.caches:
            cache.look()

    def _box(self, setting: Setting[Any], name: str, choices: Sequence[tuple[str, Any]]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        for text, value in choices:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(self._studio.settings.get(setting))))
        box.activated.connect(partial(self._store, setting, box))
        return box

    def _store(self, setting: Setting[Any], box: QComboBox, _index: int) -> None:
        self._studio.settings.set(setting, box.currentData())

    def _show_devices(self, devices: Devices) -> None:
        self._fill(self.input_box, INPUT_DEVICE, devices.inputs, devices.no_input_reason)
        self._fill(self.output_box, OUTPUT_DEVICE, devices.outputs, devices.no_output_reason)

    def _fill(self, box: QComboBox, setting: Setting[str], devices: tuple[Device, ...], reason: str) -> None:
        chosen = self._studio.settings.get(setting)
        box.clear()
        box.addItem(_SYSTEM_CHOICE if devices else "None found", "")
        box.setToolTip(reason)
        names = [device.name for device in devices]
        for name in names:
            box.addItem(name, name)
        if chosen and chosen not in names:
            box.addItem(f"{chosen} (not connected)", chosen)
        box.setCurrentIndex(max(0, box.findData(chosen)))

    def _places_card(self) -> QWidget:
        places = self._studio.places
        rows = [_place("Voices and takes", places.data), _place("Log", places.logs)]
        return Card(column(label("Where things are kept", "lead"), *rows, gap="m"))

    def _care_card(self) -> QWidget:
        """What can be computed again, and the report for when something is wrong."""
        cache = self._studio.places.cache
        self.caches = [
            CacheRow("Models in fewer bits, packed", cache / "packed", self._studio),
            CacheRow("Weights of WDELTA voices", cache / "pairs", self._studio),
        ]
        self.diagnose_button = plain_button("Diagnose…", "gauge", self._diagnose)
        words = label("This computer, its models and devices, to copy into a bug report", tone="dim", wrap=True)
        line = row(words, self.diagnose_button, gap="m")
        line.setStretch(0, 1)
        return Card(column(label("Care", "lead"), *self.caches, line, gap="m"))

    def _diagnose(self) -> None:
        from app.diagnose.dialog import DiagnoseDialog  # seldom used

        DiagnoseDialog(self._studio, self.window()).open()


def _card(title: str, *boxes: QComboBox) -> Card:
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(12)
    grid.setColumnStretch(0, 1)
    grid.setColumnStretch(1, 1)
    for line, box in enumerate(boxes):
        name = QLabel(box.accessibleName())
        name.setBuddy(box)
        grid.addWidget(name, line, 0)
        grid.addWidget(box, line, 1)
    return Card(column(label(title, "lead"), grid, gap="m"))


def _place(name: str, folder: Path) -> QWidget:
    def show() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    button = plain_button("Show", "folder-open", show)
    button.setAccessibleName(f"Show the folder: {name}")
    words = label(str(folder), "caption", "dim", wrap=True)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    line = row(column(label(name), words, gap="xs"), button, gap="m")
    line.setStretch(0, 1)
    return boxed(line)
