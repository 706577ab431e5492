"""QVoice engine: Qwen3-TTS 12 Hz from tokenizer to waveform, and the `.qvoice` files.

This is the public face; everything else may change. Names are loaded on first use, so that importing `engine`
costs nothing and torch is only imported by what needs it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_WHERE = {
    "QVoiceError": "engine.errors",
    "ClipError": "engine.errors",
    "ModelError": "engine.errors",
    "VoiceError": "engine.errors",
    "RequestError": "engine.errors",
    "WriteError": "engine.errors",
    "Cancelled": "engine.errors",
    "Cancel": "engine.progress",
    "Progress": "engine.progress",
    "Report": "engine.progress",
    "no_report": "engine.progress",
    "atomic_write": "engine.files",
    "write_atomically": "engine.files",
    "version": "engine.version",
    "APPLICATION": "engine.places",
    "cache_folder": "engine.places",
    "pair_cache": "engine.places",
    "SAMPLE_RATE": "engine.audio.clip",
    "Clip": "engine.audio.clip",
    "read_clip": "engine.audio.clip",
    "clip_from_samples": "engine.audio.clip",
    "probe_clip": "engine.audio.clip",
    "ClipInfo": "engine.audio.clip",
    "clipped_runs": "engine.audio.clipping",
    "examine_clip": "engine.audio.doctor.examine",
    "mend_clip": "engine.audio.doctor.mending",
    "Finding": "engine.audio.doctor.finding",
    "Mend": "engine.audio.doctor.finding",
    "Edit": "engine.audio.doctor.finding",
    "Keep": "engine.audio.doctor.finding",
    "length_finding": "engine.audio.doctor.basics",
    "LONGEST_REFERENCE_SECONDS": "engine.audio.doctor.basics",
    "DIGITAL_SILENCE": "engine.audio.doctor.basics",
    "hop_levels": "engine.audio.doctor.hearing",
    "is_speech": "engine.audio.doctor.hearing",
    "LEVEL_HOP_SECONDS": "engine.audio.doctor.hearing",
    "log_mel": "engine.audio.mel",
    "mel_centres_hz": "engine.audio.mel",
    "MEL_FRAME_SECONDS": "engine.audio.mel",
    "write_sound": "engine.audio.export",
    "SoundAbout": "engine.audio.export",
    "Voice": "engine.voice.voice",
    "Origin": "engine.voice.voice",
    "Tier": "engine.voice.voice",
    "RELEASED_WIDTHS": "engine.voice.format",
    "sidecar_path": "engine.voice.sidecar",
    "Inspection": "engine.voice.inspect",
    "convert_voice": "engine.voice.convert",
    "Check": "engine.voice.verify",
    "verify_file": "engine.voice.verify",
    "verify_models": "engine.voice.verify",
    "load_voice": "engine.voice.files",
    "save_voice": "engine.voice.files",
    "voice_file_size": "engine.voice.files",
    "ModelPair": "engine.voice.pair",
    "inspect_voice": "engine.voice.inspect",
    "inspection_facts": "engine.voice.facts",
    "inspection_table": "engine.voice.facts",
    "delivery_change": "engine.audio.delivery",
    "DeliveryChange": "engine.audio.delivery",
    "speech_level_dbfs": "engine.audio.measure",
    "Ear": "engine.voice.likeness",
    "measure_tiers": "engine.voice.tier_report",
    "MeasuredTier": "engine.voice.tier_report",
    "TierReport": "engine.voice.tier_report",
    "Sentence": "engine.voice.spoken",
    "Candidate": "engine.voice.likeness",
    "agreement": "engine.recognize.agreement",
    "find_recognizer": "engine.recognize.recognizer",
    "Heard": "engine.recognize.recognizer",
    "Recognizer": "engine.recognize.recognizer",
    "scores": "engine.voice.likeness",
    "find_marks": "engine.speech.script",
    "parse_script": "engine.speech.script",
    "read_script": "engine.speech.script",
    "splice_part": "engine.speech.script",
    "LONGEST_IN_ONE_GO_SECONDS": "engine.speech.script",
    "Mark": "engine.speech.script",
    "Passage": "engine.speech.script",
    "ScriptPart": "engine.speech.script",
    "ScriptChunk": "engine.speech.script",
    "SamplerSettings": "engine.speech.request",
    "spoken_form": "engine.text.normalize",
    "Spoken": "engine.text.normalize",
    "Change": "engine.text.normalize",
    "split_sentences": "engine.text.sentences",
    "group_sentences": "engine.text.sentences",
    "SpeechRequest": "engine.speech.request",
    "Sampling": "engine.speech.request",
    "SpeechChunk": "engine.speech.request",
    "expected_seconds": "engine.speech.budget",
    "Model": "engine.model.model",
    "load_model": "engine.model.model",
    "ModelSummary": "engine.model.checkpoint",
    "summarize_model": "engine.model.checkpoint",
    "LANGUAGES": "engine.model.config",
    "load_engine": "engine.model.runtime",
    "release_memory": "engine.model.runtime",
    "limit_threads": "engine.model.runtime",
    "usable_cores": "engine.model.runtime",
    "FetchError": "engine.errors",
    "models_folder": "engine.places",
    "knows_bytes": "engine.hub.verify",
    "forecast": "engine.system.memory",
    "MeasuredSpeed": "engine.system.measured",
    "measured_speed": "engine.system.measured",
    "ReleasedModel": "engine.hub.catalogue",
    "RELEASED": "engine.hub.catalogue",
    "recommended": "engine.hub.catalogue",
    "together_bytes": "engine.hub.catalogue",
    "fetch_model": "engine.hub.fetch",
    "forget_kept": "engine.hub.fetch",
    "kept_bytes": "engine.hub.fetch",
    "in_hub_cache": "engine.hub.cached",
    "model_folder_in": "engine.hub.cached",
    "verify_model": "engine.hub.verify",
    "SOURCES": "engine.hub.sources",
    "source_called": "engine.hub.sources",
    "Pace": "engine.hub.pace",
    "memory_bytes": "engine.system.memory",
    "forecast_released": "engine.system.memory",
    "MachineSpeed": "engine.system.speed",
    "measure_machine": "engine.system.speed",
    "expected_realtime_factor": "engine.system.speed",
    "describe_system": "engine.system.report",
    "without_person": "engine.system.report",
    "benchmark": "engine.system.benchmark",
}

__all__ = sorted(_WHERE)

if TYPE_CHECKING:
    from engine.audio.clip import SAMPLE_RATE as SAMPLE_RATE
    from engine.audio.clip import Clip as Clip
    from engine.audio.clip import ClipInfo as ClipInfo
    from engine.audio.clip import clip_from_samples as clip_from_samples
    from engine.audio.clip import probe_clip as probe_clip
    from engine.audio.clip import read_clip as read_clip
    from engine.audio.clipping import clipped_runs as clipped_runs
    from engine.audio.delivery import DeliveryChange as DeliveryChange
    from engine.audio.delivery import delivery_change as delivery_change
    from engine.audio.doctor.basics import DIGITAL_SILENCE as DIGITAL_SILENCE
    from engine.audio.doctor.basics import LONGEST_REFERENCE_SECONDS as LONGEST_REFERENCE_SECONDS
    from engine.audio.doctor.basics import length_finding as length_finding
    from engine.audio.doctor.examine import examine_clip as examine_clip
    from engine.audio.doctor.finding import Edit as Edit
    from engine.audio.doctor.finding import Finding as Finding
    from engine.audio.doctor.finding import Keep as Keep
    from engine.audio.doctor.finding import Mend as Mend
    from engine.audio.doctor.hearing import LEVEL_HOP_SECONDS as LEVEL_HOP_SECONDS
    from engine.audio.doctor.hearing import hop_levels as hop_levels
    from engine.audio.doctor.hearing import is_speech as is_speech
    from engine.audio.doctor.mending import mend_clip as mend_clip
    from engine.audio.export import SoundAbout as SoundAbout
    from engine.audio.export import write_sound as write_sound
    from engine.audio.measure import speech_level_dbfs as speech_level_dbfs
    from engine.audio.mel import MEL_FRAME_SECONDS as MEL_FRAME_SECONDS
    from engine.audio.mel import log_mel as log_mel
    from engine.audio.mel import mel_centres_hz as mel_centres_hz
    from engine.errors import Cancelled as Cancelled
    from engine.errors import ClipError as ClipError
    from engine.errors import FetchError as FetchError
    from engine.errors import ModelError as ModelError
    from engine.errors import QVoiceError as QVoiceError
    from engine.errors import RequestError as RequestError
    from engine.errors import VoiceError as VoiceError
    from engine.errors import WriteError as WriteError
    from engine.files import atomic_write as atomic_write
    from engine.files import write_atomically as write_atomically
    from engine.hub.cached import in_hub_cache as in_hub_cache
    from engine.hub.cached import model_folder_in as model_folder_in
    from engine.hub.catalogue import RELEASED as RELEASED
    from engine.hub.catalogue import ReleasedModel as ReleasedModel
    from engine.hub.catalogue import recommended as recommended
    from engine.hub.catalogue import together_bytes as together_bytes
    from engine.hub.fetch import fetch_model as fetch_model
    from engine.hub.fetch import forget_kept as forget_kept
    from engine.hub.fetch import kept_bytes as kept_bytes
    from engine.hub.pace import Pace as Pace
    from engine.hub.sources import SOURCES as SOURCES
    from engine.hub.sources import source_called as source_called
    from engine.hub.verify import knows_bytes as knows_bytes
    from engine.hub.verify import verify_model as verify_model
    from engine.model.checkpoint import ModelSummary as ModelSummary
    from engine.model.checkpoint import summarize_model as summarize_model
    from engine.model.config import LANGUAGES as LANGUAGES
    from engine.model.model import Model as Model
    from engine.model.model import load_model as load_model
    from engine.model.runtime import limit_threads as limit_threads
    from engine.model.runtime import load_engine as load_engine
    from engine.model.runtime import release_memory as release_memory
    from engine.model.runtime import usable_cores as usable_cores
    from engine.places import APPLICATION as APPLICATION
    from engine.places import cache_folder as cache_folder
    from engine.places import models_folder as models_folder
    from engine.places import pair_cache as pair_cache
    from engine.progress import Cancel as Cancel
    from engine.progress import Progress as Progress
    from engine.progress import Report as Report
    from engine.progress import no_report as no_report
    from engine.recognize.agreement import agreement as agreement
    from engine.recognize.recognizer import Heard as Heard
    from engine.recognize.recognizer import Recognizer as Recognizer
    from engine.recognize.recognizer import find_recognizer as find_recognizer
    from engine.speech.budget import expected_seconds as expected_seconds
    from engine.speech.request import SamplerSettings as SamplerSettings
    from engine.speech.request import Sampling as Sampling
    from engine.speech.request import SpeechChunk as SpeechChunk
    from engine.speech.request import SpeechRequest as SpeechRequest
    from engine.speech.script import LONGEST_IN_ONE_GO_SECONDS as LONGEST_IN_ONE_GO_SECONDS
    from engine.speech.script import Mark as Mark
    from engine.speech.script import Passage as Passage
    from engine.speech.script import ScriptChunk as ScriptChunk
    from engine.speech.script import ScriptPart as ScriptPart
    from engine.speech.script import find_marks as find_marks
    from engine.speech.script import parse_script as parse_script
    from engine.speech.script import read_script as read_script
    from engine.speech.script import splice_part as splice_part
    from engine.system.benchmark import benchmark as benchmark
    from engine.system.measured import MeasuredSpeed as MeasuredSpeed
    from engine.system.measured import measured_speed as measured_speed
    from engine.system.memory import forecast as forecast
    from engine.system.memory import forecast_released as forecast_released
    from engine.system.memory import memory_bytes as memory_bytes
    from engine.system.report import describe_system as describe_system
    from engine.system.report import without_person as without_person
    from engine.system.speed import MachineSpeed as MachineSpeed
    from engine.system.speed import expected_realtime_factor as expected_realtime_factor
    from engine.system.speed import measure_machine as measure_machine
    from engine.text.normalize import Change as Change
    from engine.text.normalize import Spoken as Spoken
    from engine.text.normalize import spoken_form as spoken_form
    from engine.text.sentences import group_sentences as group_sentences
    from engine.text.sentences import split_sentences as split_sentences
    from engine.version import version as version
    from engine.voice.convert import convert_voice as convert_voice
    from engine.voice.facts import inspection_facts as inspection_facts
    from engine.voice.facts import inspection_table as inspection_table
    from engine.voice.files import load_voice as load_voice
    from engine.voice.files import save_voice as save_voice
    from engine.voice.files import voice_file_size as voice_file_size
    from engine.voice.format import RELEASED_WIDTHS as RELEASED_WIDTHS
    from engine.voice.inspect import Inspection as Inspection
    from engine.voice.inspect import inspect_voice as inspect_voice
    from engine.voice.likeness import Candidate as Candidate
    from engine.voice.likeness import Ear as Ear
    from engine.voice.likeness import scores as scores
    from engine.voice.pair import ModelPair as ModelPair
    from engine.voice.sidecar import sidecar_path as sidecar_path
    from engine.voice.spoken import Sentence as Sentence
    from engine.voice.tier_report import MeasuredTier as MeasuredTier
    from engine.voice.tier_report import TierReport as TierReport
    from engine.voice.tier_report import measure_tiers as measure_tiers
    from engine.voice.verify import Check as Check
    from engine.voice.verify import verify_file as verify_file
    from engine.voice.verify import verify_models as verify_models
    from engine.voice.voice import Origin as Origin
    from engine.voice.voice import Tier as Tier
    from engine.voice.voice import Voice as Voice


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
