"""What every training does alike."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from built_in_model.modules import Average, wear
from built_in_model.training import Pace, save_state
from torch import nn


def test_the_rate_rises_and_then_stays_or_falls() -> None:
    even = Pace(2.0, first=100, steps=200, minutes=60, warm=10, anneal=False)
    assert [even.rate_at(100), even.rate_at(109), even.rate_at(199)] == pytest.approx([0.2, 2.0, 2.0])
    falling = Pace(2.0, first=100, steps=200, minutes=60, warm=10, anneal=True)
    assert [falling.rate_at(150), falling.rate_at(200)] == pytest.approx([1.0, 0.06], rel=1e-3)


def test_a_run_ends_after_its_steps_or_its_minutes() -> None:
    pace = Pace(1.0, first=0, steps=5, minutes=60, warm=1, anneal=False)
    assert [step for step in range(8) if pace.goes_on(step)] == [0, 1, 2, 3, 4]
    assert not Pace(1.0, first=0, steps=5, minutes=0, warm=1, anneal=False).goes_on(0)


def test_averages_come_back_from_disk_and_are_worn(tmp_path: Path) -> None:
    module = nn.Linear(3, 2)
    average = Average(list(module.parameters()))
    with torch.no_grad():
        module.weight += 1
    average.update()
    save_state(average.values, tmp_path / "run.pt")
    kept = torch.load(tmp_path / "run.pt")
    again = Average(list(nn.Linear(3, 2).parameters()))
    again.load(kept, steps=1)
    assert all(torch.equal(a, b) for a, b in zip(again.values, average.values, strict=True))
    wear(module, kept)
    assert torch.equal(module.weight, average.values[0])
    assert not module.weight.requires_grad
    assert [path.name for path in tmp_path.iterdir()] == ["run.pt"]
