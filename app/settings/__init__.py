"""What a person has chosen: one typed table, kept in one JSON file."""

from app.settings.settings import Settings
from app.settings.table import SETTINGS, Setting

__all__ = ["SETTINGS", "Setting", "Settings"]
