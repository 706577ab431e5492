"""Has speech run away? A missed end is followed by murmur, by one phrase again and again, or by nothing at all.

Users of the model report it about once in 200 calls of Base, far more often for very short texts. The guard looks at
codes and sound as they come, so that a run is ended after seconds instead of minutes, and says why.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt
from torch import Tensor

from engine.audio.clip import SAMPLE_RATE
from engine.speech.budget import FRAMES_PER_SECOND

LOOP, SILENCE = "loop", "silence"

_LOOP_SECONDS = 5.0  # of an exact repetition; sampled speech never repeats all its codes for long
_LONGEST_PERIOD_FRAMES = 50
_SILENCE_SECONDS = 4.0  # longer than any pause a sentence has
_SILENCE_DBFS = -60.0
_SILENCE_POWER = 10 ** (_SILENCE_DBFS / 10)
_LOOK_SAMPLES = SAMPLE_RATE // 50


class Guard:
    """Fed with each frame's codes and each piece of sound; `reason` says what it found, empty while all is well."""

    def __init__(self) -> None:
        self.reason = ""
        self._kept = round(_LOOP_SECONDS * FRAMES_PER_SECOND)
        self._frames: deque[bytes] = deque(maxlen=self._kept + _LONGEST_PERIOD_FRAMES)
        self._silent_samples = 0
        self._spoke = False

    def hear_codes(self, frame: Tensor) -> str:
        """Take one frame's codes, int64 [codebooks]; returns the reason to stop, if there is one."""
        self._frames.append(frame.numpy().tobytes())
        if not self.reason and self._repeats():
            self.reason = LOOP
        return self.reason

    def hear_sound(self, samples: npt.NDArray[np.float32]) -> str:
        """Take a piece of sound, float32 [n]; silence counts once something was heard."""
        for start in range(0, len(samples), _LOOK_SAMPLES):
            look = samples[start : start + _LOOK_SAMPLES]
            if float(np.mean(np.square(look))) > _SILENCE_POWER:
                self._silent_samples, self._spoke = 0, True
            else:
                self._silent_samples += len(look)
        if not self.reason and self._spoke and self._silent_samples >= _SILENCE_SECONDS * SAMPLE_RATE:
            self.reason = SILENCE
        return self.reason

    def _repeats(self) -> bool:
        """Whether the last seconds are the same few frames again and again."""
        frames = list(self._frames)
        last = frames[-self._kept :]
        if len(last) < self._kept:
            return False
        for period in range(1, min(_LONGEST_PERIOD_FRAMES, len(frames) - self._kept) + 1):
            if frames[-1] == frames[-1 - period] and last == frames[-self._kept - period : -period]:
                return True
        return False
