"""The rows that are trained on are the rows that the engine builds."""

from __future__ import annotations

import pytest
import torch
from built_in_model import dimensions
from built_in_model.rows import NONE, Said, lay_out
from built_in_model.talker import Batch, Network

from engine.model.embeddings import Embeddings
from engine.text.prompt import PromptParts, build_prompt

ROLE, INSTRUCT, TEXT = [1008, 901, 198], [1008, 902, 198, 60, 1009, 198], [40, 41, 42, 43, 44]
FRAMES = 9


def batch_of(said: Said, codes: torch.Tensor, vector: torch.Tensor) -> tuple[Batch, int]:
    lay = lay_out(said, len(codes), dimensions.model("custom_voice"))
    speaker = [] if lay.speaker == NONE else [lay.speaker]
    nothing = torch.zeros(0)
    at = lay.first + 1 + torch.arange(len(codes))
    vectors = vector[None][: len(speaker)]
    batch = Batch(torch.tensor([lay.text]), torch.tensor([lay.codec]), codes, at, vectors, torch.tensor(speaker).long(),
                  nothing, codes, nothing, nothing)  # fmt: skip
    return batch, lay.first


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("language", [None, 514])
@pytest.mark.parametrize("speaker", [None, "nora"])
@pytest.mark.parametrize("instruct", [[], INSTRUCT])
@torch.inference_mode()
def test_rows_are_those_of_the_engine(
    streamed: bool, language: int | None, speaker: str | None, instruct: list[int]
) -> None:
    config, network = dimensions.model("custom_voice"), Network()
    g = torch.Generator().manual_seed(3)
    codes, vector = torch.randint(0, 512, (FRAMES, 7), generator=g), torch.randn(dimensions.WIDTH, generator=g)
    preset = None if speaker is None else dimensions.SPEAKERS[speaker]
    batch, first = batch_of(Said(ROLE, instruct, TEXT, language, preset, streamed), codes, vector)
    rows = network.rows(batch)[0]

    embeddings = Embeddings._complete(network.text, network.projection, network.codec, config)
    row = vector if preset is None else embeddings.codec_rows([preset])[0]
    prompt = build_prompt(PromptParts(ROLE, TEXT, instruct, language, row, None, streamed), embeddings, config)
    frames = embeddings.codec_rows(codes[:, 0].tolist())
    frames = frames + sum(network.predictor.model.codec_embedding[i](codes[:, i + 1]) for i in range(6))
    after = torch.stack([frames[t] + prompt.text_row(t) for t in range(FRAMES)])

    assert first == len(prompt.rows) - 1
    torch.testing.assert_close(rows, torch.cat((prompt.rows, after)), atol=1e-5, rtol=1e-5)


def test_a_text_longer_than_its_speech_is_cut() -> None:
    lay = lay_out(Said(ROLE, [], TEXT, None, None, streamed=True), 2, dimensions.model())
    assert lay.text[lay.first :] == TEXT[:3]
    assert lay.places.tolist() == [lay.first + i for i in range(len(TEXT))]
