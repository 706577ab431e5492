"""Groups of a long text computed at once: the same samples as alone, the weights read once for all, memory bounded."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import engine
from engine import kernels
from engine.model import row_wise
from engine.model.native_linear import NativeLinear
from engine.model.row_wise import RowWiseLinear, row_wise_is_better, rows_are_apart
from engine.speech import generate, script, together
from engine.speech.reading import split_request
from tests.conftest import Checkpoints

TEXT = "One.\n\nAnd two, which is longer.\n\nThree.\n\nFour is the last but one.\n\nFive."


@pytest.fixture(scope="module", params=[NativeLinear, RowWiseLinear])
def custom(checkpoints: Checkpoints, request: pytest.FixtureRequest) -> engine.Model:
    """A small model laid out as large ones are, with the kernels and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_wise, "LEAST_WIDTH", 1)
        if request.param is RowWiseLinear:
            patch.setattr(kernels, "_name", "none")
        if not kernels.available() and not row_wise_is_better(64, torch.device("cpu"), torch.float32):
            pytest.skip("this computer has no oneDNN")
        if request.param is NativeLinear and not kernels.available():
            pytest.skip("the kernels were not built here")
        model = engine.load_model(checkpoints.folder("tiny-custom"), "cpu", "fp32")
    assert any(isinstance(part, request.param) for part in model.speaker.talker.modules())
    if model.most_together == 1:
        pytest.skip("on this processor a row is not the same in company")
    return model


def _request(**changes: Any) -> engine.SpeechRequest:
    return engine.SpeechRequest(TEXT, speaker="ryan", seed=5, max_new_tokens=7, **changes)


