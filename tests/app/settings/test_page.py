"""The page of settings: one row a setting, in step with it, searched, reset with a way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from app.paths import paths
from app.settings.page import SettingsPage
from app.settings.table import COUNTDOWN_SECONDS, PRECISION, THEME, THREADS
from app.studio import Studio

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def studio(own_home) -> Iterator[Studio]:
    studio = Studio(paths())
    yield studio
    studio.settings.set(THREADS, 0)
    studio.close()


@pytest.fixture
def page(studio: Studio, qtbot: QtBot) -> SettingsPage:
    page = SettingsPage(studio)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    return page


def choose(page: SettingsPage, setting, value) -> None:
    box = page.box_of(setting)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_every_row_says_what_it_is_and_offers_its_default(page: SettingsPage) -> None:
    for row in page.rows.values():
        assert row.box.accessibleName()
        assert row.box.accessibleDescription()
        assert row.box.findData(row.setting.default) >= 0
        assert all(row.setting.read(row.box.itemData(place)) is not None for place in range(row.box.count()))


def test_a_row_follows_its_setting_and_leads_back_to_the_default(page: SettingsPage, studio: Studio) -> None:
    row = page.rows[PRECISION.name]
    assert not row.reset_button.isVisible()
    studio.settings.set(PRECISION, "int8")
    assert row.box.currentData() == "int8"
    row.reset_button.click()
    assert studio.settings.get(PRECISION) == PRECISION.default
    assert not row.reset_button.isVisible()


def test_reset_all_can_be_undone(page: SettingsPage, studio: Studio) -> None:
    choose(page, PRECISION, "bf16")
    choose(page, COUNTDOWN_SECONDS, 5)
    page.reset_button.click()
    assert (studio.settings.get(PRECISION), studio.settings.get(COUNTDOWN_SECONDS)) == ("auto", 3)
    action = studio.messages.history[-1].action
    assert action is not None
    action.run()
    assert (studio.settings.get(PRECISION), studio.settings.get(COUNTDOWN_SECONDS)) == ("bf16", 5)


def test_search_leaves_what_answers(page: SettingsPage) -> None:
    QTest.keyClicks(page.search, "threads")
    shown = [name for name, row in page.rows.items() if row.isVisible()]
    assert shown == [THREADS.name]
    page.search.setText("magma")  # a choice is found too
    assert [name for name, row in page.rows.items() if row.isVisible()] == ["colour_map"]
    page.search.setText("zzz")
    assert page._nothing.isVisible()
    page.search.clear()
    assert all(row.isVisible() for row in page.rows.values())


def test_the_number_of_threads_reaches_the_engine(page: SettingsPage) -> None:
    from engine.model.runtime import thread_limit

    choose(page, THREADS, engine.usable_cores())
    assert thread_limit() == engine.usable_cores()


def test_scrolling_past_a_row_chooses_nothing(page: SettingsPage, studio: Studio) -> None:
    box = page.box_of(THEME)
    before = studio.settings.get(THEME)
    middle = QPointF(box.rect().center())
    down = QWheelEvent(
        middle,
        box.mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, down)
    assert box.currentData() == before == studio.settings.get(THEME)
