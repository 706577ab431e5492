"""A request's text is spoken in words; transcripts and what the caller switched off stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

import engine


def rows(model: engine.Model, request: engine.SpeechRequest) -> torch.Tensor:
    return model.plan(request).prompt.rows


def ask(text: str, language: str = "english", **more: object) -> engine.SpeechRequest:
    return engine.SpeechRequest(text, speaker="ryan", language=language, **more)  # type: ignore[arg-type]


def test_the_spoken_form_is_tokenised(model):
    loaded = model("tiny-custom")
    said = rows(loaded, ask("**5 km**, e.g. here 👍"))
    assert torch.equal(said, rows(loaded, ask("five kilometers, for example here", normalize=False)))


def test_it_is_the_language_of_the_request(model):
    loaded = model("tiny-custom")
    said = rows(loaded, ask("5 km", "german"))
    assert torch.equal(said, rows(loaded, ask("fünf Kilometer", "german", normalize=False)))


def test_switched_off_the_text_is_left_alone(model):
    loaded = model("tiny-custom")
    off = rows(loaded, ask("**5 km**", normalize=False))
    assert off.shape != rows(loaded, ask("**5 km**")).shape
    assert loaded.tokenizer.spoken("**5 km**") != loaded.tokenizer.spoken("five kilometers")


def test_the_budget_is_that_of_the_words(model):
    """A long number takes far longer to say than its few digits look."""
    loaded = model("tiny-custom")
    text = "1,234,567.89 " * 8
    words = engine.spoken_form(text, "english").text
    assert loaded.loop_settings(ask(text)) == loaded.loop_settings(ask(words, normalize=False))
    assert (
        loaded.loop_settings(ask(text)).max_new_tokens > loaded.loop_settings(ask(text, normalize=False)).max_new_tokens
    )


def test_a_transcript_is_what_was_said_and_stays(model, clip):
    loaded = model("tiny-base")
    voice = loaded.clone(clip, "I have 5.")
    request = engine.SpeechRequest("Hello.", voice=voice, language="english")
    in_words = replace(request, voice=replace(voice, transcript="I have five."))
    plain, other = loaded.plan(request).prompt, loaded.plan(in_words).prompt
    assert not torch.equal(torch.cat((plain.rows, plain.trailing)), torch.cat((other.rows, other.trailing)))


@pytest.mark.parametrize("text", ["😀", "* * *", "<br/>", ""])
def test_nothing_to_say_is_refused_before_anything_is_made(text: str, model):
    with pytest.raises(engine.RequestError):
        next(model("tiny-custom").speak(ask(text)))
