"""The pages of the gallery: every widget in the states that matter, in German too."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QSlider,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

import engine
import resources
from app.icons import icon
from app.widgets.buttons import danger_button, ghost_button, icon_button, plain_button, primary_button
from app.widgets.choice_card import ChoiceCard
from app.widgets.empty_state import EmptyState
from app.widgets.fields import number_field, search_field
from app.widgets.labels import label
from app.widgets.layouts import Card, FlowLayout, boxed, column, row
from app.widgets.level_meter import LevelMeter
from app.widgets.mel_view import MelView
from app.widgets.message_bar import Kind, MessageBar
from app.widgets.nav_rail import NavRail
from app.widgets.status_line import StatusLine
from app.widgets.step_header import StepHeader
from app.widgets.time_scroll_bar import TimeScrollBar
from app.widgets.timeline import Timeline
from app.widgets.toast import Toast
from app.widgets.transport import Transport
from app.widgets.voice_glyph import VoiceGlyph
from app.widgets.waveform import WaveformView
from tests.sounds import RATE, voiced


def touch(page: QWidget) -> None:
    """Put the page in a state worth seeing, once it is on the screen."""
    focus = page.findChild(QWidget, "focus")
    window = page.windowHandle()
    if focus is not None and window is not None:
        tab = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(window, tab)
        focus.setFocus(Qt.FocusReason.TabFocusReason)


def _window() -> QWidget:
    rail = NavRail()
    for key, text, name in (
        ("new", "New voice", "mic"),
        ("library", "Library", "library"),
        ("speak", "Speak", "message-square-text"),
        ("models", "Models", "boxes"),
    ):
        rail.add_page(key, text, name)
    rail.add_page("settings", "Settings", "settings", foot=True)
    status = StatusLine()
    status.set_model("Qwen3-TTS 0.6B Base")
    status.set_device("CPU · float32")
    status.set_memory("2.1 of 16 GB")
    status.set_job("clone", "Cloning “Mario”", 0.42)
    body = column(_listen(), gap="none")
    return boxed(_edge_to_edge(rail, body, status))


def _edge_to_edge(rail: NavRail, body: QLayout, status: StatusLine) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(0)
    grid.addWidget(rail, 0, 0)
    grid.addLayout(body, 0, 1)
    grid.addWidget(status, 1, 0, 1, 2)
    grid.setColumnStretch(1, 1)
    grid.setRowStretch(0, 1)
    return grid


def _listen() -> QWidget:
    samples = voiced(18.4)
    samples[9 * RATE : 9 * RATE + 60] = 1.0
    seconds = len(samples) / RATE
    timeline = Timeline()
    waveform, mel = WaveformView(timeline), MelView(timeline)
    timeline.setParent(waveform)
    timeline.set_duration(seconds)
    waveform.set_samples(samples, RATE)
    mel.set_mel(engine.log_mel(samples), engine.MEL_FRAME_SECONDS, engine.mel_centres_hz())
    timeline.set_selection((1.9, 14.6))
    timeline.set_cursor(6.2)
    steps = StepHeader(("Sound", "Listen", "Clone", "Save"))
    steps.set_current(1)
    meter = LevelMeter()
    meter.set_levels(-19.0, -6.3)
    transport = Transport()
    transport.set_length(seconds)
    transport.set_position(6.2)
    transport.set_playing(True)
    bar = MessageBar()
    bar.show_message("warning", "The clip ends in the middle of a word. The last sound may come out cut.", "Trim")
    head = row(label("New voice", "title"), None, steps)
    tools = row(transport, None, icon_button("zoom-out", "Zoom out"), icon_button("zoom-in", "Zoom in"), meter, gap="m")
    foot = row(plain_button("Back", "chevron-left"), None, primary_button("Clone voice", "wand-sparkles"))
    layout = column(head, bar, tools, gap="m", margin="xl")
    layout.addWidget(waveform, 2)
    layout.addWidget(mel, 3)
    layout.addWidget(TimeScrollBar(timeline))
    layout.addLayout(foot)
    return boxed(layout)


def _controls() -> QWidget:
    focus = plain_button("Keyboard is here", "play")
    focus.setObjectName("focus")
    off = plain_button("Disabled", "trash-2")
    off_primary = primary_button("Disabled", "save")
    off.setEnabled(False)
    off_primary.setEnabled(False)
    checked = icon_button("star", "Starred", checkable=True)
    checked.setChecked(True)
    buttons = row(
        primary_button("Clone voice", "wand-sparkles"),
        plain_button("Open…", "folder-open"),
        ghost_button("Skip"),
        danger_button("Remove", "trash-2"),
        focus,
        off,
        off_primary,
        icon_button("settings", "Settings"),
        checked,
        None,
    )
    left, right = column(_fields(), _choices(), gap="l"), column(_ranges(), _lists(), gap="l")
    return boxed(column(label("Controls", "title"), buttons, row(left, right, gap="xl"), None, gap="l", margin="xl"))


def _fields() -> QWidget:
    combo, line, spin = QComboBox(), QLineEdit("Mario"), number_field("Seed", 0, 9999, 7)
    combo.addItems(["Built-in microphone", "USB"])
    editable = QComboBox()
    editable.setEditable(True)
    editable.setEditText("sad and slow")
    hint = search_field("Search voices")
    off = QLineEdit("disabled")
    off.setEnabled(False)
    text = QPlainTextEdit("The north wind and the sun were disputing which was the stronger.")
    text.setMaximumHeight(90)
    grid = QGridLayout()
    grid.setSpacing(8)
    for at, (name, field) in enumerate(
        (("Microphone", combo), ("Name", line), ("Seed", spin), ("Style", editable), ("Search", hint), ("Off", off))
    ):
        grid.addWidget(label(name, tone="dim"), at, 0)
        grid.addWidget(field, at, 1)
    return Card(column(label("Fields", "lead"), grid, text, gap="m"))


def _choices() -> QWidget:
    box, half, off = QCheckBox("Keep the recording"), QCheckBox("Some of them"), QCheckBox("Not possible here")
    box.setChecked(True)
    half.setTristate(True)
    half.setCheckState(Qt.CheckState.PartiallyChecked)
    off.setChecked(True)
    off.setEnabled(False)
    first, second = QRadioButton("Magma"), QRadioButton("Viridis")
    first.setChecked(True)
    return Card(row(column(box, half, off), column(first, second, None), None, gap="xl"))


def _ranges() -> QWidget:
    slider, off = QSlider(Qt.Orientation.Horizontal), QSlider(Qt.Orientation.Horizontal)
    slider.setValue(40)
    off.setValue(40)
    off.setEnabled(False)
    bar, busy = QProgressBar(), QProgressBar()
    bar.setValue(66)
    busy.setRange(0, 0)
    loud, clipped, silent = LevelMeter(), LevelMeter(), LevelMeter()
    loud.set_levels(-8.0, -2.0)
    clipped.set_levels(-1.5, 0.0, clipped=True)
    return Card(column(label("Ranges", "lead"), slider, off, bar, busy, loud, clipped, silent, gap="m"))


def _lists() -> QWidget:
    names = QListWidget()
    names.addItems(["Mario", "Ada", "A voice with a very long name that goes on"])
    names.setCurrentRow(0)
    table = QTableWidget(3, 3)
    table.setHorizontalHeaderLabels(["Model", "Size", "Speed"])
    for at, (model, size, speed) in enumerate((("0.6B Base", "1.8 GB", "1.8 ×"), ("1.7B", "4.5 GB", "4.1 ×"))):
        for column_at, text in enumerate((model, size, speed)):
            table.setItem(at, column_at, QTableWidgetItem(text))
    table.selectRow(0)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setStretchLastSection(True)
    tabs = QTabWidget()
    tabs.addTab(names, "Voices")
    tabs.addTab(table, "Models")
    tabs.setCurrentIndex(1)
    return tabs


def _cards() -> QWidget:
    light = ChoiceCard(
        "Light", "4.1 KB", "for Qwen3-TTS 0.6B", (("yes", "Identity"), ("yes", "Obeys the style prompt"))
    )
    standard = ChoiceCard(
        "Standard",
        "16.2 MB",
        "for Qwen3-TTS 0.6B",
        (("yes", "Identity and accent"), ("yes", "Obeys the style prompt"), ("note", "Likeness 0.91, measured")),
        "Recommended",
    )
    delta = ChoiceCard(
        "WDELTA",
        "785 MB",
        "for the pair 0.6B Base and CustomVoice",
        (("yes", "Bit for bit the voice of the Base model"), ("no", "Hardly obeys the style prompt")),
    )
    delta.set_reason("Needs the CustomVoice model, which is not on this computer.")
    standard.setChecked(True)
    light.setObjectName("focus")
    cards = row(light, standard, delta, gap="l")
    empty = Card(
        column(
            EmptyState(
                "audio-lines",
                "No voices yet",
                "Half a minute of speech is enough. Record it here, or import a voice file somebody gave you.",
                primary_button("Record a voice", "mic"),
                plain_button("Import…", "upload"),
            )
        )
    )
    german = ChoiceCard(
        "Gewichtsunterschiede",
        "1,2 GB",
        "für das Modellpaar Basis und benutzerdefinierte Stimmen",
        (("yes", "Bitgenaue Wiedergabe der Sprecheridentität des Basismodells"), ("no", "Stilvorgaben kaum wirksam")),
        "Empfohlen",
    )
    german.setMaximumWidth(280)
    low = row(german, empty, gap="l")
    low.setStretch(1, 1)
    return boxed(column(label("Save", "title"), boxed(cards), boxed(low), None, gap="l", margin="xl"))


def _messages() -> QWidget:
    layout = column(label("Messages", "title"), gap="m", margin="xl")
    long = (
        "Cannot read “/home/mario/Aufnahmen/interview-2024-final-really-final.m4a”: the file ends after 3 s although "
        "its head promises 31 s. Copy it again from the device, or choose another file."
    )
    messages: tuple[tuple[Kind, str, str | None], ...] = (
        ("info", "The test model makes noise, not speech. Choose a real model to hear a voice.", "Choose model…"),
        ("success", "Saved “Mario.qvoice” (16.2 MB).", None),
        ("warning", "The microphone is very quiet. Move closer, or raise its level.", None),
        ("error", long, "Choose another file…"),
    )
    for kind, text, action in messages:
        bar = MessageBar()
        bar.show_message(kind, text, action)
        layout.addWidget(bar)
    steps = StepHeader(("Aufnahme", "Anhören und zuschneiden", "Stimme klonen", "Speichern"))
    steps.set_current(2)
    layout.addWidget(steps)
    flow = FlowLayout()
    for text in ("✓ level", "✓ length 28.4 s", "hum at 50 Hz", "ends mid-word", "German", "warm", "narrator") * 3:
        flow.addWidget(plain_button(text))
    layout.addLayout(flow)
    layout.addStretch(1)
    status = StatusLine()
    status.set_model("A model folder with a very long name that nobody should ever have given to it, but did")
    status.set_device("CPU · bfloat16")
    status.set_memory("12.4 of 16 GB")
    status.set_job("fetch", "Fetching Qwen3-TTS-12Hz-1.7B-CustomVoice", 0.13)
    status.set_job("speak", "Speaking", None)
    layout.addWidget(status)
    page = boxed(layout)
    toast = Toast(page)
    toast.show_note("Deleted “Mario”", "Undo", seconds=60)
    return page


def _icons() -> QWidget:
    grid = QGridLayout()
    names = sorted(file.stem for file in resources.path("icons", "lucide").glob("*.svg"))
    for at, name in enumerate(names):
        large = QLabel()
        large.setPixmap(icon(name).pixmap(20, 20))
        grid.addWidget(large, at // 8 * 2, at % 8, Qt.AlignmentFlag.AlignHCenter)
        grid.addWidget(label(name, "caption", "dim"), at // 8 * 2 + 1, at % 8, Qt.AlignmentFlag.AlignHCenter)
    return boxed(column(label("Icons", "title"), grid, None, margin="xl"))


def _glyphs() -> QWidget:
    random = np.random.default_rng(3)
    common = random.normal(0, 1, 1024)
    grid = QGridLayout()
    for at in range(36):
        vector = (common + random.normal(0, 1, 1024)).astype(np.float32)
        for size, line in ((96, at // 12 * 3), (40, at // 12 * 3 + 1), (24, at // 12 * 3 + 2)):
            glyph = VoiceGlyph(size)
            glyph.set_vector(vector)
            grid.addWidget(glyph, line, at % 12, Qt.AlignmentFlag.AlignCenter)
    return boxed(column(label("Voices", "title"), grid, row(VoiceGlyph(96), None), None, margin="xl"))


PAGES = {
    "window": _window,
    "controls": _controls,
    "cards": _cards,
    "messages": _messages,
    "icons": _icons,
    "glyphs": _glyphs,
}


def page(name: str) -> QWidget:
    """One page of `PAGES`, 1280 x 800."""
    made = PAGES[name]()
    made.setProperty("page", True)
    made.resize(1280, 800)
    return made
