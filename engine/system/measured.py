"""Speeds that were measured on this computer, kept in the cache: a measured figure is worth more than an estimate."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from engine.files import write_atomically
from engine.places import cache_folder


class MeasuredSpeed(msgspec.Struct, frozen=True):
    """Seconds of work per second of speech, of a model size ("0.6B") on a device and in a precision (`placement`).

    `day` is ISO's (2026-12-01).
    """

    size_label: str
    placement: str
    realtime_factor: float
    day: str


def keep_speed(size_label: str, placement: str, realtime_factor: float) -> None:
    """Remember a measurement in place of an older one of the same kind. Raises `WriteError`."""
    measured = MeasuredSpeed(size_label, placement, realtime_factor, datetime.now(UTC).date().isoformat())
    others = [old for old in _kept() if (old.size_label, old.placement) != (size_label, placement)]
    write_atomically(_place(), msgspec.json.encode([*others, measured]))


def measured_speed(size_label: str) -> MeasuredSpeed | None:
    """What was measured last of this size; None if nothing was."""
    return next((speed for speed in reversed(_kept()) if speed.size_label == size_label), None)


def _place() -> Path:
    return cache_folder() / "speeds.json"


def _kept() -> list[MeasuredSpeed]:
    try:
        return msgspec.json.decode(_place().read_bytes(), type=list[MeasuredSpeed])
    except (OSError, msgspec.MsgspecError):
        return []
