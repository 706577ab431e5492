"""The tour of the first start, in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from app.paths import paths
from app.studio import Studio
from app.theme import apply_theme
from app.tour.steps import WITH_MODEL, WITHOUT_MODEL, words
from tests.app.speak.test_take_files import made

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def window(qtbot: QtBot, qapp, own_home) -> Iterator[MainWindow]:
    apply_theme(qapp, "dark")
    window = MainWindow(Studio(paths()))
    window.show()
    yield window
    window.close()
    window.deleteLater()


def know_models(window: MainWindow, qtbot: QtBot) -> None:
    shelf = window._studio.shelf
    shelf.refresh()
    qtbot.waitUntil(lambda: bool(shelf.entries))


def know_a_real_model(window: MainWindow) -> None:
    """As if a released model lay beside the test models: of such a size no test has one."""
    shelf = window._studio.shelf
    (base, *others) = shelf.entries
    real = replace(base, summary=replace(base.summary, is_test_model=False))
    shelf._set_entries((real, *others))


def test_without_a_model_it_leads_to_one_and_a_fetched_one_ends_the_step(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.tour.bar.isVisible()
    know_models(window, qtbot)
    assert window.tour.step == WITHOUT_MODEL[0]
    assert window.tour.bar.isVisible()
    window.tour.bar.act_button.click()
    assert window.rail.current == "models"
    know_a_real_model(window)
    assert window.tour.step == "voice"


def test_with_a_model_it_begins_with_a_voice_and_leads_through_the_rooms(window: MainWindow, qtbot: QtBot) -> None:
    know_models(window, qtbot)
    know_a_real_model(window)
    window.tour.begin()
    assert window.tour.step == WITH_MODEL[0] == "voice"
    window.tour.bar.act_button.click()
    page = window.rooms.wizard
    qtbot.waitUntil(lambda: page.presenter.sound is not None)
    page.saved.emit("a voice")
    assert window.tour.step == "speak"
    window.tour.bar.act_button.click()
    assert window.rail.current == "speak"
    assert window.rooms.speak.text_box.toPlainText()
    window.rooms.speak.presenter.takes.add(made(), is_on_disk=False)
    assert window.tour.step == "library"
    window.tour.bar.next_button.click()
    assert not window.tour.bar.isVisible()


def test_it_is_skipped_once_and_for_all_but_can_be_called_again(window: MainWindow, qtbot: QtBot) -> None:
    know_models(window, qtbot)
    window.tour.bar.end_button.click()
    know_models(window, qtbot)
    assert not window.tour.bar.isVisible()
    window.commands.ask()
    palette = window.commands.palette
    palette.field.setText("tour")
    assert palette.shown[0] == "Take the tour"
    palette.field.returnPressed.emit()
    assert window.tour.bar.isVisible()
    assert window.tour.bar.title == words(WITHOUT_MODEL[0]).title


def test_it_goes_on_where_the_last_session_ended(qtbot: QtBot, qapp, own_home: Path) -> None:
    for expected in ("model", "voice", "speak"):
        window = MainWindow(Studio(paths()))
        window.show()
        know_models(window, qtbot)
        assert window.tour.step == expected
        window.tour.bar.next_button.click()
        window.close()
        window.deleteLater()
    last = MainWindow(Studio(paths()))
    know_models(last, qtbot)
    assert not last.tour.bar.isVisible()
    last.close()
    last.deleteLater()
