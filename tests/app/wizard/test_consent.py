"""What a person says of their right to a voice is kept beside it, with the date, and said of one sound only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.wizard.words import consent_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.studio import Studio
    from app.wizard.page import WizardPage
    from app.wizard.presenter import WizardPresenter
    from tests.app.wizard.conftest import Loaded


def test_the_words_carry_the_date() -> None:
    assert consent_words(datetime(2026, 12, 1, tzinfo=UTC)).endswith("stated on 2026-12-01.")


def test_consent_is_kept_where_it_was_given(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file("Mario.wav", 5.0))
    wizard.clone()
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    assert presenter.saved is not None
    assert studio.library.load(presenter.saved.id).origin.consent is None
    presenter.describe(name="Another")
    presenter.set_consented(True)
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    origin = studio.library.load(presenter.saved.id).origin
    assert origin.consent is not None
    assert "consent" in origin.consent
    assert origin.clip_sha256 is not None


def test_it_is_said_of_one_sound_only(
    wizard: Loaded, page: WizardPage, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file("Mario.wav", 5.0))
    wizard.clone()
    box = page.save_step.consent_box
    assert box.isVisible()
    box.click()
    assert presenter.consented
    wizard.open(wave_file("Luigi.wav", 5.0))
    wizard.clone()
    assert not presenter.consented
    wizard.until(lambda: not box.isChecked())
