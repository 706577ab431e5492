"""A text that is rewritten step by step and still knows where each character came from."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass

Edit = tuple[int, int, str]  # start, end, new text
Replace = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True)
class Change:
    """`original`, at `start` to `end` of the text as written, is spoken as `replacement` (empty: not at all)."""

    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True, slots=True)
class _Run:
    """`length` characters of the text that came from `start` to `end` of the original, unchanged where `kept`."""

    length: int
    start: int
    end: int
    kept: bool

    def split(self, at: int) -> tuple[_Run, _Run]:
        if self.kept:
            middle = self.start + at
            return _Run(at, self.start, middle, True), _Run(self.length - at, middle, self.end, True)
        return _Run(at, self.start, self.end, False), _Run(self.length - at, self.end, self.end, False)


class Tracked:
    """`text` as it stands; `changes()` tells how it differs from what it was made from.

    Its runs cover the original without gaps and in order, so that a change is what lies between two kept runs.
    """

    def __init__(self, original: str) -> None:
        self.original = self.text = original
        self._runs = [_Run(len(original), 0, len(original), True)]

    def sub(self, pattern: re.Pattern[str], replace: Replace | str, needs: str = "") -> None:
        """Replace every match, or leave it where `replace` gives None.

        `needs` are signs of which every match holds one: where the text has none of them, it is not searched.
        """
        if needs and not any(sign in self.text for sign in needs):
            return
        edits: list[Edit] = []
        for match in pattern.finditer(self.text):
            new = replace if isinstance(replace, str) else replace(match)
            if new is not None and new != match[0]:
                edits.append(_trimmed(match.start(), match[0], new))
        self.apply(edits)

    def apply(self, edits: list[Edit]) -> None:
        """Put a new text in place of each `text[start:end]`; edits are in order and do not overlap."""
        if not edits:
            return
        texts: list[str] = []
        runs: list[_Run] = []
        rest = self._runs[::-1]
        done = 0
        for start, end, new in edits:
            texts += (self.text[done:start], new)
            runs += _take(rest, start - done)
            place = rest[-1].start if rest else len(self.original)
            taken = _take(rest, end - start)
            runs.append(_Run(len(new), place, taken[-1].end if taken else place, False))
            done = end
        self.text = "".join(texts) + self.text[done:]
        self._runs = runs + rest[::-1]

    def changes(self) -> tuple[Change, ...]:
        """In the order of the original, which they turn into `text`, and never overlapping."""
        found: list[Change] = []
        place = 0
        for kept, group in itertools.groupby(self._runs, key=lambda run: run.kept):
            runs = list(group)
            length = sum(run.length for run in runs)
            if not kept:
                start, end = runs[0].start, runs[-1].end
                change = Change(start, end, self.original[start:end], self.text[place : place + length])
                if change.original != change.replacement:
                    found.append(change)
            place += length
        return tuple(found)


def _take(rest: list[_Run], length: int) -> list[_Run]:
    """The next `length` characters' runs, taken off the end of `rest`, which is in reverse order."""
    taken: list[_Run] = []
    while length > 0:
        run = rest.pop()
        if run.length > length:
            run, after = run.split(length)
            rest.append(after)
        taken.append(run)
        length -= run.length
    return taken


def _trimmed(start: int, old: str, new: str) -> Edit:
    """The edit without what both texts begin and end with."""
    shortest = min(len(old), len(new))
    head = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    shortest -= head
    tail = next((i for i in range(shortest) if old[-1 - i] != new[-1 - i]), shortest)
    return start + head, start + len(old) - tail, new[head : len(new) - tail]
