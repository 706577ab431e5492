"""Sound files by their content: libsndfile first, FFmpeg through PyAV for every other container."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.errors import ClipError

if TYPE_CHECKING:
    from av.container import InputContainer

    from engine.progress import Cancel

_BLOCK_FRAMES = 1 << 16  # read between two looks at the cancel token
_PLAUSIBLE_RATES = range(2_000, 768_001)
_MOST_CHANNELS = 64

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Facts:
    """What a file's headers say."""

    seconds: float
    sample_rate: int
    channels: int
    format: str


def probe(path: Path) -> Facts:
    """The facts of a sound file. Raises `ClipError` naming what the file is, if it is not one."""
    facts = _probe_sndfile(path) or _probe_av(path)
    if facts.sample_rate not in _PLAUSIBLE_RATES or not 1 <= facts.channels <= _MOST_CHANNELS:
        raise ClipError(f"{path.name} claims {facts.channels} channels at {facts.sample_rate} Hz; it looks damaged.")
    return facts


def decode(path: Path, start: float, end: float | None, longest: float, cancel: Cancel) -> FloatArray:
    """Samples float32 [n, channels] from `start` to `end` seconds, at most `longest` seconds of them."""
    if _probe_sndfile(path) is not None:
        return _decode_sndfile(path, start, end, longest, cancel)
    return _decode_av(path, start, end, longest, cancel)


def _probe_sndfile(path: Path) -> Facts | None:
    import soundfile

    try:
        with path.open("rb") as stream, soundfile.SoundFile(stream) as file:
            seconds = file.frames / file.samplerate
            return Facts(seconds, file.samplerate, file.channels, f"{file.format} {file.subtype}")
    except (soundfile.SoundFileError, OSError, ValueError):
        return None


def _decode_sndfile(path: Path, start: float, end: float | None, longest: float, cancel: Cancel) -> FloatArray:
    import soundfile

    blocks: list[FloatArray] = []
    try:
        with path.open("rb") as stream, soundfile.SoundFile(stream) as file:
            first = min(file.frames, round(start * file.samplerate))
            last = file.frames if end is None else min(file.frames, round(end * file.samplerate))
            last = min(last, first + round(longest * file.samplerate))
            file.seek(first)
            left = last - first
            while left > 0:
                cancel.check()
                block = file.read(min(left, _BLOCK_FRAMES), dtype="float32", always_2d=True)
                if not len(block):
                    break
                blocks.append(block)
                left -= len(block)
            return np.concatenate(blocks) if blocks else np.empty((0, file.channels), np.float32)
    except (soundfile.SoundFileError, OSError) as error:
        raise ClipError(f"{path.name} cannot be decoded: {error}. Choose another file.") from error


@contextmanager
def _open_av(path: Path) -> Iterator[InputContainer]:
    """The container in `path`, opened through a file object: the content decides, and no name can name a protocol."""
    import av

    with path.open("rb") as stream:
        try:
            container = av.open(stream, mode="r")
        except (av.FFmpegError, OSError, ValueError) as error:
            raise ClipError(
                f"{path.name} is not a sound file this program can read ({_looks_like(path)}). "
                "WAV, FLAC, MP3, M4A, OGG, Opus and most videos work."
            ) from error
        with container:
            if not container.streams.audio:
                raise ClipError(f"{path.name} has no sound in it. Choose another file.")
            yield container


def _probe_av(path: Path) -> Facts:
    import av

    with _open_av(path) as container:
        stream = container.streams.audio[0]
        seconds = 0.0
        if stream.duration is not None and stream.time_base is not None:
            seconds = float(stream.duration * stream.time_base)
        elif container.duration is not None:
            seconds = container.duration / av.time_base
        return Facts(seconds, stream.rate or 0, stream.channels, f"{container.format.name} {stream.codec_context.name}")


def _decode_av(path: Path, start: float, end: float | None, longest: float, cancel: Cancel) -> FloatArray:
    import av

    blocks: list[FloatArray] = []
    seen = 0
    with _open_av(path) as container:
        stream = container.streams.audio[0]
        rate = stream.rate
        first, last = round(start * rate), None if end is None else round(end * rate)
        stop = first + round(longest * rate) if last is None else min(last, first + round(longest * rate))
        planar = av.AudioResampler(format="fltp")
        try:
            for frame in container.decode(stream):
                cancel.check()
                for piece in planar.resample(frame):
                    block: FloatArray = piece.to_ndarray().astype(np.float32, copy=False)
                    blocks.append(block[:, max(0, first - seen) : max(0, stop - seen)].T)
                    seen += block.shape[1]
                if seen >= stop:
                    break
        except av.FFmpegError as error:
            if not blocks:
                raise ClipError(f"{path.name} cannot be decoded: {error}. Choose another file.") from error
        return np.concatenate(blocks) if blocks else np.empty((0, stream.channels), np.float32)


def _looks_like(path: Path) -> str:
    """What the first bytes say the file is, in words."""
    with path.open("rb") as stream:
        head = stream.read(16)
    signs = {b"%PDF": "a PDF", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"PK\x03\x04": "a ZIP archive",
             b"QVCE": "a .qvoice voice; open it in the Library", b"RIFF": "a damaged WAV file"}  # fmt: skip
    return next((words for sign, words in signs.items() if head.startswith(sign)), "unknown content")
