"""The style sheet in parts, with `$names` for the tokens.

A focus ring is two pixels where the border was one, and takes the pixel from the padding, so that nothing moves.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
QWidget { color: $text; selection-background-color: $accent; selection-color: $on_accent; }
QMainWindow, QDialog, QWidget[page="true"] { background: $ground; }
QLabel { background: transparent; }
QLabel:disabled { color: $text_off; }
QLabel[textSize="caption"] { font-size: $text_caption; }
QLabel[textSize="lead"] { font-size: $text_lead; font-weight: 600; }
QLabel[textSize="title"] { font-size: $text_title; font-weight: 600; }
QLabel[textSize="display"] { font-size: $text_display; font-weight: 600; }
QLabel[tone="dim"] { color: $text_dim; }
QLabel[tone="accent"] { color: $accent; }
QLabel[tone="good"] { color: $good; }
QLabel[tone="warn"] { color: $warn; }
QLabel[tone="bad"] { color: $bad; }
QLabel[tone]:disabled { color: $text_off; }
QLabel[reason="true"]:disabled { color: $warn; }
"""

BUTTONS: Final = """
QPushButton, QToolButton {
    background: $raised; color: $text; border: 1px solid $edge; border-radius: $radius;
    padding: 6px 14px; min-height: 1.3em;
}
QToolButton { padding: 6px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked { background: $pressed; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; border-color: $accent; }
QPushButton[focusRing="true"], QToolButton[focusRing="true"] {
    border: 2px solid $accent; padding: 5px 13px;
}
QToolButton[focusRing="true"] { padding: 5px; }
QPushButton:disabled, QToolButton:disabled { background: transparent; color: $text_off; border-color: $line; }

QPushButton[role="primary"] {
    background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; padding: 6px 18px;
}
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[role="primary"][focusRing="true"] { border: 2px solid $ring_on_accent; padding: 5px 17px; }
QPushButton[role="primary"]:disabled { background: $line; color: $text_dim; border-color: $line; }

QPushButton[role="danger"] { color: $bad; border-color: $bad; }
QPushButton[role="danger"]:hover { background: $bad_soft; }
QPushButton[role="danger"]:disabled { color: $text_off; border-color: $line; }

QPushButton[role="ghost"], QToolButton[role="ghost"] { background: transparent; border-color: transparent; }
QPushButton[role="ghost"] { padding: 6px 10px; }
QPushButton[role="ghost"]:hover, QToolButton[role="ghost"]:hover { background: $hover; border-color: $hover; }
QPushButton[role="ghost"]:pressed, QToolButton[role="ghost"]:pressed { background: $pressed; }
QPushButton[role="ghost"]:checked, QToolButton[role="ghost"]:checked { background: $accent_soft; }
QPushButton[role="ghost"][focusRing="true"] { border: 2px solid $accent; padding: 5px 9px; }
QToolButton[role="ghost"][focusRing="true"] { border: 2px solid $accent; padding: 5px; }
QPushButton[tone="accent"] { color: $accent; font-weight: 600; }
QToolButton::menu-indicator { image: none; }
"""

FIELDS: Final = """
QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
    background: $well; color: $text; border: 1px solid $edge; border-radius: $radius;
}
QLineEdit, QAbstractSpinBox, QComboBox { padding: 6px 9px; min-height: 1.3em; }
QLineEdit { padding: 6px 7px; }
QAbstractSpinBox { padding: 5px 24px 5px 0; }
QPlainTextEdit, QTextEdit { padding: 6px 5px; }
QLineEdit QToolButton, QLineEdit QToolButton:hover {
    background: transparent; border: none; padding: 0; min-height: 0;
}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover, QPlainTextEdit:hover, QTextEdit:hover {
    border-color: $text_dim;
}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox[focusRing="true"] { border: 2px solid $accent; padding: 5px 8px; }
QLineEdit:focus { padding: 5px 6px; }
QAbstractSpinBox:focus { padding: 4px 23px 4px 0; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent; padding: 5px 4px; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled, QPlainTextEdit:disabled, QTextEdit:disabled {
    background: transparent; color: $text_off; border-color: $line;
}
QLineEdit:read-only, QPlainTextEdit[readOnly="true"], QTextEdit[readOnly="true"] { background: $surface; }

QComboBox { background: $raised; padding-right: 28px; }
QComboBox[focusRing="true"] { padding-right: 27px; }
QComboBox:hover { background: $hover; }
QComboBox:editable { background: $well; }
QComboBox QLineEdit { border: none; padding: 0; background: transparent; min-height: 0; }
QComboBox::drop-down { border: none; width: 28px; subcontrol-origin: border; subcontrol-position: center right; }
QComboBox::down-arrow { image: url("$mark-chevron-down.svg"); width: 14px; height: 14px; }
QComboBox::down-arrow:disabled { image: url("$mark-chevron-down-off.svg"); }
QComboBox QAbstractItemView {
    background: $raised; border: 1px solid $edge; border-radius: $radius; padding: 4px; outline: none;
}

QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    subcontrol-origin: border; width: 22px; border: none; background: transparent; margin: 2px;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; border-top-right-radius: 4px; margin-bottom: 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; border-bottom-right-radius: 4px; margin-top: 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-arrow { image: url("$mark-chevron-up.svg"); width: 11px; height: 11px; }
QAbstractSpinBox::down-arrow { image: url("$mark-chevron-down.svg"); width: 11px; height: 11px; }
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::up-arrow:disabled { image: url("$mark-chevron-up-off.svg"); }
QAbstractSpinBox::down-arrow:off, QAbstractSpinBox::down-arrow:disabled {
    image: url("$mark-chevron-down-off.svg");
}
"""

