"""Tensor names and shapes of the released checkpoints, as functions of their configurations."""

from __future__ import annotations

from typing import Any

Shapes = dict[str, tuple[int, ...]]


def _attention(prefix: str, c: dict[str, Any]) -> Shapes:
    h, d = c["hidden_size"], c["head_dim"]
    q, kv = c["num_attention_heads"] * d, c["num_key_value_heads"] * d
    p = prefix + "self_attn."
    return {p + "q_proj.weight": (q, h), p + "k_proj.weight": (kv, h), p + "v_proj.weight": (kv, h),
            p + "o_proj.weight": (h, q)}  # fmt: skip


def _gated_mlp(prefix: str, c: dict[str, Any]) -> Shapes:
    h, i = c["hidden_size"], c["intermediate_size"]
    return {f"{prefix}mlp.gate_proj.weight": (i, h), f"{prefix}mlp.up_proj.weight": (i, h),
            f"{prefix}mlp.down_proj.weight": (h, i)}  # fmt: skip


def _norms(prefix: str, width: int) -> Shapes:
    return {f"{prefix}{name}_layernorm.weight": (width,) for name in ("input", "post_attention")}


def _conv(name: str, out_channels: int, in_channels: int, kernel: int) -> Shapes:
    return {f"{name}.weight": (out_channels, in_channels, kernel), f"{name}.bias": (out_channels,)}


def _qwen_stack(prefix: str, c: dict[str, Any]) -> Shapes:
    out: Shapes = {f"{prefix}norm.weight": (c["hidden_size"],)}
    for i in range(c["num_hidden_layers"]):
        p = f"{prefix}layers.{i}."
        out |= _attention(p, c) | _gated_mlp(p, c) | _norms(p, c["hidden_size"])
        out |= {f"{p}self_attn.{name}_norm.weight": (c["head_dim"],) for name in "qk"}
    return out


def talker(config: dict[str, Any]) -> Shapes:
    """Talker and code predictor."""
    t = config["talker_config"]
    p = t["code_predictor_config"]
    h, text = t["hidden_size"], t["text_hidden_size"]
    out = _qwen_stack("talker.model.", t) | _qwen_stack("talker.code_predictor.model.", p)
    out |= {
        "talker.model.text_embedding.weight": (t["text_vocab_size"], text),
        "talker.model.codec_embedding.weight": (t["vocab_size"], h),
        "talker.codec_head.weight": (t["vocab_size"], h),
        "talker.text_projection.linear_fc1.weight": (text, text),
        "talker.text_projection.linear_fc1.bias": (text,),
        "talker.text_projection.linear_fc2.weight": (h, text),
        "talker.text_projection.linear_fc2.bias": (h,),
    }
    for i in range(t["num_code_groups"] - 1):
        out[f"talker.code_predictor.model.codec_embedding.{i}.weight"] = (p["vocab_size"], h)
        out[f"talker.code_predictor.lm_head.{i}.weight"] = (p["vocab_size"], p["hidden_size"])
    if p["hidden_size"] != h:
        out["talker.code_predictor.small_to_mtp_projection.weight"] = (p["hidden_size"], h)
        out["talker.code_predictor.small_to_mtp_projection.bias"] = (p["hidden_size"],)
    return out


