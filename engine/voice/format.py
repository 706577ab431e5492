"""The facts of the voice file formats that several readers and writers share."""

from __future__ import annotations

MAGIC = b"QVCE"
VERSIONS = (1, 2, 3)
WRITTEN_VERSION = 3

CODEBOOKS = 16  # a frame is 16 int32 in every file, whatever the model
CODE_VALUES = 2048  # a code is 0..2047
FRAMES_PER_SECOND = 12.5
CODE_FRAME_BYTES = CODEBOOKS * 4

MAX_WIDTH = 8192
MAX_TRANSCRIPT_BYTES = 1 << 16
MAX_FRAMES = 1500  # two minutes; longer references do not help and no model speaks from them
LONGEST_SECONDS = 1e6  # of a reference; far more than a float32 of seconds is good for

META_BYTES = 104
LANGUAGE_BYTES = 16
NAME_BYTES = 64

EMBEDDING_ONLY, HAS_CODES, FROM_BASE = 1, 2, 4  # META flags

# Light files and version 1 have no size field, so the released models' vectors are told by length alone.
RELEASED_WIDTHS = {1024: "0.6B", 2048: "1.7B"}
TEST_WIDTHS = range(8, 513, 8)  # small models, such as the built-in one

# Ids of the released vocabularies; a file written for another one carries the language's name as well.
LANGUAGE_IDS = {
    "chinese": 2055,
    "english": 2050,
    "japanese": 2058,
    "korean": 2064,
    "german": 2053,
    "french": 2061,
    "russian": 2069,
    "portuguese": 2071,
    "spanish": 2054,
    "italian": 2070,
    "beijing_dialect": 2074,
    "sichuan_dialect": 2062,
}


def model_size(width: int) -> str:
    """The model a vector of `width` fits: "0.6B", "1.7B", or "width 96" for a test model."""
    return RELEASED_WIDTHS.get(width, f"width {width}")


def sized(width: int) -> str:
    """A width for a sentence: "width 1024 (0.6B)"."""
    label = RELEASED_WIDTHS.get(width)
    return f"width {width} ({label})" if label else f"width {width}"


def tables_bytes(width: int, text_width: int, code_rows: int) -> int:
    """Bytes of a WOVR payload, after its 16-byte head."""
    return 2 * text_width * text_width + 4 * text_width + 2 * width * text_width + 4 * width + 2 * code_rows * width
