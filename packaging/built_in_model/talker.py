"""Stages `talker` and `custom_voice`: text, style and speaker to codes.

Rows are laid out as at run time. A head in two layers is pushed to look at the token that is being spoken (known from
the teacher's phone times), so that the order of reading is learnt in minutes. Part of the frames fed back is left
out or wrong on purpose: without gaps the model goes by what it said and not by the text, and at run time what it said
is its own.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from built_in_model import align, books, dimensions, tokens
from built_in_model.features import PHONES
from built_in_model.flite import RATE
from built_in_model.modules import Average, OpenCache, TrainedAttention, parameter_count, prepare, ready
from built_in_model.muon import Muon, hidden_matrices
from built_in_model.paths import CODES, RUNS, Curve, Means, wait_while_quiet
from built_in_model.rows import NONE, Layout, Said, lay_out
from built_in_model.speech import FRAME, Shard, frames_of, shards
from built_in_model.styles import wording
from built_in_model.training import Pace, add_anneal, run_options, save_state
from engine.files import atomic_write
from engine.model.code_predictor import CodePredictor
from engine.model.embeddings import TextProjection
from engine.model.layers import rotate
from engine.model.talker import Talker

GUIDED = (1, 2)  # layers whose first head is told where to look
_ROWS, _DRAWN = 1700, 200  # rows of a batch, about; utterances it is chosen from
_JOINED, _LONGEST = 0.35, 70  # chance that another utterance follows one, if that one has no more frames than this
_EASY_STEPS = 1000  # at first, of short utterances fed back rightly, until the order of reading is found
_PREDICTED = 0.3  # share of the frames that the code predictor learns from at each step
_NOISY, _WRONG = 0.6, 0.06  # share of utterances fed back wrongly, of codes and (half as many) of frames in them
_GAPPY, _MOST_GAPS = 0.7, 0.6  # share of utterances fed back with gaps; most of their frames that are left out
# Share of utterances in which the guided heads are replaced, until when, and from when on none are.
_REPLACED, _REPLACED_STEPS = 0.9, (1200, 1900)
_WIDTH = 0.7  # of the guide, in tokens
_SAVE_SECONDS, _LOG_STEPS = 90.0, 25
_REST = books.EFFECTIVE - 1


@dataclass(frozen=True, eq=False)
class Utterance:
    """One training example: its line, its tokens, which token each frame speaks, its codes.

    `after` are its tokens when it follows another utterance, with a blank before it, and `moved` where in them each of
    its own tokens is.
    """

    line: dict[str, Any]
    text: list[int]
    spoken: npt.NDArray[np.int64]
    codes: Tensor
    vector: int  # its row among all x-vectors
    after: list[int]
    moved: npt.NDArray[np.int64]

    def joined(self, other: Utterance) -> Utterance:
        """This one and then `other`, as one utterance."""
        spoken = np.concatenate((self.spoken, other.moved[other.spoken] + len(self.text)))
        codes = torch.cat((self.codes, other.codes))
        return Utterance(self.line, self.text + other.after, spoken, codes, self.vector, self.after, self.moved)


class Corpus:
    """Every utterance that has codes and an x-vector."""

    def __init__(self, seed: int, streamed: float, rows: int = _ROWS) -> None:
        self.rows = rows  # of a batch, about
        self.streamed = streamed  # share of the utterances whose text comes frame by frame
        self.tokenizer, self.config = tokens.tokenizer(), dimensions.model("custom_voice")
        self._random = random.Random(seed)
        self.items: list[Utterance] = []
        self._by_speaker: dict[int, list[int]] = {}
        self._alike: dict[tuple[int, str], list[Utterance]] = {}  # by speaker and style
        self._aligner: tuple[Any, Any] | None = None
        self._seen: set[int] = set()
        self.vectors = torch.zeros(0, dimensions.WIDTH)
        self.refresh()

    def refresh(self) -> None:
        """Take in what has been made since."""
        for shard in shards():
            codes, vectors = CODES / f"codes{shard.index:04d}.npz", CODES / f"vectors{shard.index:04d}.npy"
            if shard.index not in self._seen and codes.exists() and vectors.exists():
                self._add(shard, np.load(codes), torch.from_numpy(np.load(vectors)))
                self._seen.add(shard.index)

    def _add(self, shard: Shard, file: Any, vectors: Tensor) -> None:
        base, cached = len(self.vectors), CODES / f"spoken{shard.index:04d}.npy"
        self.vectors = torch.cat((self.vectors, vectors))
        all_codes = torch.from_numpy(file["codes"].astype(np.int64))
        starts = np.concatenate(([0], np.cumsum(file["frames"])))
        encodings = [self.tokenizer._bpe.encode(line["text"], add_special_tokens=False) for line in shard.lines]
        if not cached.exists():
            aligned = [self._spoken(line, e.offsets) for line, e in zip(shard.lines, encodings, strict=True)]
            with atomic_write(cached) as out:
                np.save(out, np.concatenate(aligned))
        all_spoken = np.load(cached)
        for number, (line, encoding) in enumerate(zip(shard.lines, encodings, strict=True)):
            codes = all_codes[starts[number] : starts[number + 1]]
            spoken = all_spoken[starts[number] : starts[number + 1]]
            if line["voice"] == "rms" and line["style"] in ("excited", "low"):
                continue  # flite's rms obeys no pitch
            spaced = self.tokenizer._bpe.encode(" " + line["text"], add_special_tokens=False)
            middles = [(begin + end) / 2 + 1 for begin, end in encoding.offsets]
            moved = np.searchsorted([end for _, end in spaced.offsets], middles, side="left")
            item = Utterance(line, list(encoding.ids), spoken, codes, base + number, list(spaced.ids), moved)
            self._alike.setdefault((line["speaker"], line["style"]), []).append(item)
            self.items.append(item)
            if line["style"] == "plain":
                self._by_speaker.setdefault(line["speaker"], []).append(base + number)

    def _spoken(self, line: dict[str, Any], offsets: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
        """[frames]: the token spoken in the middle of each frame."""
        letters = align.letters_of(line["text"])
        phones = np.array([PHONES.index(name) for name, _ in line["phones"]])
        path = align.align(letters, phones, *self._learnt())
        ends = np.array([end for _, end in line["phones"]])
        centres = (np.arange(frames_of(line)) + 0.5) * FRAME / RATE
        at = path[np.minimum(np.searchsorted(ends, centres), len(path) - 1)]
        found: npt.NDArray[np.int64] = np.searchsorted([end for _, end in offsets], at, side="right")
        return np.minimum(found, len(offsets) - 1)

    def _learnt(self) -> tuple[Any, Any]:
        if self._aligner is None:
            path = CODES / "align.npz"
            if not path.exists():
                lines = [line for shard in shards(5) for line in shard.lines]
                pairs = [
                    (align.letters_of(m["text"]), np.array([PHONES.index(name) for name, _ in m["phones"]]))
                    for m in lines
                ]
                emit, move = align.learn(pairs)
                with atomic_write(path) as out:
                    np.savez(out, emit=emit, move=move)
            file = np.load(path)
            self._aligner = (file["emit"], file["move"])
        return self._aligner

    def batch(self, joined: float) -> list[tuple[Utterance, Said, Layout]]:
        """Utterances of about one number of rows, of about `_ROWS` rows together."""
        drawn = []
        for item in self._random.sample(self.items, min(_DRAWN * self.rows // _ROWS, len(self.items))):
            while self._random.random() < joined and len(item.codes) < _LONGEST:
                item = item.joined(self._random.choice(self._alike[item.line["speaker"], item.line["style"]]))
            said = self.said(item)
            drawn.append((item, said, lay_out(said, len(item.codes), self.config)))
        drawn.sort(key=lambda triple: len(triple[2].text))
        first = self._random.randrange(len(drawn))
        longest = len(drawn[first][2].text)
        return drawn[max(0, first + 1 - max(1, self.rows // longest)) : first + 1]

    def vector(self, item: Utterance) -> Tensor:
        """An x-vector of the same speaker, mostly of another utterance."""
        same = self._by_speaker.get(item.line["speaker"])
        return self.vectors[self._random.choice(same) if same else item.vector]

    def said(self, item: Utterance) -> Said:
        """How the prompt puts it: styles are asked for, half of the time text is streamed, half of it in English."""
        r = self._random
        language = self.config.talker_config.codec_language_id["english"] if r.random() < 0.5 else None
        instruct = self.tokenizer.instruction(wording(item.line["style"], r))
        role = self.tokenizer.role("assistant")
        return Said(role, instruct, item.text, language, None, streamed=r.random() < self.streamed)


class Network(nn.Module):
    """The engine's talker and code predictor, with the embeddings as parameters."""

    def __init__(self) -> None:
        super().__init__()
        config = self.config = dimensions.model("custom_voice")
        t = config.talker_config
        g = torch.Generator().manual_seed(0)
        self.talker = cast("Talker", prepare(Talker(t), g))
        self.predictor = cast("CodePredictor", prepare(CodePredictor(t), g))
        self.text = nn.Parameter(torch.randn(t.text_vocab_size, t.text_hidden_size, generator=g) * 0.5)
        self.codec = nn.Parameter(torch.randn(t.vocab_size, t.hidden_size, generator=g) * 0.3)
        self.fc1, self.fc2 = (
            nn.Linear(t.text_hidden_size, t.text_hidden_size),
            nn.Linear(t.text_hidden_size, t.hidden_size),
        )

    @torch.no_grad()
    def start_from(self, tables: Tensor) -> None:
        """Embeddings and heads in which codes that sound alike are alike; those of empty books are zero."""
        g = torch.Generator().manual_seed(1)

        def cast_to(book: int, width: int, size: float) -> Tensor:
            rows = tables[book] - tables[book].mean(0)
            rows = rows @ torch.randn(rows.shape[1], width, generator=g)
            return rows * (size / rows.pow(2).mean().sqrt()) + 0.3 * size * torch.randn(rows.shape, generator=g)

        t, p = self.config.talker_config, self.predictor
        self.codec[: books.ENTRIES] = cast_to(0, t.hidden_size, 0.25)
        self.talker.codec_head.weight[: books.ENTRIES] = cast_to(0, t.hidden_size, 0.02)
        for i, (table, head) in enumerate(zip(p.model.codec_embedding, p.lm_head, strict=True)):
            of_table, of_head = table.get_parameter("weight"), head.get_parameter("weight")
            of_table.zero_()
            of_head.zero_()
            if i < _REST:
                of_table.copy_(cast_to(i + 1, of_table.shape[1], 0.15))
                of_head.copy_(cast_to(i + 1, of_head.shape[1], 0.02))

    @property
    def projection(self) -> TextProjection:
        return TextProjection(self.fc1.weight, self.fc1.bias, self.fc2.weight, self.fc2.bias)

    def frame_rows(self, codes: Tensor) -> Tensor:
        """[..., width] of codes [..., EFFECTIVE]."""
        rows = self.codec[codes[..., 0]]
        for i in range(_REST):
            rows = rows + self.predictor.model.codec_embedding[i](codes[..., i + 1])
        return rows

    def rows(self, batch: Batch) -> Tensor:
        """[batch, rows, width]."""
        projected = self.projection(self.text)
        nothing = projected.new_zeros(1, projected.shape[1])
        rows = F.embedding(batch.text + 1, torch.cat((nothing, projected)))
        rows = rows + F.embedding(batch.codec + 1, torch.cat((nothing, self.codec)))
        rows = rows.flatten(0, 1).index_add(0, batch.fed_at, self.frame_rows(batch.fed))
        rows = rows.index_add(0, batch.speaker_at, batch.vectors)
        return rows.view(*batch.text.shape, -1)

    def predict(self, hidden: Tensor, codes: Tensor) -> list[Tensor]:
        """Logits of codes 1 .. EFFECTIVE - 1 of frames with `hidden` [n, width] and true codes [n, EFFECTIVE]."""
        rows = [hidden, self.codec[codes[:, 0]]]
        rows += [self.predictor.model.codec_embedding[i](codes[:, i + 1]) for i in range(_REST - 1)]
        stacked = self.predictor.small_to_mtp_projection(torch.stack(rows, 1))
        states = self.predictor.model(stacked, OpenCache())
        return [self.predictor.lm_head[i](states[:, i + 1]) for i in range(_REST)]

    def trained(self) -> list[nn.Parameter]:
        empty = {
            id(m.weight)
            for part in (self.predictor.model.codec_embedding, self.predictor.lm_head)
            for m in part[_REST:]
        }
        return [p for p in self.parameters() if id(p) not in empty]


