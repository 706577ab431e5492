"""From a sound to a saved voice, with the real lanes, the real library and the test models."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import engine
from app.messages import Level
from app.settings.table import LAST_LANGUAGE
from app.wizard.presenter import Step, WizardPresenter

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.studio import Studio
    from app.work import JobContext
    from tests.app.wizard.conftest import Loaded


@pytest.fixture
def sound(wizard: Loaded, wave_file: Callable[..., Path]) -> Path:
    path = wave_file("Mario.wav", 5.0)
    wizard.open(path)
    return path


def test_the_voice_is_that_of_the_selection_and_of_nothing_else(
    wizard: Loaded, presenter: WizardPresenter, sound: Path
) -> None:
    presenter.select(1.0, 4.0)
    wizard.checked()
    wizard.clone()
    made = presenter.cloned
    assert made is not None
    clip = engine.read_clip(sound).cut(1.0, 4.0)
    expected = engine.load_model(made.model.folder).clone(clip)
    np.testing.assert_array_equal(made.voice.x_vector, expected.x_vector)
    assert made.voice.reference_seconds == pytest.approx(3.0)
    assert made.voice.codes is None
    assert presenter.step is Step.SAVE


def test_words_make_it_an_in_context_voice(wizard: Loaded, presenter: WizardPresenter, sound: Path) -> None:
    presenter.transcript.set_text("The north wind and the sun.")
    wizard.clone()
    made = presenter.cloned
    assert made is not None
    assert made.voice.in_context
    assert made.voice.transcript == "The north wind and the sun."
    assert next(offer.tier for offer in presenter.offers if offer.advice) == "standard"
    assert presenter.tier == "standard"


def test_words_of_another_selection_block_cloning_until_confirmed(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file(seconds=25.0))
    presenter.transcript.set_text("Everything that is said in twenty-five seconds.")
    presenter.select(0.0, 10.0)
    wizard.checked()
    presenter.go_to(Step.CLONE)
    assert "words still match" in presenter.clone_blocked
    presenter.clone()
    assert not presenter.cloning.running
    presenter.transcript.confirm()
    assert presenter.clone_blocked == ""
    presenter.clone()
    assert presenter.cloning.running
    wizard.until(lambda: presenter.cloned is not None)


def test_another_sound_has_other_words_and_no_voice_yet(
    wizard: Loaded, presenter: WizardPresenter, sound: Path, wave_file: Callable[..., Path]
) -> None:
    presenter.transcript.set_text("Words.")
    wizard.clone()
    wizard.open(wave_file("Luigi.wav", 4.0))
    assert presenter.transcript.text == ""
    assert presenter.cloned is None
    assert presenter.offers == ()
    assert presenter.step is Step.LISTEN
    assert presenter.name == "Luigi"


@pytest.mark.parametrize("tier", ["light", "standard", "wdelta"])
def test_each_tier_is_sized_saved_and_speaks(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path, tier: str
) -> None:
    sizes: dict[str, int] = {}
    presenter.saving.sized.connect(lambda of, size: sizes.__setitem__(of, size))
    changed: list[bool] = []
    studio.library_changed.connect(lambda: changed.append(True))
    wizard.clone()
    wizard.until(lambda: set(sizes) == {"light", "standard", "wdelta"})
    presenter.describe(name="  Mario ", language="italian", tier=tier)  # type: ignore[arg-type]
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    record = presenter.saved
    assert record is not None
    assert (record.name, record.tier, record.language) == ("Mario", tier, "italian")
    if tier != "wdelta":
        assert record.size_bytes == sizes[tier]
    assert changed == [True]
    assert studio.messages.history[-1].text == "Saved Mario"
    assert studio.settings.get(LAST_LANGUAGE) == "italian"
    model = engine.load_model(studio.shelf.fitting(record.width)[0].folder)
    request = engine.SpeechRequest("Hi.", voice=studio.library.load(record.id), seed=1, max_new_tokens=4)
    assert sum(len(chunk.samples) for chunk in model.speak(request)) > 0


def test_saving_can_be_undone_and_done_again(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    wizard.clone()
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    action = studio.messages.history[-1].action
    assert action is not None
    assert action.label == "Undo"
    action.run()
    wizard.until(lambda: presenter.saved is None)
    assert studio.library.voices() == []
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    assert [record.name for record in studio.library.voices()] == ["Mario"]


def test_another_name_or_tier_is_another_voice_to_save(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    wizard.clone()
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    presenter.describe(tier="light")
    assert presenter.saved is None
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    assert sorted(record.name for record in studio.library.voices()) == ["Mario", "Mario (2)"]


def test_a_voice_needs_a_name(wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path) -> None:
    wizard.clone()
    presenter.describe(name="  ")
    assert presenter.save_blocked == "Give the voice a name."
    presenter.save()
    assert not presenter.saving.running


def test_wdelta_without_a_customvoice_model_says_why_not(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    custom = next(entry for entry in studio.shelf.entries if entry.folder.name == "custom_voice")
    studio.shelf.remove_folder(custom.folder)
    wizard.clone()
    refused = {offer.tier: offer.reason for offer in presenter.offers}
    assert refused["light"] == refused["standard"] == ""
    assert "CustomVoice" in refused["wdelta"]
    presenter.describe(tier="wdelta")
    assert presenter.save_blocked == refused["wdelta"]
    studio.shelf.refresh()
    wizard.until(lambda: presenter.save_blocked == "")  # it came back, and so does the tier


def test_cloning_can_be_cancelled_and_done_again(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    gate = threading.Event()

    def hold(context: JobContext) -> None:
        while not gate.wait(0.01):
            context.cancel.check()

    studio.model_lane.submit(hold, "Holding the lane")
    presenter.go_to(Step.CLONE)
    presenter.clone()
    assert presenter.cloning.running
    presenter.cloning.cancel()
    wizard.until(lambda: not presenter.cloning.running)
    gate.set()
    assert presenter.cloned is None
    assert presenter.step is Step.CLONE
    assert wizard.notices == []
    presenter.clone()
    wizard.until(lambda: presenter.step is Step.SAVE)


def test_going_back_while_cloning_calls_it_off(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    presenter.go_to(Step.CLONE)
    presenter.clone()
    presenter.go_to(Step.LISTEN)
    wizard.until(lambda: not presenter.cloning.running and not studio.model_lane.busy)
    assert presenter.step is Step.LISTEN


def test_a_selection_that_was_dragged_away_comes_back_on_the_save_step(
    wizard: Loaded, presenter: WizardPresenter, sound: Path
) -> None:
    presenter.select(0.5, 4.5)
    wizard.checked()
    wizard.clone()
    presenter.timeline.edit_selection((1.0, 3.0))
    assert presenter.selection == (0.5, 4.5)
    assert presenter.is_current
    assert wizard.notices[-1][0] == "info"


def test_a_voice_that_is_out_of_date_has_to_be_cloned_again(
    wizard: Loaded, presenter: WizardPresenter, sound: Path
) -> None:
    wizard.clone()
    presenter.go_to(Step.LISTEN)
    presenter.select(0.0, 3.0)
    wizard.checked()
    presenter.go_to(Step.CLONE)
    presenter.go_to(Step.SAVE)
    assert presenter.step is Step.CLONE
    assert not presenter.is_current
    presenter.select(0.0, 5.0)
    presenter.go_to(Step.SAVE)
    assert presenter.step is Step.SAVE


def test_no_base_model_is_said(wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path) -> None:
    for entry in list(studio.shelf.entries):
        studio.shelf.remove_folder(entry.folder)
    presenter.go_to(Step.CLONE)
    assert "No Base model" in presenter.clone_blocked
    presenter.clone()
    assert not presenter.cloning.running


def test_a_broken_model_is_said_in_one_line(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise engine.ModelError("model.safetensors is cut short. Fetch the model again.")

    monkeypatch.setattr(engine, "load_model", broken)
    presenter.go_to(Step.CLONE)
    presenter.clone()
    assert wizard.notice() == ("error", "model.safetensors is cut short. Fetch the model again.")
    assert presenter.step is Step.CLONE


def test_starting_over_forgets_everything(wizard: Loaded, presenter: WizardPresenter, sound: Path) -> None:
    wizard.clone()
    presenter.start_over()
    assert (presenter.step, presenter.sound, presenter.cloned, presenter.name) == (Step.SOUND, None, None, "")
    presenter.go_to(Step.LISTEN)
    assert presenter.step is Step.SOUND


def test_nothing_is_said_as_an_error_on_the_way(
    wizard: Loaded, presenter: WizardPresenter, studio: Studio, sound: Path
) -> None:
    wizard.clone()
    presenter.save()
    wizard.until(lambda: presenter.saved is not None)
    assert not [message for message in studio.messages.history if message.level is Level.ERROR]
    assert wizard.notices == []
