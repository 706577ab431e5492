"""Files from strangers: each is a voice or a one-line `VoiceError`, quickly and in little memory."""

from __future__ import annotations

import io
import pickle
import re
import struct
import tracemalloc
import wave
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import VoiceError
from engine.voice.files import load_voice
from engine.voice.inspect import inspect_voice
from engine.voice.voice import Voice
from tests.engine.voice import build

FULL = build.full_file()
_START = build.head(text=build.TRANSCRIPT.encode(), codes=build.codes())
# A file that ends between two sections is whole: the format says no more.
WHOLE = [len(_START)]
for _section in (build.meta(), build.tpad(), build.wovr()):
    WHOLE.append(WHOLE[-1] + len(_section))

_TEXT_AT = 12 + 4 * build.WIDTH
_FRAMES_AT = _TEXT_AT + 4 + len(build.TRANSCRIPT.encode())
_RECORD_NAME = len("talker.model.text_embedding.weight")
LENGTHS = {  # offset and width of every field that says a size
    "vector": (8, 4),
    "transcript": (_TEXT_AT, 4),
    "frames": (_FRAMES_AT, 4),
    "TPAD width": (WHOLE[1] + 4, 4),
    "WOVR width": (WHOLE[2] + 4, 4),
    "WOVR text width": (WHOLE[2] + 8, 4),
    "WOVR rows": (WHOLE[2] + 12, 4),
    "WDLT target": (WHOLE[3] + 4, 4),
    "WDLT count": (WHOLE[3] + 8, 4),
    "name length": (WHOLE[3] + 12, 2),
    "raw size": (WHOLE[3] + 14 + _RECORD_NAME, 4),
    "stored size": (WHOLE[3] + 14 + _RECORD_NAME + 5, 4),
}


def _refused(path: Path, data: bytes) -> str:
    """The error's text, after checking that nothing large was allocated for it."""
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(VoiceError) as caught:
            load_voice(path)
        with pytest.raises(VoiceError):
            inspect_voice(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(data) + (1 << 20)
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message
    return message


def test_cut_short_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "cut.qvoice"
    for length in range(len(FULL)):
        path.write_bytes(FULL[:length])
        if length in WHOLE or length == 0:
            continue
        with pytest.raises(VoiceError) as caught:
            load_voice(path)
        assert "\n" not in str(caught.value)


def test_whole_at_the_end_of_each_section(tmp_path: Path) -> None:
    for length in WHOLE:
        (tmp_path / "whole.qvoice").write_bytes(FULL[:length])
        assert load_voice(tmp_path / "whole.qvoice").warnings == ()


# "raw size" one more is missing here: only the model's own size can show that, see test_delta.py
LIES = [(name, lie) for name in LENGTHS for lie in ("largest", "half", "zero", "one more")]
LIES.remove(("raw size", "one more"))


@pytest.mark.parametrize(("name", "lie"), LIES)
def test_lying_lengths(tmp_path: Path, name: str, lie: str) -> None:
    offset, size = LENGTHS[name]
    true = int.from_bytes(FULL[offset : offset + size], "little")
    most = (1 << 8 * size) - 1
    value = {"largest": most, "half": most // 2, "zero": 0, "one more": true + 1}[lie]
    _refused(tmp_path / "lie.qvoice", FULL[:offset] + value.to_bytes(size, "little") + FULL[offset + size :])


@pytest.mark.parametrize("version", [1, 2])
def test_old_versions_cut_short(tmp_path: Path, version: int) -> None:
    data = build.head(version, np.linspace(-1, 1, 1024), b"Hello.", build.codes(2))
    for length in (3, 4, 7, 8, 11, 12, 500, 4103, 4104, 4107, 4110, 4117, 4120, len(data) - 1):
        _refused(tmp_path / "cut.qvoice", data[:length])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"QVCF" + FULL[4:], "does not begin with QVCE"),
        (b"QVCE" + struct.pack("<I", 4) + FULL[8:], "version 4"),
        (b"QVCE" + struct.pack("<I", 0) + FULL[8:], "version 0"),
        (build.head() + b"XTRA" + bytes(40), "does not know"),
        (build.head() + build.meta() + b"XTRA" + build.tpad(), "does not know"),
        (build.head() + build.meta() * 2, "twice"),
        (build.head() + build.tpad(16), "width 16"),
        (build.head() + build.wovr(width=16), "width 16"),
        (build.head() + build.wdlt(build.load_only_records(), target=1024), r"1024 \(0.6B\)"),
        (build.head() + build.wdlt(build.load_only_records(), target=16), "width 16"),
        (build.head() + build.wdlt(build.load_only_records() * 2), "twice"),
        (build.head() + build.wdlt([build.Record(f"talker.{n}", b"x") for n in range(4097)]), "4097 weight"),
        (build.head() + build.wdlt([build.Record("talker.a", b"x", 9)]), "unknown way"),
        (build.head() + build.wdlt([build.Record("talker.a", b"x", 4, 5000)]), "cannot be"),
        (build.head() + build.wdlt([build.Record("other.tensor", b"xy")]), "first record"),
        (build.head(text=b"\xff\xfe\xfd"), "UTF-8"),
        (build.head(text=b"a" * 65537), "at most 65536"),
        (build.head(vector=np.full(8, np.nan)), "not numbers"),
        (build.head(vector=np.full(8, np.inf)), "not numbers"),
        (build.head(vector=np.zeros(8)), "all zeros"),
        (build.head(vector=np.full(8, 1e30)), "far from any voice"),
        (np.full(1024, np.nan, "<f4").tobytes(), "not numbers"),
        (np.zeros(1024, "<f4").tobytes(), "all zeros"),
        (np.ones(1023, "<f4").tobytes(), "4092 bytes is not 4096"),
        (np.ones(1025, "<f4").tobytes() + b"x", "4101 bytes is not 4096"),
    ],
)
def test_damaged_and_foreign(tmp_path: Path, data: bytes, said: str) -> None:
    assert re.search(said, _refused(tmp_path / "bad.qvoice", data))


