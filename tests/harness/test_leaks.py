"""The leak fixture itself: a test that leaves something running must fail, one that cleans up must not."""

from __future__ import annotations

import pytest

from tests.harness import inner

LEAKING = """
    import threading
    import pytest
    from concurrent.futures import ThreadPoolExecutor
    from PySide6 import QtCore

    stop = threading.Event()
    kept = []

    @pytest.fixture(scope="module", autouse=True)
    def end_at_last():
        yield
        stop.set()

    def test_thread():
        threading.Thread(target=stop.wait, name="forgotten").start()

    def test_daemon():
        threading.Thread(target=stop.wait, name="shrugged off", daemon=True).start()

    def test_executor():
        kept.append(ThreadPoolExecutor(1, thread_name_prefix="lane"))
        kept[-1].submit(int)

    def test_qthread(qapp):
        kept.append(QtCore.QThread(objectName="worker"))
        kept[-1].start()

    def test_timer(qapp):
        kept.append(QtCore.QTimer())
        kept[-1].start(10)

    def test_child_timer(qapp):
        owner = QtCore.QObject()
        kept.append(owner)
        QtCore.QTimer(owner).start(10)

    def test_timer_in_a_circle(qapp):
        timer = QtCore.QTimer()
        timer.timeout.connect(lambda: timer)
        timer.start(10)

    def test_animation(qapp):
        kept.append(QtCore.QVariantAnimation(startValue=0, endValue=1, duration=60_000))
        kept[-1].start()

    def test_single_shot(qapp):
        QtCore.QTimer.singleShot(60_000, lambda: None)

    def test_pool(qapp):
        QtCore.QThreadPool.globalInstance().start(lambda: stop.wait(10))
"""

CLEAN = """
    import threading
    import time
    from concurrent.futures import ThreadPoolExecutor
    from PySide6 import QtCore

    def test_thread_that_ends_in_a_moment():
        threading.Thread(target=time.sleep, args=(0.3,)).start()

    def test_executor():
        with ThreadPoolExecutor(1) as pool:
            pool.submit(int)

    def test_qthread(qapp):
        thread = QtCore.QThread()
        thread.start()
        thread.quit()
        assert thread.wait(5000)

    def test_timer_of_a_deleted_owner(qapp):
        owner = QtCore.QObject()
        QtCore.QTimer(owner).start(10)
        owner.deleteLater()

    def test_single_shot_of_a_deleted_owner(qapp):
        owner = QtCore.QObject()
        QtCore.QTimer.singleShot(60_000, owner, lambda: None)
        QtCore.QTimer.singleShot(60_000, owner.deleteLater)
        owner.deleteLater()

    def test_waiting(qtbot):
        qtbot.wait(20)
"""


def test_each_leak_fails_its_test_and_is_named(pytester: pytest.Pytester) -> None:
    result = inner.run(pytester, LEAKING)
    result.assert_outcomes(passed=10, errors=10)
    for words in (
        "*thread 'forgotten', started at *in test_thread*",
        "*daemon thread 'shrugged off', started at *in test_daemon*",
        "*thread 'lane_0', started at *in test_executor*",
        "*running QThread 'worker', started at *in test_qthread*",
        "*running QTimer, started at *in test_timer*",
        "*running QTimer, started at *in test_child_timer*",
        "*running QTimer, started at *in test_timer_in_a_circle*",
        "*running QVariantAnimation, started at *in test_animation*",
        "*pending QTimer.singleShot, asked for at *in test_single_shot*",
        "*a job in QThreadPool.globalInstance()*",
    ):
        result.stdout.fnmatch_lines([words])


def test_what_ends_or_is_owned_passes(pytester: pytest.Pytester) -> None:
    inner.run(pytester, CLEAN).assert_outcomes(passed=6)


@pytest.mark.sound
def test_an_open_sound_stream_fails_its_test_and_is_closed(pytester: pytest.Pytester) -> None:
    result = inner.run(
        pytester,
        """
        import sys
        kept = []

        def test_leak():
            assert "sounddevice" not in sys.modules
            import sounddevice
            kept.append(sounddevice.OutputStream(channels=1))
            kept[0].start()

        def test_next_one_is_not_blamed():
            assert kept[0].closed

        def test_closed():
            import sounddevice
            with sounddevice.InputStream(channels=1):
                pass

        def test_refused():
            import pytest, sounddevice
            with pytest.raises(sounddevice.PortAudioError):
                sounddevice.OutputStream(channels=999)
        """,
    )
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(["*open sound stream OutputStream, opened at *in test_leak*"])


def test_a_qt_warning_fails_its_test(pytester: pytest.Pytester) -> None:
    result = inner.run(
        pytester,
        """
        from PySide6.QtCore import qWarning

        def test_warns(qapp):
            qWarning("something is wrong")
        """,
    )
    result.assert_outcomes(failed=1)
