"""Threads are taken where they are seen to help, and as many as a person says."""

from __future__ import annotations

import pytest

import engine
from engine import kernels
from engine.model import runtime, threads
from engine.model.threads import ThreadChooser, Threads, share_out
from tests.conftest import Checkpoints


@pytest.mark.parametrize(
    ("cores", "seconds", "wanted"),
    [
        (1, {1: 1.0}, Threads(1, beside=False)),
        (2, {1: 1.0, 2: 0.55}, Threads(2, beside=False)),
        (2, {1: 1.0, 2: 0.95}, Threads(1, beside=True)),  # the other core is busy
        (2, {1: 1.0, 2: 1.9}, Threads(1, beside=True)),
        (8, {1: 1.0, 2: 0.55, 4: 0.35, 8: 0.34}, Threads(4, beside=False)),  # memory is exhausted
        (8, {1: 1.0, 2: 0.5, 4: 0.25, 8: 0.13}, Threads(8, beside=False)),
    ],
)
def test_the_fewest_that_do_well(cores: int, seconds: dict[int, float], wanted: Threads) -> None:
    assert share_out(cores, seconds) == wanted


def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert ThreadChooser([]).choose() == Threads(3, beside=True)
    monkeypatch.setattr(runtime, "_limit", 2)
    assert ThreadChooser([]).choose() == Threads(2, beside=True)


def test_measured_again_when_it_is_old(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    model = engine.load_model(checkpoints.folder("tiny-custom"), "cpu", "fp32")
    if not kernels.available():
        pytest.skip("no C compiler when the project was installed")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(threads, "usable_cores", lambda: 2)
    now, asked = [1000.0], list[int]()
    monkeypatch.setattr(threads.time, "monotonic", lambda: now[0])
    before = kernels.threads()
    monkeypatch.setattr(kernels, "set_threads", asked.append)
    first = model.threads.choose()
    assert sorted(set(asked)) == [1, 2]
    assert model.threads.choose() is first
    count = len(asked)
    now[0] += 60
    model.threads.choose()
    assert len(asked) == 2 * count
    assert kernels.threads() == before


def test_both_ways_give_the_same_samples(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    model = engine.load_model(checkpoints.folder("tiny-custom"), "cpu", "fp32")
    request = engine.SpeechRequest("Hello there.", speaker="ryan", seed=3, max_new_tokens=12)
    said = []
    for beside in (True, False):
        monkeypatch.setattr(model.threads, "choose", lambda beside=beside: Threads(1, beside))
        said.append(b"".join(chunk.samples.tobytes() for chunk in model.speak(request)))
    assert said[0] == said[1] != b""
