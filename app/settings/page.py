"""The room Settings: every choice in one table, where things are kept, and the care of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QComboBox, QWidget

from app.commands.acts import add_act
from app.models.shelf import models_root
from app.settings.cache_row import CacheRow
from app.settings.folder_row import FolderRow
from app.settings.rows import Group, groups, system_choice
from app.settings.setting_row import SettingRow
from app.settings.table import INPUT_DEVICE, OUTPUT_DEVICE, Setting
from app.sound.devices import Device, Devices, find_devices
from app.widgets.buttons import ghost_button, plain_button
from app.widgets.fields import search_field
from app.widgets.labels import label
from app.widgets.layouts import Card, boxed, column, row, rule, scrolling

if TYPE_CHECKING:
    from app.studio import Studio

_WIDEST = 760
_SEARCH_WIDTH = 240


class SettingsPage(QWidget):
    """Every choice takes effect at once; there is nothing to confirm."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self._studio = studio
        self.rows: dict[str, SettingRow] = {}
        self._cards = [self._card(group) for group in groups()]
        self._others = [self._places_card(), self._care_card()]
        self._nothing = label(self.tr("No setting is called that. Try fewer letters."), tone="dim")
        self._nothing.hide()
        self.search = search_field(self.tr("Search settings"))
        self.search.setMaximumWidth(_SEARCH_WIDTH)
        self.search.textChanged.connect(self._filter)
        self.reset_button = ghost_button(self.tr("Reset all"), "undo-2", self.reset_all)
        inner = boxed(column(*self._cards, *self._others, self._nothing, None, gap="l"))
        inner.setMaximumWidth(_WIDEST)
        title = row(label(self.tr("Settings"), "title"), None, self.search, self.reset_button, gap="m")
        title.setStretch(2, 1)
        head = boxed(title)
        head.setMaximumWidth(_WIDEST)
        layout = column(head, scrolling(inner), gap="l", margin="xl")
        layout.setStretch(1, 1)
        self.setLayout(layout)
        add_act(self, self.tr("Search settings"), self.search.setFocus, QKeySequence.StandardKey.Find)
        add_act(self, self.tr("Reset all settings"), self.reset_all)

    def box_of(self, setting: Setting[Any]) -> QComboBox:
        """The control of a setting."""
        return self.rows[setting.name].box

    def enter(self) -> None:
        """The page is shown: look for sound devices again, and at what fills the disk."""
        job = self._studio.file_lane.submit(lambda _: find_devices(refresh=True), "Looking for sound devices")
        job.finished.connect(self._show_devices)
        for cache in self.caches:
            cache.look()
        for folder in self.folders:
            folder.look()

    def point_to(self, name: str) -> None:
        """Bring the row of the setting `name` into view, with the keyboard on it."""
        self.search.clear()
        self.rows[name].box.setFocus()

    def reset_all(self) -> None:
        """Every row back to its default; what was chosen can be brought back."""
        settings = self._studio.settings
        before = settings.reset([line.setting for line in self.rows.values()])

        def undo() -> None:
            for setting, value in before.items():
                settings.set(setting, value)

        if before:
            self._studio.messages.success(self.tr("Every setting is at its default again."), (self.tr("Undo"), undo))
        else:
            self._studio.messages.info(self.tr("Every setting is at its default already."))

    def _card(self, group: Group) -> Card:
        made = [SettingRow(facts, self._studio.settings) for facts in group.rows]
        self.rows |= {line.setting.name: line for line in made}
        lines: list[QWidget] = [made[0]]
        for later in made[1:]:
            lines += [rule(), later]
        return Card(column(label(group.title, "lead"), *lines, gap="m"))

    def _filter(self, typed: str) -> None:
        for shown in self.rows.values():
            shown.setVisible(shown.answers(typed))
        for card in self._cards:
            card.setVisible(any(shown.isVisibleTo(card) for shown in card.findChildren(SettingRow)))
            for line in card.findChildren(QWidget):
                if line.property("rule"):
                    line.setVisible(not typed)
        for other in self._others:
            other.setVisible(not typed)
        self._nothing.setVisible(not any(card.isVisibleTo(self) for card in self._cards))

    def _show_devices(self, devices: Devices) -> None:
        self._offer_devices(INPUT_DEVICE, devices.inputs, devices.no_input_reason)
        self._offer_devices(OUTPUT_DEVICE, devices.outputs, devices.no_output_reason)

    def _offer_devices(self, setting: Setting[str], devices: tuple[Device, ...], reason: str) -> None:
        chosen = self._studio.settings.get(setting)
        names = [device.name for device in devices]
        choices = [(system_choice() if devices else self.tr("None found"), ""), *((name, name) for name in names)]
        if chosen and chosen not in names:
            choices.append((self.tr("{} (not connected)").format(chosen), chosen))
        self.rows[setting.name].offer(tuple(choices))
        self.box_of(setting).setToolTip(reason)

    def _places_card(self) -> QWidget:
        studio, places = self._studio, self._studio.places
        self.folders = [
            FolderRow(self.tr("Voices"), places.voices, studio),
            FolderRow(self.tr("Takes"), places.takes, studio),
            FolderRow(self.tr("Models that were fetched"), models_root(studio.settings), studio),
            FolderRow(self.tr("Log"), places.logs, studio),
        ]
        return Card(column(label(self.tr("Where things are kept"), "lead"), *self.folders, gap="m"))

    def _care_card(self) -> QWidget:
        """What can be computed again, and the report for when something is wrong."""
        cache = self._studio.places.cache
        self.caches = [
            CacheRow(self.tr("Models in fewer bits, packed"), cache / "packed", self._studio),
            CacheRow(self.tr("Weights of WDELTA voices"), cache / "pairs", self._studio),
        ]
        self.diagnose_button = plain_button(self.tr("Diagnose…"), "gauge", self._diagnose)
        words = column(
            label(self.tr("Diagnose")),
            label(
                self.tr("This computer, its models and devices, to copy into a bug report"), "caption", "dim", wrap=True
            ),
            gap="xs",
        )
        line = row(words, self.diagnose_button, gap="m")
        line.setStretch(0, 1)
        return Card(column(label(self.tr("Care"), "lead"), *self.caches, line, gap="m"))

    def _diagnose(self) -> None:
        from app.diagnose.dialog import DiagnoseDialog  # seldom used

        DiagnoseDialog(self._studio, self.window()).open()
