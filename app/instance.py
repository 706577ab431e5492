"""One studio per data folder: the first holds a lock, a later one hands over its arguments and leaves."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

import engine

if TYPE_CHECKING:
    from collections.abc import Sequence

_log = logging.getLogger(__name__)
_ANSWER_MS = 5000  # a first instance that is busy for longer than this is not going to show its window
_MESSAGE_LIMIT = 1 << 20
_TAKEN = b"taken\n"


class DataFolderBusy(engine.QVoiceError):
    """Another studio holds this data folder and does not answer."""


class Instance(QObject):
    """The claim on a data folder.

    The lock file holds the process id, so that a process that died, even by force, holds nothing.

    Signals:
        arguments_received(list[str])  another start wants these opened, and the window raised
    """

    arguments_received = Signal(list)

    def __init__(self, data_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = data_folder.absolute()
        self._lock_path = self._folder / "studio.lock"
        self._lock = QLockFile(str(self._lock_path))
        self._lock.setStaleLockTime(0)  # a studio may run for weeks; only a dead process makes a lock stale
        self._server: QLocalServer | None = None
        self._half_read: dict[QLocalSocket, bytearray] = {}

    @property
    def server_name(self) -> str:
        """A short name made from the folder: a socket path has little room."""
        folder = str(self._folder.resolve())
        return f"qvoice-{hashlib.sha256(folder.encode()).hexdigest()[:20]}"

    def claim(self, arguments: Sequence[str] = ()) -> bool:
        """True: this is the first. False: the first has taken `arguments`, and this process should end.

        Raises `DataFolderBusy` if the lock is held and nobody answers.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._lock.tryLock(0):
            self._listen()
            return True
        if self._lock.error() == QLockFile.LockError.PermissionError:
            raise DataFolderBusy(
                f"Cannot write in {self._folder}. Make it writable, or set QVOICE_HOME to another folder."
            )
        self._hand_over(arguments)
        return False

    def release(self) -> None:
        """Give the folder up; safe to call twice."""
        if self._server is not None:
            self._server.close()
            self._server.deleteLater()
            self._server = None
        self._half_read.clear()
        self._lock.unlock()

    def _listen(self) -> None:
        QLocalServer.removeServer(self.server_name)  # what a killed process left; the lock says it is dead
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._greet)
        if not server.listen(self.server_name):
            _log.warning("A second start cannot reach this one: %s", server.errorString())
        self._server = server

    def _greet(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            self._half_read[socket] = bytearray()
            socket.readyRead.connect(self._read)
            socket.disconnected.connect(self._forget)
            if socket.bytesAvailable():
                self._read_from(socket)

    def _read(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket):
            self._read_from(socket)

    def _forget(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket):
            self._half_read.pop(socket, None)
            socket.deleteLater()

    def _read_from(self, socket: QLocalSocket) -> None:
        data = self._half_read.get(socket)
        if data is None:
            return
        data += socket.readAll().data()
        if len(data) > _MESSAGE_LIMIT:
            socket.abort()
        elif data.endswith(b"\n"):
            socket.write(_TAKEN)
            socket.flush()
            self._announce(bytes(data))

    def _announce(self, data: bytes) -> None:
        try:
            arguments = json.loads(data)
        except ValueError:
            _log.warning("A second start sent something unreadable")
            return
        if isinstance(arguments, list):
            self.arguments_received.emit([str(argument) for argument in arguments])

    def _hand_over(self, arguments: Sequence[str]) -> None:
        socket = QLocalSocket()
        socket.connectToServer(self.server_name)
        if not socket.waitForConnected(_ANSWER_MS):
            raise self._busy()
        socket.write(json.dumps([_made_absolute(argument) for argument in arguments]).encode() + b"\n")
        socket.flush()
        answer = bytearray()
        while not answer.endswith(_TAKEN):
            if not socket.waitForReadyRead(_ANSWER_MS):
                raise self._busy()
            answer += socket.readAll().data()
        socket.disconnectFromServer()

    def _busy(self) -> DataFolderBusy:
        process_id, host, _ = self._lock.getLockInfo()
        who = f" (process {process_id} on {host})" if process_id else ""
        return DataFolderBusy(
            f"Another QVoice Studio{who} holds {self._folder} and does not answer. "
            f"Close it and start again; if there is none, delete {self._lock_path}."
        )


def _made_absolute(argument: str) -> str:
    """A file named on the command line means the second start's folder, not the first's."""
    path = Path(argument)
    return str(path.absolute()) if not argument.startswith("-") and path.exists() else argument
