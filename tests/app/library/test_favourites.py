"""Favourites, copies, and an empty trash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.paths import paths
from app.store import Query
from app.store.library import Library
from app.store.migrations import MIGRATIONS
from tests.app.helpers import made_voice

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def library(own_home) -> Iterator[Library]:
    library = Library(paths())
    library.open()
    yield library
    library.close()


def test_a_star_is_kept_and_found(library: Library) -> None:
    first, second = (library.save(made_voice(seed), f"Voice {seed}", "light") for seed in (1, 2))
    assert not first.star
    assert library.set_star(first.id, True).star
    library.close()
    again = Library(paths())
    found = again.voices(Query(starred=True))
    assert [record.id for record in found] == [first.id]
    assert Query(starred=True).narrows
    again.set_star(first.id, False)
    assert again.voices(Query(starred=True)) == []
    assert second.id in {record.id for record in again.voices()}
    again.close()


def test_a_copy_has_all_that_is_known(library: Library) -> None:
    record = library.save(made_voice(3), "Grüße", "light", model_label="0.6B", tags=("warm", "alt"), notes="From here.")
    library.set_language(record.id, "german")
    copied = library.duplicate(record.id)
    assert copied.name == "Grüße (2)"
    assert (copied.tags, copied.notes, copied.language, copied.model_label) == (
        ("warm", "alt"),
        "From here.",
        "german",
        "0.6B",
    )
    assert copied.id != record.id
    np.testing.assert_array_equal(library.load(copied.id).x_vector, library.load(record.id).x_vector)
    library.delete(record.id)
    assert library.load(copied.id).name == "Grüße (2)"


def test_the_trash_is_emptied_and_nothing_else(library: Library) -> None:
    kept, gone = (library.save(made_voice(seed), f"Voice {seed}", "light") for seed in (1, 2))
    library.delete(gone.id)
    assert library.empty_trash() == ("Voice 2",)
    assert [record.id for record in library.everything()] == [kept.id]
    assert list(library.places.trash.iterdir()) == []
    assert library.load(kept.id).width == kept.width
    assert library.empty_trash() == ()


def test_a_library_of_the_first_shape_gets_stars(own_home) -> None:
    import sqlite3

    places = paths()
    places.database.parent.mkdir(parents=True)
    connection = sqlite3.connect(places.database)
    connection.executescript(f"{MIGRATIONS[0]}; PRAGMA user_version = 1;")
    connection.close()
    library = Library(places)
    record = library.save(made_voice(1), "Old friend", "light")
    assert library.set_star(record.id, True).star
    library.close()
