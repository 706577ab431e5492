"""Where everything lies in a `.qvoice` file: headers are read, payloads are stepped over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.voice.format import (
    CODE_FRAME_BYTES,
    MAGIC,
    MAX_TRANSCRIPT_BYTES,
    MAX_WIDTH,
    META_BYTES,
    RELEASED_WIDTHS,
    VERSIONS,
    sized,
    tables_bytes,
)
from engine.voice.records import ZLIB_INT8, read_section_head, walk_records

if TYPE_CHECKING:
    from engine.voice.source import Source

META, TPAD, WOVR, WDLT, WFULL = "META", "TPAD", "WOVR", "WDLT", "WFULL"
_TAGS = (META, TPAD, WOVR, WDLT, WFULL)


@dataclass(frozen=True)
class Section:
    """A named stretch of the file, in bytes, tag included."""

    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class Weights:
    """A WDLT or WFULL section: where its first record is and how many there are."""

    first_record: int
    records: int
    target_width: int | None
    full: bool


@dataclass(frozen=True)
class Layout:
    """A scanned file. `sections` covers it from the first byte on."""

    version: int
    width: int
    frames: int
    sections: tuple[Section, ...]
    weights: Weights | None
    warnings: tuple[str, ...]

    def find(self, name: str) -> Section | None:
        return next((section for section in self.sections if section.name == name), None)


def scan(source: Source) -> Layout:
    """Scan a whole `.qvoice` file. Raises `VoiceError` where it is foreign, cut short or damaged."""
    source.seek(0)
    return _Scan(source).run()


class _Scan:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._sections: list[Section] = []
        self._warnings: list[str] = []
        self._weights: Weights | None = None
        self._width = 0

    def run(self) -> Layout:
        version = self._read_head()
        self._note("voice vector", self._source.skip(4 * self._width, "the voice vector"))
        self._read_transcript()
        frames = self._read_codes()
        if version == VERSIONS[-1]:
            while self._source.left and self._read_section():
                pass
        self._note_rest()
        sections, warnings = tuple(self._sections), tuple(self._warnings)
        return Layout(version, self._width, frames, sections, self._weights, warnings)

    def _note(self, name: str, start: int) -> None:
        self._sections.append(Section(name, start, self._source.position - start))

    def _read_head(self) -> int:
        source = self._source
        if bytes(source.take(len(MAGIC), "the file's mark")) != MAGIC:
            raise source.refuse("this is no .qvoice file: it does not begin with QVCE.")
        version = source.u32("the version")
        if version not in VERSIONS:
            raise source.refuse(f"it is version {version} of the format; this program reads 1, 2 and 3.")
        self._width = _width_of_version_1(source) if version == 1 else source.u32("the vector's size")
        if not 0 < self._width <= MAX_WIDTH:
            raise source.refuse(f"it says a voice vector of {self._width} values; the file is damaged.")
        self._note("header", 0)
        return version

    def _read_transcript(self) -> None:
        source = self._source
        start = source.position
        length = source.u32("the transcript's length")
        if length > MAX_TRANSCRIPT_BYTES:
            raise source.refuse(f"it says a transcript of {length} bytes; at most {MAX_TRANSCRIPT_BYTES} can be.")
        source.skip(length, "the transcript")
        self._note("transcript", start)

    def _read_codes(self) -> int:
        start = self._source.position
        frames = self._source.u32("the number of frames")
        self._source.skip(frames * CODE_FRAME_BYTES, f"{frames} frames of codes")
        self._note("codes", start)
        return frames

    def _read_section(self) -> bool:
        source = self._source
        start = source.position
        head = source.peek(max(map(len, _TAGS)))
        name = next((tag for tag in _TAGS if head.startswith(tag.encode())), None)
        if name is None:
            self._refuse_unknown(head, start)
            return False
        if any(section.name == name for section in self._sections):
            raise source.refuse(f"its section {name} is there twice; the file is damaged.")
        source.skip(len(name), name)
        if name == META:
            source.skip(META_BYTES - len(META), META)
        elif name == TPAD:
            self._skip_special_rows()
        elif name == WOVR:
            self._skip_tables()
        else:
            self._walk_weights(full=name == WFULL)
        self._note(name, start)
        return True

    def _refuse_unknown(self, head: bytes, start: int) -> None:
        source = self._source
        if len(head) == source.left and any(tag.encode().startswith(head) for tag in _TAGS):
            raise source.refuse(f"the file is cut short in the section at byte {start}. Get the file again.")
        if self._weights is None and source.left >= 4:
            raise source.refuse(
                f"it holds a section {head[:4]!r} at byte {start} that this program does not know. "
                "A newer program may have made it; ask for a file without it."
            )

    def _skip_special_rows(self) -> None:
        width = self._source.u32(TPAD)
        self._require_width(width, TPAD)
        self._source.skip(12 * width, TPAD)

    def _skip_tables(self) -> None:
        width, text_width, code_rows = self._source.unpack("III", WOVR)
        self._require_width(width, WOVR)
        if not text_width or not code_rows:
            raise self._source.refuse("its section WOVR says a size of zero; the file is damaged.")
        self._source.skip(tables_bytes(width, text_width, code_rows), WOVR)

    def _walk_weights(self, full: bool) -> None:
        if self._weights is not None:
            raise self._source.refuse("it holds both WDLT and WFULL; the file is damaged.")
        target, count = read_section_head(self._source, self._width, full)
        self._weights = Weights(self._source.position, count, target, full)
        if any(record.packing == ZLIB_INT8 for record in list(walk_records(self._source, count))):
            self._warnings.append(
                "Its weight differences are the old lossy int8 kind and cannot be applied; the rest can."
            )

    def _require_width(self, width: int, name: str) -> None:
        if width != self._width:
            raise self._source.refuse(
                f"its section {name} is for {sized(width)}, its voice vector for {sized(self._width)}."
            )

    def _note_rest(self) -> None:
        left = self._source.left
        if left:
            start = self._source.skip(left, "the rest")
            self._note("unknown", start)
            self._warnings.append(f"{left} bytes after the last section were ignored.")


def _width_of_version_1(source: Source) -> int:
    """Version 1 has no size field: the released width with which the file ends exactly at its end."""
    start = source.position
    fits = [width for width in RELEASED_WIDTHS if _ends_exactly(source, start, width)]
    source.seek(start)
    if not fits:
        labels = " nor ".join(RELEASED_WIDTHS.values())
        raise source.refuse(f"this version 1 file has the length of neither {labels}; it is cut short or damaged.")
    return fits[0]


def _ends_exactly(source: Source, start: int, width: int) -> bool:
    end = start + 4 * width
    for unit_bytes in (1, CODE_FRAME_BYTES):
        if end + 4 > source.size:
            return False
        source.seek(end)
        end += 4 + unit_bytes * source.u32("a length")
    return end == source.size
