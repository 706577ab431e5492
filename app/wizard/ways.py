"""What the two buttons at the foot do in each step and state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.wizard.foot import Way
from app.wizard.presenter import Step, WizardPresenter
from app.wizard.recording import COUNTDOWN, RECORDING

if TYPE_CHECKING:
    from collections.abc import Callable

    Ways = tuple[Way | None, Way]


def ways(presenter: WizardPresenter, open_file: Callable[[], object], speak: Callable[[], object]) -> Ways:
    """The button beside the primary one (None for none), and the primary one.

    `open_file` asks for a file, `speak` goes on with a saved voice; both belong to the page.
    """
    match presenter.step:
        case Step.SOUND:
            return _sound(presenter, open_file)
        case Step.LISTEN:
            return _listen(presenter)
        case Step.CLONE:
            return _clone(presenter)
    return _save(presenter, speak)


def _sound(presenter: WizardPresenter, open_file: Callable[[], object]) -> Ways:
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
    if recording.problem:
        return None, Way("Open a file…", open_file, "folder-open")
    return None, Way("Record", recording.record, "mic")


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


def _save(presenter: WizardPresenter, speak: Callable[[], object]) -> Ways:
    if presenter.saved is not None:
        return Way("New voice", presenter.start_over, "plus"), Way("Speak with it", speak, "message-square-text")
    if presenter.saving.running:
        return Way("Cancel", presenter.saving.cancel, "x"), Way("Saving…", presenter.save, enabled=False)
    back = Way("Back", lambda: presenter.go_to(Step.CLONE), "chevron-left")
    return back, Way("Save voice", presenter.save, "save", presenter.save_blocked)
