"""The smaller widgets: what they say, what they report, and that the keyboard reaches them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPushButton, QWidget

from app.theme import DARK
from app.widgets.buttons import primary_button
from app.widgets.choice_card import ChoiceCard
from app.widgets.drop_area import DropArea
from app.widgets.labels import ElidedLabel, FigureLabel, tabular
from app.widgets.layouts import FlowLayout, boxed, row
from app.widgets.level_meter import LevelMeter, level_text
from app.widgets.message_bar import MessageBar
from app.widgets.nav_rail import NavRail
from app.widgets.status_line import StatusLine
from app.widgets.step_header import StepHeader
from app.widgets.toast import Toast
from app.widgets.transport import Transport
from app.widgets.voice_glyph import VoiceGlyph, glyph_features

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def meter(qtbot) -> LevelMeter:
    made = LevelMeter()
    qtbot.addWidget(made)
    made.resize(600, 40)
    return made


def test_the_meter_says_its_value(meter) -> None:
    meter.set_levels(-14.2, -6.0)
    assert meter.value() == -14
    assert (meter.minimum(), meter.maximum()) == (-60, 0)
    assert meter.text() == "−14 dB"
    assert meter.accessibleDescription() == "Peak −6 dB"


def test_the_meter_bar_reaches_its_level_and_changes_colour(meter) -> None:
    meter.set_levels(-6.0, -6.0)
    image, bar = meter.grab().toImage(), meter._bar()
    y = round(bar.center().y())
    at = {db: image.pixelColor(round(meter._x(bar, db)), y).name() for db in (-40, -8)}
    assert at == {-40: DARK.meter_low, -8: DARK.meter_high}
    assert image.pixelColor(round(meter._x(bar, -4.5)), y).name() not in (DARK.meter_high, DARK.meter_low)


def test_the_peak_is_held_and_then_falls(meter, monkeypatch) -> None:
    now = [100.0]
    monkeypatch.setattr("app.widgets.level_meter.time.monotonic", lambda: now[0])
    meter.set_levels(-20, -3)
    now[0] += 1.0
    meter.set_levels(-40, -35)
    assert meter.held_peak == -3
    now[0] += 1.0
    meter.set_levels(-40, -35)
    assert -3 > meter.held_peak > -35
    now[0] += 10
    meter.set_levels(-40, -35)
    assert meter.held_peak == -35


def test_the_clip_lamp_stays_until_put_out(meter, qtbot) -> None:
    meter.set_levels(-1, 0, clipped=True)
    meter.set_levels(-30, -20)
    assert meter.clipped
    assert "clipped" in meter.accessibleDescription()
    with qtbot.waitSignal(meter.clip_cleared):
        qtbot.keyClick(meter, Qt.Key.Key_Space)
    assert not meter.clipped


@pytest.mark.parametrize(
    ("level", "text"), [(-math.inf, "−∞"), (-59.6, "−60"), (-0.3, "0"), (0.0, "0"), (-14.5, "−14")]
)
def test_levels_in_words(level, text) -> None:
    assert level_text(level) == text


def test_transport_asks_and_shows(qtbot) -> None:
    transport = Transport()
    qtbot.addWidget(transport)
    assert not transport.play_button.isEnabled()
    transport.set_length(28.44)
    with qtbot.waitSignal(transport.play_requested):
        transport.play_button.click()
    transport.set_playing(True)
    transport.set_position(3.27)
    assert transport.play_button.accessibleName() == "Pause"
    assert transport.position_label.text() == "00:03.2"
    assert transport.length_label.text() == "00:28.4"
    with qtbot.waitSignal(transport.pause_requested):
        transport.play_button.click()
    with qtbot.waitSignal(transport.stop_requested):
        transport.stop_button.click()


def test_running_numbers_do_not_move_what_stands_beside_them(qtbot) -> None:
    figure = FigureLabel("00:00.0", "00:00.0")
    qtbot.addWidget(figure)
    width = figure.sizeHint().width()
    figure.setText("11:11.1")
    assert figure.sizeHint().width() == width
    metrics = QFontMetrics(tabular(figure.font()))
    assert len({metrics.horizontalAdvance(digit * 8) for digit in "0123456789"}) == 1


def test_a_message_offers_its_act_once(qtbot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    done = []
    bar.show_message("error", "Cannot read a.m4a.", "Choose another file…", lambda: done.append(1))
    assert bar.isVisibleTo(bar.parentWidget())
    assert bar.accessibleName() == "Error: Cannot read a.m4a."
    with qtbot.waitSignal(bar.action_triggered):
        bar.action_button.click()
    assert done == [1]
    assert bar.isHidden()
    bar.show_message("info", "Hello.")
    assert bar.action_button.isHidden()
    with qtbot.waitSignal(bar.dismissed):
        qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert done == [1]


def test_a_message_may_show_the_next_from_its_act(qtbot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_message("warning", "Quiet.", "Fix", lambda: bar.show_message("success", "Fixed."))
    bar.action_button.click()
    assert bar.text == "Fixed."
    assert not bar.isHidden()


def test_markup_in_a_message_stays_words(qtbot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_message("error", "<b>x</b> & <img src='file:///etc/passwd'>")
    assert bar._text.textFormat() == Qt.TextFormat.PlainText


def test_a_long_note_wraps_and_stays_as_long_as_reading_takes(qtbot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(500, 300)
    host.show()
    toast = Toast(host)
    toast.show_note("Saved", "Undo")
    one_line = toast.height()
    toast.show_note("The words were not checked, for the recogniser here knows English only. " * 3, "Undo")
    assert host.rect().contains(toast.geometry())
    words = toast._text
    assert words.width() > 250  # the buttons take no more than they need
    assert words.height() >= words.heightForWidth(words.width()) > one_line
    assert toast._timer.interval() > 12_000
    toast.show_note("Saved", "Undo")
    assert toast.height() == one_line


def test_a_toast_goes_by_itself_and_can_undo(qtbot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(600, 400)
    host.show()
    toast = Toast(host)
    undone = []
    toast.show_note("Deleted “Mario”", "Undo", lambda: undone.append(1))
    assert host.rect().contains(toast.geometry())
    assert abs(toast.geometry().center().x() - 300) <= 1
    host.resize(900, 500)
    qtbot.waitUntil(lambda: abs(toast.geometry().center().x() - 450) <= 1)
    with qtbot.waitSignal(toast.closed) as closed:
        toast.action_button.click()
    assert closed.args == [True]
    assert undone == [1]
    toast.show_note("Saved", seconds=0.05)
    with qtbot.waitSignal(toast.closed, timeout=2000) as closed:
        pass
    assert closed.args == [False]
    assert toast.isHidden()


@pytest.fixture
def cards(qtbot) -> list[ChoiceCard]:
    made = [ChoiceCard(name, "4 KB", "caption", (("yes", "good"), ("no", "bad"))) for name in ("A", "B", "C")]
    box = boxed(row(*made))
    qtbot.addWidget(box)
    made[0].box = box
    box.show()
    return made


def test_one_card_is_chosen_and_the_arrows_change_it(cards, qtbot) -> None:
    cards[0].box.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWindow() is not None)
    cards[0].setFocus()
    cards[0].setChecked(True)
    qtbot.keyClick(cards[0], Qt.Key.Key_Right)
    assert [card.isChecked() for card in cards] == [False, True, False]
    qtbot.mouseClick(cards[2], Qt.MouseButton.LeftButton, pos=cards[2].rect().center())
    assert [card.isChecked() for card in cards] == [False, False, True]


def test_a_card_that_is_not_possible_says_why(cards, qtbot) -> None:
    cards[1].set_reason("Needs the CustomVoice model.")
    qtbot.mouseClick(cards[1], Qt.MouseButton.LeftButton)
    assert not cards[1].isChecked()
    assert "Needs the CustomVoice model." in cards[1].accessibleDescription()
    cards[1].set_reason("")
    assert cards[1].isEnabled()


def test_a_card_says_everything_it_shows(cards) -> None:
    cards[0].set_badge("Recommended")
    cards[0].set_figure("16 MB", "for 0.6B")
    assert cards[0].accessibleName() == "A, Recommended, 16 MB"
    assert cards[0].accessibleDescription() == "for 0.6B. good. not: bad"


def test_long_words_make_a_card_taller_and_are_not_cut(qtbot) -> None:
    card = ChoiceCard(
        "Light", "4 KB", "", (("yes", "Bitgenaue Wiedergabe der Sprecheridentität des Basismodells " * 2),)
    )
    qtbot.addWidget(card)
    assert card.layout().heightForWidth(220) > card.layout().heightForWidth(600)


def test_steps_done_can_be_gone_back_to(qtbot) -> None:
    header = StepHeader(("Sound", "Listen", "Clone", "Save"))
    qtbot.addWidget(header)
    header.set_current(2)
    steps = header.findChildren(QAbstractButton)
    assert steps[0].accessibleName() == "Step 1 of 4: Sound, done"
    assert steps[2].accessibleName() == "Step 3 of 4: Clone, current"
    with qtbot.waitSignal(header.step_clicked) as clicked:
        steps[1].click()
    assert clicked.args == [1]
    assert steps[3].focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_rail_reports_people_and_not_programs(qtbot) -> None:
    rail = NavRail()
    qtbot.addWidget(rail)
    for key, name in (("new", "mic"), ("library", "library")):
        rail.add_page(key, key.title(), name)
    rail.add_page("settings", "Settings", "settings", foot=True)
    assert rail.current == "new"
    with qtbot.assertNotEmitted(rail.page_chosen):
        rail.set_current("library")
    with qtbot.waitSignal(rail.page_chosen) as chosen:
        rail.button("settings").click()
    assert chosen.args == ["settings"]
    assert rail.current == "settings"


def test_jobs_come_go_and_can_be_cancelled(qtbot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.set_job("clone", "Cloning “Mario”", 0.4)
    line.set_job("clone", "Cloning “Mario”", 0.5)
    line.set_job("fetch", "Fetching", None)
    assert line.jobs == ("clone", "fetch")
    crosses = [button for button in line.findChildren(QAbstractButton) if "Cloning" in button.accessibleName()]
    with qtbot.waitSignal(line.cancel_requested) as cancelled:
        crosses[0].click()
    assert cancelled.args == ["clone"]
    line.remove_job("clone")
    line.remove_job("clone")
    assert line.jobs == ("fetch",)


def test_a_long_name_is_shortened_and_told_whole(qtbot) -> None:
    label = ElidedLabel("A model folder with a very long name")
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    assert label.toolTip() == label.text()
    assert label.minimumSizeHint().width() < label.sizeHint().width()
    label.resize(1000, 20)
    assert label.toolTip() == ""


def test_flow_breaks_lines_and_keeps_order(qtbot) -> None:
    flow = FlowLayout()
    box = boxed(flow)
    qtbot.addWidget(box)
    for at in range(9):
        flow.addWidget(QPushButton(f"button {at}"))
    assert flow.heightForWidth(300) > flow.heightForWidth(2000)
    box.resize(300, flow.heightForWidth(300))
    box.show()
    places = [flow.itemAt(at).geometry() for at in range(9)]
    assert places == sorted(places, key=lambda place: (place.y(), place.x()))
    assert all(place.right() <= 300 for place in places)


def test_one_voice_one_picture_two_voices_two(qtbot) -> None:
    random = np.random.default_rng(1)
    common = random.normal(0, 1, 1024)
    voices = [(common + random.normal(0, 1, 1024)).astype(np.float32) for _ in range(24)]
    pictures = set()
    for vector in [*voices, voices[0]]:
        glyph = VoiceGlyph(48)
        qtbot.addWidget(glyph)
        glyph.set_vector(vector)
        image = glyph.grab().toImage()
        pictures.add(bytes(image.constBits()))
    assert len(pictures) == 24


def test_near_voices_have_near_pictures_and_scale_does_not_matter() -> None:
    vector = np.random.default_rng(2).normal(0, 1, 2048).astype(np.float32)
    assert glyph_features(vector * 3) == pytest.approx(glyph_features(vector), abs=1e-6)
    nudged = vector + np.float32(0.01)
    assert np.max(np.abs(np.subtract(glyph_features(nudged), glyph_features(vector)))) < 0.1
    assert set(glyph_features(np.zeros(1024, dtype=np.float32))) == {0.0}


def test_dropped_files_are_reported_and_other_things_are_not(qtbot, tmp_path) -> None:
    target = QWidget()
    qtbot.addWidget(target)
    target.resize(200, 200)
    area = DropArea(target, "Drop to open")
    sound = tmp_path / "a b ü.wav"
    sound.write_bytes(b"x")
    with qtbot.waitSignal(area.files_dropped) as dropped:
        assert send_drop(target, [QUrl.fromLocalFile(str(sound)), QUrl("https://example.org/x.wav")])
    assert dropped.args == [[sound]]
    with qtbot.assertNotEmitted(area.files_dropped):
        assert not send_drop(target, [QUrl("https://example.org/x.wav"), QUrl.fromLocalFile(str(tmp_path))])


def send_drop(target: QWidget, urls: list[QUrl]) -> bool:
    mime = QMimeData()
    mime.setUrls(urls)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(9, 9).toPoint(), copy, mime, left, none)
    QApplication.sendEvent(target, enter)
    drop = QDropEvent(QPointF(9, 9), copy, mime, left, none)
    QApplication.sendEvent(target, drop)
    return bool(enter.isAccepted() and drop.isAccepted())


def test_every_focusable_control_has_a_name_and_every_word_fits(qtbot) -> None:
    """Walks the whole gallery; fields there are labelled beside, as on a page, so only the unnamed fail."""
    from tests.tools import gallery_pages

    nameless = []
    for title in gallery_pages.PAGES:
        page = gallery_pages.page(title)
        qtbot.addWidget(page)
        page.show()
        for widget in page.findChildren(QWidget):
            if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
                continue
            if isinstance(widget, QLineEdit) and isinstance(widget.parent(), QComboBox):
                continue
            said = widget.accessibleName() or getattr(widget, "text", lambda: "")()
            if type(widget).__module__.startswith("app.") or isinstance(widget, QAbstractButton):
                nameless += [] if said else [f"{title}: {type(widget).__name__} {widget.objectName()}"]
        page.close()
    assert not nameless


def test_the_primary_button_is_in_the_accent(qtbot) -> None:
    button = primary_button("Clone voice", "wand-sparkles")
    qtbot.addWidget(button)
    image = button.grab().toImage()
    assert image.pixelColor(8, image.height() // 2).name() == DARK.accent
