"""The mel made piece by piece is the encoder's own, and is drawn as the plain view draws it."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

import engine
from app.widgets.mel_view import MelView
from app.widgets.timeline import Timeline
from app.wizard import prepared_mel
from app.wizard.prepared_mel import PreparedMel, PreparedMelView, log_mel_in_pieces
from tests.app.wizard.conftest import voice


@pytest.mark.parametrize("samples", [385, 1024, 25_600, 25_601, 48_000, 71_999])
def test_pieces_give_the_very_same_values(samples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_mel, "_PIECE_FRAMES", 40)
    sound = voice(3.0)[:samples]
    mel = log_mel_in_pieces(sound, engine.Cancel())
    assert mel.shape == (128, samples // 256)
    np.testing.assert_allclose(mel, engine.log_mel(sound), atol=2e-6)


def test_pieces_stop_when_cancelled() -> None:
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        log_mel_in_pieces(voice(1.0), cancel)


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return data[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)


@pytest.mark.parametrize("shown", [(0.0, 20.0), (3.0, 5.0), (7.31, 7.42)])
def test_it_looks_like_the_plain_view(qtbot: QtBot, shown: tuple[float, float]) -> None:
    mel = engine.log_mel(voice(20.0))
    timeline = Timeline()
    timeline.set_duration(20.0)
    timeline.set_range(*shown)
    plain, prepared = MelView(timeline), PreparedMelView(timeline)
    plain.set_mel(mel, engine.MEL_FRAME_SECONDS, engine.mel_centres_hz())
    prepared.set_prepared(PreparedMel(mel))
    for view in (plain, prepared):
        qtbot.addWidget(view)
        view.resize(700, 300)
    plot = plain.plot_rect().adjusted(6, 2, -6, -2)
    one, other = (pixels(view.grab(plot).toImage()) for view in (plain, prepared))
    assert one.std() > 10
    assert np.abs(one - other).max() <= 3
    image = prepared.image()
    assert image is not None
    assert (image.width(), image.height()) == (mel.shape[1], 128)


def test_ten_minutes_are_drawn_in_no_time(qtbot: QtBot) -> None:
    mel = np.tile(engine.log_mel(voice(10.0)), (1, 60))
    timeline = Timeline()
    timeline.set_duration(mel.shape[1] * engine.MEL_FRAME_SECONDS)
    view = PreparedMelView(timeline)
    qtbot.addWidget(view)
    view.resize(1200, 300)
    view.set_prepared(PreparedMel(mel))
    for shown in ((0.0, 600.0), (580.0, 590.0)):  # past column 32767 of the picture too
        timeline.set_range(*shown)
        best = min(_seconds_to_draw(view) for _ in range(3))
        assert best < 0.05
        assert pixels(view.grab(view.plot_rect()).toImage()).std() > 10


def _seconds_to_draw(view: PreparedMelView) -> float:
    view.invalidate()
    began = time.perf_counter()
    view.grab()
    return time.perf_counter() - began
