"""What a voice file needs from the models: computed from the checkpoint folders, with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import ModelError
from engine.voice.format import sized
from engine.voice.talker_shape import (
    CODEC_EMBEDDING,
    FC1,
    FC2,
    TEXT_EMBEDDING,
    TalkerShape,
    read_talker_shape,
)
from engine.voice.tensors import CheckpointTensors, widen
from engine.voice.voice import FloatArray, SourceTables, SpecialRows

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class ModelPair:
    """A Base model's folder and, for WDELTA, the CustomVoice one of the same size.

    Everything is read when it is asked for and kept; `cache` is a folder to keep the pair's WDELTA section in, which
    may be hundreds of megabytes. Raises `ModelError` where a folder is incomplete, of the
    wrong kind, or does not match the other.
    """

    base: Path
    custom_voice: Path | None = None
    cache: Path | None = None

    @cached_property
    def shape(self) -> TalkerShape:
        shape = read_talker_shape(self.base)
        if shape.kind != "base":
            raise ModelError(f"{self.base}: this is a {shape.kind} model; the Base model is needed here.")
        return shape

    @property
    def width(self) -> int:
        return self.shape.width

    @cached_property
    def base_tensors(self) -> CheckpointTensors:
        return CheckpointTensors(self.base)

    @cached_property
    def custom_voice_tensors(self) -> CheckpointTensors:
        """The CustomVoice model's tensors, once it is known to match Base in kind, sizes and every shape."""
        folder = self.custom_voice
        if folder is None:
            raise ModelError("A WDELTA file needs the CustomVoice model beside the Base model. Choose its folder.")
        other = read_talker_shape(folder)
        if other.kind != "custom_voice":
            raise ModelError(f"{folder}: this is a {other.kind} model; the CustomVoice model is needed here.")
        _require_same_sizes(self.base, self.shape, folder, other)
        tensors = CheckpointTensors(folder)
        for name in self.shape.record_names():
            if tensors.shape(name) != self.base_tensors.shape(name):
                raise ModelError(
                    f"{folder}: {name} has the shape {tensors.shape(name)}, in {self.base.name} it is "
                    f"{self.base_tensors.shape(name)}. Choose two models of one size."
                )
        return tensors

    @cached_property
    def special_rows(self) -> SpecialRows:
        """TPAD: fc2 of silu(fc1 of the row) of the three special text tokens."""
        self._require_shape(TEXT_EMBEDDING, (None, self.shape.text_width))
        table = self.base_tensors.bits(TEXT_EMBEDDING)
        if max(self.shape.special_ids) >= len(table):
            raise ModelError(f"{self.base}: its special tokens are outside its text table. Fetch the model again.")
        rows = widen(table[list(self.shape.special_ids)])
        return SpecialRows(*self._project(rows))

    @cached_property
    def tables(self) -> SourceTables:
        """WOVR: the text projection and the rows of the code values."""
        width, text_width, code_rows = self.shape.width, self.shape.text_width, self.shape.code_rows
        self._require_shape(f"{FC1}.weight", (text_width, text_width))
        self._require_shape(f"{FC1}.bias", (text_width,))
        self._require_shape(f"{FC2}.weight", (width, text_width))
        self._require_shape(f"{FC2}.bias", (width,))
        self._require_shape(CODEC_EMBEDDING, (None, width))
        codec = self.base_tensors.bits(CODEC_EMBEDDING)
        if len(codec) < code_rows:
            raise ModelError(f"{self.base}: its code table has {len(codec)} rows, {code_rows} are needed.")
        return SourceTables(
            fc1_weight=self.base_tensors.bits(f"{FC1}.weight").copy(),
            fc1_bias=self.base_tensors.floats(f"{FC1}.bias").copy(),
            fc2_weight=self.base_tensors.bits(f"{FC2}.weight").copy(),
            fc2_bias=self.base_tensors.floats(f"{FC2}.bias").copy(),
            codec_rows=codec[:code_rows].copy(),
        )

    def _project(self, rows: FloatArray) -> FloatArray:
        tables = self.tables
        # float64 inside, so that the stored float32 does not depend on how a BLAS orders its sums
        hidden = rows.astype(np.float64) @ widen(tables.fc1_weight).T.astype(np.float64) + tables.fc1_bias
        hidden = 0.5 * hidden * (1.0 + np.tanh(0.5 * hidden))  # silu, with no overflow
        out = hidden @ widen(tables.fc2_weight).T.astype(np.float64) + tables.fc2_bias
        return out.astype(np.float32)

    def _require_shape(self, name: str, wanted: tuple[int | None, ...]) -> None:
        shape = self.base_tensors.shape(name)
        same = len(shape) == len(wanted) and all(w in (None, s) for s, w in zip(shape, wanted, strict=True))
        if not same:
            raise ModelError(f"{self.base}: {name} has the shape {shape}, which config.json denies.")


def _require_same_sizes(base: Path, shape: TalkerShape, folder: Path, other: TalkerShape) -> None:
    if shape.width != other.width:
        raise ModelError(
            f"{folder.name} is of {sized(other.width)}, {base.name} of {sized(shape.width)}. "
            "Choose two models of one size."
        )
    differing = [name for name, size in shape.sizes().items() if other.sizes()[name] != size]
    if differing:
        raise ModelError(
            f"{folder.name} and {base.name} differ in {', '.join(differing)}. Choose two models of one size."
        )
