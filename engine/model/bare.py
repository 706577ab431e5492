"""torch's layers without initial values: every weight comes from a file, so none is drawn at random first.

It also keeps torch from importing its symbolic machinery, nine hundred modules, just to initialise meta tensors.
"""

from __future__ import annotations

from torch import nn


class Linear(nn.Linear):
    def reset_parameters(self) -> None:
        """Nothing is drawn."""


class Embedding(nn.Embedding):
    def reset_parameters(self) -> None:
        """Nothing is drawn."""


class Conv1d(nn.Conv1d):
    def reset_parameters(self) -> None:
        """Nothing is drawn."""


class ConvTranspose1d(nn.ConvTranspose1d):
    def reset_parameters(self) -> None:
        """Nothing is drawn."""


class LayerNorm(nn.LayerNorm):
    def reset_parameters(self) -> None:
        """Nothing is drawn."""
