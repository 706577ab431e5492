"""A rewritten text knows where its characters came from."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.normalize.tracked import Change, Tracked

LETTERS = st.text("abc ", max_size=30)
RULES = st.lists(
    st.tuples(st.sampled_from(["a", "b+", "c ", " ", "^", "$", "ab|ca", "a?"]), st.text("abcx ", max_size=4))
)


@settings(deadline=None)
@given(LETTERS, RULES)
def test_changes_turn_the_original_into_the_text(original: str, rules: list[tuple[str, str]]):
    tracked, plain = Tracked(original), original
    for pattern, new in rules[:6]:
        tracked.sub(re.compile(pattern), new)
        plain = re.sub(pattern, new, plain)
        if len(plain) > 2000:
            break
    assert tracked.text == plain
    out, done = "", 0
    for change in tracked.changes():
        assert original[change.start : change.end] == change.original
        assert change.start >= done
        out += original[done : change.start] + change.replacement
        done = change.end
    assert out + original[done:] == plain


def test_only_what_differs_is_a_change():
    tracked = Tracked("pay 5 km now")
    tracked.sub(re.compile(r"pay (\d) km"), "pay five kilometers")
    tracked.sub(re.compile("now"), lambda match: None)
    assert tracked.changes() == (Change(4, 8, "5 km", "five kilometers"),)


def test_what_is_changed_and_changed_back_is_no_change():
    tracked = Tracked("abc")
    tracked.sub(re.compile("b"), "x")
    tracked.sub(re.compile("x"), "b")
    assert tracked.text == "abc"
    assert tracked.changes() == ()