@pytest.fixture(scope="module")
def one_by_one(custom: engine.Model) -> list[engine.SpeechChunk]:
    """The groups read one after the other; their codes are those of each group spoken by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(custom, "_most_together", 1)
        chunks = list(custom.read(_request()))
    for chunk, group in zip(chunks, split_request(_request()), strict=True):
        alone = [piece.codes for piece in custom.speak(group.request) if len(piece.codes)]
        assert np.array_equal(chunk.codes, np.concatenate(alone))
    return chunks


class Calls:
    """How many rows each call of the talker got."""

    def __init__(self, model: engine.Model, patch: pytest.MonkeyPatch) -> None:
        self.rows: list[int] = []
        talker = model.speaker.talker
        real = talker.forward

        def forward(rows: torch.Tensor, cache: Any) -> torch.Tensor:
            self.rows.append(len(rows))
            return real(rows, cache)

        patch.setattr(talker, "forward", forward)


@pytest.mark.parametrize("most", [2, 8])
def test_the_same_samples_as_alone(
    custom: engine.Model, one_by_one: list[engine.SpeechChunk], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(custom, "_most_together", most)
    calls = Calls(custom, monkeypatch)
    chunks = list(custom.read(_request()))
    assert max(calls.rows) == min(most, 5)
    assert [chunk.group for chunk in chunks] == [0, 1, 2, 3, 4]
    for chunk, before in zip(chunks, one_by_one, strict=True):
        assert np.array_equal(chunk.codes, before.codes)
        assert np.array_equal(chunk.samples, before.samples)
        assert chunk.reason == before.reason
    assert custom.cache_bytes > 0


def test_weights_are_read_once_for_all(custom: engine.Model, monkeypatch: pytest.MonkeyPatch, never_ends: None) -> None:
    calls = Calls(custom, monkeypatch)
    frames = sum(len(chunk.codes) for chunk in custom.read(_request()))
    assert frames == 5 * 6
    assert calls.rows == [1] * 5 + [5] * 6  # five prompts, then all of them at once


def test_a_group_that_ends_makes_room(custom: engine.Model, monkeypatch: pytest.MonkeyPatch, never_ends: None) -> None:
    monkeypatch.setattr(custom, "_most_together", 2)
    calls = Calls(custom, monkeypatch)
    assert len(list(custom.read(_request()))) == 5
    assert calls.rows.count(2) == 12
    assert max(calls.rows) == 2


def test_memory_is_bounded(custom: engine.Model, monkeypatch: pytest.MonkeyPatch, never_ends: None) -> None:
    together_bytes = sum(1 for _ in custom.read(_request())) and custom.cache_bytes
    monkeypatch.setattr(together, "CACHE_BYTES", together_bytes // 2)
    calls = Calls(custom, monkeypatch)
    assert len(list(custom.read(_request()))) == 5
    assert custom.cache_bytes <= together_bytes // 2
    assert max(calls.rows) == 2


def test_the_first_group_becomes_sound_first(
    custom: engine.Model, monkeypatch: pytest.MonkeyPatch, never_ends: None
) -> None:
    streams = []
    real = custom.codec.new_stream

    def watched() -> Any:
        streams.append(real())
        return streams[-1]

    monkeypatch.setattr(custom.codec, "new_stream", watched)
    with closing(custom.read(_request())) as reading:
        assert next(reading).group == 0
        assert len(streams) == 1


def test_cancelling(custom: engine.Model, monkeypatch: pytest.MonkeyPatch, never_ends: None) -> None:
    cancel = engine.Cancel()
    real, steps = generate.next_frames, []

    def watched(runs: Any) -> Any:
        steps.append(len(runs))
        if len(steps) == 3:
            cancel.cancel()
        return real(runs)

    monkeypatch.setattr(together, "next_frames", watched)
    with pytest.raises(engine.Cancelled):
        list(custom.read(replace(_request(), max_new_tokens=2000), cancel))
    assert steps == [5, 5, 5]


def test_another_try_is_made_alone(custom: engine.Model, never_ends: None) -> None:
    chunks = list(custom.read(_request(), retries=1))
    assert [chunk.reason for chunk in chunks] == ["limit"] * 5
    assert {chunk.seed for chunk in chunks} == {5}


def test_rows_that_are_rounded_together_are_not_apart() -> None:
    class Packed(torch.nn.Module):
        packed_bytes = 1

    weight = torch.randn(48, 40, generator=torch.Generator().manual_seed(0))
    assert rows_are_apart([torch.nn.Sequential(RowWiseLinear(weight, None))])
    assert not rows_are_apart([torch.nn.Sequential(Packed())])
    layer, x = RowWiseLinear(weight, weight[:, 0].contiguous()), torch.randn(2, 3, 40)
    expected = torch.nn.functional.linear(x, weight, weight[:, 0])
    torch.testing.assert_close(layer(x), expected, atol=1e-5, rtol=1e-5)
    assert layer(x[:1, :1]).shape == (1, 1, 48)


def _script() -> list[engine.ScriptPart]:
    ryan, aiden = (engine.SpeechRequest("", speaker=name, seed=5, max_new_tokens=7) for name in ("ryan", "aiden"))
    who = [ryan, aiden, replace(ryan, instruct="Whisper."), replace(aiden, seed=8), ryan]
    texts = [part for part in TEXT.split("\n\n") if part]
    return [engine.ScriptPart(replace(one, text=text), 0.2) for one, text in zip(who, texts, strict=True)]


def test_a_script_is_the_same_in_company_and_its_first_part_goes_alone(
    custom: engine.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = {}
    for in_time in (True, False):
        monkeypatch.setattr(script, "keeps_up", lambda *_, in_time=in_time: in_time)
        calls = Calls(custom, monkeypatch)
        chunks = list(engine.read_script(custom, _script()))
        read[in_time] = [[c.samples for c in chunks if c.part == part and len(c.samples)] for part in range(5)]
        assert max(calls.rows) == (1 if in_time else 4)
        monkeypatch.undo()
    for alone, company in zip(read[True], read[False], strict=True):
        assert np.array_equal(np.concatenate(alone), np.concatenate(company))


def test_a_script_left_early_leaves_no_stream_behind(custom: engine.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "keeps_up", lambda *_: False)
    cancel = engine.Cancel()
    chunks = engine.read_script(custom, _script(), cancel)
    while next(chunks).part < 2:
        pass
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        list(chunks)
    assert list(engine.read_script(custom, _script()[:1]))[-1].last


def test_voices_that_bring_their_own_weights_keep_no_company(
    checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    base, folder = checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom")
    custom = engine.load_model(folder, "cpu", "fp32")
    voice = engine.Voice(np.ones(custom.summary.width, np.float32), "Mario")
    engine.save_voice(voice, tmp_path / "mario.qvoice", tier="wdelta", pair=engine.ModelPair(base, folder))
    voice = engine.load_voice(tmp_path / "mario.qvoice")
    monkeypatch.setattr(custom, "_most_together", 8)
    one = engine.SpeechRequest("One.", voice=voice, seed=5, max_new_tokens=5)
    requests = [one, engine.SpeechRequest("Two.", speaker="ryan", seed=5, max_new_tokens=5)]
    made = [[], []]
    for index, chunk in custom.speak_each(requests):
        made[index].append(chunk.samples)
    for request, samples in zip(requests, made, strict=True):
        alone = np.concatenate([chunk.samples for chunk in custom.speak(request)])
        assert np.array_equal(np.concatenate(samples), alone)
