"""Sound out: WAV, FLAC, MP3 or OGG by the name's ending, whole or not at all."""

from __future__ import annotations

import io
import unicodedata
from dataclasses import dataclass
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


def _ascii(text: str) -> str:
    """`text` without accents and foreign letters: libsndfile writes those into an MP3 as something else."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().strip()


@dataclass(frozen=True)
class SoundAbout:
    """What an exported sound says of itself."""

    text: str
    voice: str
    model: str
    seed: int

    @property
    def tags(self) -> dict[str, str]:
        """By the names that libsndfile gives them."""
        return {
            "title": self.text[:200],
            "artist": f"{self.voice} (synthetic voice)",
            "comment": f"Synthetic voice, made with {self.model}, seed {self.seed}",
            "software": "QVoice Studio",
        }


def write_sound(
    path: str | Path,
    samples: npt.NDArray[np.float32],
    sample_rate: int = SAMPLE_RATE,
    bits: int | None = None,
    about: SoundAbout | None = None,
) -> None:
    """Write mono `samples` float32 [n] to `path`; `bits` 16 or 24 makes WAV and FLAC integers. Raises `WriteError`.

    With `about`, the file says in its own tags that the voice is synthetic, and how to make it again.
    """
    import soundfile

    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise WriteError(f"{path.name}: sound is written as {', '.join(_FORMATS)}. Choose one of these endings.")
    kind, subtype = _FORMATS[path.suffix.lower()]
    if bits is not None and kind in ("WAV", "FLAC"):
        subtype = f"PCM_{bits}"
    buffer = io.BytesIO()
    with soundfile.SoundFile(buffer, "w", sample_rate, 1, subtype, format=kind) as file:
        for tag, text in ({} if about is None else about.tags).items():
            setattr(file, tag, _ascii(text) if kind == "MP3" else text)
        file.write(np.clip(samples, -1, 1))
    write_atomically(path, buffer.getvalue())
