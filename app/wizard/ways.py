"""What the two buttons at the foot do in each step and state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.wizard.foot import Way
from app.wizard.presenter import Step, WizardPresenter
from app.wizard.recording import COUNTDOWN, RECORDING

if TYPE_CHECKING:
    from collections.abc import Callable

    Ways = tuple[Way | None, Way]


def ways(presenter: WizardPresenter, speak: Callable[[], object]) -> Ways:
    """The button beside the primary one (None for none), and the primary one. `speak` goes on with a saved voice."""
    makers = {Step.SOUND: _sound, Step.LISTEN: _listen, Step.CLONE: _clone, Step.SAVE: _save}
    made: Ways = makers[presenter.step](presenter) if presenter.saved is None else _saved(presenter, speak)
    return made


def _sound(presenter: WizardPresenter) -> Ways:
    recording = presenter.recording
    if recording.state == RECORDING:
        return Way("Discard", recording.discard, "trash-2"), Way("Stop", recording.stop, "square")
    if recording.state == COUNTDOWN:
        return None, Way("Cancel", recording.discard, "x")
    if presenter.reading.busy:
        return None, Way("Reading…", presenter.reading.cancel, enabled=False)
    if presenter.sound is not None:
        again = Way("Record again", recording.record, "mic", recording.problem)
        return again, Way("Continue", lambda: presenter.go_to(Step.LISTEN))
    return None, Way("Record", recording.record, "mic", recording.problem)


def _listen(presenter: WizardPresenter) -> Ways:
    on = Way("Continue", lambda: presenter.go_to(Step.CLONE), "", presenter.blocked)
    return Way("Back", lambda: presenter.go_to(Step.SOUND), "chevron-left"), on


def _clone(presenter: WizardPresenter) -> Ways:
    if presenter.cloning.running:
        return Way("Cancel", presenter.cloning.cancel, "x"), Way("Cloning…", presenter.clone, enabled=False)
    back = Way("Back", lambda: presenter.go_to(Step.LISTEN), "chevron-left")
    if presenter.is_current:
        return back, Way("Continue", lambda: presenter.go_to(Step.SAVE))
    return back, Way("Clone voice", presenter.clone, "fingerprint-pattern", presenter.clone_blocked)


def _save(presenter: WizardPresenter) -> Ways:
    if presenter.saving.running:
        return Way("Cancel", presenter.saving.cancel, "x"), Way("Saving…", presenter.save, enabled=False)
    back = Way("Back", lambda: presenter.go_to(Step.CLONE), "chevron-left")
    return back, Way("Save voice", presenter.save, "save", presenter.save_blocked)


def _saved(presenter: WizardPresenter, speak: Callable[[], object]) -> Ways:
    if presenter.step is not Step.SAVE:
        return {Step.SOUND: _sound, Step.LISTEN: _listen, Step.CLONE: _clone}[presenter.step](presenter)
    return Way("New voice", presenter.start_over, "plus"), Way("Speak with it", speak, "message-square-text")
