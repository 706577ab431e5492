"""One spoken case, stage by stage: ids, prompt rows, the talker's numbers, codes, and the sound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from engine.parity import quantities as q
from engine.parity.clip import TRANSCRIPT
from engine.parity.goldens import Case
from engine.parity.measure import Finding, compare, compare_number
from engine.parity.subject import FloatArray, Subject
from engine.progress import Cancel
from engine.speech.generate import generate_frames
from engine.speech.plan import Plan
from engine.speech.request import SpeechRequest

_ONE_PIECE_FRAMES = 300  # above these the official decode is not ours, see `decode_chunked`
_ROWS = ("row", "column")


def compare_generation(subject: Subject, case: Case) -> Iterator[Finding]:
    """Every comparison that `case` allows. Raises what planning its request raises."""
    request = subject.request(case)
    plan = subject.model.plan(request)
    codes = case.integers("codes")
    yield from _tokens(subject, case, request)
    yield from _prompt(case, plan)
    yield from _talker(case, plan, codes.long())
    found, sound = _speak(subject, case, request, plan)
    yield compare(q.CODES, case.name, found.int(), codes, ("frame", "codebook"))
    yield from _sound(subject, case, plan, codes.long(), sound)


def _tokens(subject: Subject, case: Case, request: SpeechRequest) -> Iterator[Finding]:
    tokenizer = subject.model.tokenizer
    opened = len(tokenizer.role("assistant"))
    ours = {
        "input_ids": tokenizer.assistant_turn(request.text),
        "ref_ids": tokenizer.assistant_turn(TRANSCRIPT)[:-opened],
        "instruct_ids": tokenizer.instruction(request.instruct or ""),
    }
    for name, ids in ours.items():
        if name in case.facts:
            yield compare(q.IDS, case.name, torch.tensor(ids), torch.tensor(case.facts[name]), (f"{name} place",))


def _prompt(case: Case, plan: Plan) -> Iterator[Finding]:
    prompt = plan.prompt
    arrays = (
        ("prompt_embeds", prompt.rows, _ROWS),
        ("trailing_text", prompt.trailing, ("trailing row", "column")),
        ("tts_pad_embed", prompt.pad, ("pad column",)),
    )
    for name, found, axes in arrays:
        if name in case.arrays:
            yield compare(q.ROWS, case.name, found, case.arrays[name], axes)


def _talker(case: Case, plan: Plan, codes: Tensor) -> Iterator[Finding]:
    """Our prompt through the talker, then the official codes forced upon it, so that no error is handed on."""
    talker, wanted, codes = plan.speaker.talker, case.arrays, codes.to(plan.prompt.rows.device)
    cache = talker.new_cache(1, len(plan.prompt.rows) + 8)
    hidden = talker(plan.prompt.rows[None], cache)
    if "prefill_hidden" in wanted:
        yield compare(q.HIDDEN, case.name, hidden[0], wanted["prefill_hidden"], _ROWS)
    last = hidden[:, -1]
    if "predictor_logits" in wanted and len(codes):
        found = _predictor_logits(plan, last, codes[0])
        yield compare(q.PREDICTOR_LOGITS, case.name, found, wanted["predictor_logits"], ("head", "code"))
    if "talker_logits" in wanted:
        steps = wanted["talker_logits"].shape[0]
        rows = [_next_row(plan, codes, frame)[:, None] for frame in range(min(steps - 1, len(codes)))]
        states = [last, *(talker(row, cache)[:, -1] for row in rows)]
        found = talker.logits(torch.cat(states))
        yield compare(q.TALKER_LOGITS, case.name, found, wanted["talker_logits"], ("frame", "code"))


def _next_row(plan: Plan, codes: Tensor, frame: int) -> Tensor:
    """The talker's row [1, width] after frame `frame`."""
    now = codes[frame : frame + 1]
    rows = plan.speaker.embeddings.codec[now[:, 0]] + plan.speaker.predictor.embed(now[:, 1:])
    return rows + plan.prompt.text_row(frame)


def _predictor_logits(plan: Plan, hidden: Tensor, codes: Tensor) -> Tensor:
    """[15, entries]: what each head says of the first frame when the codes before it are the official ones."""
    seen: list[Tensor] = []

    def forced(logits: Tensor) -> Tensor:
        seen.append(logits[0])
        return codes[len(seen)][None]

    predictor = plan.speaker.predictor
    predictor(hidden, plan.speaker.embeddings.codec[codes[:1]], predictor.new_cache(1), forced)
    return torch.stack(seen)


def _speak(subject: Subject, case: Case, request: SpeechRequest, plan: Plan) -> tuple[Tensor, FloatArray]:
    """Codes int64 [frames, codebooks] and sound, the way a person gets them: streamed.

    A case with an end token of its own runs the loop alone, since no request can ask for that.
    """
    eos = case.facts["arguments"].get("eos_token_id")
    if eos is None:
        chunks = list(subject.model.speak(request))
        codes = [torch.from_numpy(chunk.codes).long() for chunk in chunks if len(chunk.codes)]
        return _joined(codes, plan), np.concatenate([chunk.samples for chunk in chunks])
    settings = replace(subject.model.loop_settings(request), eos_id=eos)
    generator = torch.Generator().manual_seed(request.seed or 0)
    frames = generate_frames(plan.speaker, plan.prompt, settings, generator, Cancel())
    found = _joined([frame[None].cpu() for frame in frames], plan)
    sound = subject.official_sound(found, plan.reference_codes)
    return found, sound[subject.kept_samples(len(found), _frames_before(plan)) :]


def _joined(codes: list[Tensor], plan: Plan) -> Tensor:
    return torch.cat([torch.empty(0, plan.speaker.talker.config.num_code_groups, dtype=torch.int64), *codes])


def _frames_before(plan: Plan) -> int:
    return 0 if plan.reference_codes is None else len(plan.reference_codes)


def _sound(subject: Subject, case: Case, plan: Plan, codes: Tensor, spoken: FloatArray) -> Iterator[Finding]:
    """The codec alone on the official codes, then what was spoken from text to sound.

    `speak` neither decodes in chunks nor leaves a sample of the reference in front, as the official code does at some
    lengths; there `spoken` is made like it.
    """
    before, wanted = _frames_before(plan), case.arrays.get("wave")
    kept, chunked = subject.kept_samples(len(codes), before), before + len(codes) > _ONE_PIECE_FRAMES
    if kept or chunked or wanted is not None:
        decoded = subject.official_sound(codes, plan.reference_codes)
        spoken = decoded if chunked else np.concatenate((decoded[:kept], spoken))
        if wanted is not None:
            yield compare(q.DECODED, case.name, torch.from_numpy(decoded), wanted, ("sample",))
            yield compare(q.SPOKEN, case.name, torch.from_numpy(spoken), wanted, ("sample",))
    if "samples" in case.facts:
        yield compare_number(q.LENGTH, case.name, len(spoken), case.facts["samples"], "samples")
    if "wave_rms" in case.facts:
        rms = float(np.sqrt(np.mean(np.square(spoken)))) if len(spoken) else 0.0
        yield compare_number(q.LEVEL, case.name, rms, case.facts["wave_rms"], "rms")
