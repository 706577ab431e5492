"""Times in the database: UTC, ISO 8601, to the millisecond, so that text order is time order."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Now, as exactly as the database keeps it."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def to_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def from_text(text: str) -> datetime:
    """Raises ValueError if `text` is not a time."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
