"""Where a run of a random model ends: decided by the test, since sums, and so the end, differ between processors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def end_after(frames: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every run in this process gives its end token after `frames` frames; None: never."""
    from engine.speech.sampling import FirstCodeRules

    draw_as_asked = FirstCodeRules.apply

    def apply(rules: FirstCodeRules, logits: Any, produced: Any, count: int) -> Any:
        ruled = draw_as_asked(rules, logits, produced, count)
        end = ruled[:, rules.eos_id].clone()
        if frames is not None and count >= frames:
            ruled[:] = float("-inf")
            ruled[:, rules.eos_id] = end.clamp(min=0.0)
        else:
            ruled[:, rules.eos_id] = float("-inf")
        return ruled

    monkeypatch.setattr(FirstCodeRules, "apply", apply)
