from __future__ import annotations

import logging
import threading

import pytest

from app import log
from app.messages import Level, Messages
from tests.app.helpers import MessageRecorder


def test_a_message_is_posted_and_remembered(qtbot):
    messages = Messages()
    heard = []
    messages.posted.connect(heard.append)
    messages.success("Saved Mario.qvoice", action=("Undo", lambda: heard.append("undone")))
    assert [(m.level, m.text) for m in messages.history] == [(Level.SUCCESS, "Saved Mario.qvoice")]
    assert heard[0].action.label == "Undo"
    heard[0].action.run()
    assert heard[-1] == "undone"


@pytest.mark.parametrize("level", list(Level))
def test_each_level_has_its_word(qtbot, level):
    messages = MessageRecorder()
    getattr(messages, level.value)("x")
    assert messages.last.level is level


def test_words_from_another_thread_arrive_on_the_gui_thread(qtbot):
    messages = Messages()
    where = []

    class Listener(MessageRecorder):
        def hear(self, _message):
            where.append(threading.current_thread())

    listener = Listener()
    messages.posted.connect(listener.hear)
    worker = threading.Thread(target=lambda: messages.error("the disk is full"))
    with qtbot.waitSignal(messages.posted):
        worker.start()
    worker.join()
    qtbot.waitUntil(lambda: bool(where))
    assert where == [threading.main_thread()]


def test_messages_reach_the_log_file(qtbot, tmp_path):
    file = log.set_up(tmp_path / "logs")
    try:
        Messages().error("Could not read ünicode.wav")
    finally:
        log.tear_down()
    assert file is not None
    assert "ERROR" in file.read_text(encoding="utf-8")
    assert "ünicode.wav" in file.read_text(encoding="utf-8")


def test_setting_up_twice_writes_each_line_once(qtbot, tmp_path):
    log.set_up(tmp_path)
    file = log.set_up(tmp_path)
    try:
        logging.getLogger("app").warning("only once")
    finally:
        log.tear_down()
    assert file is not None
    assert file.read_text(encoding="utf-8").count("only once") == 1


def test_no_log_folder_does_not_stop_the_start(tmp_path):
    (tmp_path / "logs").write_text("a file where the folder should be", encoding="utf-8")
    try:
        assert log.set_up(tmp_path / "logs") is None
    finally:
        log.tear_down()
