"""What stands under "More": speed, and how the model draws its codes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import engine

LIMITS: Final[dict[str, tuple[float, float]]] = {
    "speed": (0.5, 2.0),
    "temperature": (0.0, 2.0),
    "top_k": (0, 1000),
    "top_p": (0.0, 1.0),
    "penalty": (0.0, 2.0),
}


@dataclass(frozen=True)
class Tuning:
    """`speed` is times the speed the model spoke at, done to the finished sound; 1 leaves it as it is.

    The others are of the model's first sampler (the one that makes the words); 0 is the model's own setting.
    """

    speed: float = 1.0
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 0.0
    penalty: float = 0.0

    @property
    def sampling(self) -> engine.Sampling:
        """For the engine."""
        talker = engine.SamplerSettings(
            temperature=self.temperature or None, top_k=self.top_k or None, top_p=self.top_p or None
        )
        return engine.Sampling(talker=talker, repetition_penalty=self.penalty or None)

    @property
    def words(self) -> str:
        """What is other than usual: "1.2 × speed · temperature 0.7"; empty if nothing is."""
        parts = [f"{self.speed:g} × speed"] if self.speed != 1.0 else []
        named = {"temperature": self.temperature, "top-k": self.top_k, "top-p": self.top_p, "penalty": self.penalty}
        return " · ".join([*parts, *(f"{name} {value:g}" for name, value in named.items() if value)])


USUAL: Final = Tuning()


def read_tuning(content: object) -> Tuning:
    """From JSON; whatever makes no sense in it is left at its default."""
    kept: dict[str, Any] = {}
    for name, default in asdict(Tuning()).items():
        value = content.get(name) if isinstance(content, dict) else None
        low, high = LIMITS[name]
        if type(value) in (int, type(default)) and low <= value <= high:  # type: ignore[operator]
            kept[name] = type(default)(value)
    return Tuning(**kept)
