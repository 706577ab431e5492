"""How long a library of many voices takes to open, to be shown, and to be scrolled through; list and grid.

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.library --voices 1000

The files are real light voices in a folder that goes afterwards. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.library", description=__doc__)
    parser.add_argument("--voices", type=int, default=1000)
    parser.add_argument("--width", type=int, default=2048)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["QVOICE_HOME"] = home
        _fill(arguments.voices, arguments.width)
        _measure(arguments.voices)


def _fill(count: int, width: int) -> None:
    import engine
    from app.paths import paths
    from app.store import Library, VoiceDetails, records

    places = paths()
    library = Library(places)
    library.open()
    dice = np.random.default_rng(0)
    with library._writing() as connection:
        for number in range(count):
            voice = engine.Voice(dice.normal(size=width).astype(np.float32))
            file = places.voices / f"Voice {number:05}.bin"
            file.write_bytes(voice.x_vector.astype("<f4").tobytes())
            details = VoiceDetails.of(voice, file.stem)
            records.insert(connection, records.new_record(details, file.stem, file.name, 4 * width))
    library.close()


def _measure(count: int) -> None:
    from PySide6.QtWidgets import QApplication

    from app.library.page import LibraryPage
    from app.library.presenter import LibraryPresenter
    from app.messages import Messages
    from app.paths import paths
    from app.store import Library
    from app.theme import apply_theme
    from app.work import Lane

    app = QApplication(sys.argv[:1])
    apply_theme(app, "dark")
    lane, library = Lane("files"), Library(paths())
    presenter = LibraryPresenter(library, lane, Messages())
    page = LibraryPage(presenter)
    page.resize(1280, 800)
    page.show()
    app.processEvents()
    began, computed = time.perf_counter(), time.process_time()
    presenter.start()
    while len(presenter.records) < count:
        app.processEvents()
    page.grab()
    wall, cpu = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - computed)
    print(f"{count} voices opened, checked, listed and drawn in {wall:.0f} ms ({cpu:.0f} ms of CPU)")
    for grid in (False, True):
        page.filters.grid_button.setChecked(grid)
        page.grab()
        _scroll("grid" if grid else "list", page.list.verticalScrollBar(), app.processEvents)
    began = time.perf_counter()
    page.filters.search_field.setText("777")
    page.list.viewport().grab()
    print(f"search: {1000 * (time.perf_counter() - began):.0f} ms to what it finds, drawn")
    page.shut_down()
    lane.close()
    library.close()


def _scroll(name: str, bar: object, draw: Callable[[], object]) -> None:
    """From top to bottom in steps of 120 pixels, so that every voice is drawn for the first time."""
    spent, computed = [], time.process_time()
    for value in range(0, bar.maximum(), 120):  # type: ignore[attr-defined]
        began = time.perf_counter()
        bar.setValue(value)  # type: ignore[attr-defined]
        draw()
        spent.append(1000 * (time.perf_counter() - began))
    figures = np.percentile(spent, [50, 99, 100])
    median, most, worst = figures
    cpu = 1000 * (time.process_time() - computed) / len(spent)
    print(
        f"{name}: {len(spent)} steps, median {median:.1f} ms, 99 % {most:.1f} ms, worst {worst:.1f}, CPU {cpu:.1f} ms"
    )


if __name__ == "__main__":
    main()
