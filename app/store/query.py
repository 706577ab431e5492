"""Which voices a person is looking for, and in which order: a pure function of a thousand records."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.store.records import VoiceRecord


class Sort(StrEnum):
    NEWEST = "newest"
    NAME = "name"
    LARGEST = "largest"


@dataclass(frozen=True)
class Query:
    """Each word of `text` must be found somewhere in a voice; None lets every language, tier, width or tag through.

    `language` "" finds voices with no language said.
    """

    text: str = ""
    language: str | None = None
    tier: str | None = None
    width: int | None = None
    tag: str | None = None
    sort: Sort = Sort.NEWEST
    deleted: bool = False
    starred: bool = False

    @property
    def narrows(self) -> bool:
        """Whether it leaves anything out."""
        parts = (self.language, self.tier, self.width, self.tag)
        return bool(self.text.strip()) or self.starred or any(part is not None for part in parts)

    def matches(self, record: VoiceRecord) -> bool:
        return (
            (record.deleted_at is not None) == self.deleted
            and self.language in (None, record.language)
            and self.tier in (None, record.tier)
            and self.width in (None, record.width)
            and (record.star or not self.starred)
            and (self.tag is None or self.tag in record.tags)
            and all(word in _searchable(record) for word in folded(self.text).split())
        )

    def apply(self, records: Iterable[VoiceRecord]) -> list[VoiceRecord]:
        found = [record for record in records if self.matches(record)]
        if self.sort is Sort.NAME:
            return sorted(found, key=lambda record: (folded(record.name), record.created_at))
        if self.sort is Sort.LARGEST:
            return sorted(found, key=lambda record: (-record.size_bytes, folded(record.name)))
        return sorted(found, key=lambda record: record.created_at, reverse=True)


def folded(text: str) -> str:
    """Text as it is searched: no case, no accents (ß is ss, é is e), one form of each sign."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@lru_cache(maxsize=4096)
def _searchable(record: VoiceRecord) -> str:
    parts = (record.name, record.language, record.model_label, record.notes, *record.tags)
    return folded("\n".join(parts))
