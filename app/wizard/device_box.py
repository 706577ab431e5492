"""The list of microphones; it is looked for anew each time it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sound.devices import Device


class DeviceBox(QComboBox):
    """Signals: `opened()` when the list is unfolded, `device_chosen(Device)` when a person chose one."""

    opened = Signal()
    device_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Microphone")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(14)
        self.setPlaceholderText("Looking for microphones…")
        self.activated.connect(self._choose)

    def show_devices(self, devices: Sequence[Device], chosen: Device | None) -> None:
        """List `devices`, the default first; `chosen` None means that one."""
        names = [device.name for device in devices]
        if names != [self.itemText(place) for place in range(self.count())]:
            self.clear()
            self.addItems(names)
        for place, device in enumerate(devices):
            self.setItemData(place, device)  # its index may be another one after each look
        self.setPlaceholderText("No microphone")
        self.setCurrentIndex(names.index(chosen.name) if chosen is not None else (0 if names else -1))

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        self.opened.emit()
        super().showPopup()

    def _choose(self, place: int) -> None:
        self.device_chosen.emit(self.itemData(place))