CHOICES: Final = """
QCheckBox, QRadioButton { spacing: 8px; padding: 3px; border: 2px solid transparent; border-radius: $radius; }
QCheckBox:disabled, QRadioButton:disabled { color: $text_off; }
QCheckBox[focusRing="true"], QRadioButton[focusRing="true"] { border-color: $accent; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {
    width: $tick; height: $tick; border: 1px solid $edge; background: $well;
}
QCheckBox::indicator, QAbstractItemView::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
    background: $accent; border-color: $accent; image: url("$mark-check.svg");
}
QCheckBox::indicator:indeterminate { background: $accent; border-color: $accent; image: url("$mark-minus.svg"); }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; image: url("$mark-dot.svg"); }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: transparent; border-color: $line; }
QCheckBox::indicator:checked:disabled { background: $line; image: url("$mark-check-off.svg"); }
QRadioButton::indicator:checked:disabled { background: $line; image: url("$mark-dot-off.svg"); }

QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: $text_dim; padding: 8px 14px; border: 2px solid transparent;
    border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; font-weight: 600; }
QTabBar::tab:disabled { color: $text_off; }
QTabBar[focusRing="true"]::tab:selected { border: 2px solid $accent; border-radius: $radius; }
"""

RANGES: Final = """
QSlider { min-height: 24px; background: transparent; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal {
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: $accent; border: 1px solid $surface;
}
QSlider::handle:horizontal:hover { background: $accent_hover; }
QSlider[focusRing="true"]::handle:horizontal { border: 2px solid $text; width: 12px; height: 12px; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: $text_off; }

.QProgressBar {
    background: $line; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; color: transparent;
}
.QProgressBar::chunk { background: $accent; border-radius: 3px; }
.QProgressBar::chunk:disabled { background: $text_off; }

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $edge; border: 3px solid transparent; border-radius: 6px; background-clip: padding; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $text_dim; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollBar::handle:disabled { background: transparent; }
"""

VIEWS: Final = """
QAbstractItemView {
    background: $well; alternate-background-color: $surface; border: 1px solid $line; border-radius: $radius;
    outline: none; selection-background-color: $accent_soft; selection-color: $text;
}
QAbstractItemView[focusRing="true"] { border: 1px solid $accent; }
QListView::item, QTreeView::item, QTableView::item { padding: 6px 8px; border: none; }
QListView::item { border-radius: 4px; }
QListView::item:hover, QTreeView::item:hover { background: $hover; }
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {
    background: $accent_soft; color: $text;
}
QAbstractItemView:disabled { color: $text_off; }
QTableView { gridline-color: $line; }
QHeaderView { background: $surface; border: none; qproperty-defaultAlignment: "AlignLeft | AlignVCenter"; }
QHeaderView::section {
    background: $surface; color: $text_dim; border: none; border-bottom: 1px solid $line; padding: 6px 8px;
    font-size: $text_caption; font-weight: 600; text-align: left;
}
QTableCornerButton::section { background: $surface; border: none; border-bottom: 1px solid $line; }
QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[page="true"] { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
"""

FRAMES: Final = """
QFrame[card="surface"] { background: $surface; border: 1px solid $line; border-radius: $radius_card; }
QFrame[card="raised"] { background: $raised; border: 1px solid $line; border-radius: $radius_card; }
QFrame[card="well"] { background: $well; border: 1px solid $line; border-radius: $radius_card; }
QFrame[bar="info"] { background: $accent_soft; border: 1px solid $accent; border-radius: $radius; }
QFrame[bar="success"] { background: $good_soft; border: 1px solid $good; border-radius: $radius; }
QFrame[bar="warning"] { background: $warn_soft; border: 1px solid $warn; border-radius: $radius; }
QFrame[bar="error"] { background: $bad_soft; border: 1px solid $bad; border-radius: $radius; }
QFrame[bar="toast"] { background: $raised; border: 1px solid $edge; border-radius: $radius_card; }
QLabel[badge="true"] {
    background: $accent; color: $on_accent; border-radius: 4px; padding: 1px 6px; font-weight: 600;
}
QLabel[badge="true"]:disabled { background: $line; color: $text_dim; }
QFrame[rule="true"] { background: $line; border: none; }
QFrame[rail="true"] { background: $surface; border: none; border-right: 1px solid $line; }
QFrame[foot="true"] { background: $surface; border: none; border-top: 1px solid $line; }
QFrame[foot="true"] QLabel { font-size: $text_caption; }
QFrame[foot="true"] QToolButton { padding: 1px; min-height: 0; }
QFrame[rail="true"] QPushButton {
    background: transparent; border: 2px solid transparent; color: $text_dim; text-align: left; padding: 7px 12px;
}
QFrame[rail="true"] QPushButton:hover { background: $hover; color: $text; }
QFrame[rail="true"] QPushButton:checked { background: $accent_soft; color: $text; font-weight: 600; }
QFrame[rail="true"] QPushButton[focusRing="true"] { border-color: $accent; }
QGroupBox {
    border: 1px solid $line; border-radius: $radius_card; margin-top: 0.7em; padding: 12px; font-weight: 600;
}
QGroupBox::title { subcontrol-origin: margin; left: 12px; padding: 0 4px; }
QSplitter::handle { background: $ground; }
QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 5px; }
QSplitter::handle:vertical { height: 5px; }
"""

POPUPS: Final = """
QToolTip {
    background: $raised; color: $text; border: 1px solid $edge; padding: 5px 7px; font-size: $text_caption;
}
QMenu { background: $raised; border: 1px solid $edge; border-radius: $radius; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $text_off; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenuBar { background: $surface; }
QMenuBar::item { padding: 4px 8px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
"""

ALL: Final = (TEXT, BUTTONS, FIELDS, CHOICES, RANGES, VIEWS, FRAMES, POPUPS)
