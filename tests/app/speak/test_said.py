"""What will be said is shown, and can be switched off."""

from __future__ import annotations

from app.speak.page import SpeakPage
from app.speak.said import SaidForm
from app.work import Lane


def test_the_spoken_form_follows_text_and_language(qtbot) -> None:
    lane = Lane("files")
    said = SaidForm(lane)
    said.follow("I paid $5 on 3 May.", "english")
    qtbot.waitUntil(lambda: bool(said.text))
    assert "five dollars" in said.text
    said.follow("Ich zahle 5 €.", "german")
    qtbot.waitUntil(lambda: "fünf Euro" in said.text)
    said.follow("Plain words.", "english")
    qtbot.waitUntil(lambda: not said.text)
    said.stop()
    lane.close()


def test_what_cannot_be_said_is_told(qtbot) -> None:
    lane = Lane("files")
    said = SaidForm(lane)
    said.follow("***", "english")
    qtbot.waitUntil(lambda: bool(said.text))
    assert "\n" not in said.text
    said.stop()
    lane.close()


def test_the_page_shows_it_and_the_switch_is_kept(studio, qtbot) -> None:
    page = SpeakPage(studio)
    qtbot.addWidget(page)
    presenter = page.presenter
    presenter.start()
    qtbot.waitUntil(lambda: "english" in presenter.languages)
    presenter.choose_language("english")
    presenter.set_text("It is 10:05.")
    qtbot.waitUntil(lambda: not page.said_line.isHidden())
    assert "ten" in page.said_line.words.text()
    page.said_line.switch.setChecked(True)
    assert presenter.choices.as_written
    assert page.said_line.words.text() == ""
    presenter.close()
