"""One tree of errors. Each text says what is wrong, in which file, and what to do; it is shown to people as it is."""


class QVoiceError(Exception):
    """The root: anything the engine refuses or cannot do. `str(error)` is one clear line."""


class ClipError(QVoiceError):
    """A sound file that cannot be read, or a clip that cannot be used."""


class ModelError(QVoiceError):
    """A model folder that is incomplete, broken, or of the wrong kind or size for what was asked."""


class VoiceError(QVoiceError):
    """A voice file that is foreign, cut short, or made for another model size."""


class RequestError(QVoiceError):
    """Something asked for that cannot be spoken: empty text, unknown language or speaker."""


class WriteError(QVoiceError):
    """A file that could not be written; what was there before is untouched."""


class FetchError(QVoiceError):
    """A model that could not be fetched; what came so far is kept, and fetching goes on from there."""


class Cancelled(QVoiceError):  # noqa: N818 - it is an outcome, not a fault
    """The caller cancelled; nothing half-done is left behind."""

    def __init__(self) -> None:
        super().__init__("Cancelled.")
