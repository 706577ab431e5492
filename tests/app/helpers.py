"""Stand-ins that tests of the window share."""

from __future__ import annotations

from app.messages import Level, Message, Messages


class MessageRecorder(Messages):
    """The real channel, which also remembers what was said so that a test can ask."""

    def texts(self, level: Level | None = None) -> list[str]:
        return [message.text for message in self.history if level in (None, message.level)]

    @property
    def last(self) -> Message:
        assert self.history, "nothing was said"
        return self.history[-1]

    def run_last_action(self) -> None:
        action = self.last.action
        assert action is not None, f"no button on: {self.last.text}"
        action.run()
