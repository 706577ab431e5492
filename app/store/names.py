"""Names of voices, and file names made from them that every system takes."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from app.store.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

NAME_LIMIT = 120  # characters; a voice's name is one line
_STEM_BYTES = 160  # most systems take 255 bytes for a file name, temporary names add some
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
_INVISIBLE = ("Cc", "Cf", "Cs", "Co")
_JOINERS = "\u200c\u200d"  # some scripts and many emoji are spelt with them


def tidy_name(name: str) -> str:
    """`name` as it is kept: composed, one line, nothing invisible. Raises `LibraryError` if it is empty."""
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(
        " " if character.isspace() else character
        for character in composed
        if character.isspace() or character in _JOINERS or unicodedata.category(character) not in _INVISIBLE
    )
    tidy = " ".join(visible.split())[:NAME_LIMIT].rstrip()
    if not tidy.strip(_JOINERS):
        raise LibraryError("A voice needs a name. Type at least one letter.")
    return tidy


def name_key(name: str) -> str:
    """What makes two names equal: letters, whatever their case or spelling in Unicode."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def unique_name(name: str, taken_keys: Container[str]) -> str:
    """`name`, or `name (2)`, `name (3)` … if it is taken."""
    candidate, number = name, 2
    base = re.sub(r" \(\d+\)$", "", name) or name
    while name_key(candidate) in taken_keys:
        ending = f" ({number})"
        candidate = base[: NAME_LIMIT - len(ending)] + ending
        number += 1
    return candidate


def safe_stem(name: str) -> str:
    """A file name without suffix that Windows, macOS and Linux all take, still readable as `name`."""
    stem = _UNSAFE.sub("_", unicodedata.normalize("NFC", name)).strip(" .").lstrip("-~")
    encoded = stem.encode("utf-8", "ignore")[:_STEM_BYTES]
    stem = encoded.decode("utf-8", "ignore").rstrip(" .")
    if stem.split(".")[0].casefold() in _RESERVED:
        stem = f"_{stem}"
    return stem or "voice"


def unique_file_name(name: str, suffix: str, taken: Iterable[str]) -> str:
    """A file name for `name` that no name in `taken` equals, not even where case does not count."""
    keys = {name_key(other) for other in taken}
    stem, candidate, number = safe_stem(name), "", 1
    while not candidate or name_key(candidate) in keys:
        candidate = f"{stem}{suffix}" if number == 1 else f"{stem} ({number}){suffix}"
        number += 1
    return candidate
