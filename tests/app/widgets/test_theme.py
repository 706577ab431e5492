"""Contrast as WCAG asks for it, a style sheet that Qt takes without a word, and a theme that follows the system."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QProgressBar, QPushButton, QWidget

import resources
from app.icons import icon, program_icon
from app.theme import DARK, LIGHT, TextSize, apply_theme, current_theme, theme_changes
from app.theme.contrast import contrast
from app.theme.style_sheet import style_sheet
from app.theme.tokens import SHAPE_PAIRS, TEXT_PAIRS
from tests.tools.make_control_marks import marks

PALETTES = pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@PALETTES
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_every_text_is_readable_on_its_ground(colors, text, ground) -> None:
    assert contrast(getattr(colors, text), getattr(colors, ground)) >= 4.5


@PALETTES
@pytest.mark.parametrize(("shape", "ground"), SHAPE_PAIRS)
def test_every_shape_that_means_something_stands_out(colors, shape, ground) -> None:
    assert contrast(getattr(colors, shape), getattr(colors, ground)) >= 3.0


def test_the_list_of_pairs_covers_every_text_colour_of_the_style_sheet(qapp) -> None:
    """A colour used for words in the style sheet must stand in a pair that the contrast test computes."""
    from app.theme.style_parts import ALL

    named = {match[1] for part in ALL for match in re.finditer(r"(?:^|[\s{;])color: \$(\w+)", part)}
    assert named >= {"text", "text_dim", "on_accent"}
    assert named - {"text_off"} <= {text for text, _ground in TEXT_PAIRS}


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_the_style_sheet_is_complete_and_its_pictures_exist(qapp, mode) -> None:
    text = style_sheet(apply_theme(qapp, mode))
    assert "$" not in text
    files = re.findall(r'url\("([^"]+)"\)', text)
    assert len(files) > 8
    for file in files:
        assert resources.path("icons", "controls", file.rsplit("/", 1)[1]).is_file()


def test_the_marks_on_disk_are_in_the_colours_of_the_tokens() -> None:
    folder = resources.path("icons", "controls")
    on_disk = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
    assert on_disk == marks(), "run: python -m tests.tools.make_control_marks"


def test_apply_sets_palette_and_theme(qapp) -> None:
    theme = apply_theme(qapp, "light")
    assert theme is current_theme()
    assert theme.ground == "light"
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == LIGHT.ground
    disabled = qapp.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    assert disabled.name() == LIGHT.text_off


def test_system_mode_follows_the_system(qapp, qtbot, monkeypatch) -> None:
    from app.theme import theme as module

    ground = "light"
    monkeypatch.setattr(module, "_system_ground", lambda _app: ground)
    assert apply_theme(qapp, "system").ground == "light"
    ground = "dark"
    with qtbot.waitSignal(theme_changes(qapp).changed):
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme().ground == "dark"
    apply_theme(qapp, "light")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme().ground == "light"


def test_larger_system_text_makes_every_step_larger() -> None:
    assert TextSize().scaled(1.5) == TextSize(18, 20, 22, 30, 42)


def test_buttons_and_fields_share_one_height(qapp, qtbot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    button, field = QPushButton("Open", box), QLineEdit(box)
    assert abs(button.sizeHint().height() - field.sizeHint().height()) <= 1


def test_a_plain_progress_bar_is_thin(qapp, qtbot) -> None:
    bar = QProgressBar()
    qtbot.addWidget(bar)
    assert bar.sizeHint().height() == 6


def test_icons_follow_the_theme_and_know_disabled(qapp) -> None:
    made = icon("square", "text", filled=True)

    def middle(mode) -> str:
        return made.pixmap(QSize(32, 32), 1.0, mode).toImage().pixelColor(16, 16).name()

    assert middle(QIcon.Mode.Normal) == DARK.text
    assert middle(QIcon.Mode.Disabled) == DARK.text_off
    apply_theme(qapp, "light")
    assert middle(QIcon.Mode.Normal) == LIGHT.text


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_icons_are_drawn_at_the_scale_of_the_screen(qapp, scale) -> None:
    pixmap = icon("mic").pixmap(QSize(16, 16), scale)
    assert pixmap.width() == round(16 * scale)
    assert pixmap.devicePixelRatio() == scale


def test_an_unknown_icon_is_an_error_at_once(qapp) -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon")


def test_the_program_icon_has_a_small_one_of_its_own(qapp) -> None:
    sizes = {size.width() for size in program_icon().availableSizes()}
    assert {16, 32, 256} <= sizes


def test_the_focus_ring_shows_for_the_keyboard_and_not_for_the_mouse(qapp, qtbot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    first, second = QPushButton("first", box), QPushButton("second", box)
    second.move(0, 60)
    with qtbot.waitExposed(box):
        box.show()
    box.activateWindow()
    window = box.windowHandle()
    qtbot.waitUntil(lambda: qapp.focusWindow() is not None)
    _press(window, first)
    first.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not first.property("focusRing")
    _tab(window)
    second.setFocus(Qt.FocusReason.TabFocusReason)
    assert second.property("focusRing")
    first.setFocus(Qt.FocusReason.TabFocusReason)
    assert first.property("focusRing")
    assert not second.property("focusRing")


def _press(window, widget) -> None:
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent

    place = QPointF(widget.geometry().center())
    left = Qt.MouseButton.LeftButton
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        QApplication.sendEvent(window, QMouseEvent(kind, place, place, left, left, Qt.KeyboardModifier.NoModifier))


def _tab(window) -> None:
    from PySide6.QtGui import QKeyEvent

    QApplication.sendEvent(window, QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier))
