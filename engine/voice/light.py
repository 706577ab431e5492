"""The light voice file: the vector's float32 values and nothing else."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, cast

import numpy as np

from engine.voice.format import RELEASED_WIDTHS, TEST_WIDTHS
from engine.voice.voice import FloatArray, Voice

if TYPE_CHECKING:
    from engine.voice.source import Source

_SMALLEST_NORM, _LARGEST_NORM = 1e-3, 1e4  # random test models reach 1500; bytes of other files far more
_USUAL_NORM = (1.0, 100.0)

_FOREIGN = (
    (b"RIFF", "a sound file; import it as a recording"),
    (b"RF64", "a sound file; import it as a recording"),
    (b"OggS", "a sound file; import it as a recording"),
    (b"fLaC", "a sound file; import it as a recording"),
    (b"ID3", "a sound file; import it as a recording"),
    (b"PK\x03\x04", "an archive or a PyTorch pickle, which could run code and is never opened"),
    (b"\x80\x02", "a Python pickle, which could run code and is never opened"),
    (b"\x80\x03", "a Python pickle, which could run code and is never opened"),
    (b"\x80\x04", "a Python pickle, which could run code and is never opened"),
    (b"\x80\x05", "a Python pickle, which could run code and is never opened"),
)


def vector_fault(vector: FloatArray) -> str:
    """Why these values cannot be a voice, or ""."""
    if not np.isfinite(vector).all():
        return "the voice vector holds values that are not numbers"
    norm = vector_norm(vector)
    if norm < _SMALLEST_NORM:
        return "the voice vector is empty (all zeros)"
    return f"the voice vector's length is {norm:.3g}, far from any voice" if norm > _LARGEST_NORM else ""


def vector_norm(vector: FloatArray) -> float:
    """The vector's Euclidean length; around 10 for real voices on 0.6B, 15 on 1.7B."""
    return float(np.linalg.norm(vector.astype(np.float64)))


def vector_warnings(vector: FloatArray) -> tuple[str, ...]:
    norm = vector_norm(vector)
    if _USUAL_NORM[0] <= norm <= _USUAL_NORM[1]:
        return ()
    return (f"The voice vector's length is {norm:.4g}; real voices are between 1 and 100.",)


def is_light_width(width: int) -> bool:
    return width in RELEASED_WIDTHS or width in TEST_WIDTHS


def read_light_vector(source: Source) -> FloatArray:
    """The vector of a light file, float32 [width]. Raises `VoiceError` for anything else."""
    head = source.peek(8)
    width, odd = divmod(source.size, 4)
    if odd or not is_light_width(width):
        raise source.refuse(_foreign(head) or _wrong_size(source.size))
    source.seek(0)
    vector = cast(FloatArray, source.array("f4", (width,), "the voice vector"))
    fault = vector_fault(vector)
    if fault:
        raise source.refuse(_foreign(head) or f"this is no voice file: {fault}.")
    return vector


def read_light(source: Source) -> Voice:
    """A light file as a voice that has nothing but its vector."""
    vector = read_light_vector(source)
    return Voice(vector, warnings=vector_warnings(vector))


def write_light(file: IO[bytes], voice: Voice) -> None:
    file.write(np.ascontiguousarray(voice.x_vector, "<f4").tobytes())


def _foreign(head: bytes) -> str:
    for magic, what in _FOREIGN:
        if head.startswith(magic):
            return f"this is not a voice file but {what}."
    return ""


def _wrong_size(size: int) -> str:
    if size == 0:
        return "the file is empty. Get it again."
    sizes = " or ".join(f"{4 * width} bytes ({label})" for width, label in RELEASED_WIDTHS.items())
    return f"this is no voice file: it does not begin with QVCE, and {size} bytes is not {sizes}."
