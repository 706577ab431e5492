"""How far two readings are apart."""

from __future__ import annotations

from collections.abc import Sequence


def distance(wanted: Sequence[str], found: Sequence[str]) -> int:
    """Substitutions, insertions and deletions, of words or of phones."""
    costs = list(range(len(found) + 1))
    for i, item in enumerate(wanted, start=1):
        before, costs[0] = costs[0], i
        for j, other in enumerate(found, start=1):
            before, costs[j] = costs[j], min(costs[j] + 1, costs[j - 1] + 1, before + (item != other))
    return costs[-1]
