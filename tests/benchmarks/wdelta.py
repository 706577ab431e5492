"""What WDELTA costs at real size: writing, copying, reading back, applying; time, CPU time and memory.

    python -m tests.checkpoints 0.6b base PAIR/base --tiktoken qwen.tiktoken
    python -m tests.checkpoints 0.6b custom_voice PAIR/custom_voice --tiktoken qwen.tiktoken
    python -m tests.benchmarks.wdelta PAIR/base PAIR/custom_voice --out FOLDER

Both models are random and differ in 87 % of their values, as the released pairs do. The released pairs have the same
text table; so does this one after `--share-text-table`, which writes Base's into the CustomVoice file, once.

Every step runs in a process of its own, so that memory is its own too. Nothing is asserted. Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair

VOICE, PLAIN, SECTION = "voice.qvoice", "numpy.section", "engine.section"


def main() -> None:
    """Run every step, print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.wdelta", description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("custom_voice", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a folder with room for three times the file")
    parser.add_argument("--precision", default="bf16", help="of the model that the weights are loaded into")
    parser.add_argument("--runs", type=int, default=3, help="of which the median by time is told")
    parser.add_argument("--share-text-table", action="store_true", help="changes the CustomVoice model, and ends")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.share_text_table:
        share_text_table(arguments.base, arguments.custom_voice)
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.step:
        print(json.dumps(_measured(lambda: STEPS[arguments.step](arguments))))
        return
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{'step':<34} {'wall s':>8} {'CPU s':>8} {'peak MB':>9}  remarks")
    for step, work in STEPS.items():
        found = sorted((_run(step) for _ in range(arguments.runs)), key=lambda one: one["wall"])[arguments.runs // 2]
        label = (work.__doc__ or step).strip()
        print(f"{label:<34} {found['wall']:>8.2f} {found['cpu']:>8.2f} {found['peak']:>9.0f}  {found['said']}")


def share_text_table(base: Path, custom_voice: Path) -> None:
    """Write Base's text table over the CustomVoice model's."""
    from engine.model.tensor_index import TensorIndex
    from engine.voice.talker_shape import TEXT_EMBEDDING

    source, target = (TensorIndex(folder).place(TEXT_EMBEDDING) for folder in (base, custom_voice))
    table = np.memmap(source.file, np.uint8, "r", source.offset, (source.size_bytes,))
    place = np.memmap(target.file, np.uint8, "r+", target.offset, (target.size_bytes,))
    place[:] = table
    place.flush()


def _run(step: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.wdelta", *sys.argv[1:], "--step", step]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measured(work: Callable[[], tuple[float, float, str]]) -> dict[str, object]:
    wall, cpu, said = work()
    peak = _own_megabytes("VmHWM")
    return {"wall": wall, "cpu": cpu, "peak": peak, "said": said}


def _own_megabytes(field: str) -> float:
    """Of this process, as Linux tells: what it allocated and the pages of mapped files that it touched."""
    status = Path("/proc/self/status")
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def _timed(work: Callable[[], str]) -> tuple[float, float, str]:
    wall, cpu = time.perf_counter(), time.process_time()
    said = work()
    return time.perf_counter() - wall, time.process_time() - cpu, said


def _pair(arguments: argparse.Namespace) -> ModelPair:
    from engine.voice.pair import ModelPair

    return ModelPair(arguments.base, arguments.custom_voice)


def _write_with_numpy(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """write, one thread of numpy"""
    import lz4.block

    from engine.voice.tensors import CheckpointTensors

    base, custom = CheckpointTensors(arguments.base), CheckpointTensors(arguments.custom_voice)
    names = _pair(arguments).shape.record_names()

    def work() -> str:
        with (arguments.out / PLAIN).open("wb") as file:
            for name in names:
                if len(base.shape(name)) == 1:
                    payload, flag = base.floats(name).tobytes(), 0
                    raw = len(payload)
                else:
                    difference = base.bits(name) - custom.bits(name)
                    payload, flag = lz4.block.compress(difference.data.cast("B"), store_size=False), 4
                    raw = difference.nbytes
                file.write(struct.pack("<H", len(name)) + name.encode() + struct.pack("<IBI", raw, flag, len(payload)))
                file.write(payload)
            file.flush()
            os.fsync(file.fileno())
        return f"{(arguments.out / PLAIN).stat().st_size / 1e6:.0f} MB"

    return _timed(work)


def _write(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """write"""
    from engine.voice.delta_writer import write_delta

    pair = _pair(arguments)

    def work() -> str:
        with (arguments.out / SECTION).open("wb") as file:
            write_delta(file, pair)
            file.flush()
            os.fsync(file.fileno())
        same = (arguments.out / SECTION).stat().st_size - 12 == (arguments.out / PLAIN).stat().st_size
        return f"{(arguments.out / SECTION).stat().st_size / 1e6:.0f} MB, {'as' if same else 'not as'} large as numpy's"

    return _timed(work)


def _save(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """save: write, read back, keep"""
    return _timed(lambda: _saved(arguments, fresh=True))


def _save_again(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """save again: copy, read back"""
    return _timed(lambda: _saved(arguments, fresh=False))


def _saved(arguments: argparse.Namespace, *, fresh: bool) -> str:
    from engine.voice.files import save_voice
    from engine.voice.pair import ModelPair
    from engine.voice.voice import Voice

    cache = arguments.out / "cache"
    if fresh and cache.is_dir():
        for path in cache.iterdir():
            path.unlink()
    pair = ModelPair(arguments.base, arguments.custom_voice, cache)
    vector = np.random.default_rng(1).standard_normal(pair.width, np.float32)
    save_voice(Voice(vector, "Bench"), arguments.out / VOICE, "wdelta", pair)
    return f"{(arguments.out / VOICE).stat().st_size / 1e6:.0f} MB"


def _apply_with_numpy(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """apply, one thread of numpy"""
    import lz4.block

    from engine.voice.files import load_voice
    from engine.voice.records import walk_records
    from engine.voice.source import open_source
    from engine.voice.tensors import CheckpointTensors

    custom, location = CheckpointTensors(arguments.custom_voice), load_voice(arguments.out / VOICE).delta
    assert location is not None

    def work() -> str:
        weights: dict[str, npt.NDArray[Any]] = {}
        with open_source(arguments.out / VOICE) as source:
            source.seek(location.offset)
            for record in list(walk_records(source, location.records)):
                source.seek(record.offset)
                data = source.take(record.stored_bytes, record.name)
                if record.packing:
                    target = custom.bits(record.name)
                    difference = lz4.block.decompress(data, uncompressed_size=record.raw_bytes)
                    weights[record.name] = target + np.frombuffer(difference, "<u2").reshape(target.shape)
                else:
                    weights[record.name] = np.frombuffer(data, "<f4")
        return f"{len(weights)} tensors"

    return _timed(work)


def _apply(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """apply"""
    from engine.voice import delta
    from engine.voice.files import load_voice
    from engine.voice.tensors import CheckpointTensors

    custom = delta.tensors_by_name(CheckpointTensors(arguments.custom_voice))
    location = load_voice(arguments.out / VOICE).delta
    assert location is not None
    return _timed(lambda: f"{len(delta.apply(location, custom))} tensors")


def _load(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """load the model"""
    import engine

    engine.load_engine()
    return _timed(lambda: f"{engine.load_model(arguments.custom_voice, 'cpu', arguments.precision).placement.label}")


def _prepared(arguments: argparse.Namespace, bases: tuple[Path, ...]) -> tuple[float, float, str]:
    import engine

    engine.load_engine()
    model = engine.load_model(arguments.custom_voice, "cpu", arguments.precision, bases=bases)
    voice = engine.load_voice(arguments.out / VOICE)
    before = _own_megabytes("VmRSS")
    wall, cpu, _ = _timed(lambda: str(model.prepare(voice)))
    again, _, _ = _timed(lambda: str(model.prepare(voice)))
    said = f"{model.rebuilt.kept_bytes / 1e6:.0f} MB kept, {before:.0f} MB before; again {1000 * again:.1f} ms"
    return wall, cpu, said


def _prepare(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """voice into the loaded model"""
    return _prepared(arguments, ())


def _prepare_from_base(arguments: argparse.Namespace) -> tuple[float, float, str]:
    """the same, Base at hand"""
    return _prepared(arguments, (arguments.base,))


STEPS: dict[str, Callable[[argparse.Namespace], tuple[float, float, str]]] = {
    "write-numpy": _write_with_numpy,
    "write": _write,
    "save": _save,
    "save-again": _save_again,
    "apply-numpy": _apply_with_numpy,
    "apply": _apply,
    "load": _load,
    "prepare": _prepare,
    "prepare-base": _prepare_from_base,
}

if __name__ == "__main__":
    main()
