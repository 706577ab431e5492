"""Applying weight records: everything, bit for bit, or one clear refusal."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import lz4.block
import numpy as np
import pytest

from engine.errors import Cancelled, VoiceError
from engine.progress import Cancel, Progress
from engine.voice import delta
from engine.voice.files import load_voice
from engine.voice.records import RecordHeader
from engine.voice.talker_shape import record_names
from engine.voice.unpack import changes_nothing
from engine.voice.voice import DeltaLocation
from tests.engine.voice import build
from tests.engine.voice.build import Record

MATRIX = "talker.model.layers.0.mlp.up_proj.weight"
NORM = "talker.model.norm.weight"
PAIR = build.small_pair()


def _location(tmp_path: Path, records: list[Record], **options: object) -> DeltaLocation:
    path = tmp_path / "delta.qvoice"
    path.write_bytes(build.head() + build.wdlt(records, **options))  # type: ignore[arg-type]
    location = load_voice(path).delta
    assert location is not None
    return location


def _changed(**changes: object) -> Callable[[str], list[Record]]:
    def change(name: str) -> list[Record]:
        return [replace(r, **changes) if r.name == name else r for r in PAIR.records()]  # type: ignore[arg-type]

    return change


def _require_base(weights: dict[str, np.ndarray]) -> None:
    assert set(weights) == set(PAIR.base)
    for name, base in PAIR.base.items():
        found = weights[name]
        assert found.shape == base.shape
        assert found.dtype == (np.float32 if base.ndim == 1 else np.uint16)
        bits = (found.view(np.uint32) >> 16).astype(np.uint16) if base.ndim == 1 else found
        np.testing.assert_array_equal(bits, base, err_msg=name)


def test_order_of_the_format() -> None:
    assert list(record_names(1, 1, 1, extra_projection=False)) == list(build.small_shapes())
    assert len(list(record_names(28, 15, 5, extra_projection=False))) == 402
    assert len(list(record_names(28, 15, 5, extra_projection=True))) == 404


@pytest.mark.parametrize("packing", [0, 3, 4])
@pytest.mark.parametrize("target", [build.WIDTH, None])
def test_every_packing_and_both_layouts(tmp_path: Path, packing: int, target: int | None) -> None:
    location = _location(tmp_path, PAIR.records(packing), target=target)
    _require_base(delta.apply(location, PAIR.custom.__getitem__))


def test_whole_weights(tmp_path: Path) -> None:
    location = _location(tmp_path, PAIR.records(0), target=None, tag=b"WFULL")
    _require_base(delta.apply(location, PAIR.custom.__getitem__))


def test_order_of_records_does_not_matter(tmp_path: Path) -> None:
    _require_base(delta.apply(_location(tmp_path, PAIR.records()[::-1]), PAIR.custom.__getitem__))


def test_norms_that_the_engine_has_widened(tmp_path: Path) -> None:
    def look_up(name: str) -> np.ndarray:
        bits = PAIR.custom[name]
        return (bits.astype(np.uint32) << 16).view(np.float32) if bits.ndim == 1 else bits

    _require_base(delta.apply(_location(tmp_path, PAIR.records()), look_up))


def test_what_it_applies_to_is_not_changed(tmp_path: Path) -> None:
    before = {name: array.copy() for name, array in PAIR.custom.items()}
    delta.apply(_location(tmp_path, PAIR.records()), PAIR.custom.__getitem__)
    for name, array in PAIR.custom.items():
        np.testing.assert_array_equal(array, before[name])


_UP = lz4.block.compress(bytes(126), store_size=False)
_OVER = lz4.block.compress(bytes(130), store_size=False)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (PAIR.records()[:-1], "missing"),
        ([r for r in PAIR.records() if r.name != NORM], "missing"),
        ([*PAIR.records(), Record("talker.model.layers.1.mlp.up_proj.weight", bytes(128))], "not in the Custom"),
        (_changed(raw_bytes=130)(MATRIX), "130 bytes, the model's has 128"),
        (_changed(raw_bytes=126)(MATRIX), "126 bytes, the model's has 128"),
        (_changed(payload=bytes(12))(NORM), "12 bytes"),
        (_changed(payload=_UP, raw_bytes=128)(MATRIX), "does not unpack to 128"),
        (_changed(payload=_OVER, raw_bytes=128)(MATRIX), "does not unpack to 128"),
        (_changed(payload=b"\xff" * 100, raw_bytes=128)(MATRIX), "does not unpack to 128"),
        (_changed(payload=zlib.compress(bytes(126)), packing=3, raw_bytes=128)(MATRIX), "does not unpack"),
        (_changed(payload=zlib.compress(bytes(130)), packing=3, raw_bytes=128)(MATRIX), "does not unpack"),
        (_changed(payload=zlib.compress(bytes(128))[:-5], packing=3, raw_bytes=128)(MATRIX), "does not unpack"),
        (_changed(payload=b"\xff" * 50, packing=3, raw_bytes=128)(MATRIX), "does not unpack"),
        (_changed(packing=2)(MATRIX), "old int8 kind, which lost precision"),
    ],
)
def test_refused_as_a_whole(tmp_path: Path, records: list[Record], said: str) -> None:
    location = _location(tmp_path, records)
    with pytest.raises(VoiceError, match=said) as caught:
        delta.apply(location, PAIR.custom.__getitem__)
    assert "\n" not in str(caught.value)


def test_sizes_are_checked_before_anything_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    location = _location(tmp_path, _changed(raw_bytes=126)(PAIR.records()[-1].name))
    monkeypatch.setattr(lz4.block, "decompress", lambda *_, **__: pytest.fail("unpacked"))
    with pytest.raises(VoiceError, match="126 bytes"):
        delta.apply(location, PAIR.custom.__getitem__)


def test_whole_weights_must_not_be_differences(tmp_path: Path) -> None:
    location = _location(tmp_path, PAIR.records(4), target=None, tag=b"WFULL")
    with pytest.raises(VoiceError, match="packed as differences"):
        delta.apply(location, PAIR.custom.__getitem__)


def test_a_model_without_one_of_the_tensors(tmp_path: Path) -> None:
    location = _location(tmp_path, PAIR.records())
    for name in (MATRIX, NORM, "talker.model.codec_embedding.weight"):
        lacking = {key: array for key, array in PAIR.custom.items() if key != name}
        with pytest.raises(VoiceError, match="lacks talker"):
            delta.apply(location, lacking.__getitem__)


def test_a_model_whose_matrices_are_not_bf16(tmp_path: Path) -> None:
    widened = PAIR.custom | {MATRIX: np.zeros((8, 8), np.float32)}
    with pytest.raises(VoiceError, match="float32"):
        delta.apply(_location(tmp_path, PAIR.records()), widened.__getitem__)


def test_a_file_changed_since_it_was_loaded(tmp_path: Path) -> None:
    location = _location(tmp_path, PAIR.records())
    location.path.write_bytes(location.path.read_bytes()[:-100])
    with pytest.raises(VoiceError, match="cut short"):
        delta.apply(location, PAIR.custom.__getitem__)
    location.path.write_bytes(b"")
    with pytest.raises(VoiceError, match="cut short"):
        delta.apply(location, PAIR.custom.__getitem__)
    location.path.unlink()
    with pytest.raises(VoiceError, match="no such file"):
        delta.apply(location, PAIR.custom.__getitem__)


def test_the_models_a_voice_was_saved_with(tmp_path: Path) -> None:
    base, custom = delta.digest(PAIR.base.__getitem__), delta.digest(PAIR.custom.__getitem__)
    location = _location(tmp_path, PAIR.records())
    right = replace(location, base_digest=base, custom_voice_digest=custom)
    _require_base(delta.apply(right, PAIR.custom.__getitem__))
    with pytest.raises(VoiceError, match="CustomVoice model is not the one"):
        delta.apply(replace(right, custom_voice_digest=base), PAIR.custom.__getitem__)
    with pytest.raises(VoiceError, match="came out other"):
        delta.apply(replace(right, base_digest=custom), PAIR.custom.__getitem__)


def test_progress_and_cancel(tmp_path: Path) -> None:
    location = _location(tmp_path, PAIR.records())
    told: list[Progress] = []
    delta.apply(location, PAIR.custom.__getitem__, report=told.append)
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[-1].done == told[-1].total == sum(a.size * (4 if a.ndim == 1 else 2) for a in PAIR.base.values())
    cancel = Cancel()

    def stop_soon(progress: Progress) -> None:
        cancel.cancel()

    with pytest.raises(Cancelled):
        delta.apply(location, PAIR.custom.__getitem__, cancel, stop_soon)


def test_a_record_name_that_is_no_text(tmp_path: Path) -> None:
    records = PAIR.records()
    path = tmp_path / "odd.qvoice"
    odd = struct.pack("<H", 3) + b"\xff\n\x00" + struct.pack("<IBI", 1, 0, 1) + b"x"
    section = build.wdlt(records)
    count = struct.pack("<I", len(records) + 1)
    path.write_bytes(build.head() + section[:8] + count + section[12:] + odd)
    location = load_voice(path).delta
    assert location is not None
    with pytest.raises(VoiceError, match="not in the CustomVoice") as caught:
        delta.apply(location, PAIR.custom.__getitem__)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [0, 2, 12, 13, 18, 280, 281, 282, 400, 6000, 65_536, 1_000_000])
def test_a_tensor_that_is_the_same_in_both_models_is_told_by_its_block(size: int) -> None:
    packed = lz4.block.compress(bytes(size), store_size=False)
    head = RecordHeader("name", size, 4, 0, len(packed))
    assert changes_nothing(head, packed) == (size > 10_000)  # short ones are unpacked like any other
    for place in range(min(len(packed), 40)):
        for bit in range(8):
            flipped = bytearray(packed)
            flipped[-place if place > 20 else place] ^= 1 << bit
            if changes_nothing(head, flipped):
                assert lz4.block.decompress(flipped, uncompressed_size=size) == bytes(size)
    assert not changes_nothing(replace(head, raw_bytes=size + 1), packed)
    assert not changes_nothing(replace(head, packing=3), packed)
    assert not changes_nothing(replace(head, raw_bytes=size + 300, stored_bytes=0), b"\xff")


def test_an_unchanged_tensor_is_not_copied(tmp_path: Path) -> None:
    name = "talker.model.text_embedding.weight"
    table = np.arange(6000, dtype=np.uint16).reshape(-1, build.TEXT_WIDTH)
    base, custom = PAIR.base | {name: table}, PAIR.custom | {name: table.copy()}
    location = _location(tmp_path, build.SmallPair(base, custom).records())
    weights = delta.apply(location, custom.__getitem__)
    assert weights[name] is custom[name]
    np.testing.assert_array_equal(weights[name], base[name])
