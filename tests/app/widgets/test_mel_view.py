"""The mel on the screen: band 0 at the bottom, Hz right to a bin, one axis with the waveform."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication

from app.widgets.color_maps import color_map
from app.widgets.mel_image import MelPicture
from app.widgets.mel_view import MelView
from app.widgets.waveform import WaveformView
from tests.app.widgets.conftest import FRAME_SECONDS


@pytest.fixture
def view(qtbot, timeline, mel, centres) -> MelView:
    made = MelView(timeline)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.set_mel(mel, FRAME_SECONDS, centres)
    return made


def brightness(image: QImage, x: float, y: float) -> int:
    return image.pixelColor(int(x), int(y)).lightness()


def test_band_zero_is_the_bottom_row(view, mel) -> None:
    image = view.image()
    assert (image.width(), image.height()) == (mel.shape[1], 128)
    colors = color_map("magma")
    assert image.pixel(10, 127 - 5) == colors[255]
    assert image.pixel(10, 127 - 90) == colors[0]
    assert image.pixel(300, 127 - 90) == colors[255]


def test_the_picture_is_not_blank_and_the_loud_bins_are_where_they_belong(view, timeline, centres) -> None:
    image = view.grab().toImage()
    early, late = view.x_at(1.0), view.x_at(3.0)
    low, high = view.y_of_hz(centres[5]), view.y_of_hz(centres[90])
    assert brightness(image, early, low) > 150
    assert brightness(image, late, low) < 60
    assert brightness(image, late, high) > 150
    assert brightness(image, early, high) < 60


def test_hertz_are_right_to_a_bin(view, centres) -> None:
    for band, hz in enumerate(centres):
        assert view.band_at_y(view.y_of_hz(float(hz))) == band
    heights = [view.y_of_hz(hz) for hz in (100, 300, 1000, 3000, 10_000)]
    assert heights == sorted(heights, reverse=True)
    row = view.plot_rect().height() / 128
    for hz in (100, 300, 1000, 3000, 10_000):
        nearest = int(np.argmin(np.abs(centres - hz)))
        assert abs(view.y_of_hz(hz) - view.y_of_hz(float(centres[nearest]))) <= row


def test_both_views_share_one_axis_to_the_pixel(view, timeline, qtbot, samples) -> None:
    waveform = WaveformView(timeline)
    qtbot.addWidget(waveform)
    waveform.resize(900, 120)
    timeline.set_range(0.5, 3.0)
    for seconds in (0.5, 1.1, 3.0):
        assert waveform.x_at(seconds) == view.x_at(seconds)
    timeline.set_selection((1.0, 2.0))
    assert waveform.timeline.selection == view.timeline.selection


def test_the_picture_is_built_once_and_not_for_every_repaint(view, timeline, monkeypatch) -> None:
    built = []
    image = MelPicture.image
    monkeypatch.setattr(MelPicture, "image", lambda self, colors: (built.append(1), image(self, colors))[1])
    for step in range(20):
        timeline.set_cursor(step * 0.1)
        view.grab()
    assert not built
    view.set_color_map("viridis")
    assert len(built) == 1


def test_the_colours_can_be_chosen(view) -> None:
    magma = view.grab().toImage()
    view.set_color_map("viridis")
    assert view.grab().toImage() != magma
    with pytest.raises(FileNotFoundError):
        color_map("no-such-map")


@pytest.mark.parametrize("name", ["magma", "viridis"])
def test_colour_maps_rise_from_dark_to_light(name) -> None:
    colors = color_map(name)
    assert len(colors) == 256
    light = [0.2126 * (c >> 16 & 255) + 0.7152 * (c >> 8 & 255) + 0.0722 * (c & 255) for c in colors.tolist()]
    assert np.all(np.diff(light) > -0.6)
    assert light[-1] - light[0] > 150


def test_silence_is_dark_and_not_bright(view, centres) -> None:
    view.set_mel(np.full((128, 375), np.log(1e-5), dtype=np.float32), FRAME_SECONDS, centres)
    assert view.image().pixel(100, 64) == color_map("magma")[0]


def test_zoomed_in_a_frame_is_where_its_time_is(view, timeline) -> None:
    timeline.set_range(1.9, 2.1)
    image = view.grab().toImage()
    turn = 187 * FRAME_SECONDS
    y = view.plot_rect().bottom() - 5.5 * view.plot_rect().height() / 128
    assert brightness(image, view.x_at(turn - 1.5 * FRAME_SECONDS), y) > 120
    assert brightness(image, view.x_at(turn + 1.5 * FRAME_SECONDS), y) < 60


def test_pooling_keeps_a_click_visible() -> None:
    mel = np.full((4, 3000), -9.0, dtype=np.float32)
    mel[1, 1500] = 2.0
    image = MelPicture(mel).pooled(0, 3000, 600, color_map("magma"))
    assert image.width() == 600
    assert image.pixel(300, 2) != image.pixel(0, 2)


def test_the_pointer_reads_a_bin(view, centres) -> None:
    x, y = view.x_at(1.0), view.y_of_hz(float(centres[5]))
    place = QPointF(x, y)
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    before = view.grab().toImage()
    QApplication.sendEvent(view, move)
    assert view.grab().toImage() != before
    assert f"{centres[5]:.0f} Hz" in view._readout()
    assert "0 dB" in view._readout()
    assert view.cursor().shape() == Qt.CursorShape.IBeamCursor


def test_a_mel_of_another_shape_is_refused(view, mel, centres) -> None:
    with pytest.raises(ValueError, match="128 bands need as many centres"):
        view.set_mel(mel, FRAME_SECONDS, centres[:80])
    with pytest.raises(ValueError, match="shape"):
        MelPicture(mel[0])
