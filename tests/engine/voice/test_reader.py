"""What the reader makes of well-formed files of every version, order and age."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from engine.errors import VoiceError
from engine.voice.files import load_voice
from tests.engine.voice import build

SECTIONS = {
    "META": build.meta(),
    "TPAD": build.tpad(),
    "WOVR": build.wovr(),
    "WDLT": build.wdlt(build.load_only_records()),
}


def _load(tmp_path: Path, data: bytes, name: str = "voice.qvoice"):
    path = tmp_path / name
    path.write_bytes(data)
    return load_voice(path)


def test_full_file(tmp_path: Path) -> None:
    voice = _load(tmp_path, build.full_file())
    assert (voice.name, voice.language, voice.reference_seconds) == ("Ann", "english", 12.3)
    assert (voice.transcript, voice.tier, voice.from_base, voice.warnings) == (build.TRANSCRIPT, "wdelta", True, ())
    np.testing.assert_array_equal(voice.x_vector, build.VECTOR)
    np.testing.assert_array_equal(voice.codes, build.codes())
    assert voice.special_rows is not None
    np.testing.assert_array_equal(voice.special_rows.eos, np.arange(16, 24, dtype=np.float32))
    assert voice.tables is not None
    assert voice.tables.fc2_weight.shape == (build.WIDTH, build.TEXT_WIDTH)
    np.testing.assert_array_equal(voice.tables.codec_rows[0], np.arange(16000, 16000 + build.WIDTH))
    assert voice.delta is not None
    assert voice.delta.records == 2


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    assert _load(tmp_path, build.full_file(), "voice.bin").tier == "wdelta"
    assert _load(tmp_path, build.VECTOR.tobytes(), "vector.qvoice").width == build.WIDTH


@pytest.mark.parametrize("order", list(permutations(SECTIONS)), ids="-".join)
def test_any_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    voice = _load(tmp_path, build.head() + b"".join(SECTIONS[name] for name in order))
    assert voice.name == "Ann"
    assert voice.special_rows is not None
    assert voice.tables is not None
    assert voice.delta is not None


@pytest.mark.parametrize("missing", SECTIONS)
def test_any_hole(tmp_path: Path, missing: str) -> None:
    voice = _load(tmp_path, build.head() + b"".join(part for name, part in SECTIONS.items() if name != missing))
    assert (voice.name == "") == (missing == "META")
    assert (voice.special_rows is None) == (missing == "TPAD")
    assert (voice.tables is None) == (missing == "WOVR")
    assert (voice.delta is None) == (missing == "WDLT")


@pytest.mark.parametrize("version", [1, 2])
def test_old_versions_with_transcript_and_codes(tmp_path: Path, version: int) -> None:
    vector = np.linspace(-1, 1, 1024)
    voice = _load(tmp_path, build.head(version, vector, b"Hello.", build.codes(5)))
    assert voice.in_context
    assert voice.codes is not None
    assert len(voice.codes) == 5
    np.testing.assert_array_equal(voice.x_vector, vector.astype(np.float32))


def test_version_1_of_the_larger_model(tmp_path: Path) -> None:
    assert _load(tmp_path, build.head(1, np.linspace(-1, 1, 2048))).width == 2048


def test_first_day_deltas_have_no_target(tmp_path: Path) -> None:
    delta = _load(tmp_path, build.head() + build.wdlt(build.load_only_records(), target=None)).delta
    assert delta is not None
    assert (delta.target_width, delta.records) == (None, 2)


def test_whole_weights(tmp_path: Path) -> None:
    records = build.wdlt([build.load_only_records()[1]], target=None, tag=b"WFULL")
    delta = _load(tmp_path, build.head() + records).delta
    assert delta is not None
    assert delta.full


def test_bytes_after_the_end_are_told(tmp_path: Path) -> None:
    assert "5 bytes after" in _load(tmp_path, build.full_file() + b"extra").warnings[0]
    assert "7 bytes after" in _load(tmp_path, build.head(2) + b"trailer").warnings[0]


def test_codes_outside_the_books_are_left_out(tmp_path: Path) -> None:
    for bad in (-1, 2048):
        codes = build.codes()
        codes[1, 3] = bad
        voice = _load(tmp_path, build.head(text=b"Hi", codes=codes))
        assert voice.codes is None
        assert "outside 0 to 2047" in voice.warnings[0]


def test_more_frames_than_anything_speaks_from(tmp_path: Path) -> None:
    voice = _load(tmp_path, build.head(codes=build.codes(1501)))
    assert voice.codes is None
    assert "1501 frames" in voice.warnings[0]


@pytest.mark.parametrize(
    ("stored", "name"),
    [
        (b"", ""),
        ("日本の声".encode(), "日本の声"),
        (("ж" * 40).encode()[:63], "ж" * 31),  # the C writer cuts inside a character
        (b"\xff\xfe", "\N{REPLACEMENT CHARACTER}" * 2),
        (b"Ann\0left over", "Ann"),
        (b"A" * 64, "A" * 63),  # no terminator
    ],
)
def test_names_of_the_c_writer(tmp_path: Path, stored: bytes, name: str) -> None:
    assert _load(tmp_path, build.head() + build.meta(name=stored)).name == name


@pytest.mark.parametrize(
    ("text", "number", "language"),
    [
        (b"", 2050, "english"),
        (b"EN", 2050, "english"),  # as typed; the id says which
        (b"", 0, None),
        (b"Klingon", 0, "klingon"),
        (b"German", 133, "german"),  # a test model's id
        (b"Sichuan_dialect", 2062, "sichuan_dialect"),
    ],
)
def test_languages(tmp_path: Path, text: bytes, number: int, language: str | None) -> None:
    assert _load(tmp_path, build.head() + build.meta(language=text, number=number)).language == language


def test_unknown_language_id_is_told(tmp_path: Path) -> None:
    voice = _load(tmp_path, build.head() + build.meta(language=b"", number=77))
    assert voice.language is None
    assert "unknown id 77" in voice.warnings[0]


@pytest.mark.parametrize(("seconds", "read"), [(0.0, None), (float("nan"), None), (-3.0, None), (30.0, 30.0)])
def test_reference_length(tmp_path: Path, seconds: float, read: float | None) -> None:
    assert _load(tmp_path, build.head() + build.meta(seconds=seconds)).reference_seconds == read


def test_a_description_for_another_width_is_told(tmp_path: Path) -> None:
    warnings = _load(tmp_path, build.head() + build.meta(width=1024)).warnings
    assert warnings == ("Its description says width 1024 (0.6B), its voice vector is width 8.",)


def test_an_unusual_norm_is_told(tmp_path: Path) -> None:
    assert "500" in _load(tmp_path, build.head(vector=np.full(build.WIDTH, 500 / 8**0.5))).warnings[0]


def test_old_int8_differences_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    old = replace(build.load_only_records()[0], packing=2)
    voice = _load(tmp_path, build.head() + build.meta() + build.wdlt([old]))
    assert voice.name == "Ann"
    assert "int8" in voice.warnings[0]


def test_arrays_can_be_handed_on(tmp_path: Path) -> None:
    voice = _load(tmp_path, build.full_file())
    assert voice.tables is not None
    assert voice.special_rows is not None
    for array in (voice.x_vector, voice.codes, voice.special_rows.pad, voice.tables.codec_rows):
        assert array is not None
        assert array.flags.writeable  # torch warns about others
        assert array.flags.c_contiguous


def test_a_file_of_785_mb_loads_at_once(tmp_path: Path) -> None:
    """Sparse: payloads are stepped over, so nothing but headers is touched."""
    path = tmp_path / "large.qvoice"
    payload = 785_000_000
    start = build.Record("talker.model.text_embedding.weight", b"", 4, 1_000_000_000).to_bytes()[:-4]
    with path.open("wb") as file:
        file.write(build.head() + build.meta() + b"WDLT" + (8).to_bytes(4, "little") + (1).to_bytes(4, "little"))
        file.write(start + payload.to_bytes(4, "little"))
        file.truncate(file.tell() + payload)
    assert load_voice(path).tier == "wdelta"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="no such file"):
        load_voice(tmp_path / "absent.qvoice")
    with pytest.raises(VoiceError, match="not a file"):
        load_voice(tmp_path)
