"""The doctor's findings in the wizard: mended by a button, undone, with the original kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.wizard.page import WizardPage
from app.wizard.presenter import Step, WizardPresenter
from tests.app.wizard.conftest import Loaded, voice


def keys(presenter: WizardPresenter) -> set[str]:
    return {finding.key for finding in presenter.findings if finding.verdict != "good"}


def finding(presenter: WizardPresenter, key: str) -> object:
    return next(found for found in presenter.findings if found.key == key)


def test_an_offset_is_taken_off_and_put_back(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file(samples=voice(6.0) + np.float32(0.3)))
    original, selection = presenter.sound, presenter.selection
    assert original is not None
    presenter.mend(finding(presenter, "offset"))  # type: ignore[arg-type]
    wizard.until(lambda: presenter.sound is not original)
    wizard.checked()
    assert "offset" not in keys(presenter)
    assert presenter.selection == selection
    presenter.mending.undo()
    wizard.until(lambda: presenter.sound is original)
    wizard.checked()
    assert "offset" in keys(presenter)
    assert not presenter.mending.can_undo


def test_a_word_cut_at_the_end_is_trimmed_by_its_button_and_undone(
    qtbot: QtBot, wizard: Loaded, page: WizardPage, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file(seconds=5.0))
    assert presenter.step is Step.LISTEN
    assert "end" in keys(presenter)
    step = page.listen_step
    qtbot.mouseClick(step.findings.mend_button("end"), Qt.MouseButton.LeftButton)
    wizard.until(lambda: presenter.selection[1] < 5.0)
    wizard.checked()
    assert "end" not in keys(presenter)
    assert presenter.sound is not None
    assert presenter.sound.seconds == 5.0
    qtbot.mouseClick(step.undo_button, Qt.MouseButton.LeftButton)
    assert presenter.selection == (0.0, 5.0)
    assert not step.undo_button.isVisible()


def test_another_sound_has_nothing_to_undo(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file(seconds=5.0))
    presenter.mend(finding(presenter, "end"))  # type: ignore[arg-type]
    assert presenter.mending.can_undo
    wizard.open(wave_file("other.wav", seconds=6.0))
    assert not presenter.mending.can_undo
