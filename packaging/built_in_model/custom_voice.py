"""Stage `custom_voice`: Base fine-tuned to preset speakers, which are rows of the codec table instead of x-vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from built_in_model import dimensions
from built_in_model.flite import Speaker
from built_in_model.modules import ready
from built_in_model.paths import RUNS, Curve
from built_in_model.rows import Said
from built_in_model.speech import Shard
from built_in_model.talker import Corpus, Training, Utterance, train
from built_in_model.training import run_options

# What each preset sounds like; utterances of speakers this near are its own.
PRESETS = {
    "clara": Speaker("slt", 1.0, 172.0),
    "victor": Speaker("rms", 1.0, 101.0),
    "nora": Speaker("slt", 1.12, 218.0),
    "ewan": Speaker("awb", 1.0, 128.0),
}
_NEAR_WARP, _NEAR_PITCH = 0.05, 0.12
_SHARE = 0.5  # of the preset utterances said by row, not by x-vector


def preset_of(line: dict[str, Any]) -> str | None:
    """The preset whose voice an utterance has, if any."""
    for name, speaker in PRESETS.items():
        alike = abs(line["warp"] / speaker.warp - 1) < _NEAR_WARP
        pitched = line["voice"] == "rms" or abs(line["pitch_hz"] / speaker.pitch_hz - 1) < _NEAR_PITCH
        if line["voice"] == speaker.voice and alike and pitched:
            return name
    return None


class PresetCorpus(Corpus):
    """A corpus in which about half of the utterances are of a preset."""

    def _add(self, shard: Shard, file: Any, vectors: torch.Tensor) -> None:
        before = len(self.items)
        super()._add(shard, file, vectors)
        added = self.items[before:]
        mine = [item for item in added if preset_of(item.line)]
        self.items += mine * max(0, len(added) // max(1, len(mine)) - 1)

    def said(self, item: Utterance) -> Said:
        said = super().said(item)
        preset = preset_of(item.line)
        if preset is None or self._random.random() > _SHARE:
            return said
        return replace(said, speaker_id=dimensions.SPEAKERS[preset], streamed=self._random.random() < 0.3)

    def mean_vector(self, preset: str) -> torch.Tensor:
        """The x-vector that a preset's row begins as."""
        rows = [i.vector for i in self.items if preset_of(i.line) == preset and i.line["style"] == "plain"]
        return self.vectors[rows].mean(0)


def main(arguments: list[str]) -> int:
    asked = run_options("custom_voice", __doc__, minutes=10, rate=4e-4).parse_args(arguments)
    torch.manual_seed(1)
    ready(asked.device)
    fresh = not (RUNS / "custom_voice.pt").exists()
    run = Training("custom_voice", "talker", asked.rate, asked.device)
    corpus = PresetCorpus(run.step, streamed=0.6)
    if fresh:
        at = next(i for i, p in enumerate(run.network.parameters()) if p is run.network.codec)
        with torch.no_grad():
            for name, row in dimensions.SPEAKERS.items():
                run.network.codec[row] = corpus.mean_vector(name).to(run.device)
                run.average.values[at][row] = run.network.codec[row]
    train(run, corpus, Curve("custom_voice"), 1_000_000, asked.minutes, anneal=True)
    return 0
