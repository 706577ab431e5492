"""A cloned voice as a value: a vector, and what may come with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pathlib import Path

Tier = Literal["light", "standard", "wdelta"]
FloatArray = npt.NDArray[np.float32]
BitArray = npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class SpecialRows:
    """TPAD: the source model's projected text rows of the three special tokens, each float32 [width]."""

    pad: FloatArray
    bos: FloatArray
    eos: FloatArray


@dataclass(frozen=True, eq=False)
class SourceTables:
    """WOVR: the source model's text projection and code rows. Matrices are bf16 bit patterns (uint16).

    fc1_weight [text, text], fc1_bias float32 [text], fc2_weight [width, text], fc2_bias float32 [width],
    codec_rows [rows, width] (the code values only, not the control, language or speaker rows).
    """

    fc1_weight: BitArray
    fc1_bias: FloatArray
    fc2_weight: BitArray
    fc2_bias: FloatArray
    codec_rows: BitArray


@dataclass(frozen=True)
class DeltaLocation:
    """WDLT or WFULL: where the records lie in a file; they are read only when they are applied."""

    path: Path
    offset: int  # of the first record, in bytes
    records: int
    target_width: int | None  # None: a first-day file without the field, or WFULL
    full: bool  # WFULL: raw weights instead of differences
    base_digest: str | None = None  # what the weights must come out as, and what they apply to:
    custom_voice_digest: str | None = None  # `delta.digest` of the two models; the format has no place for them


@dataclass(frozen=True)
class Origin:
    """Where a voice comes from and what may be done with it, as far as it is known; the sidecar keeps it."""

    clip_sha256: str | None = None  # of the clip's samples: float32, little-endian, 24 kHz
    base_digest: str | None = None  # `delta.digest` of the Base model that cloned it
    engine_version: str | None = None
    preview_seed: int | None = None
    consent: str | None = None  # whose, and to what
    licence: str | None = None


@dataclass(frozen=True, eq=False)
class Voice:
    """What a voice file holds. `x_vector` float32 [width]; `codes` int32 [frames, codebooks] or None."""

    x_vector: FloatArray
    name: str = ""
    language: str | None = None  # lower case, as in the model's configuration; None = not said
    transcript: str | None = None
    codes: npt.NDArray[np.int32] | None = None
    reference_seconds: float | None = None
    from_base: bool = True
    special_rows: SpecialRows | None = None
    tables: SourceTables | None = None
    delta: DeltaLocation | None = None
    origin: Origin = Origin()
    sidecar: dict[str, object] = field(default_factory=dict)  # what the format has no place for
    warnings: tuple[str, ...] = ()  # what the reader found odd but bearable, one line each

    @property
    def width(self) -> int:
        """The talker width the voice was made for (1024 on 0.6B, 2048 on 1.7B)."""
        return int(self.x_vector.shape[0])

    @property
    def tier(self) -> Tier:
        if self.delta is not None:
            return "wdelta"
        return "standard" if self.tables is not None else "light"

    @property
    def in_context(self) -> bool:
        """Whether it can speak in context: codes and a transcript are both there."""
        return self.codes is not None and len(self.codes) > 0 and bool(self.transcript)
