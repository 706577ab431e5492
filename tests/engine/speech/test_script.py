"""Marks: found, refused, obeyed to the sample."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import torch

import engine
from engine.speech import script
from engine.speech.script import LONGEST_PAUSE_SECONDS, PARAGRAPH_PAUSE_SECONDS, Passage, ScriptPart, parse_script
from tests.sounds import RATE, tone, voiced

PAUSE = PARAGRAPH_PAUSE_SECONDS


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("Hello there.", [Passage("Hello there.")]),
        ("One\nline and another", [Passage("One\nline and another")]),
        (
            "One.\n\nTwo.\n \t\n\n\nThree.",
            [Passage("One.", "", None, PAUSE), Passage("Two.", "", None, PAUSE), Passage("Three.")],
        ),
        ("[voice: Anna] Hi.\n\nBye.", [Passage("Hi.", "Anna", None, PAUSE), Passage("Bye.")]),
        ("[STYLE:Whisper][voice:Ünal 世] Hi.", [Passage("Hi.", "Ünal 世", "Whisper")]),
        ("Loud. [style:] Plain.", [Passage("Loud."), Passage("Plain.", "", "")]),
        ("A [pause 1.5] B", [Passage("A", "", None, 1.5), Passage("B")]),
        ("A [pause: 800 ms][pause 0,2s] B", [Passage("A", "", None, 1.0), Passage("B")]),
        ("A [pause 2]\n\nB", [Passage("A", "", None, 2.0), Passage("B")]),
        ("A\n\n[pause 2] B", [Passage("A", "", None, 2.0), Passage("B")]),
        ("[pause 1] A", [Passage("", "", None, 1.0), Passage("A")]),
        ("A [pause 1]", [Passage("A", "", None, 1.0)]),
        ("A [pause 99999] B", [Passage("A", "", None, LONGEST_PAUSE_SECONDS), Passage("B")]),
        ("[see page 3] [pause x] [voice Anna] text [", [Passage("[see page 3] [pause x] [voice Anna] text [")]),
        ("", []),
        (" \n\n ", []),
        ("[voice: A]", []),
    ],
)
def test_a_text_is_passages(text: str, passages: list[Passage]) -> None:
    assert list(parse_script(text)) == passages


def test_marks_are_where_they_stand() -> None:
    text = "So [pause 2 s] it [style: sad] goes"
    marks = engine.find_marks(text)
    assert [text[mark.start : mark.end] for mark in marks] == ["[pause 2 s]", "[style: sad]"]
    assert [(mark.kind, mark.words, mark.seconds) for mark in marks] == [("pause", "", 2.0), ("style", "sad", 0.0)]


def test_hostile_texts_end_in_time() -> None:
    for text in ("[" * 50_000, "[pause " * 20_000, "[voice:" + " " * 50_000, "\n" * 50_000, "\n \n" * 20_000):
        assert len(parse_script(text)) < 3


@pytest.mark.usefixtures("ends_early")
def test_parts_pauses_and_speed_are_exact(model) -> None:
    custom = model("tiny-custom")
    ryan = engine.SpeechRequest("One, two.", speaker="ryan", seed=3)
    anna = engine.SpeechRequest("Three, four.", speaker="aiden", seed=4)
    parts = [
        ScriptPart(None, 0.25),
        ScriptPart(ryan, 1.234),
        ScriptPart(anna, 0.0),
        ScriptPart(replace(ryan, seed=9), 0.5, 1.25),
    ]
    chunks = list(engine.read_script(custom, parts))
    pauses = [chunk for chunk in chunks if chunk.is_pause]
    assert [(chunk.part, len(chunk.samples)) for chunk in pauses] == [(0, 6000), (1, 29_616), (3, 12_000)]
    assert not any(chunk.samples.any() for chunk in pauses)
    assert [chunk.part for chunk in chunks if chunk.part_ends] == [1, 2, 3]
    assert [chunk.last for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    first = np.concatenate([chunk.samples for chunk in chunks if chunk.part == 1 and not chunk.is_pause])
    np.testing.assert_array_equal(first, np.concatenate([chunk.samples for chunk in custom.speak(ryan)]))
    assert all(not len(chunk.samples) for chunk in chunks if chunk.part == 2 and not chunk.part_ends)  # comes whole


@pytest.mark.usefixtures("ends_early")
def test_one_passage_is_what_speak_makes(model) -> None:
    custom = model("tiny-custom")
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=5)
    chunks = list(engine.read_script(custom, [ScriptPart(request)]))
    np.testing.assert_array_equal(
        np.concatenate([chunk.samples for chunk in chunks]),
        np.concatenate([chunk.samples for chunk in custom.speak(request)]),
    )
    assert (chunks[-1].last, chunks[-1].reason, chunks[-1].seed) == (True, "end", 5)


@pytest.mark.usefixtures("never_ends")
def test_a_part_that_runs_on_says_so(model) -> None:
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=5, max_new_tokens=8)
    chunks = list(engine.read_script(model("tiny-custom"), [ScriptPart(request, 0.1), ScriptPart(request)]))
    assert [chunk.reason for chunk in chunks if chunk.part_ends] == ["limit", "limit"]


def test_a_cancelled_script_ends() -> None:
    cancel = engine.Cancel()
    cancel.cancel()

    class Never:
        def speak(self, _request: object, cancel: engine.Cancel) -> object:
            cancel.check()
            yield

    with pytest.raises(engine.Cancelled):
        list(engine.read_script(Never(), [ScriptPart(engine.SpeechRequest("x"))], cancel))  # type: ignore[arg-type]


class Uneven:
    """Says each text at the level in dB it names, as models do from piece to piece."""

    def speak(self, request: engine.SpeechRequest, _cancel: engine.Cancel) -> Iterator[engine.SpeechChunk]:
        sound = voiced(1.0) * np.float32(10 ** (float(request.text) / 20))
        codes = np.zeros((1, 16), np.int32)
        yield engine.SpeechChunk(sound, codes, engine.Progress("speech", 1, 1, "frames"), 1, True, "end", ())


def test_ten_paragraphs_are_said_at_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "keeps_up", lambda *_: True)
    levels = [0, -5, 5, -3, 2, -1, 4, -4, 1, 3]
    parts = [ScriptPart(engine.SpeechRequest(str(level - 12), speaker="ryan")) for level in levels]
    chunks = list(engine.read_script(Uneven(), parts))  # type: ignore[arg-type]
    heard = [engine.speech_level_dbfs(chunk.samples) for chunk in chunks if len(chunk.samples)]
    assert len(heard) == 10
    assert np.ptp(heard) < 0.5


def live_bytes() -> int:
    """What all tensors that anything still holds take."""
    gc.collect()
    return sum(thing.nbytes for thing in gc.get_objects() if type(thing) is torch.Tensor)


@pytest.mark.usefixtures("never_ends")
@pytest.mark.parametrize("end", ["cancel", "error", "leave"])
def test_whatever_way_a_script_ends_its_memory_is_given_back(
    model: Callable[[str], engine.Model], monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    custom = model("tiny-custom")
    monkeypatch.setattr(script, "keeps_up", lambda *_: False)
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=5, max_new_tokens=12)
    parts = [ScriptPart(replace(request, seed=seed)) for seed in range(4)]

    def run() -> None:
        cancel = engine.Cancel()
        with closing(engine.read_script(custom, parts, cancel)) as chunks:  # type: ignore[type-var]
            for chunk in chunks:
                if chunk.part == 1 and end == "cancel":
                    cancel.cancel()
                elif chunk.part == 1 and end == "error":
                    raise RuntimeError("in the middle")
                elif chunk.part == 2:
                    return

    def swallow() -> None:
        with pytest.raises(engine.Cancelled if end == "cancel" else RuntimeError):
            run()

    once = run if end == "leave" else swallow
    once()
    before = live_bytes()
    once()
    assert live_bytes() <= before


def test_a_spliced_part_leaves_every_other_sample_as_it_was() -> None:
    whole = np.concatenate((voiced(1.0), np.zeros(RATE // 2, np.float32), tone(200, 1.0, 0.2), voiced(0.5)))
    start, frames = RATE * 3 // 2, RATE
    new = np.concatenate((np.zeros(5000, np.float32), tone(300, 0.7, 0.1), np.zeros(9000, np.float32)))
    spliced, count = engine.splice_part(whole, start, frames, new)
    np.testing.assert_array_equal(spliced[:start], whole[:start])
    np.testing.assert_array_equal(spliced[start + count :], whole[start + frames :])
    assert count / RATE == pytest.approx(0.7, abs=0.05)  # its silent ends are gone
    middle = spliced[start + 2400 : start + count - 2400]
    assert engine.speech_level_dbfs(middle) == pytest.approx(engine.speech_level_dbfs(tone(200, 1.0, 0.2)), abs=0.3)