@dataclass(frozen=True, eq=False)
class Batch:
    """Row ids [batch, rows], what is added to which of all rows, what they should predict, where they should look."""

    text: Tensor
    codec: Tensor
    fed: Tensor
    fed_at: Tensor
    vectors: Tensor
    speaker_at: Tensor
    wanted: Tensor  # code 0 or EOS [batch, rows], -100 where nothing is predicted
    codes: Tensor  # true codes [frames, EFFECTIVE] of all frames
    codes_at: Tensor  # the rows that predict them
    guide: Tensor  # [batch, rows, rows]

    def to(self, device: torch.device) -> Batch:
        return Batch(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))


def _disturbed(codes: Tensor, donors: Tensor, r: np.random.Generator) -> Tensor:
    """Codes as the model might have made them: some frames swapped for others, some single codes wrong."""
    out = codes.clone()
    wrong = torch.from_numpy(r.random(codes.shape) < _WRONG)
    whole = torch.from_numpy(r.random(len(codes)) < _WRONG / 2)
    mixed = donors[torch.from_numpy(r.integers(0, len(donors), len(codes)))]
    out[wrong] = mixed[wrong]
    out[whole] = mixed[whole]
    return out


def make_batch(corpus: Corpus, chosen: list[tuple[Utterance, Layout]], r: np.random.Generator, noisy: float) -> Batch:
    end = corpus.config.talker_config.codec_eos_token_id
    items, layouts = [item for item, _ in chosen], [lay for _, lay in chosen]
    longest = max(len(lay.text) for lay in layouts)
    text, codec = np.full((len(items), longest), NONE), np.full((len(items), longest), NONE)
    wanted = np.full((len(items), longest), -100)
    guide = np.zeros((len(items), longest, longest), np.float32)
    fed, fed_at, codes_at, vectors, speaker_at = [], [], [], [], []
    donors = torch.cat([i.codes for i in items])
    for b, (item, lay) in enumerate(chosen):
        count, frames, offset = len(lay.text), len(item.codes), b * longest
        text[b, :count], codec[b, :count] = lay.text, lay.codec
        wanted[b, lay.first : lay.first + frames] = item.codes[:, 0]
        wanted[b, lay.first + frames] = end
        told = np.flatnonzero(r.random(frames) >= (r.uniform(0, _MOST_GAPS) if r.random() < _GAPPY else 0))
        fed.append((_disturbed(item.codes, donors, r) if r.random() < noisy else item.codes)[torch.from_numpy(told)])
        fed_at.append(lay.first + 1 + told + offset)
        codes_at.append(np.arange(lay.first, lay.first + frames) + offset)
        if lay.speaker != NONE:
            vectors.append(corpus.vector(item))
            speaker_at.append(lay.speaker + offset)
        guide[b, lay.first : lay.first + frames] = _guide(lay, item.spoken, longest)
    no_vectors = torch.zeros(0, dimensions.WIDTH)
    return Batch(
        torch.from_numpy(text),
        torch.from_numpy(codec),
        torch.cat(fed),
        torch.from_numpy(np.concatenate(fed_at)),
        torch.stack(vectors) if vectors else no_vectors,
        torch.tensor(speaker_at, dtype=torch.int64),
        torch.from_numpy(wanted),
        donors,
        torch.from_numpy(np.concatenate(codes_at)),
        torch.from_numpy(guide),
    )


