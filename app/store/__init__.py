"""The library on disk: voice files in a folder, and a database that knows them."""

from app.store.errors import LibraryError
from app.store.library import Library
from app.store.opening import Opened
from app.store.query import Query, Sort
from app.store.records import VoiceDetails, VoiceRecord
from app.store.recovery import Recovery, UnsavedSound

__all__ = [
    "Library",
    "LibraryError",
    "Opened",
    "Query",
    "Recovery",
    "Sort",
    "UnsavedSound",
    "VoiceDetails",
    "VoiceRecord",
]
