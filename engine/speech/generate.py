"""The frame loop: prompt rows in, frames of codes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.model.code_predictor import CodePredictor
from engine.model.config import TalkerConfig
from engine.model.embeddings import Embeddings
from engine.model.graphs import Graphs, PredictorSteps, TalkerSteps
from engine.model.layers import Together
from engine.model.talker import Talker
from engine.progress import Cancel
from engine.speech.sampling import FirstCodeRules, Sampler
from engine.text.prompt import Prompt


@dataclass(frozen=True, eq=False)
class Speaker:
    """The parts of a model that make codes. `embeddings` may carry a voice's own tables."""

    talker: Talker
    predictor: CodePredictor
    embeddings: Embeddings
    graphs: Graphs | None = None  # where steps can be captured


@dataclass(frozen=True)
class LoopSettings:
    """Samplers and limits of one run of the loop. `eos_id` None takes the model's."""

    first: Sampler
    rest: Sampler
    penalty: float
    max_new_tokens: int
    eos_id: int | None = None

    def rules(self, config: TalkerConfig) -> FirstCodeRules:
        controls = range(config.code_predictor_config.vocab_size, config.vocab_size)
        eos = config.codec_eos_token_id
        return FirstCodeRules(eos if self.eos_id is None else self.eos_id, controls, eos, self.penalty)


def generate_frames(
    speaker: Speaker, prompt: Prompt, settings: LoopSettings, generator: torch.Generator, cancel: Cancel
) -> Iterator[Tensor]:
    """Frames of codes int64 [codebooks], until the model ends or `max_new_tokens - 1` frames are out.

    The official code computes a frame's codes 1 .. 15 at the start of the next step, so N tokens give N - 1 frames;
    the last token is drawn all the same, which keeps the random stream in step. Codes are drawn on the CPU in float32
    whatever the model computes in, so that one seed means one stream of chance. Raises `Cancelled` between frames.
    """
    run = Run(speaker, prompt, settings, generator, alone=True)
    while True:
        cancel.check()
        (frame,) = next_frames([run])
        if frame is None:
            return
        yield frame


class Run:
    """One stream of the loop: its place in the prompt's text, its cache, its chance."""

    def __init__(
        self, speaker: Speaker, prompt: Prompt, settings: LoopSettings, generator: torch.Generator, *, alone: bool
    ) -> None:
        """`alone`: no other is ever stepped together with it, so that captured steps can serve it."""
        self.alone = alone
        self.speaker, self.cache = speaker, speaker.talker.new_cache(1, capacity=len(prompt.rows) + 128)
        self._prompt, self._settings, self._generator = prompt, settings, generator
        self._rules = settings.rules(speaker.talker.config)
        self._produced: set[int] = set()
        self._frames = 0
        self._hidden: Tensor | None = None  # of the last row; None while `row` waits
        self.row = prompt.rows

    @property
    def is_new(self) -> bool:
        """Whether the whole prompt waits to be taken in."""
        return self._frames == 0 and self._hidden is None

    @property
    def waits(self) -> bool:
        """Whether a row waits for the talker."""
        return self._hidden is None

    def take_hidden(self, hidden: Tensor) -> None:
        """The talker's state [1, width] after `row`."""
        self._hidden = hidden

    @property
    def hidden(self) -> Tensor:
        assert self._hidden is not None
        return self._hidden

    def draw_first(self, logits: Tensor) -> Tensor | None:
        """Code 0, int64 [1], of the next frame, from [1, vocab]; None where the stream ends."""
        logits = self._rules.apply(logits, self._produced, self._frames)
        first = self._settings.first.draw(logits, self._generator)
        token = int(first)
        if token == self._rules.eos_id or self._frames == self._settings.max_new_tokens - 1:
            return None
        self._produced.add(token)
        return first

    def draw_rest(self, logits: Tensor) -> Tensor:
        """One of codes 1 .. 15, int64 [1], from [1, vocab]."""
        return self._settings.rest.draw(logits, self._generator)

    def row_of(self, first: Tensor) -> Tensor:
        """The talker's embedding [1, width] of code 0."""
        return self.speaker.embeddings.codec[first.to(self.hidden.device)]

    def take_frame(self, codes: Tensor) -> None:
        """The sum [width] of a frame's embeddings: with the text's next row it is the talker's next row."""
        self.row = codes + self._prompt.text_row(self._frames)
        self._frames += 1
        self._hidden = None


def next_frames(runs: Sequence[Run]) -> list[Tensor | None]:
    """The next frame of each run, int64 [codebooks], or None where it has ended. All must share talker and predictor,
    whose weights are read once for all; a prompt is taken in alone, as it would be without company."""
    _advance(runs)
    talker, predictor = runs[0].speaker.talker, runs[0].speaker.predictor
    logits = talker.logits(torch.cat([run.hidden for run in runs])).float().cpu()
    firsts = [run.draw_first(row) for run, row in zip(runs, logits.chunk(len(runs)), strict=True)]
    going = [(run, first) for run, first in zip(runs, firsts, strict=True) if first is not None]
    frames: list[Tensor | None] = [None] * len(runs)
    if not going:
        return frames

    def pick(logits: Tensor) -> Tensor:
        rows = logits.float().cpu().chunk(len(going))
        return torch.cat([run.draw_rest(row) for (run, _), row in zip(going, rows, strict=True)])

    hidden = torch.cat([run.hidden for run, _ in going])
    first_rows = torch.cat([run.row_of(first) for run, first in going])
    steps = _captured(runs)
    if steps:
        rest, rest_rows = steps[1](hidden, first_rows, pick)
    else:
        rest, rest_rows = predictor(hidden, first_rows, predictor.new_cache(len(going)), pick)
    codes = iter(zip(rest, first_rows + rest_rows, strict=True))
    for place, (run, first) in enumerate(zip(runs, firsts, strict=True)):
        if first is not None:
            later, row = next(codes)
            frames[place] = torch.cat((first, later))
            run.take_frame(row)
    return frames


def _captured(runs: Sequence[Run]) -> tuple[TalkerSteps, PredictorSteps] | None:
    """The captured steps, which serve one stream at a time; None where there are none."""
    graphs = runs[0].speaker.graphs
    return graphs.steps() if graphs is not None and runs[0].alone else None


def _advance(runs: Sequence[Run]) -> None:
    """Run the talker over every row that waits."""
    talker = runs[0].speaker.talker
    for run in (run for run in runs if run.is_new):
        run.take_hidden(talker(run.row[None], run.cache)[:, -1])
    waiting = [run for run in runs if run.waits]
    steps = _captured(runs)
    if waiting and steps:
        waiting[0].take_hidden(steps[0].step(waiting[0].row, waiting[0].cache))
    elif waiting:
        cache = waiting[0].cache if len(waiting) == 1 else Together([run.cache for run in waiting])
        hidden = talker(torch.stack([run.row for run in waiting])[:, None], cache)[:, -1]
        for run, state in zip(waiting, hidden.chunk(len(waiting)), strict=True):
            run.take_hidden(state)