def speaker_encoder(config: dict[str, Any]) -> Shapes:
    """ECAPA-TDNN; what the configuration leaves out has the official defaults."""
    s = config["speaker_encoder_config"]
    channels = s.get("enc_channels", [512, 512, 512, 512, 1536])
    attention, squeeze, groups = s.get("enc_attention_channels", 128), s.get("enc_se_channels", 128), 8
    out = _conv("speaker_encoder.blocks.0.conv", channels[0], 128, 5)
    for b in (1, 2, 3):
        p, c = f"speaker_encoder.blocks.{b}.", channels[b]
        out |= _conv(p + "tdnn1.conv", c, channels[b - 1], 1) | _conv(p + "tdnn2.conv", c, c, 1)
        for r in range(groups - 1):
            out |= _conv(f"{p}res2net_block.blocks.{r}.conv", c // groups, c // groups, 3)
        out |= _conv(p + "se_block.conv1", squeeze, c, 1) | _conv(p + "se_block.conv2", c, squeeze, 1)
    last = channels[4]
    out |= _conv("speaker_encoder.mfa.conv", last, last, 1)
    out |= _conv("speaker_encoder.asp.tdnn.conv", attention, 3 * last, 1)
    out |= _conv("speaker_encoder.asp.conv", last, attention, 1)
    return out | _conv("speaker_encoder.fc", s["enc_dim"], 2 * last, 1)


def codec_decoder(d: dict[str, Any]) -> Shapes:
    """Codes to waveform."""
    latent, book = d["latent_dim"], d["codebook_dim"]
    out: Shapes = {}
    for part, count in (("rvq_first", 1), ("rvq_rest", d["num_quantizers"] - 1)):
        q = f"decoder.quantizer.{part}."
        for i in range(count):
            out[f"{q}vq.layers.{i}._codebook.cluster_usage"] = (d["codebook_size"],)
            out[f"{q}vq.layers.{i}._codebook.embedding_sum"] = (d["codebook_size"], book // 2)
        out[q + "input_proj.weight"] = (book // 2, book, 1)
        out[q + "output_proj.weight"] = (book, book // 2, 1)
    out |= _conv("decoder.pre_conv.conv", latent, book, 3)
    out |= _codec_transformer(d)
    for i, factor in enumerate(d["upsampling_ratios"]):
        u = f"decoder.upsample.{i}."
        out |= {u + "0.conv.weight": (latent, latent, factor), u + "0.conv.bias": (latent,)}
        out |= {u + "1.gamma": (latent,), u + "1.norm.weight": (latent,), u + "1.norm.bias": (latent,)}
        out |= _conv(u + "1.dwconv.conv", latent, 1, 7)
        out |= {u + "1.pwconv1.weight": (4 * latent, latent), u + "1.pwconv1.bias": (4 * latent,)}
        out |= {u + "1.pwconv2.weight": (latent, 4 * latent), u + "1.pwconv2.bias": (latent,)}
    return out | _codec_upsampler(d)


def _codec_transformer(d: dict[str, Any]) -> Shapes:
    t, h, latent = "decoder.pre_transformer.", d["hidden_size"], d["latent_dim"]
    out: Shapes = {t + "norm.weight": (h,)}
    out |= {t + "input_proj.weight": (h, latent), t + "input_proj.bias": (h,)}
    out |= {t + "output_proj.weight": (latent, h), t + "output_proj.bias": (latent,)}
    for i in range(d["num_hidden_layers"]):
        p = f"{t}layers.{i}."
        out |= _attention(p, d) | _gated_mlp(p, d) | _norms(p, h)
        out |= {p + "self_attn_layer_scale.scale": (h,), p + "mlp_layer_scale.scale": (h,)}
    return out


def _codec_upsampler(d: dict[str, Any]) -> Shapes:
    def snake(name: str, channels: int) -> Shapes:
        return {f"{name}.alpha": (channels,), f"{name}.beta": (channels,)}

    out = _conv("decoder.decoder.0.conv", d["decoder_dim"], d["latent_dim"], 7)
    width = d["decoder_dim"]
    for i, rate in enumerate(d["upsample_rates"]):
        b, half = f"decoder.decoder.{i + 1}.block.", width // 2
        out |= snake(b + "0", width)
        out |= {b + "1.conv.weight": (width, half, 2 * rate), b + "1.conv.bias": (half,)}
        for unit in (2, 3, 4):
            out |= snake(f"{b}{unit}.act1", half) | snake(f"{b}{unit}.act2", half)
            out |= _conv(f"{b}{unit}.conv1.conv", half, half, 7) | _conv(f"{b}{unit}.conv2.conv", half, half, 1)
        width = half
    last = len(d["upsample_rates"]) + 1
    return out | snake(f"decoder.decoder.{last}", width) | _conv(f"decoder.decoder.{last + 1}.conv", 1, width, 7)


def codec_encoder(e: dict[str, Any]) -> Shapes:
    """Waveform to codes (Mimi)."""
    h, width = e["hidden_size"], e["num_filters"]
    layers = "encoder.encoder.layers."
    out = _conv(layers + "0.conv", width, e["audio_channels"], e["kernel_size"])
    index = 1
    for ratio in reversed(e["upsampling_ratios"]):
        out |= _conv(f"{layers}{index}.block.1.conv", width // e["compress"], width, e["residual_kernel_size"])
        out |= _conv(f"{layers}{index}.block.3.conv", width, width // e["compress"], 1)
        out |= _conv(f"{layers}{index + 2}.conv", 2 * width, width, 2 * ratio)
        index, width = index + 3, 2 * width
    out |= _conv(f"{layers}{index + 1}.conv", h, width, e["last_kernel_size"])
    for i in range(e["num_hidden_layers"]):
        p = f"encoder.encoder_transformer.layers.{i}."
        out |= _attention(p, e) | _norms(p, h)
        out |= {f"{p}{name}_layernorm.bias": (h,) for name in ("input", "post_attention")}
        out |= {p + "mlp.fc1.weight": (e["intermediate_size"], h), p + "mlp.fc2.weight": (h, e["intermediate_size"])}
        out |= {p + "self_attn_layer_scale.scale": (h,), p + "mlp_layer_scale.scale": (h,)}
    out["encoder.downsample.conv.weight"] = (h, h, 4)
    return out | _codec_quantizer(e)


def _codec_quantizer(e: dict[str, Any]) -> Shapes:
    out: Shapes = {}
    semantic, vq = e["num_semantic_quantizers"], e["vector_quantization_hidden_dimension"]
    for part, count in (("semantic", semantic), ("acoustic", e["num_quantizers"] - semantic)):
        q = f"encoder.quantizer.{part}_residual_vector_quantizer."
        out |= {q + "input_proj.weight": (vq, e["hidden_size"], 1), q + "output_proj.weight": (e["hidden_size"], vq, 1)}
        for i in range(count):
            b = f"{q}layers.{i}.codebook."
            out |= {b + "initialized": (1,), b + "cluster_usage": (e["codebook_size"],)}
            out[b + "embed_sum"] = (e["codebook_size"], e["codebook_dim"])
    return out
