"""The tour of the first start: three steps, each done with the real rooms."""

from app.tour.tour import Tour

__all__ = ["Tour"]
