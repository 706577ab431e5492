"""Stand-ins that tests of the window share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import engine
from app.messages import Level, Message, Messages


class MessageRecorder(Messages):
    """The real channel, which also remembers what was said so that a test can ask."""

    def texts(self, level: Level | None = None) -> list[str]:
        return [message.text for message in self.history if level in (None, message.level)]

    @property
    def last(self) -> Message:
        assert self.history, "nothing was said"
        return self.history[-1]

    def run_last_action(self) -> None:
        action = self.last.action
        assert action is not None, f"no button on: {self.last.text}"
        action.run()


def made_voice(seed: int = 0, width: int = 64, **fields: Any) -> engine.Voice:
    """A voice with a vector of its own, of a length that real voices have."""
    vector = np.random.default_rng(seed).normal(size=width).astype(np.float32)
    return engine.Voice(vector * np.float32(10 / np.linalg.norm(vector)), **fields)


def voice_file(path: Path, seed: int = 0, width: int = 64, **fields: Any) -> Path:
    """A light voice file from elsewhere."""
    engine.save_voice(made_voice(seed, width, **fields), path, tier="light")
    return path
