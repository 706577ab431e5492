"""How the talker learns: its optimiser, its guide, and how it is heard to read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch
from built_in_model import dimensions, export, talker
from built_in_model.distance import distance
from built_in_model.features import PHONES
from built_in_model.muon import Muon, hidden_matrices, orthogonal
from built_in_model.reading import phones_of
from built_in_model.rows import Said, lay_out
from torch import nn

from engine.model.config import ModelConfig


def test_updates_are_made_orthogonal() -> None:
    sizes = torch.linalg.svdvals(orthogonal(torch.randn(3, 16, 40, generator=torch.Generator().manual_seed(0))))
    assert float(sizes.min()) > 0.4
    assert float(sizes.max()) < 1.4


def test_muon_goes_down() -> None:
    g = torch.Generator().manual_seed(0)
    weight, wanted = nn.Parameter(torch.zeros(12, 6)), torch.randn(12, 6, generator=g)
    muon = Muon([(weight, 2)])
    for _ in range(300):
        weight.grad = weight.data - wanted
        muon.step(0.02)
    assert float((weight.data - wanted).abs().mean()) < 0.3 * float(wanted.abs().mean())


def test_every_hidden_matrix_is_found() -> None:
    network = talker.Network()
    found = hidden_matrices(network.talker.model, network.predictor.model)
    layers = len(network.talker.model.layers) + len(network.predictor.model.layers)
    assert len(found) == 4 * layers
    assert sorted({parts for _, parts in found}) == [1, 2, 3]


@pytest.fixture(scope="module")
def batch() -> talker.Batch:
    config = dimensions.model("custom_voice")
    g = torch.Generator().manual_seed(0)
    said = Said([1008, 901, 198], [], [40, 41, 42], None, None, streamed=True)
    chosen = []
    for frames in (6, 9):
        codes = torch.randint(0, 512, (frames, 7), generator=g)
        spoken = np.minimum(np.arange(frames) // 3, 2)
        item = talker.Utterance({}, said.text, spoken, codes, 0, [], spoken)
        chosen.append((item, lay_out(said, frames, config)))
    corpus = SimpleNamespace(config=config, vector=lambda _: torch.zeros(dimensions.WIDTH))
    return talker.make_batch(cast("Any", corpus), chosen, np.random.default_rng(0), 0.0)


def test_frames_are_predicted_and_then_the_end(batch: talker.Batch) -> None:
    config: ModelConfig = dimensions.model()
    told = [row[row >= 0].tolist() for row in batch.wanted]
    assert [len(row) for row in told] == [7, 10]
    assert told[0][:-1] == batch.codes[:6, 0].tolist()
    assert {row[-1] for row in told} == {config.talker_config.codec_eos_token_id}


def test_the_mark_lies_on_what_can_be_seen(batch: talker.Batch) -> None:
    sums = batch.guide.sum(-1)
    assert bool(torch.isclose(sums, sums.round(), atol=1e-5).all())
    assert bool((batch.guide.triu(1) == 0).all())


def test_replacing_attention_changes_only_what_it_is_told_to(batch: talker.Batch) -> None:
    network = talker.Network()
    guide, g = talker.Guide(network), torch.Generator()
    with torch.no_grad():
        plain = talker.losses_of(network, guide, batch, g.manual_seed(0), replaced=0.0)
        marked = talker.losses_of(network, guide, batch, g.manual_seed(0), replaced=1.0)
    assert all(bool(torch.isfinite(value)) for value in (*plain.values(), *marked.values()))
    assert float(plain["first"]) != float(marked["first"])


def test_every_part_learns_at_every_step(batch: talker.Batch) -> None:
    """No part may keep what it made of a weight at an earlier step."""
    network = talker.Network()
    guide, g = talker.Guide(network), torch.Generator()
    parameters = network.trained()
    optimiser, losses = torch.optim.AdamW(parameters, 3e-3), []
    for _ in range(3):
        optimiser.zero_grad()
        loss = torch.stack(list(talker.losses_of(network, guide, batch, g.manual_seed(0), replaced=0.0).values())).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        assert all(p.grad is not None for p in parameters)
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[0] > losses[1] > losses[2]


def test_exported_names_take_joined_projections_apart() -> None:
    network = talker.Network()
    named = export.talker_tensors(network)
    config = network.config.talker_config
    width = config.num_attention_heads * config.head_dim
    first = network.talker.model.layers[0].self_attn.get_parameter("qkv_proj.weight")
    parts = [named[f"talker.model.layers.0.self_attn.{p}_proj.weight"] for p in "qkv"]
    torch.testing.assert_close(torch.cat(parts), first)
    assert parts[0].shape == (width, config.hidden_size)
    assert not any("qkv_proj" in name or "gate_up_proj" in name for name in named)


def test_phones_are_read_off_book_0() -> None:
    entries = torch.zeros(512, 4, 10 + len(PHONES))
    for code, slots in enumerate(("pau pau s s", "iy iy iy s", "iy iy pau pau")):
        for slot, phone in enumerate(slots.split()):
            entries[code, slot, 10 + PHONES.index(phone)] = 1
    assert phones_of(torch.tensor([0, 1, 2]), {"first": entries.flatten(1)}) == ["s", "iy", "iy"]
    assert distance(["s", "iy"], ["s", "iy", "iy"]) == 1
    assert distance(["s", "iy"], []) == 2
