"""The doctor's verdicts (`engine.examine_clip`) as the wizard shows them."""

from __future__ import annotations

from typing import Final

import engine

LONGEST_SECONDS: Final = engine.LONGEST_REFERENCE_SECONDS
GRAVITY: Final = ("bad", "warn", "note", "good")
KEYS: Final = (
    *("length", "level", "clipping", "silence", "noise", "offset", "hum", "band"),
    *("start", "end", "channels", "voices", "music", "room"),
)


def gravest(findings: tuple[engine.Finding, ...]) -> engine.Finding | None:
    """The one to talk about first; None if there is none."""
    return min(findings, key=lambda finding: GRAVITY.index(finding.verdict), default=None)
