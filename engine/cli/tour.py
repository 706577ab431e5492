"""qvoice tour: the whole job once, without a window: clone a clip, save each tier, speak, and show what came out."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import engine
import resources
from engine.audio.measure import level_dbfs, mel_correlation
from engine.audio.picture import write_mel_picture
from engine.cli.common import TEST_BASE, TEST_CUSTOM_VOICE, add_json, cached_pair, show_progress
from engine.files import write_atomically
from engine.voice.voice import Tier

_TEXT = "This voice was made from half a minute of speech."
_SEED = 7
_FILES: dict[Tier, str] = {"light": "voice.bin", "standard": "voice.qvoice", "wdelta": "voice_wdelta.qvoice"}

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class TierRow:
    """What one tier came to. `mel_correlation` and `identical` compare with speech straight from Base."""

    tier: str
    file: str
    bytes: int
    sound: str
    seconds: float
    level_dbfs: float
    mel_correlation: float
    identical: bool
    first_sound_seconds: float  # loading the file included


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "tour",
        help="clone a clip, save each tier, speak a sentence; everything lands in one folder",
        description="Do the whole job once. Without models given it uses the test model, which makes noise.",
    )
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("out"))
    parser.add_argument("--clip", metavar="SOUND", type=Path, default=resources.path("sample", "sample_clip.flac"))
    parser.add_argument("--base", metavar="DIR", type=Path, default=TEST_BASE)
    parser.add_argument("--custom-voice", metavar="DIR", type=Path, default=TEST_CUSTOM_VOICE)
    parser.add_argument("--text", default=_TEXT)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--max-new-tokens", metavar="N", type=int, default=None)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Take the tour; the table is printed and left in `table.txt` and `table.json`."""
    out: Path = arguments.out
    clip = engine.read_clip(arguments.clip)
    _write_sound(out / "clip.wav", clip.samples)
    base = engine.load_model(arguments.base, report=show_progress)
    custom = engine.load_model(arguments.custom_voice, report=show_progress)
    voice = base.clone(clip, language="english", name="Tour", report=show_progress)
    direct = _speak(base, voice, arguments)
    _write_sound(out / "speech_base.wav", direct)
    pair = cached_pair(arguments.base, arguments.custom_voice)
    rows = [_tier(tier, voice, pair, custom, direct, arguments) for tier in _FILES]
    table = _table(rows, base, custom, clip)
    facts = {"base": base.summary.label, "custom_voice": custom.summary.label, "tiers": [asdict(row) for row in rows]}
    write_atomically(out / "table.txt", (table + "\n").encode())
    write_atomically(out / "table.json", (json.dumps(facts, indent=2) + "\n").encode())
    print(json.dumps(facts, indent=2) if arguments.json else table)
    return 0


def _tier(
    tier: Tier,
    voice: engine.Voice,
    pair: engine.ModelPair,
    custom: engine.Model,
    direct: FloatArray,
    arguments: argparse.Namespace,
) -> TierRow:
    """Save `voice` in one tier, load it again, speak with it on the CustomVoice model."""
    path = arguments.out / _FILES[tier]
    engine.save_voice(voice, path, tier, pair)
    started = time.monotonic()
    loaded = engine.load_voice(path)
    first_sound: list[float] = []
    samples = _speak(custom, loaded, arguments, first_sound)
    sound = arguments.out / f"speech_{tier}.wav"
    _write_sound(sound, samples)
    return TierRow(
        tier,
        path.name,
        path.stat().st_size,
        sound.name,
        round(len(samples) / engine.SAMPLE_RATE, 2),
        round(level_dbfs(samples), 1),
        round(mel_correlation(samples, direct), 3),
        bool(np.array_equal(samples, direct)),
        round(first_sound[0] - started, 3),
    )


def _speak(
    model: engine.Model, voice: engine.Voice, arguments: argparse.Namespace, first_sound: list[float] | None = None
) -> FloatArray:
    """All samples of the tour's sentence; when the first of them came is put into `first_sound`."""
    request = engine.SpeechRequest(
        arguments.text,
        voice=voice,
        language="english",
        seed=arguments.seed,
        max_new_tokens=arguments.max_new_tokens,
    )
    parts: list[FloatArray] = []
    for chunk in model.speak(request):
        if first_sound is not None and not parts:
            first_sound.append(time.monotonic())
        show_progress(chunk.progress)
        parts.append(chunk.samples)
    return np.concatenate(parts)


def _write_sound(path: Path, samples: FloatArray) -> None:
    """The sound, and its mel as a picture beside it."""
    engine.write_sound(path, samples)
    write_mel_picture(path.with_name(f"{path.stem}_mel.png"), engine.log_mel(samples))


def _table(rows: list[TierRow], base: engine.Model, custom: engine.Model, clip: engine.Clip) -> str:
    lines = [
        f"clip         {Path(clip.source).name}, {clip.seconds:.1f} s",
        f"cloned with  {base.summary.label}",
        f"spoken with  {custom.summary.label}",
        "",
        f"{'tier':<10}{'file':<22}{'bytes':>12}{'first sound':>13}{'length':>9}{'level':>10}  compared with Base",
    ]
    for row in rows:
        like = "identical" if row.identical else f"mel correlation {row.mel_correlation:.3f}"
        lines.append(
            f"{row.tier:<10}{row.file:<22}{row.bytes:>12,}{row.first_sound_seconds:>11.2f} s{row.seconds:>7.2f} s"
            f"{row.level_dbfs:>7.1f} dB  {like}"
        )
    if base.summary.is_test_model:
        lines += [
            "",
            "The test model's weights are random: it makes noise, not speech. Give --base and --custom-voice.",
        ]
    return "\n".join(lines)
