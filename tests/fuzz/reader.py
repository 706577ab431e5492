"""A coverage-guided fuzz target for the voice file reader: any bytes are a voice or one clear line.

    python -m tests.fuzz.reader CORPUS -max_total_time=600 -rss_limit_mb=1024

needs `atheris` (in the "test" extra, where there is a build of it). CORPUS is a folder, filled with one valid file of
each kind if it is empty; what libFuzzer finds on its way is kept there, and an input that breaks something in the
folder it was started in.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from engine.errors import VoiceError
from tests.engine.voice import build

PATH = Path("fuzzed.qvoice")
PAIR = build.small_pair()


def seeds() -> list[bytes]:
    """One valid file of each kind, small."""
    start = build.head(text=b"Hello.", codes=build.codes())
    whole = start + build.meta() + build.tpad() + build.wovr()
    return [
        build.VECTOR.tobytes(),
        build.head(version=1, text=b"Hello."),
        build.head(version=2, codes=build.codes()),
        start,
        whole,
        build.full_file(),
        *(whole + build.wdlt(PAIR.records(packing)) for packing in (0, 3, 4)),
        build.head() + build.wdlt(PAIR.records(), target=None),
        build.head() + build.wdlt(PAIR.records(0), target=None, tag=b"WFULL"),
    ]


def read_anything(data: bytes) -> None:
    """Read `data` as far as it goes, weights and all; only `VoiceError`, in one line, may come of it."""
    from engine.voice import delta
    from engine.voice.format import MAGIC
    from engine.voice.light import read_light
    from engine.voice.qvoice import read_qvoice
    from engine.voice.records import walk_records
    from engine.voice.source import Source
    from engine.voice.unpack import unpack

    source = Source(io.BytesIO(data), PATH)
    try:
        if source.peek(len(MAGIC)) != MAGIC:
            read_light(source)
            return
        location = read_qvoice(source).delta
        if location is None:
            return
        source.seek(location.offset)
        records = list(walk_records(source, location.records))
        for record in records:
            source.seek(record.offset)
            assert len(unpack(source, record, source.take(record.stored_bytes, record.name))) == record.raw_bytes
        delta.require_fitting(source, records, PAIR.custom.__getitem__, location.full)
        for name, array in delta.rebuild_each(source, records, PAIR.custom.__getitem__):
            assert array.shape == PAIR.custom[name].shape
    except VoiceError as error:
        if not str(error).startswith(f"{PATH}: ") or "\n" in str(error):
            raise AssertionError(f"not one line about the file: {error}") from error


def main(arguments: list[str]) -> None:
    """Fuzz until libFuzzer's own options say that it is enough."""
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with atheris.instrument_imports(include=["engine.voice"]):
        import engine.voice.delta
        import engine.voice.qvoice  # noqa: F401 - imported here, its branches are counted
    folders = [Path(argument) for argument in arguments if not argument.startswith("-")]
    for folder in folders[:1]:
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            for number, seed in enumerate(seeds()):
                (folder / f"seed-{number}").write_bytes(seed)
    atheris.Setup([sys.argv[0], *arguments], read_anything)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
