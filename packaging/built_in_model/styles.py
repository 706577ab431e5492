"""How a style is asked for, in many wordings."""

from __future__ import annotations

import random

_PLAIN_ASKED = 0.1  # share of plain utterances that ask for it

_WORDINGS = {
    "plain": ("Speak normally.", "Use a calm voice.", "In a neutral tone.", "Speak in your usual way.",
              "Calm and clear."),
    "slow": ("Speak slowly.", "Slow and clear.", "Take your time.", "Very slowly.", "Speak at a slow pace.",
             "Slowly and calmly.", "Please speak more slowly."),
    "fast": ("Speak fast.", "Say it quickly.", "Hurry up.", "Very fast.", "Speak at a quick pace.",
             "Quickly, in a hurry.", "Please speak faster."),
    "excited": ("Excited.", "Sound happy and excited.", "High and excited.", "With great joy.", "Be cheerful.",
                "In a happy voice.", "Very excited and lively."),
    "low": ("Low and sad.", "Speak in a deep voice.", "Sound tired.", "In a low voice.", "Sad and slow.",
            "Deep and serious.", "Speak sadly."),
    "whisper": ("Whisper.", "Whisper softly.", "Speak in a whisper.", "Very quietly, whispering.", "A soft whisper.",
                "Whisper a secret.", "Please whisper."),
}  # fmt: skip


def wording(style: str, r: random.Random) -> str:
    """A prompt for `style`; empty for most plain ones. Some come without a capital or a full stop."""
    if style == "plain" and r.random() > _PLAIN_ASKED:
        return ""
    text = r.choice(_WORDINGS[style])
    if r.random() < 0.3:
        text = text.rstrip(".")
    return text.lower() if r.random() < 0.3 else text
