from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.store import Query, Sort, VoiceDetails
from app.store.records import new_record
from tests.app.helpers import made_voice

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def record(name, day=0, size_bytes=4096, **fields):
    made = new_record(VoiceDetails.of(made_voice(day), name), name, f"{name}.bin", size_bytes)
    return replace(made, created_at=BEGIN + timedelta(days=day), **fields)


@pytest.fixture
def voices():
    return [
        record("Mario", 0, language="italian", tags=("deep",), notes="From the podcast"),
        record("Élodie Ångström", 1, language="french", tier="standard", size_bytes=16_000_000),
        record("straße", 2, language="german", model_label="1.7B Base", transcript="The quick brown fox"),
        record("gone", 3, deleted_at=BEGIN),
    ]


def names(query, voices):
    return [voice.name for voice in query.apply(voices)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["straße", "Élodie Ångström", "Mario"]),
        ("elodie", ["Élodie Ångström"]),
        ("angstrom FRENCH", ["Élodie Ångström"]),
        ("STRASSE", ["straße"]),
        ("podcast deep", ["Mario"]),
        ("base 1.7b", ["straße"]),
        ("fox", []),
        ("% _ '", []),
        ("gone", []),
    ],
)
def test_every_word_must_be_found_somewhere(voices, text, found):
    assert names(Query(text), voices) == found


def test_filters_and_orders(voices):
    assert names(Query(language="german"), voices) == ["straße"]
    assert names(Query(tier="light", sort=Sort.NAME), voices) == ["Mario", "straße"]
    assert names(Query(tag="deep"), voices) == ["Mario"]
    assert names(Query(sort=Sort.NAME), voices) == ["Élodie Ångström", "Mario", "straße"]
    assert names(Query(sort=Sort.LARGEST), voices)[0] == "Élodie Ångström"
    assert names(Query(deleted=True), voices) == ["gone"]


def test_a_query_knows_whether_it_leaves_anything_out():
    assert not Query("  ", sort=Sort.NAME).narrows
    assert Query("a").narrows
    assert Query(language="").narrows
