"""What is compared in each stage, and how far apart it may be."""

from __future__ import annotations

from engine.parity.measure import Quantity

STAGES = ("tokens", "prompt", "talker", "codes", "codec", "whole")

_100_DB = 1e-5

IDS = Quantity("tokens", "token ids", "equal", 0)
RESAMPLED = Quantity("prompt", "resampled clip", "absolute", 1e-6)
MEL = Quantity("prompt", "mel of the clip", "absolute", 1e-4)
X_VECTOR = Quantity("prompt", "speaker vector", "relative", 1e-5)
ROWS = Quantity("prompt", "prompt rows", "absolute", 2e-6)
HIDDEN = Quantity("talker", "prefill hidden", "absolute", 1e-4)
TALKER_LOGITS = Quantity("talker", "talker logits", "absolute", 1e-4)
PREDICTOR_LOGITS = Quantity("talker", "predictor logits", "absolute", 1e-4)
CODES = Quantity("codes", "codes", "equal", 0)
ENCODED = Quantity("codec", "encoded codes", "equal", 0)
DECODED = Quantity("codec", "decoded sound", "sound", _100_DB)
FRAME_LEVELS = Quantity("codec", "level of frames", "relative", _100_DB)
SPOKEN = Quantity("whole", "spoken sound", "sound", _100_DB)
LENGTH = Quantity("whole", "length", "equal", 0)
LEVEL = Quantity("whole", "level", "relative", _100_DB)

QUANTITIES = (
    IDS, RESAMPLED, MEL, X_VECTOR, ROWS, HIDDEN, TALKER_LOGITS, PREDICTOR_LOGITS,
    CODES, ENCODED, DECODED, FRAME_LEVELS, SPOKEN, LENGTH, LEVEL,
)  # fmt: skip
