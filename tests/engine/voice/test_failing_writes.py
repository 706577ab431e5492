"""A save that fails, is cancelled or is killed leaves the old file whole and nothing half-written."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import IO

import pytest

from engine.errors import Cancelled, WriteError
from engine.progress import Cancel, Progress
from engine.voice import delta_cache, files
from engine.voice.files import load_voice, save_voice
from engine.voice.pair import ModelPair
from engine.voice.voice import SourceTables, Tier
from tests.conftest import Checkpoints
from tests.engine.voice.test_files import a_voice

ROOT = Path(__file__).parents[3]


@pytest.fixture
def pair(checkpoints: Checkpoints) -> ModelPair:
    return ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A voice file that a save is about to replace."""
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(name="The old one"), path)
    return path


def _state(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


@pytest.mark.parametrize("stage", ["weights", "check"])
@pytest.mark.parametrize("records", [1, 40])
def test_raising_midway(pair: ModelPair, old: Path, stage: str, records: int) -> None:
    before, seen = _state(old), []

    def fail(progress: Progress) -> None:
        seen.append(progress.stage)
        if seen.count(stage) == records:
            raise RuntimeError("midway")

    with pytest.raises(RuntimeError, match="midway"):
        save_voice(a_voice(), old, "wdelta", pair, report=fail)
    assert _state(old) == before


@pytest.mark.parametrize("stage", ["weights", "check"])
def test_cancelling_midway(pair: ModelPair, old: Path, stage: str) -> None:
    before, cancel = _state(old), Cancel()

    def stop(progress: Progress) -> None:
        if progress.stage == stage:
            cancel.cancel()

    with pytest.raises(Cancelled):
        save_voice(a_voice(), old, "wdelta", pair, cancel, stop)
    assert _state(old) == before


@pytest.mark.parametrize("tier", ["light", "standard", "wdelta"])
@pytest.mark.skipif(os.name != "posix", reason="file size limits are POSIX")
def test_a_disk_that_takes_no_more(pair: ModelPair, old: Path, tier: str) -> None:
    """A real write that fails: the process may not write files past a limit."""
    before = _state(old)
    limit = {"light": 100, "standard": 20_000, "wdelta": 500_000}[tier]
    script = f"""
        import resource
        from pathlib import Path
        from engine.errors import WriteError
        from engine.voice.files import save_voice
        from engine.voice.pair import ModelPair
        from tests.engine.voice.test_files import a_voice
        resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
        pair = ModelPair(Path({str(pair.base)!r}), Path({str(pair.custom_voice)!r}))
        try:
            save_voice(a_voice(), {str(old)!r}, {tier!r}, pair)
        except WriteError as error:
            print(error)
    """
    told = _run(script)
    assert told.returncode == 0, told.stderr
    assert f"Could not write {old}: File too large" in told.stdout
    assert _state(old) == before
    assert load_voice(old).name == "The old one"


STEPS = {  # a function of a save, and where: it is killed just before
    "nothing written": ("engine.voice.files", "write_head"),
    "tables": ("engine.voice.files", "write_tables"),
    "weights": ("engine.voice.delta_writer", "_record_head"),
    "read back": ("engine.voice.files", "_read_back"),
    "compared": ("engine.voice.files", "keep_delta"),
    "synced": ("os", "fsync"),
    "renamed": ("pathlib.Path", "replace"),
}


@pytest.mark.skipif(os.name != "posix", reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("step", STEPS)
def test_killed_at_each_step(pair: ModelPair, old: Path, step: str) -> None:
    """The old file is whole; nothing else is there, except for the moment between link and rename."""
    before = _state(old)
    module, name = STEPS[step]
    script = f"""
        import os, signal
        from pathlib import Path
        from engine.voice.files import save_voice
        from engine.voice.pair import ModelPair
        from tests.engine.voice.test_files import a_voice
        from pkgutil import resolve_name
        pair = ModelPair(Path({str(pair.base)!r}), Path({str(pair.custom_voice)!r}))
        setattr(resolve_name({module!r}), {name!r}, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        save_voice(a_voice(), {str(old)!r}, "wdelta", pair)
    """
    told = _run(script)
    assert told.returncode == -signal.SIGKILL, told.stderr
    left = {name: data for name, data in _state(old).items() if name not in before}
    assert {name: data for name, data in _state(old).items() if name in before} == before
    assert load_voice(old).name == "The old one"
    nameless = hasattr(os, "O_TMPFILE")
    assert all(name.endswith(".part") for name in left)
    assert len(left) == (1 if step == "renamed" or not nameless else 0)


@pytest.mark.skipif(os.name != "posix", reason="needs a signal that cannot be caught")
def test_killed_before_the_notes(old: Path) -> None:
    """The new file is whole, the old one's notes are told as another voice's."""
    script = f"""
        import os, signal
        from engine.voice import files
        from tests.engine.voice.test_files import a_voice
        files.write_sidecar = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        voice = a_voice(name="The new one")
        files.save_voice(a_voice(x_vector=-voice.x_vector, name="The new one"), {str(old)!r})
    """
    assert _run(script).returncode == -signal.SIGKILL
    found = load_voice(old)
    assert found.name == "The new one"
    assert "belong to another voice" in found.warnings[-1]


@pytest.mark.parametrize("tier", ["light", "wdelta"])
def test_a_folder_that_may_not_be_written(
    pair: ModelPair, old: Path, tier: Tier, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _state(old)
    old.parent.chmod(0o500)
    if os.access(old.parent, os.W_OK):  # for root everything may be
        monkeypatch.setattr(os, "open", _refuse_to_write)
    try:
        with pytest.raises(WriteError, match=r"Could not write .*voice\.qvoice: Permission denied"):
            save_voice(a_voice(), old, tier, pair)
    finally:
        old.parent.chmod(0o700)
        monkeypatch.undo()
    assert _state(old) == before


def _refuse_to_write(*_: object, **__: object) -> int:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use cannot go")
def test_a_folder_that_vanishes_in_the_middle(pair: ModelPair, old: Path) -> None:
    def vanish(progress: Progress) -> None:
        if progress.stage == "check" and old.parent.exists():
            shutil.rmtree(old.parent)

    with pytest.raises(WriteError, match="Could not write"):
        save_voice(a_voice(), old, "wdelta", pair, report=vanish)
    assert not old.parent.exists()


def _run(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(script)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_a_disk_that_stores_other_bytes(pair: ModelPair, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write_tables = _state(old), files.write_tables

    def write_with_one_bit_turned(file: IO[bytes], tables: SourceTables) -> None:
        write_tables(file, tables)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([tables.codec_rows.tobytes()[-1] ^ 1]))

    monkeypatch.setattr(files, "write_tables", write_with_one_bit_turned)
    with pytest.raises(WriteError, match="the tables did not come back as written"):
        save_voice(a_voice(), old, "standard", pair)
    assert _state(old) == before


def test_weights_that_do_not_come_back(pair: ModelPair, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write_delta = _state(old), delta_cache.write_delta

    def write_wrongly(file: IO[bytes], pair: ModelPair, cancel: object, report: object) -> object:
        written = write_delta(file, pair)
        file.seek(-1, os.SEEK_CUR)
        file.write(b"\x7f")
        return written

    monkeypatch.setattr(delta_cache, "write_delta", write_wrongly)
    with pytest.raises(WriteError, match=r"did not come back as written|does not read back"):
        save_voice(a_voice(), old, "wdelta", pair)
    assert _state(old) == before