def _guide(lay: Layout, spoken: npt.NDArray[np.int64], rows: int) -> npt.NDArray[np.float32]:
    """[frames, rows]: where each frame's row should look, within what it can see."""
    distance = (np.arange(len(lay.places))[None] - spoken[:, None]) / _WIDTH
    weight = np.exp(-0.5 * distance**2)
    seen = lay.places[None] <= lay.first + np.arange(len(spoken))[:, None]
    weight = np.where(seen, weight, 0)
    out = np.zeros((len(spoken), rows), np.float32)
    given = lay.places < rows  # a text streamed into fast speech may end before it is all there
    out[:, lay.places[given]] = (weight / np.maximum(weight.sum(1, keepdims=True), 1e-6))[:, given]
    return out


class Guide:
    """Says how far the first head of the guided layers looks beside the mark, and may look at the mark in its place.

    With the head's attention replaced, what is read there is learnt from the first step on, while the head itself is
    still learning where to look.
    """

    def __init__(self, network: Network) -> None:
        self._parts: list[Tensor] = []
        self.target = torch.zeros(0)
        self.replaced = torch.zeros(0)  # [batch, 1, 1], 1 for the utterances whose attention is replaced
        for layer in GUIDED:
            network.talker.get_submodule(f"model.layers.{layer}.self_attn").register_forward_hook(self._hear)

    def _hear(self, attention: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> Tensor:
        x, cos, sin, mask, _ = inputs
        a = cast("TrainedAttention", attention)
        d, heads = a.config.head_dim, a.config.num_attention_heads
        keys = heads + a.config.num_key_value_heads
        query, key, value = (F.linear(x, a.qkv_proj.weight[n * d : (n + 1) * d]) for n in (0, heads, keys))
        norms = a.head_weights()[[0, heads]]
        both = F.rms_norm(torch.stack((query, key), 2), (d,), None, a.config.rms_norm_eps) * norms
        both = rotate(both, cos, sin)
        scores = both[:, :, 0] @ both[:, :, 1].transpose(1, 2) * d**-0.5
        looks = F.log_softmax(scores.masked_fill(~mask, -1e9), -1)
        told = self.target.sum(-1, keepdim=True) > 0.5
        self._parts.append(-(self.target * looks).sum(-1)[told[:, :, 0]].mean())
        if not bool(self.replaced.any()):
            return output
        beside = (self.target - looks.exp()) * (told * self.replaced)
        return output + F.linear(beside @ value, a.o_proj.weight[:, :d])

    def take(self) -> Tensor:
        """The mean cross entropy of the last pass."""
        total = torch.stack(self._parts).mean()
        self._parts = []
        return total


def losses_of(network: Network, guide: Guide, batch: Batch, g: torch.Generator, replaced: float) -> dict[str, Tensor]:
    guide.target = batch.guide
    guide.replaced = (torch.rand(len(batch.text), 1, 1, generator=g) < replaced).to(batch.guide)
    hidden = network.talker(network.rows(batch), OpenCache())
    flat = hidden.flatten(0, 1)
    told = batch.wanted.flatten() >= 0
    logits = network.talker.logits(flat[told])
    wanted = batch.wanted.flatten()[told]
    chosen = torch.randperm(len(batch.codes), generator=g)[: int(_PREDICTED * len(batch.codes)) + 1]
    chosen = chosen.to(flat.device)
    truth = batch.codes[chosen]
    rest = network.predict(flat[batch.codes_at[chosen]], truth)
    return {
        "first": F.cross_entropy(logits, wanted),
        "rest": torch.stack([F.cross_entropy(x, truth[:, i + 1]) for i, x in enumerate(rest)]).mean(),
        "guide": guide.take(),
    }


class Training:
    """One run: the network, its optimiser, what is on disk."""

    def __init__(self, name: str, start: str | None, rate: float, device: str) -> None:
        self.path, self.device, self.rate = RUNS / f"{name}.pt", torch.device(device), rate
        self.network = Network()
        self.network.start_from(books.tables(torch.load(books.PATH)))
        self.network.to(self.device)
        self.parameters = self.network.trained()
        hidden = hidden_matrices(self.network.talker.model, self.network.predictor.model)
        self.muon, mine = Muon(hidden), {id(p) for p, _ in hidden}
        others = [p for p in self.parameters if id(p) not in mine]
        self.optimiser = torch.optim.AdamW(others, rate, betas=(0.9, 0.98), weight_decay=0.01)
        self.average = Average(list(self.network.parameters()), 0.998)
        self.step, self.seconds = 0, 0.0
        if self.path.exists():
            self._load(torch.load(self.path, map_location=self.device), whole=True)
        elif start is not None:
            self._load(torch.load(RUNS / f"{start}.pt", map_location=self.device), whole=False)

    def _load(self, state: dict[str, Any], whole: bool) -> None:
        self.network.load_state_dict(state["network"])
        if whole:
            if "muon" in state:
                self.optimiser.load_state_dict(state["optimiser"])
                self.muon.load_state_dict(state["muon"])
            self.step, self.seconds = state["step"], state["seconds"]
        self.average.load(state["average"], state["step"])

    def save(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "average": self.average.values,
            "optimiser": self.optimiser.state_dict(),
            "muon": self.muon.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        save_state(state, self.path)


def train(run: Training, corpus: Corpus, curve: Curve, steps: int, minutes: float, anneal: bool) -> None:
    network, guide = run.network, Guide(run.network)
    numbers, g = np.random.default_rng(run.step), torch.Generator().manual_seed(run.step)
    means = Means()
    pace = Pace(run.rate, run.step, steps, minutes, warm=80, anneal=anneal)
    saved, cpu = time.monotonic(), time.process_time()
    while pace.goes_on(run.step):
        wait_while_quiet()
        rate = pace.rate_at(run.step)
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        replaced = min(_REPLACED, max(0.0, (_REPLACED_STEPS[1] - run.step) / (_REPLACED_STEPS[1] - _REPLACED_STEPS[0])))
        chosen = [(item, lay) for item, _, lay in corpus.batch(_JOINED if run.step > _EASY_STEPS else 0)]
        batch = make_batch(corpus, chosen, numbers, _NOISY if run.step > _EASY_STEPS else 0).to(run.device)
        losses = losses_of(network, guide, batch, g, replaced)
        run.network.zero_grad(set_to_none=True)
        torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(run.parameters, 1.0)
        run.optimiser.step()
        run.muon.step(rate)
        run.average.update()
        run.step += 1
        means.add({name: float(value.detach()) for name, value in losses.items()})
        if run.step % _LOG_STEPS == 0:
            run.seconds += time.process_time() - cpu
            cpu = time.process_time()
            curve.log(step=run.step, cpu_min=run.seconds / 60, **means.take())
        if time.monotonic() - saved > _SAVE_SECONDS:
            run.save()
            corpus.refresh()
            saved = time.monotonic()
    run.seconds += time.process_time() - cpu
    run.save()


def main(arguments: list[str]) -> int:
    parser = run_options("talker", __doc__, minutes=600, rate=1.8e-3)
    parser.add_argument("--name", default="talker")
    parser.add_argument("--start", help="a run whose weights to begin with")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=_ROWS, help="of a batch; a large GPU is idle below some 30,000")
    parser.add_argument("--streamed", type=float, default=0.92, help="share whose text comes frame by frame")
    add_anneal(parser)
    asked = parser.parse_args(arguments)
    torch.manual_seed(0)
    ready(asked.device)
    run = Training(asked.name, asked.start, asked.rate, asked.device)
    print(f"{parameter_count(run.network):.2f} M parameters")
    train(
        run, Corpus(run.step, asked.streamed, asked.rows), Curve(asked.name), asked.steps, asked.minutes, asked.anneal
    )
    return 0
