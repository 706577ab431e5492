"""The page "Speak": it shows what the presenter holds and passes on what a person wants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QSplitter, QStackedWidget, QWidget

from app.commands.acts import add_act
from app.icons import icon
from app.speak.export_dialog import ExportDialog
from app.speak.exporting import FORMATS, free_path
from app.speak.mark_menu import MarkMenu
from app.speak.more_box import MoreBox
from app.speak.pickers import Pickers, labelled
from app.speak.presenter import SpeakPresenter
from app.speak.said_line import SaidLine
from app.speak.seed_box import SeedBox
from app.speak.style_box import StyleBox
from app.speak.take import Take
from app.speak.take_list import TakeList
from app.speak.talk_bar import TalkBar
from app.speak.text_box import TextBox
from app.store import clock
from app.widgets.buttons import ghost_button, primary_button
from app.widgets.empty_state import EmptyState
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row, scrolling

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from app.studio import Studio

_FILTERS: Final = {f"{words} (*{ending})": ending for words, ending in FORMATS.items()}
_SPLITTER_START: Final = (250, 330)
_WARM_SIZE: Final = QSize(1080, 770)


class SpeakPage(QWidget):
    """Give it the studio; it makes its presenter. `enter` and `leave` when the page is shown and hidden.

    Signals: `new_voice_requested()`, when there is nothing to speak with yet.
    """

    new_voice_requested = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = SpeakPresenter(studio, self)
        self.setProperty("page", True)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._warm_up()
        self._show_choices()
        self._show_offer()
        self._show_takes()
        self._show_talk()

    def _warm_up(self) -> None:
        """Draw a take and the progress once, unseen: the first time costs several times what later ones do, and it
        would fall into the moment when something is spoken."""
        line = "…"
        take = Take(line, 1, line, "", line, line, "", "auto", line, 1, clock.now(), 1.0, reason="limit", peaks=(0.5,))
        self.resize(_WARM_SIZE)
        self._takes_stack.setCurrentWidget(self.take_list)
        self.take_list.show_takes([take])
        self.take_list.go_to(line)
        self.talk_bar.show_progress(line, None)
        self.grab()

    # -- for the window

    def speak_with(self, voice_id: str) -> None:
        """Choose a voice of the library and be ready for the text."""
        self.presenter.start()
        self.presenter.choose_voice_of_library(voice_id)
        self.text_box.setFocus()

    def preview(self, voice_id: str) -> None:
        """Speak a short sentence with a voice of the library, and keep it as its preview."""
        self.presenter.preview(voice_id)

    def enter(self) -> None:
        """The page is shown: look at the library again."""
        self.presenter.start()
        self.text_box.setFocus()

    def leave(self) -> None:
        """Another page is shown; speaking goes on."""
        self.presenter.save()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.presenter.start()

    # -- making

    def _make_parts(self) -> None:
        self.pickers = Pickers()
        self.style_box = StyleBox()
        self.seed_box = SeedBox()
        self.text_box = TextBox()
        self.mark_menu = MarkMenu()
        self.more_box = MoreBox()
        self.more_button = ghost_button("More", "chevron-down", self._toggle_more)
        self.more_button.setToolTip("Speed, the model's sampling, and how many takes “Best of” makes")
        self.said_line = SaidLine()
        self.talk_bar = TalkBar()
        self.take_list = TakeList()
        self._count = label(tone="dim")
        self.no_takes = EmptyState(
            "audio-lines",
            "Nothing spoken yet",
            "Every take is kept here, with its seed and its settings.",
        )
        self.new_voice_button = primary_button("New voice", "mic", self.new_voice_requested.emit)
        self.no_voice = EmptyState(
            "mic",
            "Make a voice first",
            "Record or import half a minute of speech and clone it. Then it speaks here whatever you write.",
            self.new_voice_button,
        )

    def _lay_out(self) -> None:
        style = labelled("Style", self.style_box, self.style_box.field)
        seed = labelled("Seed", self.seed_box, self.seed_box.field)
        more = labelled(" ", self.more_button, self.more_button)
        settings = row(style, seed, more, gap="l")
        settings.setStretch(0, 1)
        settings.setAlignment(more, Qt.AlignmentFlag.AlignTop)
        settings.setAlignment(seed, Qt.AlignmentFlag.AlignTop)
        settings.setAlignment(style, Qt.AlignmentFlag.AlignTop)
        self._takes_stack = QStackedWidget()
        self._takes_stack.addWidget(self.take_list)
        self._takes_stack.addWidget(self.no_takes)
        bar = row(self.talk_bar, self.mark_menu, gap="s")
        bar.setStretch(0, 1)
        upper = column(column(self.text_box, self.said_line, gap="xs"), bar, gap="m")
        upper.setStretch(0, 1)
        self.export_all_button = ghost_button("Export all…", "download", self._export_all)
        lower = column(row(label("Takes", "lead"), self._count, None, self.export_all_button), self._takes_stack)
        lower.setStretch(1, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(boxed(upper))
        self.splitter.addWidget(boxed(lower))
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(12)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(self.presenter.choices.splitter or _SPLITTER_START)
        # In a small window it shrinks to its least height before the page has to be scrolled.
        self.splitter.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.splitter.setMinimumHeight(self.splitter.minimumSizeHint().height())
        chosen = column(settings, self.style_box.why, self.more_box, gap="s")
        work = column(self.pickers, chosen, self.splitter, gap="m")
        work.setStretch(2, 1)
        self._stack = QStackedWidget()
        self._work = scrolling(boxed(work))
        self._stack.addWidget(self._work)
        self._stack.addWidget(self.no_voice)
        layout = column(label("Speak", "title"), self._stack, gap="l", margin="xl")
        layout.setStretch(1, 1)
        self.setLayout(layout)

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.offer_changed.connect(self._show_offer)
        presenter.choices_changed.connect(self._show_choices)
        presenter.talk_changed.connect(self._show_talk)
        presenter.said.changed.connect(self._show_said)
        self.said_line.as_written_toggled.connect(presenter.say_as_written)
        presenter.takes.changed.connect(self._show_takes)
        presenter.takes.added.connect(lambda take: self.take_list.go_to(take.id))
        presenter.listening.heard_changed.connect(self._show_heard)
        presenter.listening.moved.connect(
            lambda seconds: self.take_list.show_heard(presenter.listening.heard_id, seconds)
        )
        self.pickers.voice_chosen.connect(presenter.choose_voice)
        self.pickers.model_chosen.connect(presenter.choose_model)
        self.pickers.language_chosen.connect(presenter.choose_language)
        self.style_box.style_edited.connect(presenter.set_style)
        self.style_box.model_wanted.connect(presenter.choose_model)
        self.style_box.measure_asked.connect(presenter.measure_style)
        presenter.meter.changed.connect(self._show_measured)
        self.more_box.tuning_edited.connect(presenter.set_tuning)
        self.more_box.best_of_edited.connect(self._set_best_of)
        self.mark_menu.mark_chosen.connect(self.text_box.insert_mark)
        self.talk_bar.best_asked.connect(self.speak_best_of)
        self.seed_box.seed_edited.connect(presenter.set_seed)
        self.seed_box.lock_toggled.connect(presenter.lock_seed)
        self.seed_box.roll_wanted.connect(presenter.roll_seed)
        self.text_box.text_edited.connect(presenter.set_text)
        self.talk_bar.speak_asked.connect(self.speak)
        self.talk_bar.stop_asked.connect(presenter.stop)
        self.splitter.splitterMoved.connect(lambda *_: presenter.set_splitter(tuple(self.splitter.sizes())))
        self._connect_takes()
        add_act(self, "Speak the text", self.speak, "Ctrl+Return", "Ctrl+Enter")
        add_act(self, "Make several takes and star the best", self.speak_best_of, "Ctrl+Shift+Return")
        add_act(self, "Measure what the style changes", presenter.measure_style, "Ctrl+Shift+M")
        add_act(self, "Put a mark into the text", self.mark_menu.open, "Ctrl+M")
        add_act(self, "Show or hide speed and sampling", self._toggle_more, "Ctrl+Shift+O")
        add_act(self, "Stop speaking", presenter.stop, "Esc")
        add_act(self, "Export the take", self._export_current, "Ctrl+E")
        add_act(self, "Export all takes", self._export_all, "Ctrl+Shift+E")

    def _connect_takes(self) -> None:
        presenter, takes = self.presenter, self.take_list
        takes.play_asked.connect(presenter.toggle_play)
        takes.wave_pressed.connect(self._play_from)
        takes.star_asked.connect(presenter.toggle_star)
        takes.export_asked.connect(self._export)
        takes.reuse_asked.connect(presenter.use_settings)
        takes.delete_asked.connect(presenter.delete)
        takes.redo_asked.connect(presenter.redo)
        takes.mark_asked.connect(presenter.comparing.mark)
        takes.switch_asked.connect(presenter.comparing.switch)
        presenter.comparing.changed.connect(lambda: takes.show_sides(presenter.comparing.sides))
        takes.drag_near.connect(presenter.prepare_drag)
        takes.file_of = presenter.drag_file

    def _export_current(self) -> None:
        self._export(self.take_list.current.id if self.take_list.current else "")

    # -- showing

    def _show_offer(self) -> None:
        presenter = self.presenter
        self._stack.setCurrentWidget(self.no_voice if presenter.is_empty else self._work)
        self.pickers.show_voices(presenter.voices, presenter.voice)
        self.pickers.show_models(presenter.models, presenter.model)
        self.pickers.show_languages(presenter.languages, presenter.language)
        self.style_box.show_state(presenter.style)
        self.style_box.show_presets(presenter.language, presenter.choices.used_styles)
        self.mark_menu.show_offer(presenter.voices, presenter.language, style_obeyed=presenter.style.obeyed)

    def _show_choices(self) -> None:
        choices = self.presenter.choices
        self.text_box.show_text(choices.text)
        self.style_box.show_style(choices.style)
        self.seed_box.show_seed(choices.seed, choices.seed_locked)
        self.style_box.show_presets(self.presenter.language, choices.used_styles)
        self.more_box.show_choices(choices.tuning, choices.best_of)
        self.more_box.setVisible(choices.more)
        self.more_button.setIcon(icon("chevron-up" if choices.more else "chevron-down"))
        self.more_button.setText("Less" if choices.more else "More")
        self.talk_bar.show_best_of(choices.best_of)

    def _show_talk(self) -> None:
        presenter = self.presenter
        if presenter.is_speaking:
            best = presenter.best
            which = f"take {best.step} of {best.count} · " if best.count else ""
            self.talk_bar.show_progress(f"{which}{presenter.talk.text}", presenter.talk.share)
        else:
            self.talk_bar.show_idle(presenter.blocked_reason, can_stop=bool(presenter.listening.heard_id))

    def _show_measured(self) -> None:
        meter = self.presenter.meter
        self.style_box.show_measured(meter.words, measuring=meter.is_measuring)

    def _show_said(self) -> None:
        self.said_line.show_said(self.presenter.said.text, self.presenter.choices.as_written)

    def _show_takes(self) -> None:
        takes = self.presenter.takes.all
        self.take_list.show_takes(takes)
        self._takes_stack.setCurrentWidget(self.take_list if takes else self.no_takes)
        self._count.setText(str(len(takes)) if takes else "")
        self.export_all_button.setVisible(bool(takes))

    def _show_heard(self, take_id: str) -> None:
        self.take_list.show_heard(take_id, 0.0)
        self._show_talk()

    # -- acts

    def speak(self) -> None:
        """Say what is written, as chosen."""
        self.seed_box.finish_editing()
        self.presenter.speak()

    def speak_best_of(self) -> None:
        """Say what is written with several seeds, and star the best."""
        self.seed_box.finish_editing()
        self.presenter.speak_best_of()

    def _toggle_more(self) -> None:
        self.presenter.show_more(not self.presenter.choices.more)
        self._show_choices()

    def _set_best_of(self, count: int) -> None:
        self.presenter.set_best_of(count)
        self.talk_bar.show_best_of(self.presenter.choices.best_of)

    def _play_from(self, take_id: str, share: float) -> None:
        take = self.presenter.takes.find(take_id)
        if take is not None:
            self.presenter.play_from(take_id, share * take.seconds)

    def _export(self, take_id: str) -> None:
        """Ask where a take shall go and as what."""
        take = self.presenter.takes.find(take_id)
        if take is None:
            return
        start = self.presenter.export_start(take)
        name, kind = QFileDialog.getSaveFileName(self, f"Export take {take.number}", str(start), ";;".join(_FILTERS))
        if name:
            self.presenter.export(take_id, export_path(Path(name), _FILTERS.get(kind, ".wav")))

    def _export_all(self) -> None:
        """Ask where the takes shall go, as what and called how."""
        takes = self.presenter.takes.all
        if not takes:
            return
        dialog = ExportDialog(takes, self.presenter.export_start(takes[0]).parent, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(
            lambda: self.presenter.export_all(dialog.chosen, dialog.folder, dialog.pattern, dialog.ending)
        )
        dialog.open()


def export_path(path: Path, chosen: str) -> Path:
    """`path` with an ending that can be written: its own if it is one of ours, unless another kind was `chosen`.

    The dialog asked before overwriting `path` only, so a changed name never falls on a file that is there.
    """
    own = path.suffix.lower()
    if own == chosen or (own in FORMATS.values() and own != ".wav"):
        return path
    return free_path(path.parent, path.stem if own == ".wav" else path.name, chosen)
