"""qvoice speak: a sentence as a sound file."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import engine
from engine.audio.measure import level_dbfs
from engine.cli.common import TEST_CUSTOM_VOICE, add_json, add_model, add_placement, show_progress, tell
from engine.model.checkpoint import bases_beside


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser("speak", help="speak a text into a sound file", description="Speak a text.")
    parser.add_argument("text", help="what to say")
    add_model(parser, TEST_CUSTOM_VOICE)
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help=".wav, .flac, .mp3 or .ogg")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--voice", metavar="FILE", type=Path, help="a .qvoice or .bin voice file")
    who.add_argument("--speaker", help="a preset of a CustomVoice model")
    parser.add_argument("--instruct", help="the style: how to say it")
    parser.add_argument("--language", default="auto")
    parser.add_argument("--seed", type=int, help="the same seed gives the same sound (default: a new one)")
    parser.add_argument("--greedy", action="store_true", help="always the likeliest code, no chance")
    parser.add_argument("--retries", metavar="N", type=int, default=0, help="other seeds to try if it runs away")
    parser.add_argument("--as-written", action="store_true", help="do not turn numbers and signs into words")
    parser.add_argument("--max-new-tokens", metavar="N", type=int, help="stop after N - 1 frames of 80 ms")
    add_placement(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Speak and write the sound."""
    voice = None if arguments.voice is None else engine.load_voice(arguments.voice)
    bases = bases_beside(arguments.model) if voice is not None and voice.delta is not None else ()
    model = engine.load_model(arguments.model, arguments.device, arguments.precision, report=show_progress, bases=bases)
    if voice is not None:
        model.prepare(voice, report=show_progress)
    request = engine.SpeechRequest(
        arguments.text,
        voice=voice,
        speaker=arguments.speaker,
        instruct=arguments.instruct,
        language=arguments.language,
        seed=arguments.seed,
        sampling=engine.Sampling.greedy() if arguments.greedy else engine.Sampling(),
        max_new_tokens=arguments.max_new_tokens,
        normalize=not arguments.as_written,
    )
    started = time.monotonic()
    chunks = []
    for chunk in model.read(request, retries=arguments.retries):
        show_progress(chunk.progress)
        chunks.append(chunk)
    took, last = time.monotonic() - started, chunks[-1]
    samples = np.concatenate([chunk.samples for chunk in chunks])
    who = arguments.speaker or (voice.name if voice is not None else "") or "Unnamed voice"
    about = engine.SoundAbout(arguments.text, who, model.summary.label, last.seed)
    engine.write_sound(arguments.out, samples, about=about)
    seconds = len(samples) / engine.SAMPLE_RATE
    facts = {
        "file": str(arguments.out), "seconds": round(seconds, 3), "level_dbfs": round(level_dbfs(samples), 1),
        "seed": last.seed, "ended": last.reason, "took_seconds": round(took, 2), "notes": list(last.notes),
        "cache_megabytes": round(model.cache_bytes / 1e6, 1),
        "placement": f"{model.placement.label}: {model.placement.reason}",
        "spoken": request.text if arguments.as_written else engine.spoken_form(request.text, request.language).text,
    }  # fmt: skip
    lines = [f"Wrote {arguments.out}: {seconds:.2f} s, seed {last.seed}, made in {took:.1f} s.", *last.notes]
    lines.append(f"Computed on {facts['placement']}")
    if model.cache_bytes:
        most = min(model.most_together, last.groups)
        lines.append(
            f"{last.groups} parts, up to {most} at once; keys and values took {model.cache_bytes / 1e6:.0f} MB."
        )
    if facts["spoken"] != request.text:
        lines.insert(0, f"Spoken as: {facts['spoken']}")
    if last.reason != "end":
        lines.append(f"It did not come to an end by itself ({last.reason}); try another seed.")
    tell(arguments, facts, "\n".join(lines))
    return 0
