"""Measured speeds are kept, the newest of a size counts, and a broken note is no note."""

from __future__ import annotations

import engine
from engine.places import cache_folder
from engine.system.measured import keep_speed


def test_the_newest_measurement_of_a_size_is_told(own_home) -> None:
    assert engine.measured_speed("0.6B") is None
    keep_speed("0.6B", "CPU · fp32", 3.0)
    keep_speed("1.7B", "CPU · fp32", 7.0)
    keep_speed("0.6B", "CPU · int8", 1.5)
    keep_speed("0.6B", "CPU · fp32", 2.5)
    newest = engine.measured_speed("0.6B")
    assert newest is not None
    assert (newest.placement, newest.realtime_factor) == ("CPU · fp32", 2.5)
    large = engine.measured_speed("1.7B")
    assert large is not None
    assert large.realtime_factor == 7.0
    (cache_folder() / "speeds.json").write_text("{", encoding="utf-8")
    assert engine.measured_speed("0.6B") is None