def test_a_pickle_is_not_opened(tmp_path: Path) -> None:
    marker = tmp_path / "marker"

    class Trap:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (marker,)

    data = pickle.dumps(Trap())
    for size in (len(data), 4096):
        assert "pickle" in _refused(tmp_path / "voice.bin", data + bytes(size - len(data)))
    assert not marker.exists()


@pytest.mark.parametrize("samples", [2026, 100])
def test_a_sound_file_is_told_as_such(tmp_path: Path, samples: int) -> None:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24000)
        file.writeframes(np.arange(samples, dtype="<i2").tobytes())
    assert len(buffer.getvalue()) in (4096, 244)  # one has just the size of a light voice
    assert "sound file" in _refused(tmp_path / "voice.bin", buffer.getvalue())


def test_special_rows_that_are_no_numbers(tmp_path: Path) -> None:
    rows = build.tpad()[:8] + np.full(24, np.nan, "<f4").tobytes()
    (tmp_path / "bad.qvoice").write_bytes(build.head() + rows)
    with pytest.raises(VoiceError, match="not numbers"):
        load_voice(tmp_path / "bad.qvoice")


def _voice_or_refusal(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        found: Voice | str = load_voice(path)
    except VoiceError as error:
        found = str(error)
    assert isinstance(found, Voice) or "\n" not in found


@settings(max_examples=300, deadline=None)
@given(changes=st.lists(st.tuples(st.integers(0, len(FULL) - 1), st.binary(min_size=1, max_size=6)), max_size=4))
def test_random_damage(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, bytes]]) -> None:
    data = bytearray(FULL)
    for offset, piece in changes:
        data[offset : offset + len(piece)] = piece
    _voice_or_refusal(tmp_path_factory.getbasetemp() / "damaged.qvoice", bytes(data))


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=300), start=st.sampled_from([b"", b"QVCE", FULL[: WHOLE[0]], FULL[: WHOLE[3]]]))
def test_random_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, start: bytes) -> None:
    _voice_or_refusal(tmp_path_factory.getbasetemp() / "random.qvoice", start + data)
