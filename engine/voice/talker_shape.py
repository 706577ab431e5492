"""The numbers of a config.json that voice files depend on, and the order of the weight records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.model.config import ModelConfig, read_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXT_EMBEDDING = "talker.model.text_embedding.weight"
CODEC_EMBEDDING = "talker.model.codec_embedding.weight"
CODEC_HEAD = "talker.codec_head.weight"
FC1, FC2 = "talker.text_projection.linear_fc1", "talker.text_projection.linear_fc2"
_PREDICTOR = "talker.code_predictor"
_MTP = f"{_PREDICTOR}.small_to_mtp_projection"
_SMALL_PART = "input_layernorm.weight"  # asked for to count the layers
_LAYER_PARTS = (
    "self_attn.q_proj.weight",
    "self_attn.k_proj.weight",
    "self_attn.v_proj.weight",
    "self_attn.o_proj.weight",
    "self_attn.q_norm.weight",
    "self_attn.k_norm.weight",
    _SMALL_PART,
    "post_attention_layernorm.weight",
    "mlp.gate_proj.weight",
    "mlp.up_proj.weight",
    "mlp.down_proj.weight",
)


@dataclass(frozen=True)
class TalkerShape:
    """Sizes as `config.json` says them; `special_ids` are those of the tts pad, bos and eos text tokens."""

    kind: str
    width: int
    text_width: int
    layers: int
    predictor_width: int
    predictor_layers: int
    groups: int
    code_rows: int
    special_ids: tuple[int, int, int]
    language_ids: dict[str, int]

    def sizes(self) -> dict[str, int]:
        """What two models of one pair must have in common."""
        names = (
            "width",
            "text_width",
            "layers",
            "predictor_width",
            "predictor_layers",
            "groups",
            "code_rows",
        )
        return {name: getattr(self, name) for name in names}

    def record_names(self) -> tuple[str, ...]:
        """The tensors of a WDLT section, in the C writer's order."""
        extra = self.predictor_width != self.width
        return tuple(record_names(self.layers, self.groups - 1, self.predictor_layers, extra))


def read_talker_shape(folder: Path) -> TalkerShape:
    """Read `folder`'s config.json. Raises `ModelError`."""
    config = read_config(folder / "config.json", ModelConfig)
    talker = config.talker_config
    predictor = talker.code_predictor_config
    return TalkerShape(
        kind=config.tts_model_type,
        width=talker.hidden_size,
        text_width=talker.text_hidden_size,
        layers=talker.num_hidden_layers,
        predictor_width=predictor.hidden_size,
        predictor_layers=predictor.num_hidden_layers,
        groups=talker.num_code_groups,
        code_rows=predictor.vocab_size,
        special_ids=(config.tts_pad_token_id, config.tts_bos_token_id, config.tts_eos_token_id),
        language_ids=dict(talker.codec_language_id),
    )


def record_names(layers: int, heads: int, predictor_layers: int, extra_projection: bool) -> Iterator[str]:
    """Tensor names in the order of the format: `heads` is the number of code predictor heads."""
    yield TEXT_EMBEDDING
    yield from (f"{fc}.{part}" for fc in (FC1, FC2) for part in ("weight", "bias"))
    yield from (CODEC_EMBEDDING, CODEC_HEAD, "talker.model.norm.weight")
    yield from _layer_names("talker.model", layers)
    yield f"{_PREDICTOR}.model.norm.weight"
    for head in range(heads):
        yield f"{_PREDICTOR}.model.codec_embedding.{head}.weight"
        yield f"{_PREDICTOR}.lm_head.{head}.weight"
    yield from _layer_names(f"{_PREDICTOR}.model", predictor_layers)
    if extra_projection:
        yield from (f"{_MTP}.weight", f"{_MTP}.bias")


def record_names_of(has: Callable[[str], bool]) -> tuple[str, ...]:
    """The record names of a model known only by which tensors it has."""
    layers = _count(has, f"talker.model.layers.{{}}.{_SMALL_PART}")
    heads = _count(has, f"{_PREDICTOR}.lm_head.{{}}.weight")
    predictor_layers = _count(has, f"{_PREDICTOR}.model.layers.{{}}.{_SMALL_PART}")
    return tuple(record_names(layers, heads, predictor_layers, has(f"{_MTP}.bias")))


def _layer_names(prefix: str, layers: int) -> Iterator[str]:
    return (f"{prefix}.layers.{layer}.{part}" for layer in range(layers) for part in _LAYER_PARTS)


def _count(has: Callable[[str], bool], pattern: str) -> int:
    count = 0
    while has(pattern.format(count)):
        count += 1
    return count
