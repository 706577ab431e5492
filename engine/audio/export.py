"""Sound out: WAV, FLAC, MP3 or OGG by the name's ending, whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.errors import WriteError
from engine.files import write_atomically

# WAV keeps float32, so that an exported take equals the synthesised samples one for one.
_FORMATS = {
    ".wav": ("WAV", "FLOAT"),
    ".flac": ("FLAC", "PCM_24"),
    ".mp3": ("MP3", "MPEG_LAYER_III"),
    ".ogg": ("OGG", "VORBIS"),
}


def write_sound(
    path: str | Path,
    samples: npt.NDArray[np.float32],
    sample_rate: int = SAMPLE_RATE,
    bits: int | None = None,
) -> None:
    """Write mono `samples` float32 [n] to `path`; `bits` 16 or 24 makes WAV and FLAC integers. Raises `WriteError`."""
    import soundfile

    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise WriteError(f"{path.name}: sound is written as {', '.join(_FORMATS)}. Choose one of these endings.")
    kind, subtype = _FORMATS[path.suffix.lower()]
    if bits is not None and kind in ("WAV", "FLAC"):
        subtype = f"PCM_{bits}"
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(samples, -1, 1), sample_rate, format=kind, subtype=subtype)
    write_atomically(path, buffer.getvalue())
