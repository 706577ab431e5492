"""The library page: it shows what the presenter holds and passes on what a person wants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QSplitter, QStackedWidget, QWidget

from app.commands.acts import add_act
from app.icons import icon
from app.library.details import VoiceDetailsPanel
from app.library.export_dialog import ExportDialog
from app.library.filters import FilterRow
from app.library.inspector import InspectorDialog
from app.library.list_view import VoiceListView
from app.library.places import DropVeil, EmptyLibrary, NothingFound
from app.library.words import TIERS, count_text, size_text
from app.settings.table import LIBRARY_VIEW, PREVIEW_ON_HOVER
from app.store.folder import BUNDLE_SUFFIX, belongs_in_library
from app.store.names import safe_stem
from app.store.opening import TRASH_DAYS
from app.widgets.buttons import plain_button
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent

    import engine
    from app.library.exporting import Offer
    from app.library.presenter import LibraryPresenter
    from app.settings.settings import Settings
    from app.store import VoiceRecord

_VOICE_FILES = f"Voice files (*.bin *.qvoice *{BUNDLE_SUFFIX});;All files (*)"
_SPLITTER_START = (560, 420)


class LibraryPage(QWidget):
    """Give it a presenter that was started, or start it later. `folder` is where file dialogs begin.

    `settings` remember whether voices are a list or a grid, and say whether they are heard in passing.
    """

    def __init__(
        self, presenter: LibraryPresenter, settings: Settings | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = Path.home()
        self._presenter = presenter
        self._settings = settings
        self.setProperty("page", True)
        self.setAcceptDrops(True)
        self._make_parts()
        self._lay_out()
        self._veil = DropVeil(self)
        self._connect()
        if settings is not None:
            self.filters.grid_button.setChecked(settings.get(LIBRARY_VIEW) == "grid")
        self._show_models()
        self._show_records()
        self._show_current(presenter.current)

    # -- making

    def _make_parts(self) -> None:
        self._count = label(tone="dim")
        self.import_button = plain_button("Import…", "upload", self.choose_files)
        self.import_button.setToolTip("Import voice files (Ctrl+I)")
        self.empty_button = plain_button(self.tr("Empty the trash…"), "trash-2", self.ask_empty_trash)
        self.new_button = plain_button("New voice", "plus", self._presenter.record_requested.emit)
        self.filters = FilterRow()
        self.list = VoiceListView()
        self.details = VoiceDetailsPanel()
        self.empty = EmptyLibrary(
            self._presenter.record_requested.emit,
            self.choose_files,
            lambda: self.filters.trash_button.setChecked(True),
        )
        self.nothing = NothingFound(self.filters.clear)
        self._opening = boxed(
            column(None, row(None, label("Opening the library…", tone="dim"), None), None, margin="xl")
        )

    def _lay_out(self) -> None:
        self._left = QStackedWidget()
        self._left.addWidget(self.list)
        self._left.addWidget(self.nothing)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.details)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setHandleWidth(12)
        self.splitter.setSizes(_SPLITTER_START)
        self._browse = boxed(column(self.filters, self.splitter, gap="m"))
        self._browse.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self._stack = QStackedWidget()
        for part in (self._opening, self.empty, self._browse):
            self._stack.addWidget(part)
        title = row(
            label("Library", "title"),
            self._count,
            None,
            self.empty_button,
            self.import_button,
            self.new_button,
            gap="m",
        )
        layout = column(title, self._stack, gap="l", margin="xl")
        layout.setStretch(1, 1)
        self.setLayout(layout)

    def _connect(self) -> None:
        presenter, details = self._presenter, self.details
        presenter.records_changed.connect(self._show_records)
        presenter.current_changed.connect(self._show_current)
        presenter.loaded.connect(self._show_records)
        presenter.models_changed.connect(self._show_models)
        presenter.inspected.connect(self._show_inside)
        presenter.previews.playing_changed.connect(self._show_playing)
        self.filters.grid_chosen.connect(self._choose_view)
        self.list.rested_on.connect(self._hear_in_passing)
        self.list.left.connect(presenter.pass_on)
        self.filters.query_changed.connect(presenter.set_query)
        self.list.current_moved.connect(presenter.select)
        self.list.play_asked.connect(presenter.toggle_play)
        self.list.speak_asked.connect(presenter.speak)
        self.list.delete_asked.connect(self._delete)
        self.list.star_asked.connect(presenter.toggle_star)
        self.list.rename_asked.connect(presenter.rename)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        details.play_asked.connect(self._with_current(presenter.toggle_play))
        details.speak_asked.connect(self._with_current(presenter.speak))
        details.export_asked.connect(self.choose_export)
        details.rename_asked.connect(self._rename)
        details.delete_asked.connect(lambda: self._delete(self.list.selected_ids()))
        details.restore_asked.connect(lambda: presenter.restore(self.list.selected_ids()))
        details.show_file_asked.connect(self._show_file)
        details.inspect_asked.connect(self._with_current(presenter.inspect))
        details.tags_edited.connect(presenter.set_tags)
        details.notes_edited.connect(presenter.set_notes)
        details.language_chosen.connect(presenter.set_language)
        add_act(self, "Import voices", self.choose_files, "Ctrl+I")
        add_act(self, "Export the voice", self.choose_export, "Ctrl+E")
        add_act(self, self.tr("Show voices as a list or a grid"), self.filters.grid_button.toggle, "Ctrl+G")
        add_act(self, self.tr("What is inside the voice's file"), self._with_current(presenter.inspect))
        add_act(self, "Empty the trash", self.ask_empty_trash)
        add_act(self, "Search voices", self._go_to_search, QKeySequence.StandardKey.Find)

    def _with_current(self, act: Callable[[str], object]) -> Callable[[], None]:
        def call() -> None:
            if (record := self._presenter.current) is not None:
                act(record.id)

        return call

    # -- showing

    def _show_records(self) -> None:
        presenter = self._presenter
        if not presenter.is_loaded and not presenter.total:
            self._stack.setCurrentWidget(self._opening)
            return
        query, records = presenter.query, presenter.records
        at_start = presenter.total == 0 and not query.deleted
        self._stack.setCurrentWidget(self.empty if at_start else self._browse)
        self.empty.show_trash(presenter.in_trash)
        self.filters.show_languages(presenter.languages)
        self.filters.show_widths(presenter.widths)
        self.filters.show_trash(presenter.in_trash)
        self.empty_button.setVisible(query.deleted and presenter.in_trash > 0)
        self.import_button.setVisible(not at_start)
        self.new_button.setVisible(not at_start)
        self.nothing.show_reason(_reason(query.deleted, query.narrows), query.narrows)
        self._left.setCurrentWidget(self.list if records else self.nothing)
        current = presenter.current
        self.list.show_records(records, current.id if current else "")
        self._count.setText("" if at_start else _count_words(len(records), presenter))

    def _show_current(self, record: VoiceRecord | None) -> None:
        if record is None:
            self.details.show_record(None, None)
        else:
            self.details.show_record(record, self._presenter.file_of(record), self._presenter.models_for(record.width))
        self.details.show_playing(record is not None and record.id == self._presenter.previews.playing_id)
        if record is not None:
            self.list.move_to(record.id)

    def _show_playing(self, voice_id: str) -> None:
        current = self._presenter.current
        self.list.show_playing(voice_id)
        self.details.show_playing(current is not None and current.id == voice_id)

    def _show_models(self) -> None:
        models = self._presenter.models
        self.list.voices.set_widths(None if models is None else frozenset(model.width for model in models))
        self._show_current(self._presenter.current)

    def _show_inside(self, found: engine.Inspection) -> None:
        InspectorDialog(found, self).open()

    def _choose_view(self, grid: bool) -> None:
        self.list.set_grid(grid)
        if self._settings is not None:
            self._settings.set(LIBRARY_VIEW, "grid" if grid else "list")

    def _hear_in_passing(self, voice_id: str) -> None:
        if self._settings is not None and self._settings.get(PREVIEW_ON_HOVER):
            self._presenter.hear_in_passing(voice_id)

    # -- acts

    def shut_down(self) -> None:
        """Keep what is still being typed; call it before the lanes close."""
        self._presenter.close()
        self.details.keep_edits()

    def choose_files(self) -> None:
        """Ask for voice files and import them."""
        names, _ = QFileDialog.getOpenFileNames(self, "Import voices", str(self.folder), _VOICE_FILES)
        if names:
            self.folder = Path(names[0]).parent
            self._presenter.take_in([Path(name) for name in names])

    def choose_export(self) -> None:
        """Ask what the current voice shall be exported as, then where to."""
        record = self._presenter.current
        if record is None or record.missing:
            return
        exports = self._presenter.exports
        dialog = ExportDialog(record, exports.offers(record), exports.measure(record), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._choose_place(record, dialog.chosen))
        dialog.open()

    def _choose_place(self, record: VoiceRecord, offer: Offer) -> None:
        start = self.folder / f"{safe_stem(record.name)}{offer.suffix}"
        kinds = f"{TIERS.get(offer.kind) or self.tr('Bundle')} (*{offer.suffix})"
        name, _ = QFileDialog.getSaveFileName(self, f"Export {record.name}", str(start), kinds)
        if name:
            path = Path(name)
            if path.suffix.lower() != offer.suffix:
                stem = path.stem if belongs_in_library(path) else path.name
                path = path.with_name(f"{stem}{offer.suffix}")
            self.folder = path.parent
            self._presenter.exports.export(record, path, offer.kind)

    def _delete(self, voice_ids: list[str]) -> None:
        if not self._presenter.query.deleted:
            self._presenter.delete(voice_ids)
        self.list.setFocus()

    def _rename(self) -> None:
        self.list.setFocus()
        self.list.rename_current()

    def _go_to_search(self) -> None:
        self.filters.search_field.setFocus()
        self.filters.search_field.selectAll()

    def _show_file(self) -> None:
        if (record := self._presenter.current) is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._presenter.file_of(record).parent)))

    def _show_menu(self, place: QPoint) -> None:
        record = self.list.voices.record(self.list.indexAt(place))
        if record is not None:
            menu = self._menu(record)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.list.viewport().mapToGlobal(place))

    def _menu(self, record: VoiceRecord) -> QMenu:
        menu, presenter = QMenu(self), self._presenter
        if record.deleted_at is not None:
            menu.addAction(icon("undo-2"), "Restore", lambda: presenter.restore(self.list.selected_ids()))
            size = size_text(presenter.trash_bytes)
            menu.addAction(icon("trash-2"), f"Empty the trash ({size})…", self.ask_empty_trash)
            return menu
        menu.addAction(icon("play"), "Play a preview", lambda: presenter.toggle_play(record.id))
        menu.addAction(icon("message-square-text"), "Speak with it", lambda: presenter.speak(record.id))
        menu.addSeparator()
        star = "No favourite any more" if record.star else "Favourite"
        menu.addAction(icon("star", filled=record.star), f"{star}\tS", lambda: presenter.toggle_star(record.id))
        menu.addAction(icon("pencil"), "Rename", self._rename)
        menu.addAction(icon("copy"), "Duplicate", lambda: presenter.duplicate(record.id))
        menu.addAction(icon("download"), "Export…", self.choose_export)
        menu.addAction(icon("scan-search"), self.tr("What is inside…"), lambda: presenter.inspect(record.id))
        menu.addSeparator()
        menu.addAction(icon("trash-2"), "Delete", lambda: self._delete(self.list.selected_ids()))
        return menu

    def ask_empty_trash(self) -> None:
        """The one act here that cannot be undone, so it is asked."""
        presenter = self._presenter
        if not presenter.in_trash:
            return
        what = f"{count_text(presenter.in_trash)}, {size_text(presenter.trash_bytes)}"
        box = QMessageBox(QMessageBox.Icon.Question, "Empty the trash", f"Remove {what}, for good?", parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove = box.addButton("Remove for good", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        remove.clicked.connect(presenter.empty_trash)
        box.open()

    # -- events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.filters.search_field.text():
            self.filters.search_field.clear()
            self.list.setFocus()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _local_files(event):
            event.acceptProposedAction()
            self._veil.cover()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self._veil.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._veil.hide()
        if files := _local_files(event):
            event.acceptProposedAction()
            self._presenter.take_in(files)


def _local_files(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


def _reason(deleted: bool, narrowed: bool) -> str:
    if deleted and not narrowed:
        return "The trash is empty."
    return "No deleted voice matches." if deleted else "No voice matches."


def _count_words(found: int, presenter: LibraryPresenter) -> str:
    if presenter.query.deleted:
        size_bytes = sum(record.size_bytes for record in presenter.records)
        return f"{count_text(found)} in the trash, {size_text(size_bytes)}, deleted for good after {TRASH_DAYS} days"
    total = presenter.total
    return count_text(total) if found == total else f"{found:,} of {count_text(total)}"
