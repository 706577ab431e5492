"""Any sound file becomes 24 kHz mono, or is refused in one clear line."""

from __future__ import annotations

import io
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

import engine
from tests.sounds import best_match, tone, voiced

SECONDS = 1.5


def encode(path: Path, samples: np.ndarray, rate: int, container: str, codec: str) -> Path:
    """Write mono or stereo float samples [n] or [n, 2] with FFmpeg."""
    data = samples[None] if samples.ndim == 1 else samples.T
    with av.open(str(path), "w", format=container) as out:
        stream = out.add_stream(codec, rate=rate, layout="mono" if len(data) == 1 else "stereo")
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(data, np.float32), "fltp", stream.layout.name)
        frame.sample_rate = rate
        fifo, resampler = av.AudioFifo(), av.AudioResampler(stream.format.name, stream.layout.name, rate)
        for piece in resampler.resample(frame):
            fifo.write(piece)
        while (block := fifo.read(stream.frame_size or 1024, partial=True)) is not None:
            out.mux(stream.encode(block))
        out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE"])
@pytest.mark.parametrize("rate", [8_000, 24_000, 44_100, 96_000, 192_000])
def test_every_wav_width_and_rate(tmp_path: Path, subtype: str, rate: int) -> None:
    wave = tone(440, SECONDS, 0.5, rate)
    soundfile.write(tmp_path / "clip.wav", wave, rate, subtype=subtype)
    clip = engine.read_clip(tmp_path / "clip.wav")
    assert len(clip.samples) == pytest.approx(SECONDS * engine.SAMPLE_RATE, abs=1)
    assert clip.samples.dtype == np.float32
    assert best_match(tone(440, 1.0, 0.5), clip.samples)[0] > 0.999


@pytest.mark.parametrize(
    ("name", "container", "codec", "rate"),
    [
        ("clip.mp3", "mp3", "libmp3lame", 44_100),
        ("clip.m4a", "ipod", "aac", 44_100),
        ("clip.mp4", "mp4", "aac", 48_000),
        ("clip.webm", "webm", "libopus", 48_000),
        ("clip.ogg", "ogg", "libopus", 48_000),
        ("clip.flac", "flac", "flac", 44_100),
    ],
)
@pytest.mark.parametrize("disguise", ["", ".wav", ".txt", "none"])
def test_containers_are_judged_by_content(
    tmp_path: Path, name: str, container: str, codec: str, rate: int, disguise: str
) -> None:
    """Stereo, at the container's own rate, under its own name and under wrong ones."""
    wave = voiced(SECONDS, rate)
    path = encode(tmp_path / name, np.stack([wave, wave], axis=1), rate, container, codec)
    if disguise:
        path = path.rename(tmp_path / ("clip" if disguise == "none" else f"clip{disguise}"))
    clip = engine.read_clip(path)
    assert clip.source_rate == rate
    assert clip.source_channels == 2
    assert clip.seconds == pytest.approx(SECONDS, abs=0.1)
    assert best_match(voiced(SECONDS)[2400:-4800], clip.samples)[0] > 0.97


def test_channels_are_mixed_by_a_stated_rule() -> None:
    wave = voiced(SECONDS)
    quiet = np.zeros_like(wave)
    dead_side = engine.clip_from_samples(np.stack([wave, quiet], axis=1), engine.SAMPLE_RATE)
    assert np.array_equal(dead_side.samples, wave)  # a dead side must not cost 6 dB
    opposed = engine.clip_from_samples(np.stack([wave, -wave], axis=1), engine.SAMPLE_RATE)
    assert np.array_equal(opposed.samples, wave)  # opposite sides must not cancel
    assert "opposite phase" in " ".join(opposed.notes)
    surround = engine.clip_from_samples(np.stack([wave] * 6, axis=1), engine.SAMPLE_RATE)
    assert np.allclose(surround.samples, wave, atol=1e-6)


def test_samples_that_are_not_numbers_are_replaced() -> None:
    wave = voiced(SECONDS)
    wave[100], wave[200] = np.nan, np.inf
    clip = engine.clip_from_samples(wave, engine.SAMPLE_RATE)
    assert np.isfinite(clip.samples).all()
    assert "not numbers" in " ".join(clip.notes)


def test_a_range_of_a_long_file(tmp_path: Path) -> None:
    wave = voiced(5.0, 16_000)
    soundfile.write(tmp_path / "long.wav", wave, 16_000)
    clip = engine.read_clip(tmp_path / "long.wav", 1.0, 3.0)
    assert clip.seconds == pytest.approx(2.0)
    with pytest.raises(engine.ClipError, match="selection is empty"):
        clip.cut(1.0, 1.0)
    assert clip.cut(0.5, 1.0).seconds == pytest.approx(0.5)


def test_a_file_of_an_hour_needs_a_range(tmp_path: Path) -> None:
    path = tmp_path / "hour.wav"
    with soundfile.SoundFile(path, "w", 8_000, 1, subtype="PCM_U8") as file:
        for _ in range(60):
            file.write(np.zeros(60 * 8_000, np.float32))
    assert engine.probe_clip(path).seconds == pytest.approx(3600)
    with pytest.raises(engine.ClipError, match=r"60 min long.*Choose a range"):
        engine.read_clip(path)
    assert engine.read_clip(path, 100, 130).seconds == pytest.approx(30)


def test_cancelling(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "clip.wav", voiced(SECONDS), 24_000)
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        engine.read_clip(tmp_path / "clip.wav", cancel=cancel)


def _wav(samples: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, 24_000, format="WAV")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"RIFF", "not a sound file"),
        (b"%PDF-1.7 nothing to hear", "a PDF"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "."),
        (b"PK\x03\x04" + bytes(64), "ZIP"),
        (bytes(4096), "not a sound file"),
        (b"QVCE" + bytes(64), "Library"),
        (_wav(np.zeros(0, np.float32)), "holds no sound"),
    ],
)
def test_what_is_no_sound_is_refused_in_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "thing.wav"
    path.write_bytes(content)
    with pytest.raises(engine.ClipError, match=words) as caught:
        engine.read_clip(path)
    assert "\n" not in str(caught.value)
    assert "thing.wav" in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(engine.ClipError, match="is not there"):
        engine.read_clip("/nowhere/clip.wav")


@pytest.mark.parametrize("name", ["with space.wav", "ämlaut.wav", "-dash.wav", "x" * 200 + ".wav", "声.wav", "none"])
def test_names_of_every_kind(tmp_path: Path, name: str) -> None:
    soundfile.write(tmp_path / name, voiced(SECONDS), 24_000, format="WAV")
    assert engine.read_clip(tmp_path / name).seconds == pytest.approx(SECONDS)


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".mp3", ".ogg"])
def test_export_and_read_back(tmp_path: Path, suffix: str) -> None:
    wave = voiced(SECONDS)
    path = tmp_path / f"out{suffix}"
    engine.write_sound(path, wave)
    clip = engine.read_clip(path)
    if suffix == ".wav":
        assert np.array_equal(clip.samples, wave)  # float32: sample for sample
    assert best_match(wave[2400:-2400], clip.samples)[0] > 0.98
    with pytest.raises(engine.WriteError, match="endings"):
        engine.write_sound(tmp_path / "out.xyz", wave)


def test_mel_frequencies_are_right_to_a_band() -> None:
    centres = engine.mel_centres_hz()
    for hz in (300, 1000, 3000, 8000):
        mel = engine.log_mel(tone(hz, 1.0))
        loudest = int(mel.mean(axis=1).argmax())
        nearest = int(np.abs(centres - hz).argmin())
        assert abs(loudest - nearest) <= 1
