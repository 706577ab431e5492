"""What the library refuses; as with the engine's errors, the text is shown to people as it is."""

import engine


class LibraryError(engine.QVoiceError):
    """Something about the library cannot be done: a name taken, a voice gone, a newer database."""
