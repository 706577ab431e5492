"""Stage `encoder`: the codec's own encoder, taught to give the codes that features and books give.

Only cloning in context needs it. It learns from waveforms which entry of book 0 a frame has, and where the frame lies
in the spaces of the other books, which the shared quantiser then searches.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, cast

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from built_in_model import books, dimensions
from built_in_model.decoder import Pool, samples_of
from built_in_model.modules import Average, OpenCache, parameter_count, prepare, wear
from built_in_model.paths import RUNS, Curve, Means, wait_while_quiet
from built_in_model.training import save_state
from engine.model.codec_encoder import CodecEncoder

PATH = RUNS / "encoder.pt"
_CROP, _BATCH, _SHARPNESS = 24, 6, 8.0
_SAVE_SECONDS, _LOG_STEPS = 60.0, 25


def spaces(fitted: dict[str, Any]) -> list[Tensor]:
    """For each effective book its entries [ENTRIES, INNER] in the spaces the encoder aims at, of about unit size.

    Books 1 on have dimensions of their own, so that searching the residual after one of them changes nothing for the
    others.
    """
    centred = fitted["first"] - fitted["first"].mean(0)
    _, _, axes = torch.linalg.svd(centred, full_matrices=False)
    first = centred @ axes[: books.INNER].T
    out = [first / first.pow(2).sum(1).mean().sqrt()]
    place = 0
    for centres in (fitted["pitch"], *fitted["parts"]):
        table = torch.zeros(books.ENTRIES, books.INNER)
        middle = centres - centres.mean(0)
        table[:, place : place + centres.shape[1]] = middle / middle.pow(2).sum(1).mean().sqrt()
        out.append(table)
        place += centres.shape[1]
    return out


class Pupil(nn.Module):
    """The engine's encoder and the two projections into the quantisers' spaces."""

    def __init__(self) -> None:
        super().__init__()
        config = dimensions.codec()
        generator = torch.Generator().manual_seed(0)
        self.encoder = cast("CodecEncoder", prepare(CodecEncoder(config), generator))
        wide = config.encoder_config.hidden_size
        self.semantic = nn.Conv1d(wide, books.INNER, 1, bias=False)
        self.acoustic = nn.Conv1d(wide, books.INNER, 1, bias=False)

    def forward(self, samples: Tensor) -> tuple[Tensor, Tensor]:
        """Samples [batch, n] -> where each frame lies in both spaces, [batch, frames, INNER] each."""
        features = _features(self.encoder, samples)
        return self.semantic(features).transpose(1, 2), self.acoustic(features).transpose(1, 2)


def _features(encoder: CodecEncoder, samples: Tensor) -> Tensor:
    """As the engine's own pass, for whole batches and with a gradient."""
    rows = encoder.rows(samples)
    cache = OpenCache()
    cos, sin, mask = cache.view(encoder._rotary, rows, None)
    for layer in encoder.encoder_transformer.layers:
        rows = layer(rows, cos, sin, mask, cache)
    return cast("Tensor", encoder.downsample(rows))


def losses_of(pupil: Pupil, samples: Tensor, codes: Tensor, entries: list[Tensor]) -> dict[str, Tensor]:
    semantic, acoustic = pupil(samples)
    distances = torch.cdist(semantic.flatten(0, 1), entries[0]).square()
    first = codes[:, :, 0].flatten()
    aim = torch.stack([table[codes[:, :, i + 1]] for i, table in enumerate(entries[1:])]).sum(0)
    return {
        "first": F.cross_entropy(-_SHARPNESS * distances, first),
        "right": (distances.argmin(1) == first).float().mean().detach(),
        "rest": F.mse_loss(acoustic, aim) * books.INNER,
    }


def load() -> Pupil:
    """The pupil as far as it has come; untaught when it has not begun."""
    pupil = Pupil()
    if PATH.exists():
        wear(pupil, torch.load(PATH, map_location="cpu")["average"])
    return pupil.requires_grad_(False)


def tensors(fitted: dict[str, Any]) -> dict[str, Tensor]:
    """Everything under `encoder.` of the codec's file."""
    from built_in_model.export import named

    pupil, entries, ones = load(), spaces(fitted), torch.ones(books.ENTRIES)
    out = named(pupil.encoder, "encoder.")
    for branch, first, count, into in (
        ("semantic", 0, 1, pupil.semantic),
        ("acoustic", 1, books.BOOKS - 1, pupil.acoustic),
    ):
        prefix = f"encoder.quantizer.{branch}_residual_vector_quantizer."
        for i in range(count):
            table = entries[first + i] if first + i < books.EFFECTIVE else torch.zeros(books.ENTRIES, books.INNER)
            out[f"{prefix}layers.{i}.codebook.embed_sum"] = table.clone()
            out[f"{prefix}layers.{i}.codebook.cluster_usage"] = ones.clone()
            out[f"{prefix}layers.{i}.codebook.initialized"] = torch.ones(1)
        out[prefix + "input_proj.weight"] = into.weight.data
        out[prefix + "output_proj.weight"] = into.weight.data.transpose(0, 1).contiguous()
    return out


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="encoder", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=1e-3)
    asked = parser.parse_args(arguments)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    pupil, pool, curve = Pupil(), Pool(7), Curve("encoder")
    parameters = list(pupil.parameters())
    optimiser, average, step = torch.optim.AdamW(parameters, asked.rate), Average(parameters), 0
    entries = spaces(torch.load(books.PATH))
    if PATH.exists():
        state = torch.load(PATH)
        pupil.load_state_dict(state["pupil"])
        optimiser.load_state_dict(state["optimiser"])
        step = state["step"]
        average.load(state["average"], step)
    print(f"{parameter_count(pupil):.2f} M parameters")

    def save() -> None:
        state = {
            "pupil": pupil.state_dict(),
            "optimiser": optimiser.state_dict(),
            "average": average.values,
            "step": step,
        }
        save_state(state, PATH)

    begun = saved = time.monotonic()
    means = Means()
    while time.monotonic() - begun < 60 * asked.minutes:
        wait_while_quiet()
        codes, _, sources = pool.draw(_BATCH, _CROP)
        losses = losses_of(pupil, samples_of(sources, 0, _CROP), codes, entries)
        optimiser.zero_grad(set_to_none=True)
        (losses["first"] + losses["rest"]).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        average.update()
        step += 1
        means.add({name: float(value.detach()) for name, value in losses.items()})
        if step % _LOG_STEPS == 0:
            curve.log(step=step, **means.take())
        if time.monotonic() - saved > _SAVE_SECONDS:
            save()
            saved = time.monotonic()
    save()
    return 0
