"""The values behind the table: read with care, saved whole or not at all."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

import engine
from app.settings.table import SETTINGS, Setting, T

if TYPE_CHECKING:
    from pathlib import Path

    from app.messages import Messages

_log = logging.getLogger(__name__)
_SAVE_AFTER_MS = 400  # a dragged splitter becomes one write, not fifty

Work = Callable[[], None]


def _at_once(work: Work) -> None:
    work()


class Settings(QObject):
    """What a person has chosen. `get` and `set` take rows of `app.settings.table`.

    A change is saved a moment later through `run_behind`, which the window points at its file lane so that
    the disk never holds up the screen. `close()` saves what is left, at once.

    Signals:
        changed(name: str, value: object)
    """

    changed = Signal(str, object)

    def __init__(
        self,
        file: Path,
        messages: Messages,
        run_behind: Callable[[Work], object] = _at_once,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.file = file
        self.run_behind = run_behind
        self._messages = messages
        self._values: dict[str, Any] = {}
        self._foreign: dict[str, Any] = {}  # names of a newer version, kept for it
        self._dirty = False
        self._timer = QTimer(self, singleShot=True, interval=_SAVE_AFTER_MS)
        self._timer.timeout.connect(self._save_behind)
        self._load()

    def get(self, setting: Setting[T]) -> T:
        value: T = self._values.get(setting.name, setting.default)
        return value

    def set(self, setting: Setting[T], value: T) -> None:
        """Choose `value`. Raises ValueError if the table does not allow it."""
        try:
            checked = setting.read(value)
        except ValueError as error:
            raise ValueError(f"{setting.name} cannot be {value!r}: {error}") from error
        if checked == self.get(setting):
            return
        self._values[setting.name] = checked
        self._dirty = True
        self._timer.start()
        self.changed.emit(setting.name, checked)

    def reset(self, settings: Iterable[Setting[Any]]) -> dict[Setting[Any], Any]:
        """Choose the defaults again; returns what was chosen before, of those that were other."""
        before = {setting: self.get(setting) for setting in settings if self.get(setting) != setting.default}
        for setting in before:
            self.set(setting, setting.default)
        return before

    def save(self) -> None:
        """Write the file now, if anything changed. A failure is said to the person, not raised."""
        self._timer.stop()
        if self._dirty:
            self._dirty = False
            self._write(self._as_json())

    def close(self) -> None:
        """Save and stop; for the end of the program, when lanes may already be gone."""
        self.save()

    def _save_behind(self) -> None:
        if self._dirty:
            self._dirty = False
            data = self._as_json()
            self.run_behind(lambda: self._write(data))

    def _as_json(self) -> bytes:
        chosen = {row.name: self._values[row.name] for row in SETTINGS if row.name in self._values}
        return json.dumps(self._foreign | chosen, indent=2, ensure_ascii=False).encode()

    def _write(self, data: bytes) -> None:
        try:
            engine.write_atomically(self.file, data)
        except engine.WriteError as error:
            self._messages.warning(f"Your settings could not be saved. {error}")

    def _load(self) -> None:
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            self._messages.warning(f"Could not read the settings in {self.file}: {error.strerror}. Defaults are used.")
            return
        try:
            content = json.loads(data)
            if not isinstance(content, dict):
                raise ValueError("not an object")
        except ValueError:
            kept = self._keep_bad(data)
            self._messages.warning(f"The settings file {self.file} is broken; defaults are used. {kept}")
            return
        self._take(content, data)

    def _take(self, content: dict[str, Any], data: bytes) -> None:
        rows = {row.name: row for row in SETTINGS}
        faults = []
        for name, value in content.items():
            if name not in rows:
                self._foreign[name] = value
                continue
            try:
                self._values[name] = rows[name].read(value)
            except ValueError as error:
                faults.append(f"{name} ({error})")
        if faults:
            kept = self._keep_bad(data)
            self._messages.warning(f"Settings set back to their defaults: {'; '.join(faults)}. {kept}")

    def _keep_bad(self, data: bytes) -> str:
        bad = self.file.with_name(f"{self.file.name}.bad")
        try:
            engine.write_atomically(bad, data)
        except engine.WriteError as error:
            return str(error)
        return f"The old file is kept as {bad}."
