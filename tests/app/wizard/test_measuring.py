"""Measuring the tiers from the page: figures, pictures on one time axis, playing, calling it off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import engine
from app.wizard.tier_report import TierReportDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.studio import Studio
    from app.wizard.page import WizardPage
    from app.wizard.presenter import WizardPresenter
    from tests.app.wizard.conftest import Loaded

SHORT = engine.Sentence("Two words.", max_new_tokens=14)


def _dialog(page: WizardPage) -> TierReportDialog | None:
    return next((made for made in page.findChildren(TierReportDialog) if made.isVisible()), None)


def test_tiers_are_measured_and_shown(
    wizard: Loaded, page: WizardPage, presenter: WizardPresenter, studio: Studio, wave_file: Callable[..., Path]
) -> None:
    presenter.measuring.sentence = SHORT
    wizard.open(wave_file("Mario.wav", 5.0))
    wizard.clone()
    wizard.until(page.save_step.measure_button.isEnabled)
    page.save_step.measure_button.click()
    assert presenter.measuring.running
    assert not page.save_step.measure_button.isEnabled()
    wizard.until(lambda: _dialog(page) is not None)
    dialog = _dialog(page)
    assert dialog is not None
    assert [button.text() for button in dialog.choices.buttons()] == ["Light", "Standard", "WDELTA"]
    assert dialog.difference_view.has_content()
    dialog.choices.button(2).click()
    assert not dialog.difference_view.has_content()  # WDELTA is Base
    assert dialog.timeline.duration > 0
    dialog.tier_button.click()
    wizard.until(lambda: dialog.timeline.cursor > 0)
    dialog.accept()
    wizard.until(lambda: studio.player.state == "stopped")
    left = [path.name for path in studio.places.cache.iterdir() if path.name.startswith("tiers-")]
    assert left == []
    page.save_step.measure_button.click()  # known now: nothing is measured again
    assert not presenter.measuring.running
    assert _dialog(page) is not None


def test_it_can_be_called_off(
    wizard: Loaded, page: WizardPage, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    presenter.measuring.sentence = replace(SHORT, max_new_tokens=400)
    wizard.open(wave_file("Mario.wav", 5.0))
    wizard.clone()
    page.save_step.measure_button.click()
    wizard.until(page.busy.isVisible)
    page.busy.cancel_button.click()
    wizard.until(lambda: not presenter.measuring.running)
    assert _dialog(page) is None
    assert page.save_step.measure_button.isEnabled()
