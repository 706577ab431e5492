"""The five released 12 Hz models. Sizes are those of the published files (shared design note, section 1)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from engine.errors import RequestError

CODEC_BYTES: Final = 682_293_124  # the same in all five, kept once where the disk can link files
TEXT_TABLE_BYTES: Final = 151_936 * 2048 * 2  # in each of them, bfloat16
_SMALL_BYTES: Final = 5_000_000  # configurations and vocabulary
_SLOWEST: Final = 6.0  # times slower than speech: nobody waits longer than that


@dataclass(frozen=True)
class ReleasedModel:
    """One released model. `name` is how we call it, `repo` its name at the hubs, `kind` as in its config.json."""

    name: str
    repo: str
    kind: str
    size_label: str
    main_bytes: int
    does: str

    @property
    def title(self) -> str:
        kind = {"base": "Base", "custom_voice": "CustomVoice", "voice_design": "VoiceDesign"}[self.kind]
        return f"{self.size_label} · {kind}"

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return self.repo.rpartition("/")[2]

    @property
    def total_bytes(self) -> int:
        return self.main_bytes + CODEC_BYTES + _SMALL_BYTES


def _model(name: str, part: str, kind: str, main_bytes: int, does: str) -> ReleasedModel:
    size = part.partition("-")[0]
    return ReleasedModel(name, f"Qwen/Qwen3-TTS-12Hz-{part}", kind, size, main_bytes, does)


RELEASED: Final = (
    _model("0.6b-base", "0.6B-Base", "base", 1_829_344_304, "Clones voices from speech, and speaks with them."),
    _model(
        "0.6b-custom-voice",
        "0.6B-CustomVoice",
        "custom_voice",
        1_811_626_576,
        "Speaks with cloned voices and nine presets, without style prompts.",
    ),
    _model("1.7b-base", "1.7B-Base", "base", 3_857_000_000, "Clones voices from speech: nearer, and slower."),
    _model(
        "1.7b-custom-voice",
        "1.7B-CustomVoice",
        "custom_voice",
        3_833_000_000,
        "Speaks with cloned voices and nine presets, and follows style prompts.",
    ),
    _model("1.7b-voice-design", "1.7B-VoiceDesign", "voice_design", 3_833_000_000, "Invents a voice from words."),
)


def released(name: str) -> ReleasedModel:
    """The model called `name`, by its short name, its folder or its repository. Raises `RequestError`."""
    wanted = name.strip().lower()
    for model in RELEASED:
        if wanted in (model.name, model.folder.lower(), model.repo.lower()):
            return model
    choice = ", ".join(model.name for model in RELEASED)
    raise RequestError(f"There is no released model {name!r}. Choose one of: {choice}.")


def recommended(
    memory_bytes: int,
    free_disk_bytes: int,
    realtime_factor: Callable[[str], float | None] = lambda _: None,
    here: Collection[ReleasedModel] = (),
) -> tuple[ReleasedModel, ...]:
    """A Base and a CustomVoice model of the largest size that fits in memory and on the disk, and is bearable to wait
    for (`realtime_factor` of a size label, the fastest precision's); empty where not even the small pair fits. Models
    that are `here` need no room any more."""
    for size, needed_memory in (("1.7B", 12 << 30), ("0.6B", 4 << 30)):
        pair = tuple(m for m in RELEASED if m.size_label == size and m.kind != "voice_design")
        too_slow = size != "0.6B" and (realtime_factor(size) or 0.0) > _SLOWEST
        missing = tuple(model for model in pair if model not in here)
        if not too_slow and memory_bytes >= needed_memory and free_disk_bytes >= together_bytes(missing) * 1.1:
            return pair
    return ()


def together_bytes(models: tuple[ReleasedModel, ...]) -> int:
    """Bytes of several models on one disk, their codec counted once."""
    return sum(model.total_bytes for model in models) - CODEC_BYTES * max(0, len(models) - 1)
