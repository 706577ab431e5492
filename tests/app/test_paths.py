from __future__ import annotations

from app.paths import paths


def test_the_environment_overrides_every_place(monkeypatch, tmp_path):
    monkeypatch.setenv("QVOICE_HOME", str(tmp_path / "ü home"))
    places = paths()
    for place in (places.database, places.voices, places.settings_file, places.logs, places.cache):
        assert place.is_relative_to(tmp_path / "ü home")
    assert not (tmp_path / "ü home").exists()  # asking creates nothing


def test_without_it_the_places_are_the_systems_and_apart(monkeypatch):
    monkeypatch.delenv("QVOICE_HOME", raising=False)
    places = paths()
    roots = {places.data, places.config, places.logs, places.cache}
    assert len(roots) == 4
    assert all(root.is_absolute() and "qvoice" in str(root).lower() for root in roots)
