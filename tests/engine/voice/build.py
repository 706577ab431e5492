"""Files put together by hand from the format's description, so that reader and writer are not their own witnesses."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import lz4.block
import numpy as np

WIDTH, TEXT_WIDTH, CODE_ROWS, FRAMES = 8, 4, 3, 2
VECTOR = np.linspace(-2, 2, WIDTH, dtype="<f4")
TRANSCRIPT = "Größe 大"


def head(version: int = 3, vector: np.ndarray = VECTOR, text: bytes = b"", codes: np.ndarray | None = None) -> bytes:
    size = b"" if version == 1 else struct.pack("<I", len(vector))
    out = b"QVCE" + struct.pack("<I", version) + size + vector.astype("<f4").tobytes()
    out += struct.pack("<I", len(text)) + text
    frames = 0 if codes is None else len(codes)
    return out + struct.pack("<I", frames) + (b"" if codes is None else codes.astype("<i4").tobytes())


def codes(frames: int = FRAMES) -> np.ndarray:
    return np.arange(frames * 16, dtype=np.int32).reshape(frames, 16) % 2048


def meta(
    name: bytes = b"Ann",
    language: bytes = b"English",
    number: int = 2050,
    width: int = WIDTH,
    seconds: float = 12.3,
    flags: int = 6,
) -> bytes:
    return b"META" + struct.pack("<I16sIIf64sI", number, language, width, width, seconds, name, flags)


def tpad(width: int = WIDTH) -> bytes:
    return b"TPAD" + struct.pack("<I", width) + np.arange(3 * width, dtype="<f4").tobytes()


def wovr(width: int = WIDTH, text: int = TEXT_WIDTH, rows: int = CODE_ROWS) -> bytes:
    def bits(*shape: int) -> bytes:
        return (np.arange(np.prod(shape), dtype="<u2") + 16000).tobytes()

    def floats(length: int) -> bytes:
        return np.arange(length, dtype="<f4").tobytes()

    out = b"WOVR" + struct.pack("<III", width, text, rows)
    return out + bits(text, text) + floats(text) + bits(width, text) + floats(width) + bits(rows, width)


@dataclass
class Record:
    """One weight record; `raw_bytes` None says the truth."""

    name: str
    payload: bytes
    packing: int = 0
    raw_bytes: int | None = None

    def to_bytes(self) -> bytes:
        raw = len(self.payload) if self.raw_bytes is None else self.raw_bytes
        name = self.name.encode()
        head = struct.pack("<H", len(name)) + name + struct.pack("<IBI", raw, self.packing, len(self.payload))
        return head + self.payload


def wdlt(records: list[Record], target: int | None = WIDTH, tag: bytes = b"WDLT") -> bytes:
    out = tag + (b"" if target is None else struct.pack("<I", target)) + struct.pack("<I", len(records))
    return out + b"".join(record.to_bytes() for record in records)


def load_only_records() -> list[Record]:
    """Two records: enough to load, not to apply."""
    return [
        Record("talker.model.text_embedding.weight", lz4.block.compress(bytes(64), store_size=False), 4, 64),
        Record("talker.model.norm.weight", bytes(32)),
    ]


def full_file() -> bytes:
    """Every section of version 3, in the C writer's order."""
    start = head(text=TRANSCRIPT.encode(), codes=codes())
    return start + meta() + tpad() + wovr() + wdlt(load_only_records())


@dataclass
class SmallPair:
    """A talker of one layer as bf16 bit patterns: what `apply` starts from (`custom`) and must reach (`base`)."""

    base: dict[str, np.ndarray] = field(default_factory=dict)
    custom: dict[str, np.ndarray] = field(default_factory=dict)

    def records(self, packing: int = 4) -> list[Record]:
        out = []
        for name, base in self.base.items():
            if base.ndim == 1:
                out.append(Record(name, (base.astype(np.uint32) << 16).tobytes()))
            else:
                difference = (base - self.custom[name]).tobytes()
                packed = {0: base.tobytes, 3: lambda d=difference: zlib.compress(d, 6)}.get(
                    packing, lambda d=difference: lz4.block.compress(d, store_size=False)
                )()
                out.append(Record(name, packed, packing, len(difference)))
        return out


def small_pair() -> SmallPair:
    random = np.random.default_rng(7)
    pair = SmallPair()
    for name, shape in small_shapes().items():
        pair.base[name] = random.integers(0, 65536, shape, dtype=np.uint16)  # so that half of the sums wrap
        pair.custom[name] = random.integers(0, 65536, shape, dtype=np.uint16)
    return pair


def small_shapes() -> dict[str, tuple[int, ...]]:
    """Names and order as the format's description lists them, for one layer, one head, no extra projection."""
    text, width, t = TEXT_WIDTH, WIDTH, "talker."
    square, row = (width, width), (width,)
    shapes: dict[str, tuple[int, ...]] = {
        f"{t}model.text_embedding.weight": (5, text),
        f"{t}text_projection.linear_fc1.weight": (text, text),
        f"{t}text_projection.linear_fc1.bias": (text,),
        f"{t}text_projection.linear_fc2.weight": (width, text),
        f"{t}text_projection.linear_fc2.bias": row,
        f"{t}model.codec_embedding.weight": (6, width),
        f"{t}codec_head.weight": (6, width),
        f"{t}model.norm.weight": row,
    }
    layer = {
        **{f"self_attn.{part}_proj.weight": square for part in "qkvo"},
        "self_attn.q_norm.weight": row,
        "self_attn.k_norm.weight": row,
        "input_layernorm.weight": row,
        "post_attention_layernorm.weight": row,
        **{f"mlp.{part}_proj.weight": square for part in ("gate", "up", "down")},
    }
    shapes |= {f"{t}model.layers.0.{name}": shape for name, shape in layer.items()}
    shapes |= {f"{t}code_predictor.model.norm.weight": row}
    shapes |= {f"{t}code_predictor.model.codec_embedding.0.weight": (CODE_ROWS, width)}
    shapes |= {f"{t}code_predictor.lm_head.0.weight": (CODE_ROWS, width)}
    return shapes | {f"{t}code_predictor.model.layers.0.{name}": shape for name, shape in layer.items()}


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """bf16 tensors: uint16 bit patterns as they are, float32 by their upper halves."""
    header, data = {}, b""
    for name, array in tensors.items():
        bits = (array.view(np.uint32) >> 16).astype("<u2") if array.dtype == np.float32 else array.astype("<u2")
        span = [len(data), len(data) + bits.nbytes]
        header[name] = {"dtype": "BF16", "shape": list(bits.shape), "data_offsets": span}
        data += bits.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
