"""Books fitted to made-up features, and the same codes found again by the engine's quantiser."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from built_in_model import books, dimensions, encoder
from built_in_model.books import Features
from built_in_model.features import BANDS, PHONES
from built_in_model.kmeans import kmeans, nearest

from engine.model.codec_encoder import Quantizer

FRAMES = 1500


def made_up() -> Features:
    g = torch.Generator().manual_seed(0)
    phones = torch.randint(0, 6, (FRAMES, 4), generator=g)
    sounds = torch.randn(len(PHONES), BANDS, generator=g) * 2
    mel = sounds[phones].flatten(1) + 0.3 * torch.randn(FRAMES, 4 * BANDS, generator=g)
    pitch = 90 + 150 * torch.rand(FRAMES, 1, generator=g).expand(-1, 4)
    return Features(
        mel, phones, torch.where(torch.rand(FRAMES, 4, generator=g) < 0.3, torch.zeros(()), pitch), [FRAMES]
    )


@pytest.fixture(scope="module")
def fitted() -> dict[str, Any]:
    return books.fit(made_up())


def test_codes_describe_the_frames(fitted: dict[str, Any]) -> None:
    features = made_up()
    codes = books.assign(fitted, features)
    assert codes.shape == (FRAMES, books.EFFECTIVE)
    assert int(codes.min()) >= 0
    assert int(codes.max()) < books.ENTRIES
    rest = torch.cat([part[codes[:, i + 2]] for i, part in enumerate(fitted["parts"])], 1)
    again = fitted["means"][codes[:, 0]] + rest @ fitted["axes"].T
    assert float((again - features.mel).pow(2).mean()) < 0.15 * float(features.mel.var())


def test_pitch_is_kept(fitted: dict[str, Any]) -> None:
    features = made_up()
    codes = books.assign(fitted, features)
    found = fitted["pitch"][codes[:, 1], 4:].mean(1)
    wanted = books.pitch_points(features.pitch)[:, 4:].mean(1)
    assert float((found - wanted).abs().mean()) < 0.35  # a semitone


def test_tables_are_about_of_unit_size(fitted: dict[str, Any]) -> None:
    tables = books.tables(fitted)
    assert tables.shape == (books.EFFECTIVE, books.ENTRIES, books.INNER)
    assert bool(torch.isfinite(tables).all())
    assert float(tables.abs().max()) < 30


def test_the_quantiser_of_the_engine_finds_the_codes(fitted: dict[str, Any]) -> None:
    """The books' spaces are apart from one another, so a residual search finds each entry that was put in."""
    entries = encoder.spaces(fitted)
    codes = books.assign(fitted, made_up())[:40]
    tensors = encoder.tensors(fitted)
    sizes = dimensions.codec().encoder_config
    assert sizes.hidden_size >= books.INNER
    eye = torch.eye(books.INNER)[:, :, None]
    for branch in ("semantic", "acoustic"):
        tensors[f"encoder.quantizer.{branch}_residual_vector_quantizer.input_proj.weight"] = eye
    quantizer = Quantizer(tensors, dimensions.codec())  # type: ignore[arg-type]
    first = entries[0][codes[:, 0]]
    rest = torch.stack([table[codes[:, i + 1]] for i, table in enumerate(entries[1:])]).sum(0)
    assert bool((quantizer._branches[0].codes(first.T[None])[:, 0] == codes[:, 0]).all())
    found = quantizer._branches[1].codes(rest.T[None])[:, : books.EFFECTIVE - 1]
    for table, there, wanted in zip(entries[1:], found.T, codes[:, 1:].T, strict=True):
        torch.testing.assert_close(table[there], table[wanted])


def test_kmeans_finds_clusters_and_leaves_none_empty() -> None:
    g = torch.Generator().manual_seed(1)
    middles = torch.tensor([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    points = middles.repeat(50, 1) + 0.1 * torch.randn(150, 2, generator=g)
    centres = kmeans(points, torch.ones(150), 3, 10, g)
    assert float(torch.cdist(middles, centres).min(1).values.max()) < 0.2
    assert nearest(points, centres).unique().numel() == 3
